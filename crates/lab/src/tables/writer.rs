//! Rows in, a complete file out.

use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use pacesim::measure::record::{Row, Value};
use parquet::errors::ParquetError;

use super::column::TableColumn;
use super::rows::RowWriter;
use crate::disk::DiskFile;

/// Why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file system said no.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The Parquet library said no.
    #[error("{path}: {source}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the Parquet writer said.
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

/// Writes a table; the file has its name only after [`TableWriter::finish`]. After an
/// error it is of no more use.
pub struct TableWriter<R> {
    row: PhantomData<R>,
    rows: RowWriter,
}

impl<R: Row> TableWriter<R> {
    /// A table that will be at `path`, with notes (such as the seed) in its footer.
    pub fn create(path: &Path, notes: &[(&str, String)]) -> Result<TableWriter<R>, TableError> {
        RowWriter::create(path, columns::<R>(), notes).map(TableWriter::of)
    }

    /// A table in a file of a folder that is incomplete itself.
    pub(crate) fn fill(
        content: DiskFile,
        path: &Path,
        notes: &[(&str, String)],
    ) -> Result<TableWriter<R>, TableError> {
        RowWriter::fill(content, path, columns::<R>(), notes).map(TableWriter::of)
    }

    fn of(rows: RowWriter) -> TableWriter<R> {
        let row = PhantomData;
        TableWriter { row, rows }
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, row: &R) -> Result<(), TableError> {
        let mut filler = self.rows.filler();
        row.for_each_value(|value| filler.push(value));
        match filler.misfit() {
            Some(place) => Err(self.misfit(place, row)),
            None => self.rows.end_row(),
        }
    }

    /// Completes the file, gives it its name, and says how many rows it has.
    pub fn finish(self) -> Result<u64, TableError> {
        self.rows.finish()
    }

    #[cold]
    fn misfit(&self, place: usize, row: &R) -> TableError {
        let mut values: Vec<Value<'_>> = Vec::new();
        row.for_each_value(|value| values.push(value));
        self.rows.refuse(place, values[place])
    }
}

fn columns<R: Row>() -> Vec<TableColumn> {
    R::SCHEMA.columns.iter().map(TableColumn::from).collect()
}

/// An error of the file system, at this path.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::File { path, source }
}
