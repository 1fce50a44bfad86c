//! Columns of one row group at a time, for tables that may exceed memory.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::file::statistics::Statistics;

use crate::error::TableError;
use crate::reader::TableReader;

/// The values of a column in one row group, with `None` for missing ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Booleans (0 or 1) and integers.
    Integers(Vec<Option<i64>>),
    /// Floats.
    Reals(Vec<Option<f64>>),
    /// Strings.
    Texts(Vec<Option<String>>),
}

impl TableReader {
    /// Reads a column of a row group.
    pub fn values(&self, group: usize, place: usize) -> Result<Values, TableError> {
        self.read_values(group, place)
            .map_err(|source| self.parquet_error(source))
    }

    /// Reads a column of strings of a row group, each converted where it is.
    pub fn texts<N>(
        &self,
        group: usize,
        place: usize,
        convert: impl Fn(&[u8]) -> N,
    ) -> Result<Vec<Option<N>>, TableError> {
        let read = || {
            let optional = self.is_optional(place);
            let group = self.file().get_row_group(group)?;
            let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            match group.get_column_reader(place)? {
                ColumnReader::ByteArrayColumnReader(reader) => {
                    read_all(reader, rows, optional, |bytes: ByteArray| {
                        convert(bytes.data())
                    })
                }
                _ => Err(ParquetError::General("a column without strings".into())),
            }
        };
        read().map_err(|source| self.parquet_error(source))
    }

    /// The least integer of a column in a row group according to the footer, which has it only for
    /// times without gaps.
    pub fn least(&self, group: usize, place: usize) -> Option<i64> {
        let column = self.file().metadata().row_group(group).column(place);
        match column.statistics()? {
            Statistics::Int64(of) => of.min_opt().copied(),
            Statistics::Int32(of) => of.min_opt().map(|n| i64::from(*n)),
            _ => None,
        }
    }

    fn read_values(&self, group: usize, place: usize) -> Result<Values, ParquetError> {
        let unsigned = self.is_unsigned(place);
        let optional = self.is_optional(place);
        let group = self.file().get_row_group(group)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let reader = group.get_column_reader(place)?;
        Ok(match reader {
            ColumnReader::BoolColumnReader(reader) => {
                Values::Integers(read_all(reader, rows, optional, i64::from)?)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                Values::Integers(read_all(reader, rows, optional, |n| {
                    if unsigned {
                        n.cast_unsigned().into()
                    } else {
                        n.into()
                    }
                })?)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                Values::Integers(read_all(reader, rows, optional, |n| n)?)
            }
            ColumnReader::FloatColumnReader(reader) => {
                Values::Reals(read_all(reader, rows, optional, f64::from)?)
            }
            ColumnReader::DoubleColumnReader(reader) => {
                Values::Reals(read_all(reader, rows, optional, |x| x)?)
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let text = |bytes: ByteArray| String::from_utf8_lossy(bytes.data()).into_owned();
                Values::Texts(read_all(reader, rows, optional, text)?)
            }
            _ => return Err(ParquetError::General("a column of an unknown type".into())),
        })
    }
}

/// Reads all values of a column chunk.
fn read_all<T: DataType, N>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    optional: bool,
    convert: impl Fn(T::T) -> N,
) -> Result<Vec<Option<N>>, ParquetError> {
    // Short enough to stay in the processor's cache.
    const BATCH: usize = 1 << 12;
    let (mut values, mut levels) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    // A damaged footer may claim any number of rows.
    let mut found = Vec::with_capacity(rows.min(1 << 20));
    loop {
        values.clear();
        levels.clear();
        let known = optional.then_some(&mut levels);
        let (read, _, _) = reader.read_records(BATCH, known, None, &mut values)?;
        if read == 0 {
            return Ok(found);
        }
        let mut present = values.drain(..).map(&convert);
        if optional {
            found.extend(levels.iter().map(|level| match level {
                0 => None,
                _ => present.next(),
            }))
        } else {
            found.extend(present.map(Some))
        }
    }
}
