//! The classic window: slow start, then one packet per round trip; halved on loss.

use super::Setup;
use super::{AckSample, CongestionControl, LossKind, LossSample};
use crate::profile::Profile;

/// The growth of the window per acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Per ACK by 1 in slow start, otherwise by 1/cwnd, even if the window is not used (ns-2
    /// `windowOption_ 1`).
    PerAck,
    /// By RFC 5681 §3.1: at most one packet per ACK in slow start, otherwise by acknowledged
    /// packets divided by cwnd; only while the window is in use.
    PerPacket,
}

/// The quantity that a loss halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// The congestion window, up to the receiver's window (ns-2).
    Window,
    /// The packets in flight (RFC 5681 eq. 4; also Wei's pacing patch to ns-2).
    Flight,
}

/// Reno's window arithmetic, for all five variants.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    window: f64,
    ssthresh: f64,
    growth: Growth,
    halving: Halving,
    /// True if ssthresh is rounded down to whole packets.
    whole_ssthresh: bool,
    /// Keeps ssthresh at a repeated expiry of the timer (RFC 5681 §3.1).
    spare_repeated: bool,
}

impl Reno {
    /// Reno with the rules of a profile.
    pub fn of(setup: &Setup) -> Reno {
        let Setup {
            profile,
            window,
            ssthresh,
            halving,
        } = *setup;
        match profile {
            Profile::Ns2 => Reno::ns2(window, ssthresh, halving),
            Profile::Rfc | Profile::Linux => Reno::rfc(window, ssthresh, halving),
        }
    }

    /// Reno as in ns-2: ssthresh is whole and is reduced at every timeout.
    pub fn ns2(window: f64, ssthresh: f64, halving: Halving) -> Reno {
        Reno {
            window,
            ssthresh,
            growth: Growth::PerAck,
            halving,
            whole_ssthresh: true,
            spare_repeated: false,
        }
    }

    /// Reno as RFC 5681 describes it.
    pub fn rfc(window: f64, ssthresh: f64, halving: Halving) -> Reno {
        Reno {
            growth: Growth::PerPacket,
            whole_ssthresh: false,
            spare_repeated: true,
            ..Reno::ns2(window, ssthresh, halving)
        }
    }

    /// The growth of the window for an acknowledgement of `acked` packets.
    #[inline]
    fn increment(&self, acked: u32) -> f64 {
        if self.window < self.ssthresh {
            1.0
        } else if self.growth == Growth::PerAck {
            1.0 / self.window
        } else {
            f64::from(acked) / self.window
        }
    }

    fn half(&self, loss: &LossSample) -> f64 {
        match self.halving {
            Halving::Window => self.window.min(loss.window_cap) / 2.0,
            Halving::Flight => f64::from(loss.in_flight.max(1)) / 2.0,
        }
    }

    fn cut_ssthresh(&mut self, half: f64) {
        let half = if self.whole_ssthresh {
            half.floor()
        } else {
            half
        };
        self.ssthresh = half.max(2.0);
    }
}

