//! Rows of a row group in short strips, for passes over all rows: the values stay in the processor's
//! cache, and their memory is used again.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;

use crate::error::TableError;
use crate::reader::TableReader;

/// Memory for the values of some rows.
#[derive(Default)]
pub struct Strip {
    /// The values of each column: booleans are 0 or 1.
    columns: Vec<Vec<Option<i64>>>,
    levels: Vec<i16>,
    booleans: Vec<bool>,
    short: Vec<i32>,
    long: Vec<i64>,
}

/// Number of rows in a strip.
const ROWS: usize = 1 << 11;

impl TableReader {
    /// Visits the integers and booleans of a row group, some rows at a time. A strip has the columns
    /// at these places, in their order, with `None` for missing values.
    pub fn for_each_strip(
        &self,
        group: usize,
        places: &[usize],
        strip: &mut Strip,
        mut visit: impl FnMut(&[Vec<Option<i64>>]),
    ) -> Result<(), TableError> {
        let error = |source| self.parquet_error(source);
        let group = self.file().get_row_group(group).map_err(error)?;
        let column = |place: &usize| group.get_column_reader(*place);
        let columns = places.iter().map(column).collect::<Result<Vec<_>, _>>();
        let mut columns = columns.map_err(error)?;
        strip.columns.resize_with(places.len(), Vec::new);
        loop {
            let mut rows = 0;
            for (at, (column, place)) in columns.iter_mut().zip(places).enumerate() {
                let read = strip.read(
                    at,
                    column,
                    self.is_optional(*place),
                    self.is_unsigned(*place),
                );
                let read = read.map_err(error)?;
                if at > 0 && read != rows {
                    let text = format!("columns of {rows} and of {read} rows");
                    return Err(error(ParquetError::General(text)));
                }
                rows = read;
            }
            if rows == 0 {
                return Ok(());
            }
            visit(&strip.columns);
        }
    }
}

impl Strip {
    /// Reads the next rows of a column; their number.
    fn read(
        &mut self,
        at: usize,
        column: &mut ColumnReader,
        optional: bool,
        unsigned: bool,
    ) -> Result<usize, ParquetError> {
        let (to, levels) = (&mut self.columns[at], &mut self.levels);
        to.clear();
        let levels = optional.then_some(levels);
        match column {
            ColumnReader::BoolColumnReader(reader) => {
                next(reader, levels, &mut self.booleans, to, i64::from)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                next(reader, levels, &mut self.short, to, |n| {
                    if unsigned {
                        n.cast_unsigned().into()
                    } else {
                        n.into()
                    }
                })
            }
            ColumnReader::Int64ColumnReader(reader) => {
                next(reader, levels, &mut self.long, to, |n| n)
            }
            _ => Err(ParquetError::General("a column without integers".into())),
        }
    }
}

fn next<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    mut levels: Option<&mut Vec<i16>>,
    values: &mut Vec<T::T>,
    to: &mut Vec<Option<i64>>,
    convert: impl Fn(T::T) -> i64,
) -> Result<usize, ParquetError> {
    // A reader may return less at the end of a page.
    while to.len() < ROWS {
        values.clear();
        if let Some(levels) = &mut levels {
            levels.clear();
        }
        let known = levels.as_deref_mut();
        let (read, _, _) = reader.read_records(ROWS - to.len(), known, None, values)?;
        if read == 0 {
            break;
        }
        let mut present = values.drain(..).map(&convert);
        match &levels {
            None => to.extend(present.map(Some)),
            Some(levels) => to.extend(levels.iter().map(|level| match level {
                0 => None,
                _ => present.next(),
            })),
        }
    }
    Ok(to.len())
}
