//! A sweep: a study, with the place of its results and the options of its runs.

use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_study::Study;

/// The smallest factor for a study's times and replications.
pub const LEAST_SCALE: f64 = 1e-4;
/// The greatest scale that is allowed.
pub const MOST_SCALE: f64 = 1e3;

/// A study to run, and the place of its results.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// Study that is swept.
    pub study: &'a Study,
    /// The folder of the files that its scenarios name.
    pub folder: &'a Path,
    /// Seed that overrides the scenarios'.
    pub seed: Option<u64>,
    /// The number of replications of each point.
    pub replications: u64,
    /// The number of concurrent runs, which affects only time.
    pub jobs: NonZeroUsize,
    /// The folder of the store and the tables.
    pub out: &'a Path,
}

impl<'a> Sweep<'a> {
    /// A study with its own seed and replications, one run at a time, and files resolved in the
    /// current folder.
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
