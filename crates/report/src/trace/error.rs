//! Reasons why a recording cannot be read, or a question about it cannot be answered.

use std::io;
use std::path::PathBuf;

use pacesim_runs::folder::OpenError;
use pacesim_tables::TableError;
use pacesim_tables::place::{explained, is_misplaced};

/// The reason for a failure, with a remedy.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The path is not a results folder.
    #[error(
        "{0}: not the results of a run of pacesim; `pacesim run SCENARIO --out DIR` writes them"
    )]
    NotResults(PathBuf),
    /// A folder of several runs.
    #[error("{path}: it has several runs; name one of them, such as {one}")]
    SeveralRuns {
        /// The folder.
        path: PathBuf,
        /// One of its runs.
        one: String,
    },
    /// A store with no recording or several.
    #[error(
        "{0}: the folder of a study without recordings; name points in `keep` of [sweep], sweep \
         again, and name a folder below recordings/"
    )]
    Study(PathBuf),
    /// The folder is damaged, or of another version.
    #[error(transparent)]
    Folder(#[from] OpenError),
    /// A table that the question needs was not recorded.
    #[error(
        "{path}: {what} were not recorded; add `{key}` to [output] in {path}/scenario.toml and run \
         that file again"
    )]
    NotRecorded {
        /// The folder.
        path: PathBuf,
        /// The missing events.
        what: &'static str,
        /// The key that records them, with a value.
        key: &'static str,
    },
    /// A file changed since it was written.
    #[error("{path}: damaged: {why}; `pacesim verify` names all such files; run it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The observation.
        why: String,
    },
    /// A question about something that does not exist, with a hint.
    #[error("{0}")]
    NoSuch(String),
    /// A file in the way of the output.
    #[error("{0}: it exists already; name another file, or remove it")]
    Exists(PathBuf),
    /// Error of a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Error of the file system.
    #[error("{}", explained(path, source))]
    File {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
}

impl TraceError {
    /// True if the user can fix it with another command line.
    pub fn is_usage(&self) -> bool {
        match self {
            TraceError::File { source, .. } => is_misplaced(source),
            TraceError::Folder(error) => error.is_usage(),
            _ => true,
        }
    }

    /// Makes an error of the file system at this path.
    pub fn at(path: &std::path::Path) -> impl FnOnce(io::Error) -> TraceError {
        let path = path.to_path_buf();
        move |source| TraceError::File { path, source }
    }
}
