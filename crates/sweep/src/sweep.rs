//! A sweep: a study, and where and how its runs are made.

use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_study::Study;

/// The least that a study's times and replications may be multiplied by.
pub const LEAST_SCALE: f64 = 1e-4;
/// The most.
pub const MOST_SCALE: f64 = 1e3;

/// What to run, and where to keep it.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The grid.
    pub study: &'a Study,
    /// Where the files are that its scenarios name.
    pub folder: &'a Path,
    /// The seed, if not the scenarios'.
    pub seed: Option<u64>,
    /// How many replications each point has.
    pub replications: u64,
    /// How many runs are made at a time. Nothing but time follows from it.
    pub jobs: NonZeroUsize,
    /// The folder of the store and the tables.
    pub out: &'a Path,
}
