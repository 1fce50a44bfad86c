//! A recording out of a Parquet file: integers or floats without nulls.

use std::path::Path;

use pacesim::recording::{Columns, Recording, RecordingError, Rows, TimeColumn};
use pacesim::units::Span;

use crate::tables::{Numbers, TableError, TableReader};

pub(super) fn read(path: &Path) -> Result<Recording, RecordingError> {
    let table = TableReader::open(path).map_err(unreadable)?;
    let names = table.column_names();
    let columns = Columns::find(&names).map_err(RecordingError::whole)?;
    let numbers = |column: usize| {
        let read = table.numbers(column).map_err(unreadable)?;
        let accepted = "accepted are integers or floats without nulls";
        let name = &names[column];
        read.ok_or_else(|| RecordingError::whole(format!("column {name}: {accepted}")))
    };
    let timed = |column: TimeColumn| Ok(Times(numbers(column.place)?, column));
    let (times, sizes) = (timed(columns.time)?, numbers(columns.size)?);
    let deadlines = columns.deadline.map(timed).transpose()?;
    let Numbers::Integers(sizes) = sizes else {
        return Err(RecordingError::whole("sizes are whole bytes, as integers"));
    };
    let mut rows = Rows::default();
    for (row, size) in sizes.iter().enumerate() {
        add(&mut rows, &times, row, *size, deadlines.as_ref())
            .map_err(|message| RecordingError::at("row", row + 1, message))?;
    }
    rows.finish()
}

/// Without the file's name, which the scenario's key says.
fn unreadable(error: TableError) -> RecordingError {
    RecordingError::whole(match error {
        TableError::File { source, .. } => source.to_string(),
        TableError::Parquet { source, .. } => source.to_string(),
        TableError::Value { .. } => error.to_string(),
    })
}

fn add(
    rows: &mut Rows,
    times: &Times,
    row: usize,
    size: i64,
    deadlines: Option<&Times>,
) -> Result<(), String> {
    let deadline = deadlines.map(|deadlines| deadlines.at(row)).transpose()?;
    rows.add(times.at(row)?, u64::try_from(size).unwrap_or(0), deadline)
}

/// A column of times.
struct Times(Numbers, TimeColumn);

impl Times {
    fn at(&self, row: usize) -> Result<Span, String> {
        let unit_ps = self.1.unit_ps;
        let read = match &self.0 {
            Numbers::Integers(times) => u64::try_from(times[row])
                .ok()
                .and_then(|units| Span::from_ps(unit_ps).checked_mul(units)),
            Numbers::Reals(times) => Span::from_ps_f64(times[row] * unit_ps as f64),
        };
        read.ok_or_else(|| "accepted are times from 0 to 213 days".to_owned())
    }
}
