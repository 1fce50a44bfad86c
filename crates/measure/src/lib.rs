//! Statistics for network simulation.

mod moments;
mod running;
mod time_weighted;
mod wide;

pub use moments::Moments;
pub use running::Running;
pub use time_weighted::TimeWeighted;
