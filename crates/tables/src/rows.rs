//! Rows whose columns are known only at run time.

use std::path::{Path, PathBuf};

use pacesim_measure::record::Value;
use parquet::file::metadata::KeyValue;

use crate::buffer::Buffer;
use crate::column::TableColumn;
use crate::disk::{Disk, DiskFile};
use crate::error::{TableError, at};
use crate::groups::{Group, GroupWriter};
use crate::helper::Helper;
use crate::partial::PartialFile;

/// Rows kept in memory before they are written as one row group.
const ROWS_PER_GROUP: usize = 1 << 17;

/// Writes a table; the file gets its name only by [`RowWriter::finish`]. After an error it is
/// unusable.
pub struct RowWriter {
    path: PathBuf,
    columns: Vec<TableColumn>,
    group: Group,
    output: Output,
}

/// Writer of full groups. A table of one group needs no thread.
enum Output {
    Here(Box<GroupWriter>),
    Beside(Helper),
    /// The writer has failed, and is unusable.
    Failed,
}

impl RowWriter {
    /// A table at `path`, with notes (such as the seed) in its footer.
    pub fn create(
        path: &Path,
        columns: Vec<TableColumn>,
        notes: &[(&str, String)],
    ) -> Result<RowWriter, TableError> {
        let made = PartialFile::create(&Disk::default(), path);
        let (partial, content) = made.map_err(at(path))?;
        RowWriter::begin(content, path, columns, notes, Some(partial))
    }

    /// A table in a file of a folder that is itself incomplete.
    pub(crate) fn fill(
        content: DiskFile,
        path: &Path,
        columns: Vec<TableColumn>,
        notes: &[(&str, String)],
    ) -> Result<RowWriter, TableError> {
        RowWriter::begin(content, path, columns, notes, None)
    }

    fn begin(
        content: DiskFile,
        path: &Path,
        columns: Vec<TableColumn>,
        notes: &[(&str, String)],
        partial: Option<PartialFile>,
    ) -> Result<RowWriter, TableError> {
        let notes = footer(&columns, notes);
        let writer = GroupWriter::new(content, path, &columns, notes, partial)?;
        Ok(RowWriter {
            path: path.to_path_buf(),
            group: Group::new(&columns),
            columns,
            output: Output::Here(Box::new(writer)),
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[Value<'_>]) -> Result<(), TableError> {
        assert_eq!(row.len(), self.columns.len(), "a value for each column");
        for (place, value) in row.iter().enumerate() {
            let taken = self.group.buffers[place].extend(std::iter::once(*value));
            taken.map_err(|_misfit| self.refuse(place, *value))?;
        }
        self.end_rows(1)
    }

    /// Number of rows that fit in the group.
    pub(crate) fn room(&self) -> usize {
        ROWS_PER_GROUP - self.group.rows
    }

    /// The columns of the group, for new rows; call [`RowWriter::end_rows`] afterwards.
    pub(crate) fn buffers(&mut self) -> &mut [Buffer] {
        &mut self.group.buffers
    }

    /// Notes that `rows` rows were filled in.
    pub(crate) fn end_rows(&mut self, rows: usize) -> Result<(), TableError> {
        self.group.rows += rows;
        match self.room() {
            0 => self.hand_over(),
            _ => Ok(()),
        }
    }

    /// Completes the file, names it, and returns its number of rows.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let mut writer = match std::mem::replace(&mut self.output, Output::Failed) {
            Output::Here(writer) => *writer,
            Output::Beside(mut helper) => helper.end()?,
            Output::Failed => unreachable!("a table that failed is not finished"),
        };
        writer.write(&mut self.group)?;
        writer.finish()
    }

    /// Passes the full group to the thread, and continues with an empty one.
    fn hand_over(&mut self) -> Result<(), TableError> {
        let mut helper = match std::mem::replace(&mut self.output, Output::Failed) {
            Output::Here(writer) => Helper::start(*writer).map_err(at(&self.path))?,
            Output::Beside(helper) => helper,
            Output::Failed => unreachable!("a table that failed gets no more rows"),
        };
        let full = std::mem::replace(&mut self.group, Group::new(&[]));
        let empty = helper.write(full)?;
        self.group = empty.unwrap_or_else(|| Group::new(&self.columns));
        self.output = Output::Beside(helper);
        Ok(())
    }

    /// The error for a value that its column does not accept.
    #[cold]
    pub(crate) fn refuse(&self, place: usize, value: Value<'_>) -> TableError {
        TableError::Value {
            path: self.path.clone(),
            column: self.columns[place].name.clone(),
            value: format!("{value:?}"),
        }
    }
}

/// The footer: the notes, and the meaning of each column.
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
