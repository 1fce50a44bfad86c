//! Output of row groups to a file, by either thread.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;

use crate::buffer::Buffer;
use crate::column::{TableColumn, properties, schema};
use crate::disk::DiskFile;
use crate::error::{TableError, at};
use crate::partial::PartialFile;

/// Bytes written to the system at a time.
const WRITTEN: usize = 1 << 18;

/// Rows not yet written, column by column.
pub(crate) struct Group {
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) rows: usize,
}

impl Group {
    pub(crate) fn new(columns: &[TableColumn]) -> Group {
        Group {
            buffers: columns.iter().map(Buffer::new).collect(),
            rows: 0,
        }
    }
}

/// A writer of row groups to a file.
pub(crate) struct GroupWriter {
    path: PathBuf,
    file: SerializedFileWriter<BufWriter<DiskFile>>,
    rows_written: u64,
    /// The guard that names the file, if it stands alone. It is dropped last.
    partial: Option<PartialFile>,
}

impl GroupWriter {
    pub(crate) fn new(
        content: DiskFile,
        path: &Path,
        columns: &[TableColumn],
        notes: Vec<KeyValue>,
        partial: Option<PartialFile>,
    ) -> Result<GroupWriter, TableError> {
        let parquet = |source| TableError::Parquet {
            path: path.to_path_buf(),
            source,
        };
        let properties = Arc::new(properties(notes));
        let schema = schema(columns).map_err(parquet)?;
        let content = BufWriter::with_capacity(WRITTEN, content);
        let file = SerializedFileWriter::new(content, schema, properties);
        Ok(GroupWriter {
            path: path.to_path_buf(),
            file: file.map_err(parquet)?,
            rows_written: 0,
            partial,
        })
    }

    /// Writes a group and leaves it empty.
    pub(crate) fn write(&mut self, group: &mut Group) -> Result<(), TableError> {
        if group.rows == 0 {
            return Ok(());
        }
        let written = row_group(&mut self.file, &mut group.buffers);
        written.map_err(|source| self.parquet_error(source))?;
        self.rows_written += group.rows as u64;
        group.rows = 0;
        Ok(())
    }

    /// Completes the file, names it, and returns its number of rows.
    pub(crate) fn finish(mut self) -> Result<u64, TableError> {
        let written = self.file.finish();
        written.map_err(|source| self.parquet_error(source))?;
        let named = self.partial.map_or(Ok(()), PartialFile::finish);
        named.map_err(at(&self.path))?;
        Ok(self.rows_written)
    }

    fn parquet_error(&self, source: ParquetError) -> TableError {
        TableError::Parquet {
            path: self.path.clone(),
            source,
        }
    }
}

fn row_group(
    file: &mut SerializedFileWriter<BufWriter<DiskFile>>,
    buffers: &mut [Buffer],
) -> Result<(), ParquetError> {
    let columns: Vec<_> = file.schema_descr().columns().to_vec();
    let mut group = file.next_row_group()?;
    for (buffer, column) in buffers.iter_mut().zip(&columns) {
        buffer.write(column, &mut group)?;
    }
    group.close()?;
    Ok(())
}
