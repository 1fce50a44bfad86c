//! A sender's totals and its limit.

pub use pacesim_transport::{Counters, Limit, Standing};

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
