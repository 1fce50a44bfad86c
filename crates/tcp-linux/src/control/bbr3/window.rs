//! The window and pacing rate of BBR version 3.

use super::super::super::connection::{Connection, State};
use super::super::super::rate::RateSample;
use super::super::bandwidth;
use super::{Bbr3, Mode, STARTUP_GAIN};

impl Bbr3 {
    /// Saves the window before a reduction; the greater of two if it is reduced already.
    pub(super) fn save_window(&mut self, conn: &Connection) {
        let cut = self.prior_state >= State::Recovery || self.mode == Mode::ProbeRtt;
        let size = conn.window.size;
        self.prior_window = if cut {
            self.prior_window.max(size)
        } else {
            size
        };
    }

    pub(super) fn set_window(&mut self, conn: &mut Connection, sample: &RateSample) {
        if sample.acked_sacked > 0 {
            conn.window.size = self.grown(conn, sample.acked_sacked);
        }
        if self.mode == Mode::ProbeRtt {
            conn.window.size = conn.window.size.min(self.probe_rtt_window());
        }
        conn.window.size = conn.window.size.min(self.cap());
    }

    /// Growth as in slow start up to the target; above it only until the path is full.
    fn grown(&mut self, conn: &Connection, acked: u32) -> u32 {
        let bandwidth = self.bandwidth();
        let target =
            self.product(bandwidth, self.window_gain) + self.aggregation.allowance(bandwidth);
        let target = self.with_bursts(conn, target);
        let size = conn.window.size;
        let below = size < target || size < 2 * self.first_window;
        self.settled = if self.full.reached {
            size + acked >= target
        } else {
            !below
        };
        let grown = match (self.full.reached, below) {
            (true, _) => (size + acked).min(target),
            (false, true) => size + acked,
            (false, false) => size,
        };
        grown.max(super::LEAST_WINDOW)
    }

    /// Sets the pacing rate, which only grows until the path is full.
    pub(super) fn set_pacing(&mut self, conn: &mut Connection, gain: u64) {
        let rate = bandwidth::pacing_rate(self.bandwidth(), gain, conn.payload).max(1);
        if !self.paces_by_rtt && conn.rtt.srtt8() > 0 {
            self.paces_by_rtt = bandwidth::pace_by_rtt(conn, STARTUP_GAIN);
        }
        if self.full.reached || rate > conn.pace.rate() {
            conn.pace.set_rate(rate);
        }
    }
}
