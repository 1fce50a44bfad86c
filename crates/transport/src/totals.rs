//! A sender's totals and its limit.

/// Totals of one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Packets sent, retransmissions included.
    pub sent: u64,
    /// Retransmissions.
    pub retransmitted: u64,
    /// Expiries of the retransmission timer with data outstanding.
    pub timeouts: u32,
    /// Fast retransmits.
    pub fast_retransmits: u32,
}

/// The current limit on sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The application's data.
    Data,
    /// The receiver's window.
    Window,
    /// The congestion window, or the repair of losses.
    Congestion,
    /// The sender's own pacing.
    Pacing,
}

impl Limit {
    /// All limits; the place of each is `limit as usize`.
    pub const ALL: [Limit; 4] = [Limit::Data, Limit::Window, Limit::Congestion, Limit::Pacing];
}

/// The estimator's state in its own units, for comparison and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RttState {
    /// The last sample: ticks, or picoseconds.
    pub last: u64,
    /// 8 × the smoothed round trip.
    pub srtt8: u64,
    /// 4 × the mean deviation.
    pub rttvar4: u64,
    /// The factor on the time-out.
    pub backoff: u32,
}
