//! BBR's share of a link used with flows of Reno or CUBIC: Ware, Mukerjee, Seshan and Sherry,
//! "Modeling BBR's Interactions with Loss-Based Congestion Control" (IMC 2019).
//!
//! Shares of the link are shares of a full queue. BBR's flows fill the queue up to their cap, twice
//! their bandwidth times the minimum round trip that they see, which includes the others' part of
//! the queue.

use crate::{Range, SolveError};

/// The packets in flight of a flow while it probes for the round trip.
const PROBING: f64 = 4.0;
/// The minimum duration of that probe in seconds, and the time from one probe to the next.
const PROBE_S: f64 = 0.2;
const PERIOD_S: f64 = 10.0;

/// BBR's flows, and others that fill the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The rate of the link, in packets per second.
    pub packets_per_s: f64,
    /// The round trip without the queue, in seconds.
    pub rtt_s: f64,
    /// The packets that may wait.
    pub buffer: f64,
    /// The number of BBR's flows.
    pub flows: f64,
}

impl Beside {
    fn check(&self) -> Result<(), SolveError> {
        Range::POSITIVE.check("rate", self.packets_per_s)?;
        Range::POSITIVE.check("rtt", self.rtt_s)?;
        Range::POSITIVE.check("buffer", self.buffer)?;
        Range::at_least(1.0).check("flows", self.flows)?;
        Ok(())
    }

    /// The share of the others while BBR probes for bandwidth: `1/2 - 1/(2X) - 4N/q`, at least 0, with X the buffer in
    /// products of bandwidth and delay and q in packets.
    pub fn others_while_capped(&self) -> Result<f64, SolveError> {
        self.check()?;
        let products = self.buffer / (self.packets_per_s * self.rtt_s);
        Ok((0.5 - 0.5 / products - PROBING * self.flows / self.buffer).max(0.0))
    }

    /// The share of time in which BBR's flows drain the queue and probe for the round trip.
    pub fn probing(&self) -> Result<f64, SolveError> {
        self.check()?;
        let drain = self.buffer / self.packets_per_s;
        Ok(((drain + PROBE_S + self.rtt_s) / PERIOD_S).min(1.0))
    }

    /// The share of all BBR flows together.
    pub fn share(&self) -> Result<f64, SolveError> {
        Ok((1.0 - self.others_while_capped()?) * (1.0 - self.probing()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(products: f64, flows: f64) -> Beside {
        Beside {
            packets_per_s: 1e7 / 8.0 / 1500.0,
            rtt_s: 0.04,
            buffer: products * 1e7 / 8.0 / 1500.0 * 0.04,
            flows,
        }
    }

    /// The cap of BBR's flows equals their packets in flight (equation 8 of the paper).
    #[test]
    fn the_share_solves_the_balance_of_the_cap() {
        for (products, flows) in [(4.0, 1.0), (16.0, 1.0), (32.0, 4.0)] {
            let beside = beside(products, flows);
            let p = beside.others_while_capped().unwrap();
            let (c, l, q) = (beside.packets_per_s, beside.rtt_s, beside.buffer);
            let cap = 2.0 * (1.0 - p) * c * ((p * q + 4.0 * flows) / c + l);
            let in_flight = (1.0 - p) * (q + c * l);
            assert!((cap / in_flight - 1.0).abs() < 1e-12, "{cap} {in_flight}");
        }
    }

    #[test]
    fn one_flow_gets_about_half_of_a_deep_buffer_less_its_probes() {
        assert_eq!(beside(0.5, 1.0).others_while_capped().unwrap(), 0.0);
        let deep = beside(32.0, 1.0);
        // 1067 packets: 1/2 - 1/64 - 4/1066.7 = 0.48063 to the others, and 1.52 s of 10 for probes.
        assert!((deep.others_while_capped().unwrap() - 0.480_625).abs() < 1e-9);
        assert!((deep.probing().unwrap() - 0.152).abs() < 1e-12);
        assert!((deep.share().unwrap() - 0.519_375 * 0.848).abs() < 1e-9);
    }
}
