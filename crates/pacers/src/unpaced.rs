//! The pacer that does not pace: a drop-tail queue that releases at once.

use pacesim_units::{Capacity, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};

/// The work-conserving queue that pacers are compared with.
#[derive(Clone, Debug)]
pub struct Unpaced {
    queue: Fifo,
    /// Start of the current busy period.
    busy_since: Time,
}

/// Parameters of [`Unpaced`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpacedConfig {
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl UnpacedConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

impl Unpaced {
    /// A queue without packets.
    pub fn new(config: &UnpacedConfig) -> Result<Unpaced, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(Unpaced {
            queue: Fifo::new(config.capacity),
            busy_since: Time::ZERO,
        })
    }
}

impl BuiltIn for Unpaced {
    type Config = UnpacedConfig;
    const NAME: &'static str = "none";

    fn of(config: &UnpacedConfig, _: impl Rng + Send + 'static) -> Result<Unpaced, InvalidConfig> {
        Unpaced::new(config)
    }
}

impl Pacer for Unpaced {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        let was_empty = self.queue.is_empty();
        self.queue.push(packet)?;
        if was_empty {
            self.busy_since = now;
        }
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, _now: Time) -> Option<Pending> {
        self.queue.pop()
    }

    #[inline]
    fn next_release(&self) -> Release {
        if self.queue.is_empty() {
            Release::Idle
        } else {
            Release::At(self.busy_since)
        }
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
