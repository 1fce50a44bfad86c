//! A sender's totals and its limit.

pub use pacesim_transport::{Counters, Limit, Standing};

/// The estimator's state in its own units, for comparison and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RttState {
    /// Last sample, in ticks or picoseconds.
    pub last: u64,
    /// Smoothed round trip, multiplied by 8.
    pub srtt8: u64,
    /// Mean deviation, multiplied by 4.
    pub rttvar4: u64,
    /// Factor by which back-off multiplies the time-out.
    pub backoff: u32,
}
