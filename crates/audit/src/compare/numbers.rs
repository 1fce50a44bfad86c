//! The numbers of runs, independent of their storage.

use std::collections::BTreeMap;

use pacesim_study::NumberName;
use pacesim_sweep::kept_run::Run;

use crate::compare::difference::ValuesByRun;

/// The numbers of several runs, by name.
pub(super) fn by_name(runs: &[Run]) -> BTreeMap<&NumberName, ValuesByRun> {
    let mut by_name: BTreeMap<&NumberName, ValuesByRun> = BTreeMap::new();
    for run in runs {
        for (number, value) in &run.numbers {
            by_name.entry(number).or_default().insert(run.id, *value);
        }
    }
    by_name
}
