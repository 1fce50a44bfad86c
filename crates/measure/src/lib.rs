//! The statistics of pacesim: counters of a running simulation, estimators for its report, and the
//! rows of its results.
//!
//! | data | types and functions |
//! | --- | --- |
//! | a delay, a size: one integer per packet | [`Moments`], [`Quantiles`], [`Histogram`] |
//! | a queue's length: a level that steps | [`TimeWeighted`], [`LevelTimes`] |
//! | traffic: bytes at times | [`VolumeSeries`], [`GroupVolumes`], [`Burstiness`], [`Gaps`] |
//! | a few results as floats | [`Running`], [`jain`], [`fairness`], [`loss_ratio`], [`mean_interval`], [`nonnegative_mean_interval`], [`wilson_interval`], [`share_interval`], [`two_clusters`] |
//! | one long series | [`mser5`], [`Autocovariance`], [`Spectrum`], [`Condensed`], [`hurst`] |
//! | replications, until there are enough | [`Precision`] |
//! | a series of known H, for tests of estimators | [`fractional_noise`] |
//! | rows of result files | [`record`] |
//!
//! The types of the first three rows are for the hot path: integers only, exact, no allocation in
//! steady state, no division per packet. Times are arguments and never decrease. The rest computes
//! in floats, by `libm` beyond the basic operations, so that results are the same on every machine.
//!
//! This crate depends on units only, and not on packets, engines or files.
//!
//! **The order of calls.** Create an estimator at the start of the run, call `add` or `set` during
//! it, `reset` at the end of the warm-up, and read at the end; reading changes nothing, so it may
//! be done at any time. A result that is not yet defined is `None`.
//!
//! ```
//! use pacesim_measure::{Moments, Quantiles, TimeWeighted, mean_interval};
//! use pacesim_units::{Span, Time};
//!
//! // Three packets come to an empty queue, one every 10 ns, and each waits 25 ns.
//! let at = |ns| Time::ZERO + Span::from_ns(ns);
//! let (mut delay_ps, mut tail_ps) = (Moments::new(), Quantiles::new());
//! let mut queue = TimeWeighted::new(Time::ZERO, 0);
//! for (ns, waiting) in [(0, 1), (10, 2), (20, 3), (25, 2), (35, 1), (45, 0)] {
//!     queue.set(at(ns), waiting);
//! }
//! for _ in 0..3 {
//!     delay_ps.add(Span::from_ns(25).as_ps());
//!     tail_ps.add(Span::from_ns(25).as_ps());
//! }
//! assert_eq!(delay_ps.mean(), Some(25_000.0));
//! assert_eq!(tail_ps.quantile(0.99), Some(25_000));
//! // Little's law: 3 packets in 50 ns, 25 ns each.
//! assert_eq!(queue.mean(at(50)), Some(3.0 / 50.0 * 25.0));
//!
//! // Over replications:
//! let interval = mean_interval(&[25.0, 26.0, 24.0], 0.95).expect("three");
//! assert!(interval.contains(25.0));
//! ```

mod autocovariance;
mod burstiness;
mod clusters;
mod completions;
mod condensed;
mod confidence;
mod distributions;
mod fourier;
mod fractional_noise;
mod gaps;
mod group_volumes;
mod histogram;
pub mod hurst;
mod jain;
mod level_times;
mod loss;
mod moments;
mod precision;
mod quantiles;
pub mod record;
mod running;
mod special;
mod spectrum;
#[cfg(test)]
mod testing;
mod time_weighted;
mod volume;
mod warmup;
mod wide;

pub use autocovariance::{Autocovariance, Divisor, autocovariances};
pub use burstiness::{Burstiness, Scale};
pub use clusters::{TwoClusters, two_clusters};
pub use completions::{BySize, Completions};
pub use condensed::Condensed;
pub use confidence::{
    Interval, bonferroni, mean_interval, nonnegative_mean_interval, share_interval, wilson_interval,
};
pub use distributions::{normal_quantile, student_quantile};
pub use fractional_noise::fractional_noise;
pub use gaps::Gaps;
pub use group_volumes::GroupVolumes;
pub use histogram::{Bin, Histogram, Tail};
pub use jain::{Fairness, fairness, jain};
pub use level_times::LevelTimes;
pub use loss::loss_ratio;
pub use moments::Moments;
pub use precision::{Decision, Precision};
pub use quantiles::Quantiles;
pub use running::Running;
pub use spectrum::{Band, Spectrum};
pub use time_weighted::TimeWeighted;
pub use volume::VolumeSeries;
pub use warmup::{Cut, mser, mser5};
