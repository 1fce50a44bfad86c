//! Congestion control: the size of the window. Nothing here knows which packets are missing;
//! nothing in loss recovery does window arithmetic.

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

/// An acknowledgement of new data, as reported to the controller.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AckSample {
    /// Time of the acknowledgement.
    pub now: Time,
    /// Number of packets newly acknowledged; zero for a duplicate during FACK's recovery.
    pub acked: u32,
    /// Number of packets beyond the acknowledgement, before anything is sent for it.
    pub in_flight: u32,
    /// Round trip measured by the acknowledgement, if any.
    pub rtt: Option<Span>,
    /// Smoothed round trip; zero before the first sample.
    pub srtt: Span,
    /// Set if the sender lacked data for the window, or the receiver's window limited it: the
    /// controller's window was not tested.
    pub window_unused: bool,
    /// True while holes are being repaired.
    pub in_recovery: bool,
    /// Largest congestion window allowed, in packets.
    pub max_cwnd: f64,
}

impl AckSample {
    /// An acknowledgement of `acked` packets now; all other fields are zero, absent, false or
    /// unlimited.
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

/// The event by which a loss was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// Duplicate ACKs or SACK blocks reported the loss; the window must be reduced.
    FastRetransmit,
    /// Duplicate ACKs or SACK blocks, after which sending restarts from one packet (Tahoe, FACK).
    FastRestart,
    /// The retransmission timer expired.
    Timeout,
    /// The retransmission timer expired again for the same data.
    RepeatedTimeout,
}

/// A loss, as reported to the controller.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LossSample {
    /// Time at which the loss was detected.
    pub now: Time,
    /// Event by which the loss was detected.
    pub kind: LossKind,
    /// Number of packets sent and not known to have arrived.
    pub in_flight: u32,
    /// Receiver's window in packets.
    pub window_cap: f64,
}

impl LossSample {
    /// A loss detected now, with `in_flight` packets and an unlimited receiver's window.
    pub fn new(now: Time, kind: LossKind, in_flight: u32) -> LossSample {
        LossSample {
            now,
            kind,
            in_flight,
            window_cap: f64::INFINITY,
        }
    }
}

/// A transmission, as reported to the controller.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SentSample {
    /// Time at which the packet departs.
    pub now: Time,
    /// Sequence number of the packet.
    pub seq: u32,
    /// Number of packets beyond the cumulative acknowledgement, this one included.
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
/// [`laws`](crate::laws) states its laws and tests them.
pub trait CongestionControl: Debug + Send {
    /// The congestion window in packets, as a real number.
    fn window(&self) -> f64;
    /// The window at which slow start ends, in packets.
    fn ssthresh(&self) -> f64;
    /// The minimum window, in packets: one, unless halving continues below it.
    fn least_window(&self) -> f64 {
        1.0
    }
    /// Notes that new data were acknowledged.
    fn on_ack(&mut self, sample: &AckSample);
    /// Notes that a loss began an episode of recovery, or that the timer expired.
    fn on_loss(&mut self, sample: &LossSample);
    /// Restarts from this window: the connection opens, or resumes after idleness.
    fn restart(&mut self, window: f64);
    /// A partial acknowledgement takes n packets off the window (RFC 6582 §3.2).
    fn deflate(&mut self, _packets: f64) {}
    /// Notes that recovery ended with n packets in flight.
    fn on_recovered(&mut self, _in_flight: u32) {}
    /// Recovery ended: congestion avoidance resumes, although the next acknowledgement may be a round
    /// trip away.
    fn on_recovery_end(&mut self, _now: Time) {}
    /// Notes that a packet left.
    fn on_sent(&mut self, _sample: &SentSample) {}
    /// The controller's pacing rate, if it sets one. Senders with the controller's pacing follow
    /// it.
    fn pacing_rate(&self) -> Option<Rate> {
        None
    }
}
