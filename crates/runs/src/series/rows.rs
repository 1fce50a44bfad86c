//! The place where the rows of series go.

use pacesim::measure::record::SeriesRow;
use pacesim_tables::{TableError, TableWriter};

/// A table on the disk, or memory.
pub(super) enum Rows {
    Table(TableWriter<SeriesRow>),
    Kept(Vec<SeriesRow>),
}

impl Rows {
    pub(super) fn push(&mut self, row: SeriesRow) -> Result<(), TableError> {
        match self {
            Rows::Table(table) => table.push(row),
            Rows::Kept(rows) => {
                rows.push(row);
                Ok(())
            }
        }
    }
}
