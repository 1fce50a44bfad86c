//! Rows of columns that need not be known before the program runs.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::slice::IterMut;
use std::sync::Arc;

use pacesim::measure::record::Value;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;

use super::TableError;
use super::buffer::Buffer;
use super::column::{TableColumn, properties, schema};
use super::writer::at;
use crate::disk::{Disk, DiskFile};
use crate::partial::PartialFile;

/// Rows kept in memory before they are written as one row group.
const ROWS_PER_GROUP: usize = 1 << 18;

/// Writes a table; the file has its name only after [`RowWriter::finish`]. After an
/// error it is of no more use.
pub(crate) struct RowWriter {
    path: PathBuf,
    columns: Vec<TableColumn>,
    buffers: Vec<Buffer>,
    rows_waiting: usize,
    rows_written: u64,
    file: SerializedFileWriter<BufWriter<DiskFile>>,
    /// What gives the file its name, if it stands alone. It goes away last.
    partial: Option<PartialFile>,
}

/// Takes the values of one row, in the order of the columns.
pub(super) struct Filler<'a> {
    buffers: IterMut<'a, Buffer>,
    columns: usize,
    misfit: Option<usize>,
}

impl Filler<'_> {
    #[inline]
    pub(super) fn push(&mut self, value: Value<'_>) {
        let buffer = self.buffers.next().expect("a buffer for each column");
        if buffer.push(value).is_err() && self.misfit.is_none() {
            self.misfit = Some(self.columns - 1 - self.buffers.len());
        }
    }

    /// The place of the first value that its column did not take.
    pub(super) fn misfit(self) -> Option<usize> {
        self.misfit
    }
}

impl RowWriter {
    /// A table that will be at `path`, with notes (such as the seed) in its footer.
    pub(crate) fn create(
        path: &Path,
        columns: Vec<TableColumn>,
        notes: &[(&str, String)],
    ) -> Result<RowWriter, TableError> {
        let made = PartialFile::create(&Disk::default(), path);
        let (partial, content) = made.map_err(at(path))?;
        let table = RowWriter::fill(content, path, columns, notes)?;
        let partial = Some(partial);
        Ok(RowWriter { partial, ..table })
    }

    /// A table in a file of a folder that is incomplete itself.
    pub(super) fn fill(
        content: DiskFile,
        path: &Path,
        columns: Vec<TableColumn>,
        notes: &[(&str, String)],
    ) -> Result<RowWriter, TableError> {
        let parquet = |source| TableError::Parquet {
            path: path.to_path_buf(),
            source,
        };
        let properties = Arc::new(properties(&columns, footer(&columns, notes)));
        let schema = schema(&columns).map_err(parquet)?;
        let file = SerializedFileWriter::new(BufWriter::new(content), schema, properties);
        Ok(RowWriter {
            path: path.to_path_buf(),
            buffers: columns.iter().map(Buffer::new).collect(),
            columns,
            rows_waiting: 0,
            rows_written: 0,
            file: file.map_err(parquet)?,
            partial: None,
        })
    }

    /// Adds a row.
    #[cfg(feature = "studies")]
    pub(crate) fn push(&mut self, row: &[Value<'_>]) -> Result<(), TableError> {
        assert_eq!(row.len(), self.columns.len(), "a value for each column");
        let mut filler = self.filler();
        row.iter().for_each(|value| filler.push(*value));
        match filler.misfit() {
            Some(place) => Err(self.refuse(place, row[place])),
            None => self.end_row(),
        }
    }

    /// Takes the values of a row; [`RowWriter::end_row`] follows.
    #[inline]
    pub(super) fn filler(&mut self) -> Filler<'_> {
        Filler {
            columns: self.columns.len(),
            buffers: self.buffers.iter_mut(),
            misfit: None,
        }
    }

    #[inline]
    pub(super) fn end_row(&mut self) -> Result<(), TableError> {
        self.rows_waiting += 1;
        match self.rows_waiting == ROWS_PER_GROUP {
            true => self.write_row_group(),
            false => Ok(()),
        }
    }

    /// Completes the file, gives it its name, and says how many rows it has.
    pub(crate) fn finish(mut self) -> Result<u64, TableError> {
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

    /// The error of a value that its column does not take.
    #[cold]
    pub(super) fn refuse(&self, place: usize, value: Value<'_>) -> TableError {
        TableError::Value {
            path: self.path.clone(),
            column: self.columns[place].name.clone(),
            value: format!("{value:?}"),
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

/// The footer: the notes, and what each column means.
fn footer(columns: &[TableColumn], notes: &[(&str, String)]) -> Vec<KeyValue> {
    let note =
        |(key, value): &(&str, String)| KeyValue::new(format!("pacesim.{key}"), value.clone());
    let doc = |column: &TableColumn| {
        KeyValue::new(
            format!("pacesim.column.{}", column.name),
            column.doc.clone(),
        )
    };
    notes
        .iter()
        .map(note)
        .chain(columns.iter().map(doc))
        .collect()
}
