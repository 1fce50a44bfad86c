//! Numbers from the columns of a Parquet file of any origin.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::basic::{Compression, ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::arrow;
use crate::error::{TableError, at};
use crate::meaning::Meaning;

/// A Parquet file that is read column by column.
pub struct TableReader {
    pub(crate) path: PathBuf,
    pub(crate) file: SerializedFileReader<File>,
}

/// The numbers of a column without nulls.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// The numbers of an integer column.
    Integers(Vec<i64>),
    /// The numbers of a column of floats.
    Reals(Vec<f64>),
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A missing value.
    Null,
    /// An integer.
    Integer(i64),
    /// A float.
    Real(f64),
    /// A string.
    Text(String),
    /// Any other value.
    Other,
}

impl From<&Field> for Cell {
    fn from(field: &Field) -> Cell {
        match field {
            Field::Null => Cell::Null,
            Field::Int(n) => Cell::Integer((*n).into()),
            Field::Long(n) => Cell::Integer(*n),
            Field::Double(x) => Cell::Real(*x),
            Field::Str(text) => Cell::Text(text.clone()),
            _ => Cell::Other,
        }
    }
}

impl TableReader {
    /// Opens the file and reads its footer.
    pub fn open(path: &Path) -> Result<TableReader, TableError> {
        let file = File::open(path).map_err(at(path))?;
        let file = SerializedFileReader::new(file).map_err(|source| TableError::Parquet {
            path: path.to_path_buf(),
            source,
        })?;
        Ok(TableReader {
            path: path.to_path_buf(),
            file,
        })
    }

    /// The columns' names, in order.
    pub fn column_names(&self) -> Vec<String> {
        let schema = self.file.metadata().file_metadata().schema_descr();
        schema.columns().iter().map(|c| c.path().string()).collect()
    }

    /// The notes and column meanings in its footer.
    pub fn notes(&self) -> Vec<(String, String)> {
        let notes = self.file.metadata().file_metadata().key_value_metadata();
        let pair = |note: &parquet::file::metadata::KeyValue| {
            (note.key.clone(), note.value.clone().unwrap_or_default())
        };
        notes.map_or_else(Vec::new, |notes| notes.iter().map(pair).collect())
    }

    /// Meaning of the numbers in the column at this index. `None` if it is only in Arrow's schema
    /// in the footer and that cannot be read.
    pub fn meaning(&self, place: usize) -> Option<Meaning> {
        let column = self
            .file
            .metadata()
            .file_metadata()
            .schema_descr()
            .column(place);
        let known = Meaning::of(&column);
        if known != Meaning::Plain || column.logical_type_ref().is_some() {
            return Some(known);
        }
        let notes = self.notes();
        let Some((_, schema)) = notes.iter().find(|(key, _)| key == arrow::KEY) else {
            return Some(Meaning::Plain);
        };
        let durations = arrow::durations(schema)?;
        let duration = durations.get(&column.path().string());
        Some(duration.map_or(Meaning::Plain, |ps| Meaning::Time(*ps)))
    }

    /// A compression in this file that is not supported.
    pub fn unknown_compression(&self) -> Option<&'static str> {
        let groups = self.file.metadata().row_groups().iter();
        let mut compressions = groups.flat_map(|g| g.columns()).map(|c| c.compression());
        compressions.find_map(|compression| match compression {
            Compression::BROTLI(_) => Some("brotli"),
            Compression::LZO => Some("LZO"),
            _ => None,
        })
    }

    /// Visits the rows in their order, each as its columns' names and values.
    pub fn for_each_row(&self, mut visit: impl FnMut(&[(&str, Cell)])) -> Result<(), TableError> {
        let parquet = |source| TableError::Parquet {
            path: self.path.clone(),
            source,
        };
        for row in self.file.get_row_iter(None).map_err(parquet)? {
            let row = row.map_err(parquet)?;
            let cells = row.get_column_iter();
            let cells: Vec<(&str, Cell)> = cells
                .map(|(name, field)| (name.as_str(), field.into()))
                .collect();
            visit(&cells);
        }
        Ok(())
    }

    /// Number of rows in the table.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.file.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// All numbers of the column at this index, or `None` if it holds something else or has nulls.
    pub fn numbers(&self, place: usize) -> Result<Option<Numbers>, TableError> {
        self.read_numbers(place)
            .map_err(|source| TableError::Parquet {
                path: self.path.clone(),
                source,
            })
    }

    fn read_numbers(&self, place: usize) -> Result<Option<Numbers>, ParquetError> {
        let (mut integers, mut reals) = (Vec::new(), Vec::new());
        for group in 0..self.file.num_row_groups() {
            let group = self.file.get_row_group(group)?;
            let unsigned = self.is_unsigned(place);
            let whole = match group.get_column_reader(place)? {
                ColumnReader::Int32ColumnReader(reader) => {
                    // Unsigned 32-bit integers are stored as if signed.
                    append(reader, &mut integers, |n| {
                        if unsigned {
                            n.cast_unsigned().into()
                        } else {
                            n.into()
                        }
                    })?
                }
                ColumnReader::Int64ColumnReader(reader) => append(reader, &mut integers, |n| n)?,
                ColumnReader::FloatColumnReader(reader) => append(reader, &mut reals, f64::from)?,
                ColumnReader::DoubleColumnReader(reader) => append(reader, &mut reals, |x| x)?,
                _ => false,
            };
            if !whole {
                return Ok(None);
            }
        }
        Ok(Some(if reals.is_empty() {
            Numbers::Integers(integers)
        } else {
            Numbers::Reals(reals)
        }))
    }
}

impl TableReader {
    pub(crate) fn file(&self) -> &SerializedFileReader<File> {
        &self.file
    }

    pub(crate) fn parquet_error(&self, source: ParquetError) -> TableError {
        TableError::Parquet {
            path: self.path.clone(),
            source,
        }
    }

    /// True if values of the column may be missing.
    pub(crate) fn is_optional(&self, place: usize) -> bool {
        let schema = self.file.metadata().file_metadata().schema_descr();
        schema.column(place).max_def_level() > 0
    }

    pub(crate) fn is_unsigned(&self, place: usize) -> bool {
        let column = self
            .file
            .metadata()
            .file_metadata()
            .schema_descr()
            .column(place);
        matches!(column.logical_type_ref(), Some(LogicalType::Integer(int)) if !int.is_signed)
            || column.converted_type() == ConvertedType::UINT_32
    }
}

/// Appends a column chunk; false if it has nulls.
fn append<T: DataType, N>(
    mut reader: ColumnReaderImpl<T>,
    to: &mut Vec<N>,
    convert: impl Fn(T::T) -> N,
) -> Result<bool, ParquetError> {
    const BATCH: usize = 1 << 16;
    let (mut values, mut levels) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    loop {
        values.clear();
        levels.clear();
        let (rows, present, _) =
            reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if rows != present {
            return Ok(false);
        }
        if rows == 0 {
            return Ok(true);
        }
        to.extend(values.drain(..).map(&convert));
    }
}
