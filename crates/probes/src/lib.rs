//! What `[[measure]]` asks for: probes in a run, and the numbers and the table of each.
//!
//! A kind has a file here: the names of its numbers and the columns of its table, its probe, and
//! what this has found at the end of the run.

pub mod asked;
pub mod autocovariance;
pub mod burstiness;
pub mod completions;
pub mod delays;
pub mod fairness;
pub mod gaps;
pub mod kinds;
pub mod lags;
pub mod line;
pub mod loads;
pub mod losses;
pub mod measured;
pub mod mistakes;
pub mod probes;
pub mod queue;
pub mod queue_autocovariance;
pub mod queue_length;
pub mod table;
pub mod tap;
pub mod volumes;
pub mod words;
