//! Column chunks of one page each, preceded by a dictionary page if they have a dictionary. The
//! library would look up every value in a hash table although its number is known here, and takes
//! twice as long for deltas.

use std::io::Write;

use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::encode::{deltas, hybrid};

/// A chunk as it will be in the file, and its entry in the footer.
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    close: ColumnCloseResult,
}

/// The distinct values of a chunk.
pub(crate) struct Dictionary {
    /// Values in plain encoding.
    pub(crate) plain: Vec<u8>,
    pub(crate) values: usize,
}

impl Chunk {
    /// A chunk of values from a dictionary, by their numbers in it. `present` is 0 for rows without
    /// a value.
    pub(crate) fn numbered<N: Copy + PartialEq + Into<u32>>(
        column: ColumnDescPtr,
        dictionary: Dictionary,
        numbers: &[N],
        present: Option<&[i16]>,
    ) -> Result<Chunk, ParquetError> {
        let width = usize::BITS - dictionary.values.saturating_sub(1).leading_zeros();
        let mut data = Data::new(Encoding::RLE_DICTIONARY, numbers.len(), present);
        data.bytes.push(width as u8);
        hybrid(numbers, N::into, width, &mut data.bytes);
        Chunk::of(column, Some(dictionary), data, None)
    }

    /// A chunk of integers, with their minimum and maximum on request.
    pub(crate) fn integers(
        column: ColumnDescPtr,
        values: impl ExactSizeIterator<Item = i64> + Clone,
        present: Option<&[i16]>,
        with_range: bool,
    ) -> Result<Chunk, ParquetError> {
        let mut data = Data::new(Encoding::DELTA_BINARY_PACKED, values.len(), present);
        let range = || {
            let both = |(least, greatest): (i64, i64), n: i64| (n.min(least), n.max(greatest));
            let (least, greatest) = values.clone().fold((i64::MAX, i64::MIN), both);
            let known = |n| (values.len() > 0).then_some(n);
            let nulls = Some(data.nulls.into());
            Statistics::int64(known(least), known(greatest), None, nulls, false)
        };
        let statistics = with_range.then(range);
        deltas(values, &mut data.bytes);
        Chunk::of(column, None, data, statistics)
    }

    /// Encodes a chunk of booleans.
    pub(crate) fn flags(
        column: ColumnDescPtr,
        flags: &[bool],
        present: Option<&[i16]>,
    ) -> Result<Chunk, ParquetError> {
        let mut data = Data::new(Encoding::RLE, flags.len(), present);
        let length_at = data.bytes.len();
        data.bytes.extend([0; 4]);
        hybrid(flags, u32::from, 1, &mut data.bytes);
        let length = data.bytes.len() - length_at - 4;
        let length = u32::try_from(length).expect("a row group is smaller than 4 GB");
        data.bytes[length_at..][..4].copy_from_slice(&length.to_le_bytes());
        Chunk::of(column, None, data, None)
    }

    fn of(
        column: ColumnDescPtr,
        dictionary: Option<Dictionary>,
        data: Data,
        statistics: Option<Statistics>,
    ) -> Result<Chunk, ParquetError> {
        let (rows, encoding) = (u64::from(data.rows), data.encoding);
        let mut bytes = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut bytes);
        let dictionary = dictionary.map(|dictionary| pages.write_page(dictionary.page()));
        let dictionary = dictionary.transpose()?;
        let data = pages.write_page(data.page())?;
        let bytes = bytes.into_inner()?;
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, encoding])
            .set_num_values(rows as i64)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(bytes.len() as i64)
            .set_dictionary_page_offset(dictionary.map(|page| page.offset as i64))
            .set_data_page_offset(data.offset as i64);
        let metadata = match statistics {
            Some(statistics) => metadata.set_statistics(statistics),
            None => metadata,
        };
        let metadata = metadata.build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: rows,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Chunk { bytes, close })
    }

    /// Appends it to a file as the next column of this row group.
    pub(crate) fn append_to<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        // Not really a page: the bytes are passed to the library in a type that it uses nowhere
        // else.
        let bytes = Page::DictionaryPage {
            buf: self.bytes.into(),
            num_values: 0,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        group.append_column(bytes.buffer(), self.close)
    }
}

impl Dictionary {
    fn page(self) -> CompressedPage {
        let length = self.plain.len();
        let page = Page::DictionaryPage {
            buf: self.plain.into(),
            num_values: self.values as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        CompressedPage::new(page, length)
    }
}

/// The single data page of a chunk.
struct Data {
    encoding: Encoding,
    rows: u32,
    nulls: u32,
    levels_length: usize,
    /// The levels, followed by the values.
    bytes: Vec<u8>,
}

impl Data {
    fn new(encoding: Encoding, values: usize, present: Option<&[i16]>) -> Data {
        let rows = present.map_or(values, <[i16]>::len);
        let mut bytes = Vec::new();
        if let Some(present) = present {
            hybrid(
                present,
                |is_present| u32::from(is_present > 0),
                1,
                &mut bytes,
            );
        }
        Data {
            encoding,
            rows: u32::try_from(rows).expect("a row group has fewer than 2^32 rows"),
            nulls: (rows - values) as u32,
            levels_length: bytes.len(),
            bytes,
        }
    }

