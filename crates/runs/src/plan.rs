//! Seed and results folder of a run.

use std::path::Path;

/// Seed and results folder of a run.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// A seed that overrides the scenario's.
    pub seed: Option<u64>,
    /// The results folder, if wanted.
    pub out: Option<&'a Path>,
    /// True if it may replace another results folder.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}
