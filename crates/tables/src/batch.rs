//! Row groups of a table as columns in Arrow's layout: values, offsets of strings, validity bits.

use parquet::basic::{LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;

use crate::error::TableError;
use crate::reader::TableReader;

/// Type of a column's values in Arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchType {
    /// Booleans, one bit each.
    Bool,
    /// Unsigned bytes.
    U8,
    /// Signed integers of 64 bits.
    I64,
    /// Floats of 64 bits.
    F64,
    /// UTF-8 with offsets of 32 bits.
    Text,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchField {
    /// Name of the column, including the unit.
    pub name: String,
    /// Type of the column's values.
    pub kind: BatchType,
    /// True if a value may be missing.
    pub nullable: bool,
    /// Meaning of its values; empty if the file does not give it.
    pub doc: String,
}

/// The values of one column in one row group.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchColumn {
    /// Values of the column; missing ones are arbitrary.
    pub values: BatchValues,
    /// A bit for each row, the lowest first: 1 if its value is present. `None` if all are.
    pub validity: Option<Vec<u8>>,
    /// Number of missing values.
    pub nulls: usize,
}

/// The values of a column in Arrow's layout.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchValues {
    /// A bit for each row, the lowest first.
    Bits(Vec<u8>),
    /// Values of type [`BatchType::U8`].
    Bytes(Vec<u8>),
    /// Values of type [`BatchType::I64`].
    Integers(Vec<i64>),
    /// Values of type [`BatchType::F64`].
    Reals(Vec<f64>),
    /// Values of type [`BatchType::Text`].
    Texts {
        /// The start of each string, and the end of the last one.
        offsets: Vec<i32>,
        /// All strings, one after the other.
        bytes: Vec<u8>,
    },
}

impl TableReader {
    /// The columns in order. An error names a column of an unsupported type.
    pub fn fields(&self) -> Result<Vec<BatchField>, TableError> {
        let notes = self.notes();
        let schema = self.file.metadata().file_metadata().schema_descr();
        let field = |column: &parquet::schema::types::ColumnDescPtr| {
            let name = column.path().string();
            let is_byte = matches!(
                column.logical_type_ref(),
                Some(LogicalType::Integer(int)) if int.bit_width == 8
            );
            let kind = match column.physical_type() {
                Physical::BOOLEAN => BatchType::Bool,
                Physical::INT32 if is_byte => BatchType::U8,
                Physical::INT64 => BatchType::I64,
                Physical::DOUBLE => BatchType::F64,
                Physical::BYTE_ARRAY => BatchType::Text,
                other => {
                    let message = format!("column {name} has the type {other}");
                    return Err(self.at(ParquetError::NYI(message)));
                }
            };
            let key = format!("pacesim.column.{name}");
            let doc = notes.iter().find(|(known, _)| *known == key);
            Ok(BatchField {
                kind,
                nullable: column.max_def_level() > 0,
                doc: doc.map_or_else(String::new, |(_, doc)| doc.clone()),
                name,
            })
        };
        schema.columns().iter().map(field).collect()
    }

    /// Number of row groups.
    pub fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    /// The number of rows of a row group, and its columns in the order of `fields`.
    pub fn group(
        &self,
        number: usize,
        fields: &[BatchField],
    ) -> Result<(usize, Vec<BatchColumn>), TableError> {
        let read = || {
            let group = self.file.get_row_group(number)?;
            let rows = usize::try_from(group.metadata().num_rows())?;
            let column = |(place, field): (usize, &BatchField)| {
                read_column(group.get_column_reader(place)?, field.nullable, rows)
            };
            let columns: Result<_, ParquetError> = fields.iter().enumerate().map(column).collect();
            Ok((rows, columns?))
        };
        read().map_err(|source| self.at(source))
    }

    fn at(&self, source: ParquetError) -> TableError {
        let path = self.path.clone();
        TableError::Parquet { path, source }
    }
}

