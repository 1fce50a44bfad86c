//! The tables of measures: one row a run and row of the measure, out of the store.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim::measure::record::Value;
use pacesim_study::Study;
use pacesim_study::measure::Measure;

use super::store::{Reader, StoredRun};
use super::tabulate::notes;
use super::{Sweep, SweepError, columns, measure};
use pacesim_tables::{RowWriter, TableError};

/// The folder of these tables.
const FOLDER: &str = "measures";

/// The file of a measure's table in the folder of its study.
pub(super) fn measure_file(measure: &Measure) -> PathBuf {
    Path::new(FOLDER).join(format!("{}.parquet", measure.name))
}

/// A table being written.
pub(super) struct MeasuredTable<'s> {
    measure: &'s Measure,
    rows: RowWriter,
}

impl<'s> MeasuredTable<'s> {
    /// One for each measure of a study.
    pub(super) fn all(sweep: &Sweep<'s>) -> Result<Vec<MeasuredTable<'s>>, SweepError> {
        let study: &'s Study = sweep.study;
        let create = |measure: &'s Measure| -> Result<MeasuredTable<'s>, SweepError> {
            let path = sweep.out.join(measure_file(measure));
            let folder = sweep.out.join(FOLDER);
            fs::create_dir_all(&folder).map_err(|source| SweepError::File {
                path: folder,
                source,
            })?;
            let mut all = columns::of_points(study);
            all.extend(columns::of_measured(
                measure::asked(&measure.kind).columns(),
            ));
            let rows = RowWriter::create(&path, all, &notes(study))?;
            Ok(MeasuredTable { measure, rows })
        };
        study.measures.iter().map(create).collect()
    }

    /// Adds the rows of a run.
    pub(super) fn push_run(
        &mut self,
        point: &[Value<'_>],
        run: &StoredRun,
        reader: &mut Reader<'_>,
    ) -> Result<(), SweepError> {
        let table = reader.table(run, &self.measure.name)?;
        let columns = measure::asked(&self.measure.kind).columns().iter();
        let columns: Vec<&str> = columns.map(|column| column.name).collect();
        let mut row = point.to_vec();
        row.extend([Value::U64(run.replication), Value::U64(run.seed)]);
        let start = row.len();
        for cells in table.rows_of(&columns) {
            row.truncate(start);
            for cell in cells {
                row.push(columns::real(cell));
            }
            self.rows.push(&row)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), TableError> {
        self.rows.finish().map(drop)
    }
}
