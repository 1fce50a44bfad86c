//! The seed of a run, and the folder of its results.

use std::path::Path;

/// The seed of a run, and the place of its results.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// The seed, if not the scenario's.
    pub seed: Option<u64>,
    /// The results folder, if wanted.
    pub out: Option<&'a Path>,
    /// True if it may replace another results folder.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}
