//! TCP throughput from loss and round trip: Mathis and PFTK.
//!
//! Both hold for losses up to a few per cent. At very small buffers, with 15 % loss, time-outs
//! dominate and neither is accurate.

use crate::{Range, SolveError};

/// Mathis' constant with an acknowledgement for every packet, √(3/2).
pub(crate) const ACK_EVERY_PACKET: f64 = 1.224_744_871_391_589;
/// Mathis' constant with an acknowledgement for every second packet, √(3/4).
pub(crate) const DELAYED_ACKS: f64 = 0.866_025_403_784_438_6;

/// Packets per second by the square-root law, `c / (RTT √p)` (Mathis et al.
/// 1997); multiply by the packet size for a rate.
pub fn mathis(rtt_s: f64, loss: f64, constant: f64) -> Result<f64, SolveError> {
    Range::POSITIVE.check("rtt_s", rtt_s)?;
    LOSS.check("loss", loss)?;
    Ok(constant / (rtt_s * loss.sqrt()))
}

/// The parameters of a connection in PFTK.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// Round-trip time in seconds.
    pub(crate) rtt_s: f64,
    /// First retransmission time-out in seconds.
    pub(crate) timeout_s: f64,
    /// Packets acknowledged together: 1, or 2 with delayed acknowledgements.
    pub(crate) packets_per_ack: f64,
    /// Largest window in packets.
    pub(crate) max_window: f64,
}

/// Packets per second with time-outs and a window limit (Padhye, Firoiu, Towsley
/// and Kurose 1998, eq. 31).
pub fn pftk(connection: &Connection, loss: f64) -> Result<f64, SolveError> {
    let Connection {
        rtt_s,
        timeout_s,
        packets_per_ack: b,
        max_window,
    } = *connection;
    Range::POSITIVE.check("rtt_s", rtt_s)?;
    Range::POSITIVE.check("timeout_s", timeout_s)?;
    Range::at_least(1.0).check("packets_per_ack", b)?;
    Range::at_least(1.0).check("max_window", max_window)?;
    LOSS.check("loss", loss)?;
    let avoiding = rtt_s * (2.0 * b * loss / 3.0).sqrt();
    let in_timeout = (3.0 * (3.0 * b * loss / 8.0).sqrt()).min(1.0) * loss;
    let backing_off = timeout_s * in_timeout * (1.0 + 32.0 * loss * loss);
    Ok((max_window / rtt_s).min(1.0 / (avoiding + backing_off)))
}

const LOSS: Range = Range {
    low: 0.0,
    high: 1.0,
    low_in: false,
    high_in: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENT: Connection = Connection {
        rtt_s: 0.1,
        timeout_s: 1e-12,
        packets_per_ack: 1.0,
        max_window: 1e9,
    };

    #[test]
    fn without_timeouts_pftk_is_mathis() {
        for loss in [1e-4, 1e-2] {
            let ratio =
                pftk(&PATIENT, loss).unwrap() / mathis(0.1, loss, ACK_EVERY_PACKET).unwrap();
            assert!((ratio - 1.0).abs() < 1e-9, "{ratio:?}");
            let delayed = Connection {
                packets_per_ack: 2.0,
                ..PATIENT
            };
            let ratio = pftk(&delayed, loss).unwrap() / mathis(0.1, loss, DELAYED_ACKS).unwrap();
            assert!((ratio - 1.0).abs() < 1e-9, "{ratio:?}");
        }
    }

    #[test]
    fn the_window_limits_and_timeouts_slow() {
        let small = Connection {
            max_window: 4.0,
            ..PATIENT
        };
        assert_eq!(pftk(&small, 1e-6).unwrap(), 40.0);
        let slow = Connection {
            timeout_s: 1.0,
            ..PATIENT
        };
        assert!(
            pftk(&slow, 0.15).unwrap() < pftk(&PATIENT, 0.15).unwrap() / 3.0,
            "{:?} and {:?}",
            pftk(&slow, 0.15).unwrap(),
            pftk(&PATIENT, 0.15).unwrap() / 3.0
        );
    }

    #[test]
    fn no_loss_has_no_square_root_law() {
        assert!(mathis(0.1, 0.0, 1.22).is_err() && pftk(&PATIENT, 1.5).is_err());
    }
}
