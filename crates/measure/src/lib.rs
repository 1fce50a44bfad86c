//! Statistics for network simulation.

mod autocovariance;
mod burstiness;
mod histogram;
mod jain;
mod moments;
mod quantiles;
pub mod record;
mod running;
#[cfg(test)]
mod testing;
mod time_weighted;
mod volume;
mod wide;

pub use autocovariance::{Divisor, autocovariances};
pub use burstiness::{Burstiness, Scale};
pub use histogram::{Bin, Histogram};
pub use jain::jain;
pub use moments::Moments;
pub use quantiles::Quantiles;
pub use running::Running;
pub use time_weighted::TimeWeighted;
pub use volume::VolumeSeries;