fn read_column(
    column: ColumnReader,
    nullable: bool,
    rows: usize,
) -> Result<BatchColumn, ParquetError> {
    Ok(match column {
        ColumnReader::BoolColumnReader(reader) => {
            let column = read(reader, nullable, rows, false)?;
            column.with(|values| BatchValues::Bits(bits(values.into_iter())))
        }
        ColumnReader::Int32ColumnReader(reader) => {
            // Codes of one byte, as declared by the type of the field.
            let column = read(reader, nullable, rows, 0)?;
            let byte = |code: i32| code as u8;
            column.with(|values| BatchValues::Bytes(values.into_iter().map(byte).collect()))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            read(reader, nullable, rows, 0)?.with(BatchValues::Integers)
        }
        ColumnReader::DoubleColumnReader(reader) => {
            read(reader, nullable, rows, 0.0)?.with(BatchValues::Reals)
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            let missing = ByteArray::from("");
            let column: Decoded<ByteArray> = read(reader, nullable, rows, missing)?;
            let values = texts(&column.values)?;
            column.with(|_| values)
        }
        _ => {
            return Err(ParquetError::NYI(
                "a type that pacesim does not write".into(),
            ));
        }
    })
}

/// A column's values, one for each row.
struct Decoded<T> {
    values: Vec<T>,
    validity: Option<Vec<u8>>,
    nulls: usize,
}

impl<T> Decoded<T> {
    fn with(self, values: impl FnOnce(Vec<T>) -> BatchValues) -> BatchColumn {
        BatchColumn {
            values: values(self.values),
            validity: self.validity,
            nulls: self.nulls,
        }
    }
}

/// The values of a column, with `missing` in rows without one.
fn read<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    nullable: bool,
    rows: usize,
    missing: T::T,
) -> Result<Decoded<T::T>, ParquetError> {
    let mut values = Vec::with_capacity(rows);
    let mut levels = Vec::with_capacity(if nullable { rows } else { 0 });
    let mut done = 0;
    while done < rows {
        let (more, _, _) = reader.read_records(
            rows - done,
            nullable.then_some(&mut levels),
            None,
            &mut values,
        )?;
        if more == 0 {
            return Err(ParquetError::EOF(format!("{done} of {rows} rows")));
        }
        done += more;
    }
    let nulls = rows - values.len();
    if nulls == 0 {
        let validity = None;
        return Ok(Decoded {
            values,
            validity,
            nulls,
        });
    }
    spread(&mut values, &levels, missing);
    let validity = Some(bits(levels.iter().map(|level| *level > 0)));
    Ok(Decoded {
        values,
        validity,
        nulls,
    })
}

/// Moves each value to the place of its row, from the last to the first.
fn spread<T: Clone>(values: &mut Vec<T>, levels: &[i16], missing: T) {
    let mut from = values.len();
    values.resize(levels.len(), missing);
    for (row, level) in levels.iter().enumerate().rev() {
        if from == row + 1 {
            // All values before this one are in place.
            return;
        }
        if *level > 0 {
            from -= 1;
            values.swap(row, from);
        }
    }
}

fn bits(flags: impl ExactSizeIterator<Item = bool>) -> Vec<u8> {
    let mut bytes = vec![0_u8; flags.len().div_ceil(8)];
    for (row, flag) in flags.enumerate() {
        bytes[row / 8] |= u8::from(flag) << (row % 8);
    }
    bytes
}

