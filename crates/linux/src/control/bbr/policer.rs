//! A token bucket on the path lets a burst pass and then drops all above its rate (Flach et al. 2016): two
//! intervals of heavy loss at one rate tell that rate.

use super::super::super::clock::millis;
use super::super::super::connection::Connection;
use super::super::bandwidth::{self, ONE};

/// Rounds of an interval at least and at most.
const LEAST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4 * LEAST_ROUNDS;
/// A fifth (of 256) lost of what was delivered is heavy.
const HEAVY: u64 = 50;
/// Rates that differ by an eighth, or 4 kbit/s, are the same.
const SAME: u64 = ONE / 8;
const SAME_BYTES_PER_S: u64 = 4000 / 8;
/// Rounds for which the rate is kept.
const KEPT_ROUNDS: u32 = 48;

pub(super) enum Verdict {
    Nothing,
    /// The rate of a policer is known from now on.
    Policed,
    /// It was used long enough: more is tried again.
    Forgotten,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    samples: bool,
    found: bool,
    rate: u64,
    rounds: u32,
    /// The beginning of the interval, in milliseconds, and the totals then.
    began: u64,
    delivered: u32,
    lost: u32,
}

impl Policer {
    /// The rate of the policer, if there seems to be one.
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

    /// Takes an ACK in: whether a round begins with it, and whether it shows losses.
    pub(super) fn watch(
        &mut self,
        conn: &Connection,
        round: bool,
        cycling: bool,
        losses: bool,
        app_limited: bool,
    ) -> Verdict {
        if self.found {
            return self.use_up(conn, round && cycling);
        }
        if !self.samples {
            if !losses {
                return Verdict::Nothing;
            }
            self.begin_interval(conn);
            self.samples = true;
        }
        if app_limited {
            self.reset(conn);
            return Verdict::Nothing;
        }
        self.rounds += u32::from(round);
        if self.rounds > MOST_ROUNDS {
            self.reset(conn);
        } else if self.rounds >= LEAST_ROUNDS && losses {
            return self.end_interval(conn);
        }
        Verdict::Nothing
    }

    fn use_up(&mut self, conn: &Connection, round: bool) -> Verdict {
        self.rounds += u32::from(round);
        if !round || self.rounds < KEPT_ROUNDS {
            return Verdict::Nothing;
        }
        self.reset(conn);
        Verdict::Forgotten
    }

    /// An interval ends with a loss, when the bucket is empty.
    fn end_interval(&mut self, conn: &Connection) -> Verdict {
        let lost = conn.rates.lost - self.lost;
        let delivered = conn.rates.delivered - self.delivered;
        let ms = millis(conn.rates.delivered_at).saturating_sub(self.began);
        let light = u64::from(lost) << bandwidth::GAIN_BITS < HEAVY * u64::from(delivered);
        if delivered == 0 || light || ms == 0 {
            return Verdict::Nothing;
        }
        if ms >= u64::from(u32::MAX) / 1000 {
            self.reset(conn);
            return Verdict::Nothing;
        }
        self.compare(conn, bandwidth::of(delivered, ms * 1000))
    }

    fn compare(&mut self, conn: &Connection, rate: u64) -> Verdict {
        let difference = rate.abs_diff(self.rate);
        let bytes = bandwidth::pacing_rate(difference, ONE, conn.payload);
        let same = difference * ONE <= SAME * self.rate || bytes <= SAME_BYTES_PER_S;
        if self.rate > 0 && same {
            self.rate = (self.rate + rate) >> 1;
            self.found = true;
            self.rounds = 0;
            return Verdict::Policed;
        }
        self.rate = rate;
        self.begin_interval(conn);
        Verdict::Nothing
    }
}
