//! The place to which the rows of a series go.

use pacesim::measure::record::SeriesRow;
use pacesim_tables::{TableError, TableWriter};

/// The place to which rows go: a table on the disk, or memory.
pub(super) enum Rows {
    Table(TableWriter<SeriesRow>),
    /// Memory: the times and values of one metric.
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
