//! The seed and the results folder of a run.

use std::fmt;
use std::path::Path;

use pacesim::model::Model;

use crate::lived::Lived;

/// The seed and the results folder of a run.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// Seed that overrides the scenario's.
    pub seed: Option<u64>,
    /// Path of the results folder, if wanted.
    pub out: Option<&'a Path>,
    /// True if the run may replace another results folder.
    pub force: bool,
    /// Command line, for the manifest.
    pub command: &'a [String],
    /// A change of the model before its run, such as a user's own congestion controls. A results
    /// folder does not include it, and so could not be rerun.
    pub equip: Option<Equip<'a>>,
    /// A live run of the scenario to repeat, in place of a simulation.
    pub lived: Option<&'a Lived>,
}

/// A change made to a model before its run.
#[derive(Clone, Copy)]
pub struct Equip<'a>(pub &'a (dyn Fn(&mut Model) + Sync));

impl fmt::Debug for Equip<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Equip")
    }
}
