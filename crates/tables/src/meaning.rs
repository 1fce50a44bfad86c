//! Meaning of a Parquet column's numbers, as far as the file declares it.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::schema::types::ColumnDescriptor;

/// The meaning of a column's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A plain number; its meaning is in the column's name.
    Plain,
    /// Units of time, each with this number of picoseconds.
    Time(u64),
    /// Units of time since the start of 1970, each with this number of picoseconds.
    Timestamp(u64),
    /// Neither a plain number nor a time; decimals, for example.
    Other(&'static str),
}

impl Meaning {
    /// The meaning by the column's logical type, or its converted type in older files.
    pub(crate) fn of(column: &ColumnDescriptor) -> Meaning {
        match column.logical_type_ref() {
            Some(LogicalType::Integer(_)) => Meaning::Plain,
            Some(LogicalType::Time(time)) => Meaning::Time(picoseconds(&time.unit)),
            Some(LogicalType::Timestamp(time)) => Meaning::Timestamp(picoseconds(&time.unit)),
            Some(LogicalType::Decimal(_)) => Meaning::Other("decimals"),
            Some(LogicalType::Date) => Meaning::Other("dates"),
            Some(_) => Meaning::Other("no numbers"),
            None => Meaning::converted(column.converted_type()),
        }
    }

    fn converted(kind: ConvertedType) -> Meaning {
        const MILLIS: u64 = picoseconds(&TimeUnit::MILLIS);
        const MICROS: u64 = picoseconds(&TimeUnit::MICROS);
        match kind {
            ConvertedType::TIME_MILLIS => Meaning::Time(MILLIS),
            ConvertedType::TIME_MICROS => Meaning::Time(MICROS),
            ConvertedType::TIMESTAMP_MILLIS => Meaning::Timestamp(MILLIS),
            ConvertedType::TIMESTAMP_MICROS => Meaning::Timestamp(MICROS),
            ConvertedType::DECIMAL => Meaning::Other("decimals"),
            ConvertedType::DATE => Meaning::Other("dates"),
            ConvertedType::INTERVAL => Meaning::Other("intervals of months and days"),
            _ => Meaning::Plain,
        }
    }
}

const fn picoseconds(unit: &TimeUnit) -> u64 {
    match unit {
        TimeUnit::MILLIS => 1_000_000_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000,
    }
}
