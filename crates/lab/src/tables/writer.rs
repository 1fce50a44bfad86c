//! Rows in, a complete file out.

use std::io::{self, BufWriter};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim::measure::record::{Column, Row};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;

use super::buffer::Buffer;
use super::column::{properties, schema};
use crate::disk::{Disk, DiskFile};
use crate::partial::PartialFile;

/// Rows kept in memory before they are written as one row group.
const ROWS_PER_GROUP: usize = 1 << 18;

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
        column: &'static str,
        /// The value.
        value: String,
    },
}

/// Writes a table; the file has its name only after [`TableWriter::finish`]. After an
/// error it is of no more use.
pub struct TableWriter<R> {
    path: PathBuf,
    row: PhantomData<R>,
    buffers: Vec<Buffer>,
    rows_waiting: usize,
    rows_written: u64,
    file: SerializedFileWriter<BufWriter<DiskFile>>,
    /// What gives the file its name, if it stands alone. It goes away last.
    partial: Option<PartialFile>,
}

impl<R: Row> TableWriter<R> {
    const COLUMNS: &'static [Column] = R::SCHEMA.columns;

    /// A table that will be at `path`, with notes (such as the seed) in its footer.
    pub fn create(path: &Path, notes: &[(&str, String)]) -> Result<TableWriter<R>, TableError> {
        let made = PartialFile::create(&Disk::default(), path);
        let (partial, content) = made.map_err(at(path))?;
        let table = TableWriter::fill(content, path, notes)?;
        let partial = Some(partial);
        Ok(TableWriter { partial, ..table })
    }

    /// A table in a file of a folder that is incomplete itself.
    pub(crate) fn fill(
        content: DiskFile,
        path: &Path,
        notes: &[(&str, String)],
    ) -> Result<TableWriter<R>, TableError> {
        let parquet = |source| TableError::Parquet {
            path: path.to_path_buf(),
            source,
        };
        let properties = Arc::new(properties(Self::COLUMNS, footer(Self::COLUMNS, notes)));
        let schema = schema(Self::COLUMNS).map_err(parquet)?;
        let file = SerializedFileWriter::new(BufWriter::new(content), schema, properties);
        Ok(TableWriter {
            path: path.to_path_buf(),
            row: PhantomData,
            buffers: Self::COLUMNS.iter().map(Buffer::new).collect(),
            rows_waiting: 0,
            rows_written: 0,
            file: file.map_err(parquet)?,
            partial: None,
        })
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, row: &R) -> Result<(), TableError> {
        let mut buffers = self.buffers.iter_mut();
        let mut taken = Ok(());
        row.for_each_value(|value| {
            let buffer = buffers.next().expect("a buffer for each column");
            if buffer.push(value).is_err() && taken.is_ok() {
                taken = Err(Self::COLUMNS.len() - 1 - buffers.len());
            }
        });
        taken.map_err(|place| self.misfit(place, row))?;
        self.rows_waiting += 1;
        if self.rows_waiting == ROWS_PER_GROUP {
            self.write_row_group()?;
        }
        Ok(())
    }

    /// Completes the file, gives it its name, and says how many rows it has.
    pub fn finish(mut self) -> Result<u64, TableError> {
        self.write_row_group()?;
        let written = self.file.finish();
        written.map_err(|source| self.parquet_error(source))?;
        let named = self.partial.map_or(Ok(()), PartialFile::finish);
        named.map_err(at(&self.path))?;
        Ok(self.rows_written)
    }

    fn write_row_group(&mut self) -> Result<(), TableError> {
        if self.rows_waiting == 0 {
            return Ok(());
        }
        let written = row_group(&mut self.file, &mut self.buffers);
        written.map_err(|source| self.parquet_error(source))?;
        self.rows_written += self.rows_waiting as u64;
        self.rows_waiting = 0;
        Ok(())
    }

    fn parquet_error(&self, source: ParquetError) -> TableError {
        TableError::Parquet {
            path: self.path.clone(),
            source,
        }
    }

    #[cold]
    fn misfit(&self, place: usize, row: &R) -> TableError {
        let mut values = Vec::new();
        row.for_each_value(|value| values.push(format!("{value:?}")));
        TableError::Value {
            path: self.path.clone(),
            column: Self::COLUMNS[place].name,
            value: values.swap_remove(place),
        }
    }
}

fn row_group(
    file: &mut SerializedFileWriter<BufWriter<DiskFile>>,
    buffers: &mut [Buffer],
) -> Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    for buffer in buffers {
        let mut column = group
            .next_column()?
            .expect("the schema has a column for each buffer");
        buffer.write(&mut column)?;
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// An error of the file system, at this path.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> TableError {
    let path = path.to_path_buf();
    move |source| TableError::File { path, source }
}

/// The footer: the notes, and what each column means.
fn footer(columns: &[Column], notes: &[(&str, String)]) -> Vec<KeyValue> {
    let note =
        |(key, value): &(&str, String)| KeyValue::new(format!("pacesim.{key}"), value.clone());
    let doc = |column: &Column| {
        KeyValue::new(
            format!("pacesim.column.{}", column.name),
            column.doc.to_string(),
        )
    };
    notes
        .iter()
        .map(note)
        .chain(columns.iter().map(doc))
        .collect()
}
