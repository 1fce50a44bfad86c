//! The window of BBR: twice the packets that fill the path, fewer while losses are repaired.

use super::super::super::connection::{Connection, State};
use super::super::super::rate::RateSample;
use super::{Bbr, FIRST_WINDOW, LEAST_WINDOW, Mode};

impl Bbr {
    /// Saves the window before a reduction; the greater of two if it is reduced already.
    pub(super) fn save_window(&mut self, conn: &Connection, mode: Mode) {
        let cut = self.prior_state >= State::Recovery || mode == Mode::ProbeRtt;
        let size = conn.window.size;
        self.prior_window = if cut {
            self.prior_window.max(size)
        } else {
            size
        };
    }

    pub(super) fn set_window(&mut self, conn: &mut Connection, sample: &RateSample) {
        let acked = sample.acked_sacked;
        if acked > 0 {
            let size = self.window_in_repair(conn, sample);
            conn.window.size = if self.conserves {
                size.max(conn.in_flight() + acked)
            } else {
                self.grown(conn, size, acked)
            };
        }
        if self.mode == Mode::ProbeRtt {
            conn.window.size = conn.window.size.min(LEAST_WINDOW);
        }
    }

    /// Takes losses off the window; a repair starts from the packets in flight, and its end
    /// restores the window.
    fn window_in_repair(&mut self, conn: &Connection, sample: &RateSample) -> u32 {
        let mut size = conn.window.size;
        if sample.losses > 0 {
            size = size.saturating_sub(sample.losses).max(1);
        }
        let (before, state) = (self.prior_state, conn.state);
        if state == State::Recovery && before != State::Recovery {
            self.conserves = true;
            self.round_end = conn.rates.delivered;
            size = conn.in_flight() + sample.acked_sacked;
        } else if before >= State::Recovery && state < State::Recovery {
            size = size.max(self.prior_window);
            self.conserves = false;
        }
        self.prior_state = state;
        size
    }

    /// Growth as in slow start up to the target; above it only until the path is full.
    fn grown(&self, conn: &Connection, size: u32, acked: u32) -> u32 {
        let bandwidth = self.bandwidth();
        let mut target = self.product(bandwidth, self.window_gain);
        if self.full.reached {
            target += self.aggregation.allowance(bandwidth);
        }
        let target = self.with_bursts(target);
        let size = if self.full.reached {
            (size + acked).min(target)
        } else if size < target || conn.rates.delivered < FIRST_WINDOW {
            size + acked
        } else {
            size
        };
        size.max(LEAST_WINDOW)
    }
}
