//! The numbers of runs, however they are kept.

use std::collections::BTreeMap;

use pacesim_sweep::number_of::{NumberOf, Run};

use crate::compare::difference::Values;

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
