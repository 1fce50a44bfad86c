//! Reasons why two results cannot be compared.

use std::io;
use std::path::PathBuf;

use pacesim_runs::folder::OpenError;
use pacesim_sweep::error::SweepError;
use pacesim_tables::TableError;

use crate::compare::SideKind;

/// Reason why two results cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The path holds no results of pacesim.
    #[error(
        "{0} cannot be compared: give two folders of results, two folders of \
         studies, or two files of fingerprints"
    )]
    NotOurs(PathBuf),
    /// The two are of different kinds.
    #[error("{a} is {kind}, and {b} is {other}: compare two of one kind")]
    Kinds {
        /// The first.
        a: PathBuf,
        /// The kind of the first.
        kind: SideKind,
        /// The second.
        b: PathBuf,
        /// The kind of the second.
        other: SideKind,
    },
    /// A folder is damaged, or of another version.
    #[error(transparent)]
    Folder(#[from] OpenError),
    /// Runs of a study are missing.
    #[error(
        "the study in {path} lacks {missing} of its {all} runs: `pacesim sweep` makes them, and \
         then it can be compared"
    )]
    Incomplete {
        /// The folder.
        path: PathBuf,
        /// The number of missing runs.
        missing: u64,
        /// The number of all runs.
        all: u64,
    },
    /// A file of results was changed, or is damaged.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error.
        what: String,
    },
    /// Error of the file system.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The folder of a study cannot be read.
    #[error(transparent)]
    Study(#[from] SweepError),
}
