//! Response functions: the mean window of a sender for a share of packets lost or marked.
//!
//! Reno follows the square root, with time-outs where signals are losses (PFTK). CUBIC follows RFC
//! 9438 section 5.1: the greater of its own law and Reno's. DCTCP with independent marks has two of
//! them in each window.

use crate::throughput::{Connection, pftk};
use crate::{Range, SolveError};

/// CUBIC's constant C (RFC 9438, section 5), in packets per second cubed.
const CUBIC_C: f64 = 0.4;
/// CUBIC's multiplicative decrease.
const CUBIC_BETA: f64 = 0.7;

/// A congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Reno.
    Reno,
    /// CUBIC.
    Cubic,
    /// DCTCP, which equals Reno where packets are lost and not marked.
    Dctcp,
}

/// The congestion signal of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Lost packets, which may also end in a time-out.
    Loss,
    /// Marked packets.
    Mark,
}

/// A sender of long flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sender {
    /// Congestion control of the sender.
    pub control: Control,
    /// Packets per increment of the window: 1, or 2 where an acknowledgement covers two packets but
    /// counts once.
    pub packets_per_ack: f64,
    /// The first time-out in seconds.
    pub timeout_s: f64,
    /// The largest window in packets.
    pub max_window: f64,
}

/// Mean window of Reno without time-outs, `√(3/(2 b p))`.
pub fn reno_window(share: f64, packets_per_ack: f64) -> f64 {
    (1.5 / (packets_per_ack * share)).sqrt()
}

/// Mean window of CUBIC beyond its Reno-friendly region (RFC 9438, equation 5): `(C (3 + β) / (4 (1
/// - β)))^¼ (RTT/p)^¾`.
pub fn cubic_window(share: f64, rtt_s: f64) -> f64 {
    let constant = CUBIC_C * (3.0 + CUBIC_BETA) / (4.0 * (1.0 - CUBIC_BETA));
    libm::pow(constant, 0.25) * libm::pow(rtt_s / share, 0.75)
}

/// Mean window of DCTCP where each packet is marked with the same probability: `2/p`, for any gain
/// of its estimator.
pub fn dctcp_window(share: f64) -> f64 {
    2.0 / share
}

impl Sender {
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        Range::at_least(1.0).check("packets_per_ack", self.packets_per_ack)?;
        Range::POSITIVE.check("timeout", self.timeout_s)?;
        Range::at_least(1.0).check("window", self.max_window)?;
        Ok(())
    }

    /// The mean window in packets at this share of packets lost or marked, at most the largest one.
    pub fn window(&self, signal: Signal, share: f64, rtt_s: f64) -> Result<f64, SolveError> {
        self.check()?;
        Range::POSITIVE.check("rtt", rtt_s)?;
        Range::NON_NEGATIVE.check("share", share)?;
        if share == 0.0 {
            return Ok(self.max_window);
        }
        let reno = match signal {
            Signal::Mark => reno_window(share, self.packets_per_ack),
            Signal::Loss => self.with_timeouts(share.min(1.0), rtt_s)?,
        };
        let window = match (self.control, signal) {
            (Control::Reno, _) | (Control::Dctcp, Signal::Loss) => reno,
            (Control::Cubic, _) => reno.max(cubic_window(share, rtt_s)),
            (Control::Dctcp, Signal::Mark) => dctcp_window(share),
        };
        Ok(window.min(self.max_window))
    }

    fn with_timeouts(&self, share: f64, rtt_s: f64) -> Result<f64, SolveError> {
        let connection = Connection {
            rtt_s,
            timeout_s: self.timeout_s,
            packets_per_ack: self.packets_per_ack,
            max_window: self.max_window,
        };
        Ok(pftk(&connection, share)? * rtt_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENT: Sender = Sender {
        control: Control::Cubic,
        packets_per_ack: 1.0,
        timeout_s: 1e-12,
        max_window: 1e9,
    };

    /// RFC 9438, tables 1 and 2 (whose Reno is 1.2/√p instead of √1.5/√p, 2 % less).
    #[test]
    fn cubic_is_as_in_the_tables_of_the_rfc() {
        for (rtt_s, share, printed) in [
            (0.1, 1e-3, 38.0),
            (0.1, 1e-4, 187.0),
            (0.1, 1e-5, 1054.0),
            (0.1, 1e-6, 5926.0),
            (0.1, 1e-7, 33_325.0),
            (0.1, 1e-8, 187_400.0),
            (0.01, 1e-2, 12.0),
            (0.01, 1e-4, 120.0),
            (0.01, 1e-5, 379.0),
            (0.01, 1e-7, 5926.0),
            (0.01, 1e-8, 33_325.0),
        ] {
            let window = PATIENT.window(Signal::Loss, share, rtt_s).unwrap();
            assert!(
                (window / printed - 1.0).abs() < 0.025,
                "{window} for {printed} at {rtt_s} s and {share}"
            );
        }
    }

    #[test]
    fn cubic_is_reno_above_the_loss_at_which_both_are_equal() {
        // The laws meet at 3.50815e-5 for a round trip of 40 ms, at 207 packets.
        let at = 3.508_15e-5;
        assert!((cubic_window(at, 0.04) / reno_window(at, 1.0) - 1.0).abs() < 1e-5);
        let reno = Sender {
            control: Control::Reno,
            ..PATIENT
        };
        let window = |sender: &Sender, share| sender.window(Signal::Mark, share, 0.04).unwrap();
        assert_eq!(window(&PATIENT, 1e-3), window(&reno, 1e-3));
        assert!(window(&PATIENT, 1e-5) > window(&reno, 1e-5));
        assert!((window(&PATIENT, 1e-5) - 530.048).abs() < 1e-3);
    }

    #[test]
    fn dctcp_answers_marks_by_their_share_and_losses_as_reno() {
        let dctcp = Sender {
            control: Control::Dctcp,
            ..PATIENT
        };
        assert_eq!(dctcp.window(Signal::Mark, 0.1, 0.04).unwrap(), 20.0);
        let lost = dctcp.window(Signal::Loss, 0.01, 0.04).unwrap();
        assert!((lost - 150f64.sqrt()).abs() < 1e-6, "{lost}");
        assert_eq!(dctcp.window(Signal::Loss, 0.0, 0.04).unwrap(), 1e9);
        assert!(dctcp.window(Signal::Loss, -0.1, 0.04).is_err());
    }

    #[test]
    fn timeouts_slow_senders_that_lose() {
        let slow = Sender {
            timeout_s: 0.2,
            ..PATIENT
        };
        let (with, without) = (
            slow.window(Signal::Loss, 0.1, 0.04).unwrap(),
            slow.window(Signal::Mark, 0.1, 0.04).unwrap(),
        );
        assert!(with < 0.5 * without, "{with} {without}");
    }
}
