//! The numbers of a run, independent of their storage.

use pacesim_study::NumberName;

/// The identity of a run: runs that share it have the same random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the replication.
    pub replication: u64,
    /// The number of windows that its measured time is divided into, and the index of this one.
    pub windows: u64,
    pub(crate) window: u64,
}

/// A run with all its numbers.
#[derive(Clone, Debug)]
pub struct Run {
    /// Identity of the run.
    pub id: RunId,
    /// Fingerprint of the run.
    pub fingerprint: String,
    /// Numbers of the run, by name.
    pub numbers: Vec<(NumberName, Option<f64>)>,
}

impl RunId {
    /// A run that is not divided into windows.
    pub fn whole(seed: u64, replication: u64) -> RunId {
        RunId {
            seed,
            replication,
            windows: 1,
            window: 0,
        }
    }
}
