//! Reaction to marks, where the route is known to mark early (ecn_low) and the path is short: by
//! their share, as in DCTCP.

use super::super::super::clock::Micros;
use super::super::super::connection::Connection;
use super::super::super::rate::RateSample;
use super::super::bandwidth::{GAIN_BITS, ONE};
use super::Bbr3;

/// The longest round trip of a route that may mark early.
const LONGEST_RTT: Micros = 5_000;
/// Weight of a new share: the smoothed one moves by 1/16 of the difference per round.
const GAIN: u64 = ONE / 16;
/// Factor that turns the share of marks into the reduction: a third.
const FACTOR: u64 = ONE / 3;
/// A share of a half is too much; in Startup, twice in a row.
const TOO_MUCH: u64 = ONE / 2;
const STARTUP_ROUNDS: u8 = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct Marking {
    /// True if both ends have agreed on ECN, and the route marks early.
    pub(super) allowed: bool,
    /// True once the path was short enough for marks to count.
    pub(super) counts: bool,
    pub(super) in_round: bool,
    pub(super) in_cycle: bool,
    alpha: u64,
    delivered: u32,
    delivered_ce: u32,
    startup_rounds: u8,
}

impl Default for Marking {
    fn default() -> Marking {
        Marking {
            allowed: false,
            counts: false,
            in_round: false,
            in_cycle: false,
            alpha: ONE,
            delivered: 0,
            delivered_ce: 0,
            startup_rounds: 0,
        }
    }
}

impl Marking {
    /// The factor of a round with marks, in 1/256.
    pub(super) fn kept(&self) -> u64 {
        ONE - ((self.alpha * FACTOR) >> GAIN_BITS)
    }

    pub(super) fn is_too_high(&self, sample: &RateSample) -> bool {
        let most = (u64::from(sample.delivered) * TOO_MUCH) >> GAIN_BITS;
        self.counts && sample.delivered > 0 && u64::from(sample.delivered_ce) > most
    }

    /// The share of this round, in 1/256; `None` if nothing was delivered.
    fn share(&mut self, conn: &Connection) -> Option<u64> {
        let delivered = conn.rates.delivered - self.delivered;
        let marked = conn.rates.delivered_ce - self.delivered_ce;
        let share = (u64::from(marked) << GAIN_BITS).checked_div(u64::from(delivered))?;
        let kept = ((ONE - GAIN) * self.alpha) >> GAIN_BITS;
        self.alpha = (kept + ((GAIN * share) >> GAIN_BITS)).min(ONE);
        self.delivered = conn.rates.delivered;
        self.delivered_ce = conn.rates.delivered_ce;
        Some(share)
    }
}

impl Bbr3 {
    /// Evaluates the marks of the last round at the start of the next.
    pub(super) fn update_marking(&mut self, conn: &Connection) {
        let marking = &mut self.marking;
        marking.counts |= marking.allowed && self.least.rtt <= LONGEST_RTT;
        if !marking.counts {
            return;
        }
        let Some(share) = marking.share(conn) else {
            return;
        };
        if self.full.reached {
            return;
        }
        marking.startup_rounds = if share >= TOO_MUCH {
            marking.startup_rounds + 1
        } else {
            0
        };
        if marking.startup_rounds >= STARTUP_ROUNDS {
            self.end_startup_by_queue(conn);
        }
    }
}
