//! The cycle of gains that probes for bandwidth: 1.25, 0.75, and six rounds of 1.

use super::super::super::connection::Connection;
use super::super::super::rate::RateSample;
use super::super::bandwidth::{self, ONE};
use super::{Bbr, FIRST_WINDOW, Mode};

const GAINS: [u64; 8] = [ONE * 5 / 4, ONE * 3 / 4, ONE, ONE, ONE, ONE, ONE, ONE];
/// Number of phases at which a cycle may begin: all except that of 0.75.
const FIRST_PHASES: u32 = 7;

impl Bbr {
    pub(super) fn begin_cycle(&mut self, conn: &Connection) {
        self.mode = Mode::ProbeBandwidth;
        let back = self.draws.below(FIRST_PHASES) as usize;
        self.phase = GAINS.len() - 1 - back;
        self.advance_phase(conn);
    }

    fn advance_phase(&mut self, conn: &Connection) {
        self.phase = (self.phase + 1) % GAINS.len();
        self.phase_began = conn.rates.delivered_at;
    }

    pub(super) fn phase_gain(&self) -> u64 {
        match self.policer.rate() {
            Some(_) => ONE,
            None => GAINS[self.phase],
        }
    }

    pub(super) fn update_phase(&mut self, conn: &Connection, sample: &RateSample) {
        if self.mode == Mode::ProbeBandwidth && self.phase_is_over(conn, sample) {
            self.advance_phase(conn);
        }
    }

    /// True after a round trip; the first phase also waits until its packets are out or lost, and
    /// the second ends once its queue is gone.
    fn phase_is_over(&self, conn: &Connection, sample: &RateSample) -> bool {
        let lasted = conn.rates.delivered_at.saturating_sub(self.phase_began);
        let long = lasted > self.least.rtt;
        if self.pacing_gain == ONE {
            return long;
        }
        let in_flight = sample.prior_in_flight;
        if self.pacing_gain > ONE {
            return long && (sample.losses > 0 || self.fills(conn, in_flight));
        }
        long || self.in_network(conn, in_flight) <= self.in_flight_for(ONE)
    }

    /// True if the packets in the network fill the path with the gain. Not more can be in the network
    /// than in flight and in the next burst.
    fn fills(&self, conn: &Connection, in_flight: u32) -> bool {
        let target = self.in_flight_for(self.pacing_gain);
        in_flight + self.burst >= target && self.in_network(conn, in_flight) >= target
    }

    /// Packets in flight that fill the path with this gain, plus the bursts at both ends.
    pub(super) fn in_flight_for(&self, gain: u64) -> u32 {
        let product = self.product(self.bandwidth.get(), gain);
        self.with_bursts(product)
    }

    pub(super) fn product(&self, bandwidth: u64, gain: u64) -> u32 {
        if self.least.rtt == u64::MAX {
            return FIRST_WINDOW;
        }
        bandwidth::product(bandwidth, self.least.rtt, gain)
    }

    /// Room for three bursts, an even number for delayed ACKs, and two packets for the probe of a small path.
    pub(super) fn with_bursts(&self, packets: u32) -> u32 {
        let packets = packets + 3 * self.burst;
        let even = (packets + 1) & !1;
        let probes = self.mode == Mode::ProbeBandwidth && self.phase == 0;
        even + if probes { 2 } else { 0 }
    }

    /// Packets in the network at the next departure; one burst more where the gain puts it there.
    pub(super) fn in_network(&self, conn: &Connection, in_flight: u32) -> u32 {
        let joins = if self.pacing_gain > ONE {
            self.burst
        } else {
            0
        };
        bandwidth::in_network_at_departure(conn, self.bandwidth(), in_flight, joins)
    }
}
