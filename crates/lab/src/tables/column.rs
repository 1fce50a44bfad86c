//! What a table's columns are, and what goes into them.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

/// One column of a table: plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, with its unit: `t_ps`, `delay_mean_ms`.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it may be empty in a row.
    pub nullable: bool,
    /// What it means, in a sentence.
    pub doc: &'static str,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A time or a span that grows along the table: 64-bit integers, stored as
    /// differences.
    Time,
    /// 64-bit integers.
    Integer,
    /// 64-bit floats.
    Real,
    /// UTF-8 text.
    Text,
    /// True or false.
    Flag,
}

/// One value of a row.
///
/// Integers are stored with a sign, because differences of unsigned columns wrap
/// in several readers; what does not fit 63 bits is an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// For a [`Kind::Time`] column.
    Time(u64),
    /// For a [`Kind::Integer`] column.
    Integer(u64),
    /// For a [`Kind::Real`] column; not a number is stored as null.
    Real(f64),
    /// For a [`Kind::Text`] column.
    Text(&'a str),
    /// For a [`Kind::Flag`] column.
    Flag(bool),
    /// Nothing, in a nullable column.
    Null,
}

impl Column {
    /// A column with a value in every row.
    pub const fn new(name: &'static str, kind: Kind, doc: &'static str) -> Column {
        Column {
            name,
            kind,
            nullable: false,
            doc,
        }
    }

    /// A column that may be empty in a row.
    pub const fn nullable(name: &'static str, kind: Kind, doc: &'static str) -> Column {
        Column {
            name,
            kind,
            nullable: true,
            doc,
        }
    }

    fn parquet(&self) -> Result<TypePtr, ParquetError> {
        let repetition = match self.nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let text = (self.kind == Kind::Text).then_some(LogicalType::String);
        Type::primitive_type_builder(self.name, self.kind.physical())
            .with_repetition(repetition)
            .with_logical_type(text)
            .build()
            .map(Arc::new)
    }
}

impl Kind {
    fn physical(self) -> Physical {
        match self {
            Kind::Time | Kind::Integer => Physical::INT64,
            Kind::Real => Physical::DOUBLE,
            Kind::Text => Physical::BYTE_ARRAY,
            Kind::Flag => Physical::BOOLEAN,
        }
    }
}

/// The schema of a file with these columns.
pub(super) fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields = columns
        .iter()
        .map(Column::parquet)
        .collect::<Result<_, _>>()?;
    Type::group_type_builder("pacesim")
        .with_fields(fields)
        .build()
        .map(Arc::new)
}

/// How a file with these columns is stored: deltas for times, dictionaries for the
/// rest, zstd over all.
pub(super) fn properties(columns: &[Column], notes: Vec<KeyValue>) -> WriterProperties {
    let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
    let all = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(notes));
    let times = columns.iter().filter(|column| column.kind == Kind::Time);
    times
        .map(|column| ColumnPath::from(column.name))
        .fold(all, |set, path| {
            set.set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
        })
        .build()
}