fn texts(values: &[ByteArray]) -> Result<BatchValues, ParquetError> {
    let mut bytes = Vec::new();
    let mut offsets = Vec::with_capacity(values.len() + 1);
    offsets.push(0);
    for value in values {
        bytes.extend_from_slice(value.data());
        offsets.push(i32::try_from(bytes.len())?);
    }
    Ok(BatchValues::Texts { offsets, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableWriter;
    use pacesim_measure::record::{PacketRow, SeriesRow, TcpRow};

    #[test]
    fn missing_values_keep_their_rows() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("packets.parquet");
        let mut table = TableWriter::create(&path, &[]).expect("a table");
        for n in 0..20_u64 {
            let row = PacketRow {
                t_ps: n,
                departure_ps: (n % 3 == 1).then_some(100 + n),
                retransmission: n % 2 == 0,
                outcome: (n % 7) as u8,
                ..PacketRow::default()
            };
            table.push(row).expect("a row");
        }
        table.finish().expect("a file");
        let reader = TableReader::open(&path).expect("it is there");
        let fields = reader.fields().expect("types of ours");
        let (rows, columns) = reader.group(0, &fields).expect("a group");
        assert_eq!((reader.groups(), rows), (1, 20));
        let named = |name: &str| {
            let place = fields.iter().position(|field| field.name == name);
            &columns[place.expect("a column")]
        };
        let BatchValues::Integers(departures) = &named("departure_ps").values else {
            panic!("times are integers");
        };
        let validity = named("departure_ps")
            .validity
            .as_ref()
            .expect("some are missing");
        for n in 0..20_usize {
            let is_there = validity[n / 8] >> (n % 8) & 1 == 1;
            assert_eq!(is_there, n % 3 == 1, "row {n}");
            assert!(!is_there || departures[n] == 100 + n as i64, "row {n}");
        }
        assert_eq!(named("departure_ps").nulls, 13);
        assert_eq!(named("release_ps").nulls, 20);
        let evens = BatchValues::Bits(vec![0b0101_0101, 0b0101_0101, 0b0101]);
        assert_eq!(named("retransmission").values, evens);
        let codes = (0..20).map(|n| n % 7).collect();
        assert_eq!(named("outcome").values, BatchValues::Bytes(codes));
    }

    #[test]
    fn texts_are_told_apart_by_offsets() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("series.parquet");
        let mut table = TableWriter::create(&path, &[]).expect("a table");
        for entity in ["core", "", "é"] {
            let entity = entity.into();
            let (of, metric) = ("link", "queue_pkts");
            table
                .push(SeriesRow {
                    t_ps: 0,
                    of,
                    entity,
                    metric,
                    value: 0.5,
                })
                .expect("a row");
        }
        table.finish().expect("a file");
        let reader = TableReader::open(&path).expect("it is there");
        let fields = reader.fields().expect("types of ours");
        let (_, columns) = reader.group(0, &fields).expect("a group");
        let entities = BatchValues::Texts {
            offsets: vec![0, 4, 4, 6],
            bytes: "coreé".into(),
        };
        assert_eq!(columns[2].values, entities);
        assert!(!fields[2].doc.is_empty(), "the file explains its columns");
    }
    /// The column `ca_state` of a table with these values in it.
    fn states(given: &[Option<&'static str>]) -> BatchColumn {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tcp.parquet");
        let mut table = TableWriter::create(&path, &[]).expect("a table");
        for ca_state in given {
            let row = TcpRow {
                ca_state: *ca_state,
                ..TcpRow::default()
            };
            table.push(row).expect("a row");
        }
        table.finish().expect("a file");
        let reader = TableReader::open(&path).expect("it is there");
        let fields = reader.fields().expect("types of ours");
        let (_, mut columns) = reader.group(0, &fields).expect("a group");
        let place = fields.iter().position(|field| field.name == "ca_state");
        columns.swap_remove(place.expect("a column"))
    }

    #[test]
    fn missing_texts_are_empty() {
        let column = states(&[None, Some("open"), None, Some("loss")]);
        let values = BatchValues::Texts {
            offsets: vec![0, 0, 4, 4, 8],
            bytes: "openloss".into(),
        };
        assert_eq!((&column.values, column.nulls), (&values, 2));
        assert_eq!(column.validity, Some(vec![0b1010]));
        let column = states(&[None; 3]);
        let values = BatchValues::Texts {
            offsets: vec![0; 4],
            bytes: Vec::new(),
        };
        assert_eq!((&column.values, column.nulls), (&values, 3));
        assert_eq!(column.validity, Some(vec![0]));
    }
}
