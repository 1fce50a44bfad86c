//! Writer of typed rows to a complete file.

use std::path::Path;
use std::slice::IterMut;

use pacesim_measure::record::{Row, Value, VisitColumns};

use crate::buffer::Buffer;
use crate::column::TableColumn;
use crate::disk::DiskFile;
use crate::error::TableError;
use crate::rows::RowWriter;

/// Rows kept until their columns are filled in one by one; few enough for a fast cache.
const BATCH: usize = 128;

/// Writes a table; the file gets its name only by [`TableWriter::finish`]. After an error, which
/// may concern an earlier row, it is unusable.
pub struct TableWriter<R> {
    batch: Vec<R>,
    rows: RowWriter,
}

impl<R: Row> TableWriter<R> {
    /// A table at `path`, with notes (such as the seed) in its footer.
    pub fn create(path: &Path, notes: &[(&str, String)]) -> Result<TableWriter<R>, TableError> {
        RowWriter::create(path, columns::<R>(), notes).map(TableWriter::of)
    }

    /// A table in a file of a folder that is itself incomplete.
    pub fn fill(
        content: DiskFile,
        path: &Path,
        notes: &[(&str, String)],
    ) -> Result<TableWriter<R>, TableError> {
        RowWriter::fill(content, path, columns::<R>(), notes).map(TableWriter::of)
    }

    fn of(rows: RowWriter) -> TableWriter<R> {
        let batch = Vec::with_capacity(BATCH);
        TableWriter { batch, rows }
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, row: R) -> Result<(), TableError> {
        self.batch.push(row);
        match self.batch.len() {
            BATCH => self.empty_batch(),
            _ => Ok(()),
        }
    }

    /// Adds rows.
    pub fn extend(&mut self, rows: &[R]) -> Result<(), TableError> {
        self.empty_batch()?;
        write(&mut self.rows, rows)
    }

    /// Completes the file, names it, and returns its number of rows.
    pub fn finish(mut self) -> Result<u64, TableError> {
        self.empty_batch()?;
        self.rows.finish()
    }

    #[inline(never)]
    fn empty_batch(&mut self) -> Result<(), TableError> {
        write(&mut self.rows, &self.batch)?;
        self.batch.clear();
        Ok(())
    }
}

/// Writes rows, in pieces that fit their row groups.
fn write<R: Row>(to: &mut RowWriter, mut rows: &[R]) -> Result<(), TableError> {
    while !rows.is_empty() {
        let (now, later) = rows.split_at(rows.len().min(to.room()));
        let mut filler = Filler {
            buffers: to.buffers().iter_mut(),
            fits: true,
        };
        R::for_each_column(now, &mut filler);
        if !filler.fits {
            return Err(misfit(to, now));
        }
        to.end_rows(now.len())?;
        rows = later;
    }
    Ok(())
}

/// Fills the columns of a table, one by one.
struct Filler<'a> {
    buffers: IterMut<'a, Buffer>,
    fits: bool,
}

impl<'v> VisitColumns<'v> for Filler<'_> {
    #[inline]
    fn visit(&mut self, values: impl ExactSizeIterator<Item = Value<'v>> + Clone) {
        let buffer = self.buffers.next().expect("a buffer for each column");
        self.fits &= buffer.extend(values).is_ok();
    }
}

/// The error for the first value among some rows that its column does not accept.
#[cold]
fn misfit<R: Row>(to: &mut RowWriter, rows: &[R]) -> TableError {
    let mut found = None;
    for row in rows {
        let mut place = 0;
        row.for_each_value(|value| {
            if found.is_none() && !to.buffers()[place].takes(value) {
                found = Some((place, value));
            }
            place += 1;
        });
    }
    let (place, value) = found.expect("a column has refused a value");
    to.refuse(place, value)
}

fn columns<R: Row>() -> Vec<TableColumn> {
    R::SCHEMA.columns.iter().map(TableColumn::from).collect()
}
