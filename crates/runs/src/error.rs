//! The reasons for which a run has no results.

use pacesim::units::Time;
use pacesim::{BuildError, GaveUp};
use pacesim_tables::TableError;

use crate::folder::FolderError;
use crate::limits::Exhausted;

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The monitor stopped the run.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The run would never end, or its network cannot carry its load.
    #[error("{0}")]
    GaveUp(GaveUp),
    /// The run took too much of this machine.
    #[error("stopped at {at}: {limit}; nothing was written")]
    Exhausted {
        /// The limit.
        limit: Exhausted,
        /// Simulated time.
        at: Time,
    },
    /// The scenario cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A recording was too long for memory, and what was put on disk of it cannot be read back.
    #[error(
        "a recording that was put into the folder for temporary files (TMPDIR) cannot be read back: {0}"
    )]
    Recording(String),
    /// The results folder cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}
