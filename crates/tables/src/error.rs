//! Faults of tables, with the file they are about.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// Why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file system said no.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The Parquet library said no.
    #[error("{path}: {source}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The Parquet writer's answer.
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

/// An error of the file system, at this path.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::File { path, source }
}
