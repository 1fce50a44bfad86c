//! The policer: a token bucket that drops packets without tokens.

use pacesim_units::{Bytes, Capacity, Rate, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig};
use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};
use crate::token_bucket::{TokenBucket, TokenBucketConfig};

/// Parameters of [`Policer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicerConfig {
    /// Rate of tokens, one per byte.
    pub rate: Rate,
    /// Depth of the bucket in tokens; it starts full.
    pub burst: Bytes,
}

impl PolicerConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        self.bucket().validate()
    }

    fn bucket(&self) -> TokenBucketConfig {
        TokenBucketConfig {
            rate: self.rate,
            burst: self.burst,
            capacity: Capacity::Unlimited,
        }
    }
}

/// Passes a packet at once if the bucket holds its size in tokens, and drops it otherwise.
#[derive(Clone, Debug)]
pub struct Policer(TokenBucket);

impl Policer {
    /// A policer whose bucket is full.
    pub fn new(config: &PolicerConfig) -> Result<Policer, InvalidConfig> {
        Ok(Policer(TokenBucket::new(&config.bucket())?))
    }
}

impl BuiltIn for Policer {
    type Config = PolicerConfig;
    const NAME: &'static str = "policer";

    fn of(config: &PolicerConfig, _: impl Rng + Send + 'static) -> Result<Policer, InvalidConfig> {
        Policer::new(config)
    }
}

impl Pacer for Policer {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        if self.0.has_tokens(now, packet.size) {
            self.0.enqueue(now, packet)
        } else {
            Err(Refused::Full)
        }
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        self.0.dequeue(now)
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.0.next_release()
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.0.waiting()
    }

    fn set_rate(&mut self, now: Time, rate: Rate) -> bool {
        self.0.set_rate(now, rate)
    }

    fn in_use(&self, now: Time) -> Option<Use> {
        self.0.in_use(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::FlowId;

    #[test]
    fn a_burst_passes_and_then_one_packet_for_each_time_of_its_tokens() {
        let config = PolicerConfig {
            rate: Rate::from_mbps(12),
            burst: Bytes(3000),
        };
        let mut policer = Policer::new(&config).expect("a good bucket");
        let mut passes = |us: u64| {
            let now = Time::from_ps(us * 1_000_000);
            let packet = Pending::new(0, FlowId(0), 1500);
            let taken = policer.enqueue(now, packet).is_ok();
            assert_eq!(policer.dequeue(now).is_some(), taken, "nothing is held");
            taken
        };
        let times = [0, 0, 0, 999, 1000, 1500, 1999, 2000, 9000, 9000, 9000];
        let taken = times.map(&mut passes);
        let wanted = [
            true, true, false, false, true, false, false, true, true, true, false,
        ];
        assert_eq!(taken, wanted);
    }
}
