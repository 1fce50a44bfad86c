//! Statistics for network simulation.

mod autocovariance;
mod batch_means;
mod burstiness;
mod confidence;
mod distributions;
mod histogram;
mod jain;
mod moments;
mod quantiles;
pub mod record;
mod running;
mod special;
#[cfg(test)]
mod testing;
mod time_weighted;
mod volume;
mod wide;

pub use autocovariance::{Divisor, autocovariances};
pub use batch_means::BatchMeans;
pub use burstiness::{Burstiness, Scale};
pub use confidence::{Interval, bonferroni, mean_interval, paired_interval, wilson_interval};
pub use distributions::{chi_square_cdf, chi_square_quantile, normal_quantile, student_quantile};
pub use histogram::{Bin, Histogram};
pub use jain::jain;
pub use moments::Moments;
pub use quantiles::Quantiles;
pub use running::Running;
pub use time_weighted::TimeWeighted;
pub use volume::VolumeSeries;
