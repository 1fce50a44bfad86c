//! The tables of a results folder, read with the Parquet library.

use std::fs::{self, File};
use std::path::Path;

use pacesim::measure::record::{Row, Value};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A null.
    Null,
    /// A value of an integer or flag column.
    Whole(i128),
    /// A value of a float column.
    Real(f64),
    /// A value of a string column.
    Text(String),
}

/// The rows of a table, each with its columns in order.
pub(crate) type Rows = Vec<Vec<(String, Cell)>>;

/// Reads a table.
pub(crate) fn read(path: &Path) -> Result<Rows, String> {
    let describe = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| describe(&error))?;
    let file = SerializedFileReader::new(file).map_err(|error| describe(&error))?;
    let rows = file.get_row_iter(None).map_err(|error| describe(&error))?;
    let cells = |row: parquet::record::Row| {
        let columns = row.into_columns().into_iter();
        columns
            .map(|(name, field)| Ok((name, cell(field)?)))
            .collect()
    };
    rows.map(|row| cells(row.map_err(|error| describe(&error))?))
        .collect()
}

fn cell(field: Field) -> Result<Cell, String> {
    Ok(match field {
        Field::Null => Cell::Null,
        Field::Bool(flag) => Cell::Whole(flag.into()),
        Field::Int(n) => Cell::Whole(n.into()),
        Field::Long(n) => Cell::Whole(n.into()),
        Field::UByte(n) => Cell::Whole(n.into()),
        Field::UInt(n) => Cell::Whole(n.into()),
        Field::ULong(n) => Cell::Whole(n.into()),
        Field::Double(x) => Cell::Real(x),
        Field::Str(text) => Cell::Text(text),
        other => return Err(format!("a cell of {other:?}")),
    })
}

/// The tables of a folder with their names, in order.
pub(crate) fn tables(folder: &Path) -> Result<Vec<(String, Rows)>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".parquet")).collect();
    names.sort();
    let table = |name: String| Ok((name.clone(), read(&folder.join(name))?));
    names.into_iter().map(table).collect()
}

/// The cells of a row before it is written.
pub(crate) fn cells<R: Row>(row: &R) -> Vec<Cell> {
    let mut cells = Vec::new();
    row.for_each_value(|value| {
        cells.push(match value {
            Value::Null => Cell::Null,
            Value::Bool(flag) => Cell::Whole(flag.into()),
            Value::U8(n) => Cell::Whole(n.into()),
            Value::U32(n) => Cell::Whole(n.into()),
            Value::U64(n) => Cell::Whole(n.into()),
            Value::F64(x) => Cell::Real(x),
            Value::Text(text) => Cell::Text(text.to_owned()),
        });
    });
    cells
}

/// Finds a number that is not finite, or that is negative where none may be.
pub(crate) fn strange_number(tables: &[(String, Rows)]) -> Option<String> {
    for (table, rows) in tables {
        for (column, cell) in rows.iter().flatten() {
            let strange = match cell {
                Cell::Real(x) => !x.is_finite() || *x < 0.0,
                Cell::Whole(n) => *n < 0,
                Cell::Null | Cell::Text(_) => false,
            };
            if strange {
                return Some(format!("{table}: {column} is {cell:?}"));
            }
        }
    }
    None
}
