//! Errors of tables, with the file concerned.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use crate::place::explained;

/// Reason why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file system reported an error.
    #[error("{}", explained(path, source))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The Parquet library reported an error.
    #[error("{path}: {source}")]
    Parquet {
        /// Path of the file.
        path: PathBuf,
        /// Error of the library.
        source: ParquetError,
    },
    /// A value that its column cannot hold.
    #[error("{path}: column {column} takes no {value}")]
    Value {
        /// Path of the file.
        path: PathBuf,
        /// Name of the column.
        column: String,
        /// Value that the column cannot hold.
        value: String,
    },
}

/// Makes an error of the file system at this path.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::File { path, source }
}
