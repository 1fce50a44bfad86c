//! Runs of pacesim scenarios: from a file to a summary and a folder of results.
//!
//! 1. [`input`] reads a scenario, applies changes, and checks it;
//! 2. [`run`](run::run) builds its world and runs it, watched by a
//!    [`RunMonitor`](run_monitor::RunMonitor);
//! 3. the [`summary::Summary`] has the headline numbers; an optional results folder has every
//!    counter as Parquet.
//!
//! [`replicate`] does this for several replications and yields means with confidence intervals.
//!
//! This crate reads no clock and uses no terminal. Its monitors do: a `RunMonitor` for one run, a
//! [`BatchMonitor`](workers::BatchMonitor) for many at once.

pub mod block_sizes;
pub mod borders;
pub mod copies;
pub mod drive;
mod episodes;
pub mod error;
pub mod files;
pub mod folder;
pub mod footprint;
pub mod input;
pub mod limits;
pub mod lived;
pub mod manifest;
pub mod marks;
pub mod metrics;
pub mod moved;
pub mod packets;
mod phases;
pub mod picture;
pub mod plan;
pub mod pool;
pub mod rare;
pub mod reality;
pub mod recorded;
pub mod replicate;
mod results;
pub mod run;
pub mod run_monitor;
mod sampler;
pub mod series;
pub mod solve;
mod spill;
pub mod steadiness;
pub mod summary;
mod threads;
pub mod windows;
pub mod workers;

/// The version of pacesim.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
