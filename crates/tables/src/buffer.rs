//! The pending values of one column of one row group.

use std::io::Write;

use pacesim_measure::record::{ColumnType, Value};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::ColumnDescPtr;

use crate::chunk::{Chunk, Dictionary};
use crate::column::TableColumn;
use crate::texts::Texts;

/// A column's buffer; it reuses its memory from one row group to the next.
pub(crate) struct Buffer {
    values: BufferValues,
    /// 1 for a value, 0 for a missing one; unused unless nullable.
    present: Vec<i16>,
    nullable: bool,
    /// True for times, which readers may filter by range.
    is_time: bool,
}

/// The values of a column, in the narrowest type given.
enum BufferValues {
    Bool(Vec<bool>),
    Code(Vec<u8>),
    Short(Vec<u32>),
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Text(Texts),
}

/// Values that their column does not accept.
pub(crate) struct Misfit;

impl Buffer {
    pub(crate) fn new(column: &TableColumn) -> Buffer {
        let values = match column.kind {
            ColumnType::Bool => BufferValues::Bool(Vec::new()),
            ColumnType::U8 => BufferValues::Code(Vec::new()),
            ColumnType::U32 => BufferValues::Short(Vec::new()),
            ColumnType::U64 => BufferValues::Integer(Vec::new()),
            ColumnType::F64 => BufferValues::Real(Vec::new()),
            ColumnType::Text => BufferValues::Text(Texts::default()),
        };
        Buffer {
            values,
            present: Vec::new(),
            nullable: column.nullable,
            is_time: column.unit == "ps",
        }
    }

    /// Takes a value of each of some rows; NaN counts as missing.
    #[inline]
    pub(crate) fn extend<'a>(
        &mut self,
        values: impl ExactSizeIterator<Item = Value<'a>> + Clone,
    ) -> Result<(), Misfit> {
        let is_there = |value: Value<'a>| !is_missing(&value);
        match self.nullable {
            true => self
                .present
                .extend(values.clone().map(|value| i16::from(is_there(value)))),
            false if values.clone().all(is_there) => (),
            false => return Err(Misfit),
        }
        self.values.extend(values, self.nullable)
    }

    /// True if the column accepts a value.
    pub(crate) fn takes(&self, value: Value<'_>) -> bool {
        match (&self.values, value) {
            _ if is_missing(&value) => self.nullable,
            (BufferValues::Integer(_), Value::U64(n)) => i64::try_from(n).is_ok(),
            (BufferValues::Bool(_), Value::Bool(_))
            | (BufferValues::Code(_), Value::U8(_))
            | (BufferValues::Short(_), Value::U32(_))
            | (BufferValues::Real(_), Value::F64(_))
            | (BufferValues::Text(_), Value::Text(_)) => true,
            _ => false,
        }
    }

    /// Writes the values as the next column of a row group, and clears them.
    pub(crate) fn write<W: Write + Send>(
        &mut self,
        column: &ColumnDescPtr,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let present = self.nullable.then_some(self.present.as_slice());
        let column = column.clone();
        match &mut self.values {
            BufferValues::Bool(flags) => {
                Chunk::flags(column, flags, present)?.append_to(group)?;
                flags.clear();
            }
            BufferValues::Code(codes) => {
                let dictionary = all_up_to(codes);
                Chunk::numbered(column, dictionary, codes, present)?.append_to(group)?;
                codes.clear();
            }
            BufferValues::Text(texts) => {
                let (dictionary, numbers) = (texts.dictionary(), texts.numbers());
                Chunk::numbered(column, dictionary, numbers, present)?.append_to(group)?;
                texts.clear();
            }
            BufferValues::Integer(values) => {
                let numbers = values.iter().copied();
                Chunk::integers(column, numbers, present, self.is_time)?.append_to(group)?;
                values.clear();
            }
            BufferValues::Short(values) => {
                let chunk = match few(values) {
                    Some((dictionary, numbers)) => {
                        Chunk::numbered(column, dictionary, &numbers, present)
                    }
                    None => {
                        let numbers = values.iter().map(|n| i64::from(*n));
                        Chunk::integers(column, numbers, present, false)
                    }
                };
                chunk?.append_to(group)?;
                values.clear();
            }
            BufferValues::Real(values) => {
                let column = group.next_column()?;
                let mut column = column.expect("the schema has a column for each buffer");
                let to = column.typed::<DoubleType>();
                to.write_batch(values, present, None)?;
                column.close()?;
                values.clear();
            }
        }
        self.present.clear();
        Ok(())
    }
}

