//! Startup, which ends when bandwidth grows no more, or when losses or marks indicate a full queue.

use super::super::super::connection::{Connection, State};
use super::super::super::rate::RateSample;
use super::super::bandwidth::{GAIN_BITS, ONE};
use super::{Bbr3, Mode};

/// Bandwidth has stopped growing if three rounds do not add a quarter.
const GROWTH: u64 = ONE * 5 / 4;
const ROUNDS: u8 = 3;
/// The least ACKs with losses in a round that indicates a full queue.
const LOSS_EVENTS: u8 = 6;
const MOST_EVENTS: u8 = 15;

/// Detection of a full path: `reached` once bandwidth has stopped growing, `now` if it has
/// recently.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Full {
    pub(super) reached: bool,
    pub(super) now: bool,
    bandwidth: u64,
    rounds: u8,
    loss_events: u8,
    /// Number of rounds begun in Drain.
    drained: u8,
}

impl Full {
    pub(super) fn start_anew(&mut self, bandwidth: u64) {
        self.bandwidth = bandwidth;
        self.rounds = 0;
        self.now = false;
    }
}

impl Bbr3 {
    pub(super) fn look_whether_full(&mut self, sample: &RateSample) {
        if self.full.now || sample.is_app_limited {
            return;
        }
        if self.sampled >= (self.full.bandwidth * GROWTH) >> GAIN_BITS {
            self.full.start_anew(self.sampled);
        } else if self.round.begins {
            self.full.rounds += 1;
            self.full.now = self.full.rounds >= ROUNDS;
            self.full.reached |= self.full.now;
        }
    }

    /// Counts the ACKs of a round that show losses, and judges them at its end.
    pub(super) fn look_for_losses_in_startup(&mut self, conn: &Connection, sample: &RateSample) {
        if self.full.reached {
            return;
        }
        let events = &mut self.full.loss_events;
        if sample.losses > 0 {
            *events = (*events + 1).min(MOST_EVENTS);
        }
        if !self.loss_round.begins {
            return;
        }
        let many = *events >= LOSS_EVENTS && conn.state == State::Recovery;
        let too_high =
            self.is_too_high(sample.lost, sample.in_flight) || self.marking.is_too_high(sample);
        if many && too_high {
            self.end_startup_by_queue(conn);
        } else {
            self.full.loss_events = 0;
        }
    }

    pub(super) fn end_startup_by_queue(&mut self, conn: &Connection) {
        self.full.reached = true;
        let filled = self.in_flight_for(conn, self.greatest(), ONE);
        self.bounds.lasting = filled.max(self.latest.in_flight);
    }

    pub(super) fn look_whether_drained(&mut self, conn: &mut Connection) {
        if self.mode == Mode::Drain && self.round.begins {
            self.full.drained = self.full.drained.saturating_add(1);
        }
        if self.mode == Mode::Startup && self.full.reached {
            self.mode = Mode::Drain;
            self.full.drained = 0;
            conn.window.ssthresh = self.in_flight_for(conn, self.greatest(), ONE);
            self.reset_signals();
        }
        if self.mode == Mode::Drain {
            let filled = self.in_flight_for(conn, self.greatest(), ONE);
            let is_over = self.full.drained >= self.rules.drain_rounds;
            if is_over || self.in_network(conn, conn.in_flight()) <= filled {
                self.begin_down(conn);
            }
        }
    }
}
