//! The leaky bucket: packets leave at a constant rate, never closer.

use pacesim_units::{Capacity, Rate, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::meter::Meter;
use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};
use crate::spaced::Spaced;

/// Parameters of [`LeakyBucket`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeakyBucketConfig {
    /// Rate at which the bucket leaks.
    pub rate: Rate,
    /// Depth of the bucket.
    pub capacity: Capacity,
}

impl LeakyBucketConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// Releases each packet when the one before it would have been transmitted at the bucket's rate; a
/// packet is not delayed at an idle bucket.
#[derive(Clone, Debug)]
pub struct LeakyBucket {
    queue: Spaced,
    /// Busy until the packet released last has leaked out.
    leak: Meter,
}

impl LeakyBucket {
    /// A bucket without packets.
    pub fn new(config: &LeakyBucketConfig) -> Result<LeakyBucket, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(LeakyBucket {
            queue: Spaced::new(config.capacity),
            leak: Meter::new(config.rate),
        })
    }
}

impl BuiltIn for LeakyBucket {
    type Config = LeakyBucketConfig;
    const NAME: &'static str = "leaky_bucket";

    fn of(
        config: &LeakyBucketConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<LeakyBucket, InvalidConfig> {
        LeakyBucket::new(config)
    }
}

impl Pacer for LeakyBucket {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push(packet, || self.leak.until().max(now))
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        let size = self.queue.due(now)?.size;
        // A late release stays late: the bucket does not catch up.
        if now > self.leak.until() {
            self.leak.rest(now);
        }
        self.leak.charge(size);
        let packet = self.queue.pop();
        self.queue.schedule(|_| self.leak.until());
        packet
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.queue.next()
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }

    fn set_rate(&mut self, now: Time, rate: Rate) -> bool {
        self.leak.set_rate(now, rate);
        self.queue.schedule(|_| self.leak.until());
        true
    }

    fn in_use(&self, now: Time) -> Option<Use> {
        Some(self.leak.in_use(now))
    }
}
