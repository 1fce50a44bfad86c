//! The values of one column of one row group, waiting to be written.

use std::collections::BTreeMap;

use pacesim::measure::record::{ColumnType, Value};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

use super::column::TableColumn;

/// A column's buffer; it keeps its memory from one row group to the next.
pub(super) struct Buffer {
    values: Values,
    /// 1 where there is a value, 0 where there is none; unused unless nullable.
    present: Vec<i16>,
    nullable: bool,
}

enum Values {
    Bool(Vec<bool>),
    Code(Vec<i32>),
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Text(Texts),
}

/// Texts share the storage of equal ones.
#[derive(Default)]
struct Texts {
    values: Vec<ByteArray>,
    known: BTreeMap<Box<str>, ByteArray>,
}

/// A value that its column does not take.
pub(super) struct Misfit;

impl Buffer {
    pub(super) fn new(column: &TableColumn) -> Buffer {
        let values = match column.kind {
            ColumnType::Bool => Values::Bool(Vec::new()),
            ColumnType::U8 => Values::Code(Vec::new()),
            ColumnType::U32 | ColumnType::U64 => Values::Integer(Vec::new()),
            ColumnType::F64 => Values::Real(Vec::new()),
            ColumnType::Text => Values::Text(Texts::default()),
        };
        Buffer {
            values,
            present: Vec::new(),
            nullable: column.nullable,
        }
    }

    /// Takes a value; what is not a number counts as missing.
    #[inline]
    pub(super) fn push(&mut self, value: Value<'_>) -> Result<(), Misfit> {
        let missing = match value {
            Value::Null => true,
            Value::F64(x) => x.is_nan(),
            _ => false,
        };
        if self.nullable {
            self.present.push(i16::from(!missing));
        }
        match missing {
            true if self.nullable => Ok(()),
            true => Err(Misfit),
            false => self.values.push(value),
        }
    }

    /// Writes the column chunk and forgets the values.
    pub(super) fn write(
        &mut self,
        column: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        let present = self.nullable.then_some(self.present.as_slice());
        match &mut self.values {
            Values::Integer(values) => batch(column.typed::<Int64Type>(), values, present)?,
            Values::Real(values) => batch(column.typed::<DoubleType>(), values, present)?,
            Values::Bool(values) => batch(column.typed::<BoolType>(), values, present)?,
            Values::Code(values) => batch(column.typed::<Int32Type>(), values, present)?,
            Values::Text(texts) => {
                batch(column.typed::<ByteArrayType>(), &mut texts.values, present)?;
                texts.known.clear();
            }
        }
        self.present.clear();
        Ok(())
    }
}

impl Values {
    #[inline]
    fn push(&mut self, value: Value<'_>) -> Result<(), Misfit> {
        match (self, value) {
            (Values::Bool(values), Value::Bool(flag)) => values.push(flag),
            (Values::Code(values), Value::U8(code)) => values.push(i32::from(code)),
            (Values::Integer(values), Value::U32(n)) => values.push(i64::from(n)),
            (Values::Integer(values), Value::U64(n)) => {
                values.push(i64::try_from(n).map_err(|_| Misfit)?);
            }
            (Values::Real(values), Value::F64(x)) => values.push(x),
            (Values::Text(values), Value::Text(text)) => values.push(text),
            _ => return Err(Misfit),
        }
        Ok(())
    }
}

fn batch<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<T::T>,
    present: Option<&[i16]>,
) -> Result<(), ParquetError> {
    writer.write_batch(values, present, None)?;
    values.clear();
    Ok(())
}

impl Texts {
    fn push(&mut self, text: &str) {
        if let Some(stored) = self.known.get(text) {
            self.values.push(stored.clone());
            return;
        }
        let stored = ByteArray::from(text);
        self.known.insert(text.into(), stored.clone());
        self.values.push(stored);
    }
}
