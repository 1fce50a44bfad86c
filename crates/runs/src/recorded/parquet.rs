//! Recordings from Parquet files: integers or floats without nulls, and times with their unit in
//! the file, under any column name.

use std::path::Path;

use pacesim::recording::{Columns, Recording, RecordingError, Rows, TimeColumn};
use pacesim::units::Span;
use pacesim_tables::{Meaning, Numbers, TableError, TableReader};

use crate::spill;

pub(super) fn read(path: &Path) -> Result<Recording, RecordingError> {
    let table = TableReader::open(path).map_err(unreadable)?;
    if let Some(compression) = table.unknown_compression() {
        return Err(RecordingError::whole(compressed(compression)));
    }
    let names = table.column_names();
    let columns = Columns::find(&names).map_err(RecordingError::whole)?;
    let of_column = |place: usize, message: &str| {
        let name = &names[place];
        RecordingError::whole(format!("column {name}: {message}"))
    };
    let meaning = |place| {
        table
            .meaning(place)
            .ok_or_else(|| of_column(place, UNKNOWN))
    };
    let numbers = |place| {
        let read = table.numbers(place).map_err(unreadable)?;
        read.ok_or_else(|| of_column(place, ACCEPTED))
    };
    let timed = |column: TimeColumn| {
        let (unit_ps, is_timestamp) = match meaning(column.place)? {
            Meaning::Plain => (column.unit_ps, false),
            Meaning::Time(unit_ps) => (unit_ps, false),
            Meaning::Timestamp(unit_ps) => (unit_ps, true),
            Meaning::Other(what) => return Err(of_column(column.place, &unusable_column(what))),
        };
        let numbers = numbers(column.place)?;
        Ok(TimesRead {
            numbers,
            unit_ps,
            is_timestamp,
        })
    };
    let (times, deadlines) = (
        timed(columns.time)?,
        columns.deadline.map(timed).transpose()?,
    );
    let sizes = match (meaning(columns.size)?, numbers(columns.size)?) {
        (Meaning::Plain, Numbers::Integers(sizes)) => sizes,
        _ => {
            return Err(of_column(
                columns.size,
                "sizes are whole bytes, as integers",
            ));
        }
    };
    let mut rows = Rows::within(Some(&spill::open));
    for (row, size) in sizes.iter().enumerate() {
        add(&mut rows, &times, row, *size, deadlines.as_ref())
            .map_err(|message| RecordingError::at("row", row + 1, message))?;
    }
    rows.finish()
}

const ACCEPTED: &str = "accepted are integers or floats without nulls";

/// Describes an unusable column, and names the types that are accepted.
fn unusable_column(what: &str) -> String {
    format!("it holds {what}; accepted are integers, floats, durations, times and timestamps")
}

/// The message on an unreadable Arrow schema, which might mark these columns as durations.
const UNKNOWN: &str = "the schema of Arrow in this file cannot be read, and only that may say \
     the unit; write the file again without it, as with store_schema=False in PyArrow";

fn compressed(compression: &str) -> String {
    format!(
        "compressed with {compression}; accepted are zstd, Snappy, gzip, LZ4 and no compression. \
         Write it again, in PyArrow with pq.write_table(pq.read_table(FILE), FILE)"
    )
}

/// An error without the file's name, which the scenario's key gives.
fn unreadable(error: TableError) -> RecordingError {
    RecordingError::whole(match error {
        TableError::File { source, .. } => source.to_string(),
        TableError::Parquet { source, .. } => source.to_string(),
        TableError::Value { .. } => error.to_string(),
    })
}

fn add(
    rows: &mut Rows<'_>,
    times: &TimesRead,
    row: usize,
    size: i64,
    deadlines: Option<&TimesRead>,
) -> Result<(), String> {
    let deadline = deadlines.map(|deadlines| deadlines.at(row)).transpose()?;
    rows.add(times.at(row)?, u64::try_from(size).unwrap_or(0), deadline)
}

/// A column of times.
struct TimesRead {
    numbers: Numbers,
    unit_ps: u64,
    is_timestamp: bool,
}

impl TimesRead {
    fn at(&self, row: usize) -> Result<Span, String> {
        let read = match &self.numbers {
            Numbers::Integers(times) => u64::try_from(times[row])
                .ok()
                .and_then(|units| Span::from_ps(self.unit_ps).checked_mul(units)),
            Numbers::Reals(times) => Span::from_ps_f64(times[row] * self.unit_ps as f64),
        };
        read.ok_or_else(|| {
            if self.is_timestamp {
                "accepted are times from 0 to 213 days, but timestamps count from 1970: \
                     subtract the start of the recording from them"
                    .to_owned()
            } else {
                "accepted are times from 0 to 213 days".to_owned()
            }
        })
    }
}
