//! Errors of tables, with the file concerned.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use crate::place::explained;

/// Reason why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Error of the file system.
    #[error("{}", explained(path, source))]
    File {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Error of the Parquet library.
    #[error("{path}: {source}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Error of the library.
        source: ParquetError,
    },
    /// A value that its column cannot hold.
    #[error("{path}: column {column} takes no {value}")]
    Value {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
}

/// Makes an error of the file system at this path.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::File { path, source }
}
