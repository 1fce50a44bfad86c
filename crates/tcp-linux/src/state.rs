//! A connection's state as reported by the kernel.

use crate::control::Model;

/// A sender of Linux's profile as shown by `ss -ti`: packets, microseconds, payload bytes per
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LinuxState {
    /// Open, Disorder, CWR, Recovery, Loss: 0 to 4.
    pub state: u8,
    /// The congestion window.
    pub cwnd: u32,
    /// The window at which slow start ends; `None`: none.
    pub ssthresh: Option<u32>,
    /// Packets sent and not cumulatively acknowledged.
    pub unacked: u32,
    /// SACKed packets among those.
    pub sacked: u32,
    /// Packets among those that are marked lost.
    pub lost: u32,
    /// Outstanding retransmissions.
    pub retrans: u32,
    /// Retransmissions in total.
    pub total_retrans: u32,
    /// The smoothed round trip.
    pub srtt_us: u64,
    /// Its deviation.
    pub rttvar_us: u64,
    /// The minimum round trip of five minutes.
    pub min_rtt_us: u64,
    /// The time-out.
    pub rto_us: u64,
    /// The distance over which packets may overtake each other.
    pub reordering: u32,
    /// Packets delivered.
    pub delivered: u32,
    /// Packets delivered that were reported as marked.
    pub delivered_ce: u32,
    /// The pacing rate.
    pub pacing_rate: u64,
    /// BBR's model of the path.
    pub model: Option<Model>,
    /// DCTCP's share of marked packets, of 1024.
    pub alpha: Option<u32>,
    /// Progress of the window's reduction, during one.
    pub reduction: Option<Reduction>,
    /// CUBIC's curve, once it has one.
    pub curve: Option<CubicCurve>,
}

/// Packets since the window's reduction began (PRR, RFC 9937).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reduction {
    /// Packets delivered.
    pub delivered: u32,
    /// Packets sent.
    pub out: u32,
}

/// CUBIC's function of time (RFC 9438, equation 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CubicCurve {
    /// The window at which it is flat.
    pub w_max: u32,
    /// The time from the epoch's start to the plateau (K), in 1/1024 s; `None` until the epoch
    /// starts.
    pub k: Option<u64>,
}
