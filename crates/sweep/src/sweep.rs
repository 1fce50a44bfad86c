//! A sweep: a study, and where and how its runs are made.

use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_study::Study;

/// The least that a study's times and replications may be multiplied by.
pub const LEAST_SCALE: f64 = 1e-4;
/// The most.
pub const MOST_SCALE: f64 = 1e3;

/// A study to run, and the place of its results.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The grid.
    pub study: &'a Study,
    /// The folder of the files that its scenarios name.
    pub folder: &'a Path,
    /// The seed, if not the scenarios'.
    pub seed: Option<u64>,
    /// The number of replications of each point.
    pub replications: u64,
    /// The number of runs at a time. Nothing but time follows from it.
    pub jobs: NonZeroUsize,
    /// The folder of the store and the tables.
    pub out: &'a Path,
}

impl<'a> Sweep<'a> {
    /// A study with its own seed and replications, one run at a time, whose scenarios name files by their place here.
    pub fn new(study: &'a Study, out: &'a Path) -> Sweep<'a> {
        Sweep {
            study,
            folder: Path::new(""),
            seed: None,
            replications: study.replications,
            jobs: NonZeroUsize::MIN,
            out,
        }
    }
}
