//! Congestion control: how large the window is. Nothing here knows which
//! packets are missing; nothing in loss recovery does window arithmetic.

mod cubic;
mod frozen_window;
mod house;
mod own;
mod reno;
mod setup;

use std::fmt::Debug;

use pacesim_units::{Rate, Span, Time};

pub use cubic::Cubic;
pub use house::Control;
pub use house::Controller;
pub use own::OwnControl;
pub use reno::{Growth, Halving, Reno};
pub use setup::Setup;

/// An acknowledgement of new data, as the controller sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AckSample {
    /// When the acknowledgement came.
    pub now: Time,
    /// Packets newly acknowledged; zero for a duplicate during FACK's recovery.
    pub acked: u32,
    /// Packets beyond the acknowledgement, before anything is sent for it.
    pub in_flight: u32,
    /// The round trip that it measured, if any.
    pub rtt: Option<Span>,
    /// The smoothed round trip; zero before the first sample.
    pub srtt: Span,
    /// The sender had nothing to fill the window with, or the receiver's
    /// window held it back: the controller's window was not tested.
    pub window_unused: bool,
    /// True while holes are being repaired.
    pub in_recovery: bool,
    /// The most that the window is to grow to, in packets.
    pub max_cwnd: f64,
}

impl AckSample {
    /// `acked` packets are acknowledged now; all else is zero, absent, false or without end until it is set.
    pub fn new(now: Time, acked: u32) -> AckSample {
        AckSample {
            now,
            acked,
            in_flight: 0,
            rtt: None,
            srtt: Span::ZERO,
            window_unused: false,
            in_recovery: false,
            max_cwnd: f64::INFINITY,
        }
    }
}

/// The sign of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// Duplicate ACKs or SACK blocks; the window is to be cut.
    FastRetransmit,
    /// As before, and sending starts again from one packet (Tahoe, FACK).
    FastRestart,
    /// The retransmission timer.
    Timeout,
    /// The timer again, for the same data.
    RepeatedTimeout,
}

/// A loss, as the controller sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LossSample {
    /// When the loss was noticed.
    pub now: Time,
    /// The sign of the loss.
    pub kind: LossKind,
    /// Packets sent and not known to have arrived.
    pub in_flight: u32,
    /// The receiver's window in packets.
    pub window_cap: f64,
}

impl LossSample {
    /// A loss noticed now, with `in_flight` packets and a boundless receiver's window.
    pub fn new(now: Time, kind: LossKind, in_flight: u32) -> LossSample {
        LossSample {
            now,
            kind,
            in_flight,
            window_cap: f64::INFINITY,
        }
    }
}

/// A transmission, as the controller sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SentSample {
    /// When the packet left.
    pub now: Time,
    /// The packet's number.
    pub seq: u32,
    /// Packets beyond the cumulative acknowledgement, this one included.
    pub in_flight: u32,
}

impl SentSample {
    /// Packet `seq` leaves now; `in_flight` counts it.
    pub fn new(now: Time, seq: u32, in_flight: u32) -> SentSample {
        SentSample {
            now,
            seq,
            in_flight,
        }
    }
}

/// The part of TCP that sizes the window, in packets.
///
/// Its laws, and a function that tries them: [`laws`](crate::laws).
pub trait CongestionControl: Debug + Send {
    /// The congestion window in packets; a real number.
    fn window(&self) -> f64;
    /// The window at which slow start ends, in packets.
    fn ssthresh(&self) -> f64;
    /// The least window there may be, in packets: one, unless halving goes on below it.
    fn least_window(&self) -> f64 {
        1.0
    }
    /// New data were acknowledged.
    fn on_ack(&mut self, sample: &AckSample);
    /// A loss began an episode of recovery, or the timer ran out.
    fn on_loss(&mut self, sample: &LossSample);
    /// Start from this window: the connection opens, or wakes after idling.
    fn restart(&mut self, window: f64);
    /// A partial acknowledgement takes n packets off the window (RFC 6582 §3.2).
    fn deflate(&mut self, _packets: f64) {}
    /// Recovery ended with n packets in flight.
    fn on_recovered(&mut self, _in_flight: u32) {}
    /// A packet left.
    fn on_sent(&mut self, _sample: &SentSample) {}
    /// The rate to send at, where the controller sets one. Senders whose pacing is the
    /// controller's obey it.
    fn pacing_rate(&self) -> Option<Rate> {
        None
    }
}