impl CongestionControl for Reno {
    #[inline]
    fn window(&self) -> f64 {
        self.window
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    /// The least window: in ns-2 there is none, since it also halves a window of one packet.
    fn least_window(&self) -> f64 {
        if self.whole_ssthresh {
            f64::MIN_POSITIVE
        } else {
            1.0
        }
    }

    #[inline]
    fn on_ack(&mut self, sample: &AckSample) {
        if self.growth == Growth::PerPacket && sample.window_unused {
            return;
        }
        self.window += self.increment(sample.acked);
        // As in ns-2, an excess of less than a packet stays.
        if self.window >= sample.max_cwnd + 1.0 {
            self.window = sample.max_cwnd;
        }
    }

    fn on_loss(&mut self, loss: &LossSample) {
        let half = self.half(loss);
        if !(self.spare_repeated && loss.kind == LossKind::RepeatedTimeout) {
            self.cut_ssthresh(half);
        }
        self.window = match loss.kind {
            LossKind::FastRetransmit if self.whole_ssthresh => half,
            LossKind::FastRetransmit => self.ssthresh,
            _ => 1.0,
        };
    }

    fn restart(&mut self, window: f64) {
        self.window = window;
    }

    fn deflate(&mut self, packets: f64) {
        self.window = (self.window - packets).max(1.0);
    }

    /// RFC 6582 §3.2 step 3(1): no burst when few packets remain in flight. ns-2 has no such step,
    /// and its windows are whole only by accident.
    fn on_recovered(&mut self, in_flight: u32) {
        if self.growth == Growth::PerPacket {
            self.window = self.ssthresh.min(f64::from(in_flight.max(1)) + 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::{Span, Time};

    fn ack(acked: u32) -> AckSample {
        AckSample {
            now: Time::ZERO,
            acked,
            in_flight: 0,
            rtt: None,
            srtt: Span::ZERO,
            window_unused: false,
            in_recovery: false,
            max_cwnd: f64::INFINITY,
        }
    }

    fn loss(kind: LossKind, in_flight: u32) -> LossSample {
        LossSample {
            now: Time::ZERO,
            kind,
            in_flight,
            window_cap: 20.0,
        }
    }

    #[test]
    fn slow_start_doubles_and_avoidance_adds_one_per_round() {
        let mut cc = Reno::ns2(1.0, 8.0, Halving::Window);
        for _ in 0..7 {
            cc.on_ack(&ack(1));
        }
        assert_eq!(cc.window(), 8.0);
        cc.on_ack(&ack(4));
        assert_eq!(cc.window(), 8.125);
        let mut cc = Reno::rfc(8.0, 8.0, Halving::Flight);
        cc.on_ack(&ack(4));
        assert_eq!(cc.window(), 8.5);
    }

    #[test]
    fn an_unused_window_does_not_grow_by_the_rfc() {
        let idle = AckSample {
            window_unused: true,
            ..ack(1)
        };
        let (mut rfc, mut ns2) = (
            Reno::rfc(4.0, 8.0, Halving::Flight),
            Reno::ns2(4.0, 8.0, Halving::Window),
        );
        rfc.on_ack(&idle);
        ns2.on_ack(&idle);
        assert_eq!((rfc.window(), ns2.window()), (4.0, 5.0));
    }

    #[test]
    fn the_window_grows_to_its_end_and_no_further() {
        let mut cc = Reno::ns2(31.0, 64.0, Halving::Window);
        let acks = AckSample {
            max_cwnd: 32.0,
            ..ack(1)
        };
        cc.on_ack(&acks);
        assert_eq!(cc.window(), 32.0);
        cc.on_ack(&acks);
        assert_eq!(cc.window(), 32.0);
        cc.on_loss(&loss(LossKind::FastRetransmit, 32));
        assert_eq!((cc.window(), cc.ssthresh()), (10.0, 10.0));
    }

    #[test]
    fn a_loss_halves_the_usable_window_or_the_flight() {
        let mut cc = Reno::ns2(31.0, 8.0, Halving::Window);
        cc.on_loss(&loss(LossKind::FastRetransmit, 5));
        assert_eq!((cc.window(), cc.ssthresh()), (10.0, 10.0));
        let mut cc = Reno::ns2(11.0, 8.0, Halving::Window);
        cc.on_loss(&loss(LossKind::FastRetransmit, 5));
        assert_eq!((cc.window(), cc.ssthresh()), (5.5, 5.0));
        let mut cc = Reno::rfc(31.0, 8.0, Halving::Flight);
        cc.on_loss(&loss(LossKind::FastRetransmit, 5));
        assert_eq!((cc.window(), cc.ssthresh()), (2.5, 2.5));
    }

    #[test]
    fn a_repeated_timeout_spares_ssthresh_by_the_rfc() {
        let mut cc = Reno::rfc(16.0, 100.0, Halving::Flight);
        cc.on_loss(&loss(LossKind::Timeout, 16));
        cc.on_loss(&loss(LossKind::RepeatedTimeout, 1));
        assert_eq!((cc.window(), cc.ssthresh()), (1.0, 8.0));
    }
}
