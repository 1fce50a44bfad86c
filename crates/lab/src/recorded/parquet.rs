//! Arrivals from a Parquet file.

use std::path::Path;

use pacesim::model::Arrival;
use pacesim::units::Span;

use super::{Arrivals, Fault, Place, RecordedError, columns};
use crate::tables::{Numbers, TableReader};

pub(super) fn read(path: &Path) -> Result<Vec<Arrival>, RecordedError> {
    let file = path.display().to_string();
    let fault = |message: String| {
        let line = None;
        Fault { line, message }.in_file(&file)
    };
    let table = TableReader::open(path).map_err(|error| fault(error.to_string()))?;
    let names = table.column_names();
    let place = columns::find(&names).map_err(fault)?;
    let numbers = |column: usize| {
        let read = table
            .numbers(column)
            .map_err(|error| fault(error.to_string()))?;
        read.ok_or_else(|| {
            let name = &names[column];
            fault(format!(
                "column {name}: accepted are integers or floats without nulls"
            ))
        })
    };
    let (times, sizes) = (numbers(place.time)?, numbers(place.size)?);
    collect(&times, &sizes, place).map_err(|fault| fault.in_file(&file))
}

fn collect(times: &Numbers, sizes: &Numbers, place: Place) -> Result<Vec<Arrival>, Fault> {
    let Numbers::Integers(sizes) = sizes else {
        let (line, message) = (None, "sizes are whole bytes, as integers".to_owned());
        return Err(Fault { line, message });
    };
    let mut arrivals = Arrivals::default();
    for (row, size) in sizes.iter().enumerate() {
        let at = time(times, row, place.unit_ps());
        let not_a_time = || Fault::at(row + 1, "accepted are times from 0 to 213 days".to_owned());
        let size = u64::try_from(*size).unwrap_or(0);
        arrivals.add(row + 1, at.ok_or_else(not_a_time)?, size)?;
    }
    arrivals.finish()
}

fn time(times: &Numbers, row: usize, unit_ps: u64) -> Option<Span> {
    match times {
        Numbers::Integers(times) => {
            let units = u64::try_from(times[row]).ok()?;
            Span::from_ps(unit_ps).checked_mul(units)
        }
        Numbers::Reals(times) => Span::from_ps_f64(times[row] * unit_ps as f64),
    }
}
