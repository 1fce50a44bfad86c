//! The place where the rows of series go.

use pacesim::measure::record::SeriesRow;
use pacesim_tables::{TableError, TableWriter};

/// A table on the disk, or memory.
pub(super) enum Rows {
    Table(TableWriter<SeriesRow>),
    /// The times and values of one metric.
    Kept(String, Vec<(u64, f64)>),
}

impl Rows {
    pub(super) fn push(&mut self, row: SeriesRow) -> Result<(), TableError> {
        match self {
            Rows::Table(table) => table.push(row),
            Rows::Kept(metric, values) => {
                if row.metric == *metric {
                    values.push((row.t_ps, row.value));
                }
                Ok(())
            }
        }
    }
}