    fn page(self) -> CompressedPage {
        let length = self.bytes.len();
        let page = Page::DataPageV2 {
            buf: self.bytes.into(),
            num_values: self.rows,
            encoding: self.encoding,
            num_nulls: self.nulls,
            num_rows: self.rows,
            def_levels_byte_len: self.levels_length as u32,
            rep_levels_byte_len: 0,
            is_compressed: false,
            statistics: None,
        };
        CompressedPage::new(page, length)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use pacesim_measure::record::{ColumnType, Value};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use proptest::prelude::*;

    use crate::column::TableColumn;
    use crate::rows::RowWriter;

    /// A code, a boolean, a string, and an optional string.
    type Row = (u8, bool, usize, Option<usize>);

    const TEXTS: [&str; 5] = ["", "a", "link[17]", "Übergang", "link[18]"];

    fn column(name: &str, kind: ColumnType, nullable: bool) -> TableColumn {
        TableColumn {
            name: name.to_owned(),
            kind,
            nullable,
            unit: "",
            doc: "A test.".to_owned(),
        }
    }

    fn written(folder: &tempfile::TempDir, rows: &[Row]) -> PathBuf {
        let path = folder.path().join("t.parquet");
        let columns = vec![
            column("code", ColumnType::U8, false),
            column("flag", ColumnType::Bool, false),
            column("text", ColumnType::Text, false),
            column("perhaps", ColumnType::Text, true),
        ];
        let mut table = RowWriter::create(&path, columns, &[]).expect("created");
        for (code, flag, text, perhaps) in rows {
            // At a different address each time, or at the same one with other content.
            let text = TEXTS[*text].to_owned();
            let row = [
                Value::U8(*code),
                Value::Bool(*flag),
                Value::Text(&text),
                perhaps.map_or(Value::Null, |text| Value::Text(TEXTS[text])),
            ];
            table.push(&row).expect("pushed");
        }
        table.finish().expect("finished");
        path
    }

    fn read(path: &PathBuf) -> Vec<Row> {
        let file = std::fs::File::open(path).expect("opened");
        let table = SerializedFileReader::new(file).expect("a table");
        let place = |text: &str| {
            TEXTS
                .iter()
                .position(|known| *known == text)
                .expect("known")
        };
        let rows = table.get_row_iter(None).expect("rows");
        rows.map(|row| {
            let row = row.expect("read");
            let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
            let [
                Field::UByte(code),
                Field::Bool(flag),
                Field::Str(text),
                perhaps,
            ] = fields[..]
            else {
                panic!("{fields:?}");
            };
            let perhaps = match perhaps {
                Field::Str(text) => Some(place(text)),
                _ => None,
            };
            (*code, *flag, place(text), perhaps)
        })
        .collect()
    }

    /// Runs of any kind: long, short and none.
    fn rows() -> impl Strategy<Value = Vec<Row>> {
        let length = prop_oneof![Just(1usize), 1..40usize, 1000..3000usize];
        let perhaps = prop::option::of(0..TEXTS.len());
        let run = (
            (any::<u8>(), any::<bool>(), 0..TEXTS.len(), perhaps),
            length,
        );
        prop::collection::vec(run, 1..12).prop_map(|runs| {
            let rows = runs.into_iter();
            rows.flat_map(|(row, length)| std::iter::repeat_n(row, length))
                .collect()
        })
    }

    /// Deltas of every length, and few or many values.
    fn integers() -> impl Strategy<Value = Vec<(u64, Option<u64>, u32)>> {
        let any_length = (any::<u64>(), 1u32..64).prop_map(|(n, shift)| n >> shift);
        let short = prop_oneof![0u32..3, any::<u32>()];
        let row = (any_length.clone(), prop::option::of(any_length), short);
        let spread = (0u32..32, prop::collection::vec(row, 1..1500));
        spread.prop_map(|(shift, rows)| {
            let narrow = |(a, b, c): (u64, Option<u64>, u32)| {
                (a >> shift, b.map(|b| b >> shift), c >> shift)
            };
            rows.into_iter().map(narrow).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn integers_of_any_length_come_back(rows in integers()) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("t.parquet");
            let columns = vec![
                column("long", ColumnType::U64, false),
                column("perhaps", ColumnType::U64, true),
                column("short", ColumnType::U32, false),
            ];
            let mut table = RowWriter::create(&path, columns, &[]).expect("created");
            for (long, perhaps, short) in &rows {
                let perhaps = perhaps.map_or(Value::Null, Value::U64);
                table.push(&[Value::U64(*long), perhaps, Value::U32(*short)]).expect("pushed");
            }
            table.finish().expect("finished");
            let file = std::fs::File::open(&path).expect("opened");
            let table = SerializedFileReader::new(file).expect("a table");
            let read = table.get_row_iter(None).expect("rows").map(|row| {
                let row = row.expect("read");
                let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
                match fields[..] {
                    [Field::Long(a), Field::Long(b), Field::Long(c)] => (*a, Some(*b), *c),
                    [Field::Long(a), Field::Null, Field::Long(c)] => (*a, None, *c),
                    _ => panic!("{fields:?}"),
                }
            });
            let written = rows.iter().map(|(a, b, c)| {
                (a.cast_signed(), b.map(u64::cast_signed), i64::from(*c))
            });
            prop_assert_eq!(read.collect::<Vec<_>>(), written.collect::<Vec<_>>());
        }

        #[test]
        fn what_is_written_here_the_library_reads(rows in rows()) {
            let folder = tempfile::tempdir().expect("a folder");
            prop_assert_eq!(read(&written(&folder, &rows)), rows);
        }
    }
}
