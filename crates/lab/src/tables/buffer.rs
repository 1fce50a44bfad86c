//! The values of one column of one row group, waiting to be written.

use std::collections::BTreeMap;

use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

use super::{Cell, Column, Kind};

/// A column's buffer; it keeps its memory from one row group to the next.
pub(super) struct Buffer {
    values: Values,
    /// 1 where there is a value, 0 where there is none; unused unless nullable.
    present: Vec<i16>,
    nullable: bool,
}

enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Text(Texts),
    Flag(Vec<bool>),
}

/// Texts share the storage of equal ones.
#[derive(Default)]
struct Texts {
    values: Vec<ByteArray>,
    known: BTreeMap<Box<str>, ByteArray>,
}

/// A cell that its column does not take.
pub(super) struct Misfit;

impl Buffer {
    pub(super) fn new(column: &Column) -> Buffer {
        let values = match column.kind {
            Kind::Time | Kind::Integer => Values::Integer(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Text => Values::Text(Texts::default()),
            Kind::Flag => Values::Flag(Vec::new()),
        };
        Buffer {
            values,
            present: Vec::new(),
            nullable: column.nullable,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, cell: Cell<'_>) -> Result<(), Misfit> {
        let present = !matches!(cell, Cell::Null) && !matches!(cell, Cell::Real(x) if x.is_nan());
        if self.nullable {
            self.present.push(i16::from(present));
        }
        match (&mut self.values, cell) {
            _ if !present => return if self.nullable { Ok(()) } else { Err(Misfit) },
            (Values::Integer(values), Cell::Time(n) | Cell::Integer(n)) => {
                values.push(i64::try_from(n).map_err(|_| Misfit)?);
            }
            (Values::Real(values), Cell::Real(x)) => values.push(x),
            (Values::Text(values), Cell::Text(text)) => values.push(text),
            (Values::Flag(values), Cell::Flag(flag)) => values.push(flag),
            _ => return Err(Misfit),
        }
        Ok(())
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
            Values::Flag(values) => batch(column.typed::<BoolType>(), values, present)?,
            Values::Text(texts) => {
                batch(column.typed::<ByteArrayType>(), &mut texts.values, present)?;
                texts.known.clear();
            }
        }
        self.present.clear();
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
