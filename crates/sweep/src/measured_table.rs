//! The tables of measures: one row per run and row of the measure, from the store.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim::measure::record::Value;
use pacesim_probes::kinds;
use pacesim_store::database::{Reader, StoredRun};
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;
use pacesim_study::measure::Measure;
use pacesim_tables::{RowWriter, TableError};

use crate::columns;
use crate::columns::notes;
use crate::error::SweepError;

/// Name of the folder of measures' tables.
const FOLDER: &str = "measures";

/// The file of a measure's table in the folder of its study.
pub(crate) fn measure_file(measure: &Measure) -> PathBuf {
    Path::new(FOLDER).join(format!("{}.parquet", measure.name))
}

/// A table of a measure that is being written.
pub(crate) struct MeasuredTable<'s> {
    measure: &'s Measure,
    rows: RowWriter,
}

impl<'s> MeasuredTable<'s> {
    /// One table for each of these measures of a study.
    pub(crate) fn all(
        sweep: &Sweep<'s>,
        measures: &'s [Measure],
    ) -> Result<Vec<MeasuredTable<'s>>, SweepError> {
        let study: &'s Study = sweep.study;
        let create = |measure: &'s Measure| -> Result<MeasuredTable<'s>, SweepError> {
            let path = sweep.out.join(measure_file(measure));
            let folder = sweep.out.join(FOLDER);
            fs::create_dir_all(&folder).map_err(|source| SweepError::File {
                path: folder,
                source,
            })?;
            let mut all = columns::of_points(study);
            all.extend(columns::of_measured(kinds::asked(&measure.kind).columns()));
            let rows = RowWriter::create(&path, all, &notes(study))?;
            Ok(MeasuredTable { measure, rows })
        };
        measures.iter().map(create).collect()
    }

    /// Adds the rows of a run.
    pub(crate) fn push_run(
        &mut self,
        point: &[Value<'_>],
        run: &StoredRun,
        reader: &mut Reader<'_>,
    ) -> Result<(), SweepError> {
        let table = reader.table(run, &self.measure.name)?;
        let columns = kinds::asked(&self.measure.kind).columns().iter();
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

    pub(crate) fn finish(self) -> Result<(), TableError> {
        self.rows.finish().map(drop)
    }
}
