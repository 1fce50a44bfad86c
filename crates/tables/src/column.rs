//! Columns of a record, as they are stored.

use std::sync::Arc;

use pacesim_measure::record::{Column, ColumnType};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::{Type, TypePtr};

/// A column whose name may depend on the data.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// Name of the column, including the unit.
    pub name: String,
    /// Type of the column's values.
    pub kind: ColumnType,
    /// True if a value may be missing.
    pub nullable: bool,
    /// Unit, as in [`Column`].
    pub unit: &'static str,
    /// Meaning of the column's values.
    pub doc: String,
}

impl From<&Column> for TableColumn {
    fn from(column: &Column) -> TableColumn {
        TableColumn {
            name: column.name.to_owned(),
            kind: column.kind,
            nullable: column.nullable,
            unit: column.unit,
            doc: column.doc.to_owned(),
        }
    }
}

/// The schema of a file with these columns.
pub(crate) fn schema(columns: &[TableColumn]) -> Result<TypePtr, ParquetError> {
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("pacesim")
        .with_fields(fields)
        .build()
        .map(Arc::new)
}

fn field(column: &TableColumn) -> Result<TypePtr, ParquetError> {
    let repetition = if column.nullable {
        Repetition::OPTIONAL
    } else {
        Repetition::REQUIRED
    };
    let (physical, logical) = stored(column.kind);
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

/// Counts, ids and times are stored as signed integers, since several readers wrap differences of
/// unsigned columns.
fn stored(kind: ColumnType) -> (Physical, Option<LogicalType>) {
    match kind {
        ColumnType::Bool => (Physical::BOOLEAN, None),
        ColumnType::U8 => (Physical::INT32, Some(LogicalType::integer(8, false))),
        ColumnType::U32 | ColumnType::U64 => (Physical::INT64, None),
        ColumnType::F64 => (Physical::DOUBLE, None),
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    }
}

/// Settings for the columns encoded by the library, which are floats: plain and compressed, since
/// few values are equal. Packed integers do not become smaller by compression.
pub(crate) fn properties(notes: Vec<KeyValue>) -> WriterProperties {
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_key_value_metadata(Some(notes))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .build()
}
