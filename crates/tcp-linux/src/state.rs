//! The state of a connection as the kernel reports it.

use crate::control::Model;

/// A sender of Linux's profile as shown by `ss -ti`: packets, microseconds, payload bytes per
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LinuxState {
    /// State of congestion: Open, Disorder, CWR, Recovery, Loss, as 0 to 4.
    pub state: u8,
    /// Congestion window in packets.
    pub cwnd: u32,
    /// Window at which slow start ends; `None` if there is none.
    pub ssthresh: Option<u32>,
    /// Number of packets sent and not cumulatively acknowledged.
    pub unacked: u32,
    /// Number of outstanding packets that are SACKed.
    pub sacked: u32,
    /// Number of outstanding packets that are marked lost.
    pub lost: u32,
    /// Number of retransmissions that are outstanding.
    pub retrans: u32,
    /// Number of retransmissions in total.
    pub total_retrans: u32,
    /// Smoothed round trip, in microseconds.
    pub srtt_us: u64,
    /// Deviation of the round trip, in microseconds.
    pub rttvar_us: u64,
    /// The minimum round trip of five minutes.
    pub min_rtt_us: u64,
    /// Time-out in microseconds.
    pub rto_us: u64,
    /// The distance over which packets may overtake each other.
    pub reordering: u32,
    /// Number of packets delivered.
    pub delivered: u32,
    /// Number of packets delivered that were reported as marked.
    pub delivered_ce: u32,
    /// Pacing rate.
    pub pacing_rate: u64,
    /// BBR's model of the path.
    pub model: Option<Model>,
    /// DCTCP's share of marked packets, of 1024.
    pub alpha: Option<u32>,
    /// Progress of the reduction of the window, during one.
    pub reduction: Option<Reduction>,
    /// CUBIC's curve, once it has one.
    pub curve: Option<CubicCurve>,
}

/// Counts of packets since the window's reduction began (PRR, RFC 9937).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reduction {
    /// Number of packets delivered.
    pub delivered: u32,
    /// Number of packets sent.
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
