//! What `[[measure]]` asks for: probes in a run, and the numbers and the table of each.
//!
//! A kind has a file here: the names of its numbers and the columns of its table, its probe, and
//! what this has found at the end of the run.

mod autocovariance;
mod burstiness;
mod completions;
mod delays;
mod fairness;
mod gaps;
pub mod kinds;
mod lags;
pub mod line;
mod loads;
mod losses;
pub mod measured;
pub mod mistakes;
mod probes;
mod queue;
mod queue_autocovariance;
mod queue_length;
pub mod schema;
pub mod table;
mod tap;
mod volumes;
mod words;
