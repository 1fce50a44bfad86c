//! The reasons why a run has no results.

use pacesim::units::Time;
use pacesim::{BuildError, GaveUp};
use pacesim_tables::TableError;

use crate::folder::FolderError;
use crate::limits::Exhausted;

/// The reason why a run has no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The monitor stopped the run.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The run would never end, or its network cannot carry its load.
    #[error("{0}")]
    GaveUp(GaveUp),
    /// The run exceeded a limit of this machine.
    #[error("stopped at {at}: {limit}; nothing was written")]
    Exhausted {
        /// Limit that was exceeded.
        limit: Exhausted,
        /// Simulated time at which it was exceeded.
        at: Time,
    },
    /// No world can be built from the scenario.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A recording too long for memory was spilled to disk and cannot be read back.
    #[error(
        "a recording that was put into the folder for temporary files (TMPDIR) cannot be read back: {0}"
    )]
    Recording(String),
    /// The scenario is live, and cannot be made so.
    #[error("{0}")]
    Live(String),
    /// The results folder cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}