/// The dictionary in which each code is its own number, up to the greatest of these.
fn all_up_to(codes: &[u8]) -> Dictionary {
    let most = codes.iter().copied().fold(0, u8::max);
    let values = if codes.is_empty() {
        0
    } else {
        usize::from(most) + 1
    };
    let plain = (0..values).flat_map(|code| (code as u32).to_le_bytes());
    Dictionary {
        plain: plain.collect(),
        values,
    }
}

/// The dictionary of integers with few distinct values, such as sizes, and the number of each value
/// in it.
fn few(values: &[u32]) -> Option<(Dictionary, Vec<u8>)> {
    const MOST: usize = 16;
    let mut distinct = Vec::with_capacity(MOST);
    // The likely number of a value, by its hash.
    let mut guesses = [0; 256];
    let mut numbers = Vec::with_capacity(values.len());
    for value in values {
        let hash = value.wrapping_mul(0x9E37_79B1) >> 24;
        let guess = &mut guesses[hash as usize];
        if distinct.get(usize::from(*guess)) != Some(value) {
            let known = distinct.iter().position(|known| known == value);
            *guess = known.unwrap_or(distinct.len()) as u8;
            match known {
                Some(_) => (),
                None if distinct.len() < MOST => distinct.push(*value),
                None => return None,
            }
        }
        numbers.push(*guess);
    }
    let plain = distinct
        .iter()
        .flat_map(|value| i64::from(*value).to_le_bytes());
    let dictionary = Dictionary {
        plain: plain.collect(),
        values: distinct.len(),
    };
    Some((dictionary, numbers))
}

#[inline]
fn is_missing(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::F64(x) => x.is_nan(),
        _ => false,
    }
}

impl BufferValues {
    /// Appends the values that are present.
    #[inline]
    fn extend<'a>(
        &mut self,
        values: impl ExactSizeIterator<Item = Value<'a>>,
        nullable: bool,
    ) -> Result<(), Misfit> {
        let mut fits = true;
        match self {
            BufferValues::Bool(to) => extend(to, values, nullable, |value| match value {
                Value::Bool(flag) => flag,
                _ => misfit(&mut fits),
            }),
            BufferValues::Code(to) => extend(to, values, nullable, |value| match value {
                Value::U8(code) => code,
                _ => misfit(&mut fits),
            }),
            BufferValues::Short(to) => extend(to, values, nullable, |value| match value {
                Value::U32(n) => n,
                _ => misfit(&mut fits),
            }),
            BufferValues::Integer(to) => extend(to, values, nullable, |value| match value {
                Value::U64(n) => {
                    fits &= n <= i64::MAX.cast_unsigned();
                    n.cast_signed()
                }
                _ => misfit(&mut fits),
            }),
            BufferValues::Real(to) => extend(to, values, nullable, |value| match value {
                Value::F64(x) => x,
                _ => misfit(&mut fits),
            }),
            BufferValues::Text(to) => values.for_each(|value| match value {
                Value::Text(text) => to.push(text),
                Value::Null => (),
                _ => misfit(&mut fits),
            }),
        }
        if fits { Ok(()) } else { Err(Misfit) }
    }
}

/// Appends the values present. With missing values, the slot of each is written anyway, and the
/// next one overwrites it if the value was missing: a branch on that would be unpredictable.
#[inline]
fn extend<'a, T: Copy + Default>(
    to: &mut Vec<T>,
    values: impl ExactSizeIterator<Item = Value<'a>>,
    nullable: bool,
    mut convert: impl FnMut(Value<'a>) -> T,
) {
    if !nullable {
        return to.extend(values.map(convert));
    }
    let mut end = to.len();
    to.resize(end + values.len(), T::default());
    for value in values {
        let is_there = !is_missing(&value);
        to[end] = if is_there {
            convert(value)
        } else {
            T::default()
        };
        end += usize::from(is_there);
    }
    to.truncate(end);
}

/// Placeholder for a value that does not fit; it is never written.
fn misfit<T: Default>(fits: &mut bool) -> T {
    *fits = false;
    T::default()
}
