//! The token bucket: a rate, and a burst that may leave at once.

use pacesim_units::{Bytes, Capacity, PS_PER_SECOND, Rate, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::meter::Meter;
use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};
use crate::spaced::Spaced;

/// Parameters of [`TokenBucket`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBucketConfig {
    /// Rate of tokens, one per byte.
    pub rate: Rate,
    /// Depth of the bucket in tokens; it starts full.
    pub burst: Bytes,
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl TokenBucketConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require(
            self.burst > Bytes::ZERO,
            "burst",
            || "a bucket of 0 bytes never releases a packet".to_owned(),
            "give at least the largest packet's size",
        );
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// Releases its head as soon as the bucket holds the head's size in tokens.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    queue: Spaced,
    bucket: Bucket,
}

impl TokenBucket {
    /// A token bucket that is full.
    pub fn new(config: &TokenBucketConfig) -> Result<TokenBucket, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(TokenBucket {
            queue: Spaced::new(config.capacity),
            bucket: Bucket {
                refill: Meter::new(config.rate),
                burst: config.burst.get(),
            },
        })
    }

    /// True if the bucket holds `size` tokens, and nothing waits for them.
    #[inline]
    pub(crate) fn has_tokens(&self, now: Time, size: u32) -> bool {
        self.bucket.may_hold(size) && self.queue.is_empty() && self.bucket.ready_at(size) <= now
    }

    #[inline]
    fn schedule(&mut self, now: Time) {
        let bucket = &self.bucket;
        self.queue
            .schedule(|first| bucket.ready_at(first.size).max(now));
    }
}

/// The tokens.
///
/// The bucket is kept as the time at which it will be full again, rounded up, and the time for a
/// number of tokens is subtracted from it rounded down: never early, by less than two picoseconds
/// late, and exact in the long run.
#[derive(Clone, Debug)]
struct Bucket {
    /// Busy until the bucket is full.
    refill: Meter,
    burst: u64,
}

impl Bucket {
    /// True if a full bucket has tokens for a packet of this size.
    #[inline]
    fn may_hold(&self, size: u32) -> bool {
        u64::from(size) <= self.burst
    }

    /// Time at which the bucket holds `size` tokens.
    #[inline]
    fn ready_at(&self, size: u32) -> Time {
        let spare = Bytes(self.burst - u64::from(size)).bits() * u128::from(PS_PER_SECOND);
        let early = spare / u128::from(self.refill.rate().as_bps());
        let early = u64::try_from(early).unwrap_or(u64::MAX);
        Time::ZERO + self.refill.until().saturating_since(Time::from_ps(early))
    }

    #[inline]
    fn spend(&mut self, now: Time, size: u32) {
        if now >= self.refill.until() {
            self.refill.rest(now);
        }
        self.refill.charge(size);
    }
}

impl BuiltIn for TokenBucket {
    type Config = TokenBucketConfig;
    const NAME: &'static str = "token_bucket";

    fn of(
        config: &TokenBucketConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<TokenBucket, InvalidConfig> {
        TokenBucket::new(config)
    }
}

impl Pacer for TokenBucket {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        if !self.bucket.may_hold(packet.size) {
            return Err(Refused::LargerThanBucket);
        }
        let ready = || self.bucket.ready_at(packet.size).max(now);
        self.queue.push(packet, ready)
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        let size = self.queue.due(now)?.size;
        self.bucket.spend(now, size);
        let packet = self.queue.pop();
        self.schedule(now);
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

    /// Sets the rate, and keeps the tokens in the bucket.
    fn set_rate(&mut self, now: Time, rate: Rate) -> bool {
        self.bucket.refill.set_rate(now, rate);
        self.schedule(now);
        true
    }

    /// Tokens are used while the bucket is not full: those that come then were spent before.
    fn in_use(&self, now: Time) -> Option<Use> {
        Some(self.bucket.refill.in_use(now))
    }
}
