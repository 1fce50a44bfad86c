//! Detection of a policer: a token bucket on the path passes a burst and then drops everything
//! above its rate (Flach et al. 2016); two intervals of heavy loss at one rate give that rate.

use super::super::super::clock::millis;
use super::super::super::connection::Connection;
use super::super::bandwidth::{self, ONE};

/// The least and the greatest number of rounds in an interval.
const LEAST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4 * LEAST_ROUNDS;
/// A loss of a fifth of delivered packets (in 1/256) is heavy.
const HEAVY: u64 = 50;
/// Rates that differ by an eighth, or 4 kbit/s, are the same.
const SAME: u64 = ONE / 8;
const SAME_BYTES_PER_S: u64 = 4000 / 8;
/// Number of rounds for which the rate of a policer is used.
const KEPT_ROUNDS: u32 = 48;

pub(super) enum PolicerFinding {
    Nothing,
    /// The rate of a policer is known from now on.
    Policed,
    /// The rate was in use long enough: probing resumes.
    Forgotten,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    samples: bool,
    found: bool,
    rate: u64,
    rounds: u32,
    /// Start of the interval in milliseconds, and the totals then.
    began: u64,
    delivered: u32,
    lost: u32,
}

impl Policer {
    /// The rate of the policer, if one was detected.
    pub(super) fn rate(&self) -> Option<u64> {
        self.found.then_some(self.rate)
    }

    pub(super) fn reset(&mut self, conn: &Connection) {
        *self = Policer::default();
        self.begin_interval(conn);
    }

    fn begin_interval(&mut self, conn: &Connection) {
        self.began = millis(conn.rates.delivered_at);
        self.delivered = conn.rates.delivered;
        self.lost = conn.rates.lost;
        self.rounds = 0;
    }

    /// Processes an ACK: whether a round begins with it, and whether it shows losses.
    pub(super) fn watch(
        &mut self,
        conn: &Connection,
        round: bool,
        cycling: bool,
        losses: bool,
        app_limited: bool,
    ) -> PolicerFinding {
        if self.found {
            return self.use_up(conn, round && cycling);
        }
        if !self.samples {
            if !losses {
                return PolicerFinding::Nothing;
            }
            self.begin_interval(conn);
            self.samples = true;
        }
        if app_limited {
            self.reset(conn);
            return PolicerFinding::Nothing;
        }
        self.rounds += u32::from(round);
        if self.rounds > MOST_ROUNDS {
            self.reset(conn);
        } else if self.rounds >= LEAST_ROUNDS && losses {
            return self.end_interval(conn);
        }
        PolicerFinding::Nothing
    }

    fn use_up(&mut self, conn: &Connection, round: bool) -> PolicerFinding {
        self.rounds += u32::from(round);
        if !round || self.rounds < KEPT_ROUNDS {
            return PolicerFinding::Nothing;
        }
        self.reset(conn);
        PolicerFinding::Forgotten
    }

    /// Ends an interval at a loss, when the bucket is empty.
    fn end_interval(&mut self, conn: &Connection) -> PolicerFinding {
        let lost = conn.rates.lost - self.lost;
        let delivered = conn.rates.delivered - self.delivered;
        let ms = millis(conn.rates.delivered_at).saturating_sub(self.began);
        let light = u64::from(lost) << bandwidth::GAIN_BITS < HEAVY * u64::from(delivered);
        if delivered == 0 || light || ms == 0 {
            return PolicerFinding::Nothing;
        }
        if ms >= u64::from(u32::MAX) / 1000 {
            self.reset(conn);
            return PolicerFinding::Nothing;
        }
        self.compare(conn, bandwidth::of(delivered, ms * 1000))
    }

    fn compare(&mut self, conn: &Connection, rate: u64) -> PolicerFinding {
        let difference = rate.abs_diff(self.rate);
        let bytes = bandwidth::pacing_rate(difference, ONE, conn.payload);
        let same = difference * ONE <= SAME * self.rate || bytes <= SAME_BYTES_PER_S;
        if self.rate > 0 && same {
            self.rate = (self.rate + rate) >> 1;
            self.found = true;
            self.rounds = 0;
            return PolicerFinding::Policed;
        }
        self.rate = rate;
        self.begin_interval(conn);
        PolicerFinding::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Variant};
    use pacesim_units::Span;

    /// The number of rounds, of 100 ms with 100 packets delivered and `lost` lost, until the rate
    /// is known.
    fn rounds_until_found(lost: u32) -> Option<(u32, u64)> {
        let mut conn = Connection::new(&Config::linux(Variant::Sack), Span::ZERO);
        let mut policer = Policer::default();
        policer.reset(&conn);
        for round in 1..100 {
            conn.rates.delivered_at += 100_000;
            conn.rates.delivered += 100;
            conn.rates.lost += lost;
            policer.watch(&conn, true, true, lost > 0, false);
            if let Some(rate) = policer.rate() {
                return Some((round, rate));
            }
        }
        None
    }

    #[test]
    fn two_intervals_of_heavy_loss_at_one_rate_tell_a_policer() {
        assert_eq!(rounds_until_found(0), None);
        assert_eq!(rounds_until_found(15), None);
        let (rounds, rate) = rounds_until_found(30).expect("a policer");
        // The first loss begins an interval in the round that shows it; two of four rounds follow.
        assert_eq!(rounds, 8);
        assert_eq!(rate, bandwidth::of(1000, 1_000_000));
    }

    #[test]
    fn the_rate_is_kept_for_48_rounds_of_the_cycle() {
        let mut conn = Connection::new(&Config::linux(Variant::Sack), Span::ZERO);
        let mut policer = Policer {
            found: true,
            rate: 1,
            ..Policer::default()
        };
        let mut left = |cycling| {
            conn.rates.delivered += 100;
            matches!(
                policer.watch(&conn, true, cycling, false, false),
                PolicerFinding::Forgotten
            )
        };
        assert!((0..100).all(|_| !left(false)));
        let rounds = (1..100).find(|_| left(true));
        assert_eq!(rounds, Some(48));
    }
}
