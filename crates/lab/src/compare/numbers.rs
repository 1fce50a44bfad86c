//! The numbers of runs, however they are kept.

use std::collections::BTreeMap;

use super::NumberOf;
use super::difference::Values;

/// What makes a run that of the same random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunId {
    pub(crate) seed: u64,
    pub(crate) replication: u64,
    /// Into how many windows its measured time is cut, and which of them this is.
    pub(crate) windows: u64,
    pub(crate) window: u64,
}

/// A run with all its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) id: RunId,
    pub(crate) fingerprint: String,
    pub(crate) numbers: Vec<(NumberOf, Option<f64>)>,
}

impl RunId {
    /// A run that is not cut into windows.
    pub(crate) fn whole(seed: u64, replication: u64) -> RunId {
        RunId {
            seed,
            replication,
            windows: 1,
            window: 0,
        }
    }
}

/// The numbers of several runs, by name.
pub(super) fn by_name(runs: &[Run]) -> BTreeMap<&NumberOf, Values> {
    let mut by_name: BTreeMap<&NumberOf, Values> = BTreeMap::new();
    for run in runs {
        for (number, value) in &run.numbers {
            by_name.entry(number).or_default().insert(run.id, *value);
        }
    }
    by_name
}
