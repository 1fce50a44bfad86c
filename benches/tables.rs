//! A packet log as Parquet: written with the tables' own encoder, and with the column writers of
//! the `parquet` crate, using the same encodings and its defaults. All three have the same rows;
//! the file sizes are printed first.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pacesim_measure::record::PacketRow;
use pacesim_tables::TableWriter;
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, DataType, Int32Type, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, TypePtr};

/// A row group of the tables.
const ROWS_PER_GROUP: usize = 1 << 17;
const ROWS: usize = 2 * ROWS_PER_GROUP;

/// Packets of 1000 flows at 40 links, one in a hundred dropped, as logged by a run with a busy
/// core.
fn rows() -> Vec<PacketRow> {
    let row = |n: u64| {
        let scrambled = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let is_dropped = scrambled.is_multiple_of(100);
        let t_ps = n * 810_000 + scrambled % 500_000;
        PacketRow {
            t_ps,
            departure_ps: (!is_dropped).then_some(t_ps + 8_000_000 + scrambled % 90_000_000),
            link_id: (scrambled % 40) as u32,
            flow_id: (scrambled / 40 % 1000) as u32,
            seq: n / 1000,
            size_bytes: if n.is_multiple_of(3) { 40 } else { 1500 },
            kind: u8::from(n.is_multiple_of(3)),
            outcome: u8::from(is_dropped),
            ..PacketRow::default()
        }
    };
    (0..ROWS as u64).map(row).collect()
}

fn own(path: &Path, rows: &[PacketRow]) {
    let _ = std::fs::remove_file(path);
    let mut table = TableWriter::create(path, &[]).expect("a table");
    for row in rows {
        table.push(row.clone()).expect("a row that fits");
    }
    table.finish().expect("a complete table");
}

/// The tables' encodings in terms of the crate: deltas for integers, dictionaries for small
/// numbers.
fn same_encodings(schema: &TypePtr) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::UNCOMPRESSED)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false);
    for field in schema.get_fields() {
        let column = ColumnPath::from(field.name());
        properties = match field.name() {
            "kind" | "outcome" | "size_bytes" | "ecn" => {
                properties.set_column_dictionary_enabled(column, true)
            }
            "retransmission" | "repaired" => properties,
            _ => properties.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED),
        };
    }
    properties.build()
}

fn by_crate(path: &Path, rows: &[PacketRow], schema: &TypePtr, properties: WriterProperties) {
    let file = File::create(path).expect("a file");
    let file = SerializedFileWriter::new(file, schema.clone(), Arc::new(properties));
    let mut file = file.expect("a writer");
    for rows in rows.chunks(ROWS_PER_GROUP) {
        let mut group = file.next_row_group().expect("a group");
        integers(&mut group, rows, |row| Some(row.t_ps), false);
        integers(&mut group, rows, |row| row.release_ps, true);
        integers(&mut group, rows, |row| row.departure_ps, true);
        integers(&mut group, rows, |row| Some(row.link_id.into()), false);
        integers(&mut group, rows, |row| Some(row.flow_id.into()), false);
        integers(&mut group, rows, |row| Some(row.seq), false);
        integers(&mut group, rows, |row| Some(row.size_bytes.into()), false);
        for code in [|row: &PacketRow| row.kind, |row: &PacketRow| row.outcome] {
            let codes: Vec<i32> = rows.iter().map(|row| code(row).into()).collect();
            column::<Int32Type>(&mut group, &codes, None);
        }
        for flag in [
            |row: &PacketRow| row.retransmission,
            |row: &PacketRow| row.repaired,
        ] {
            let flags: Vec<bool> = rows.iter().map(flag).collect();
            column::<BoolType>(&mut group, &flags, None);
        }
        let ecn: Vec<i32> = rows.iter().map(|row| row.ecn.into()).collect();
        column::<Int32Type>(&mut group, &ecn, None);
        group.close().expect("a complete group");
    }
    file.close().expect("a complete file");
}

type Group<'g> = SerializedRowGroupWriter<'g, File>;

fn integers(
    group: &mut Group<'_>,
    rows: &[PacketRow],
    of: fn(&PacketRow) -> Option<u64>,
    is_nullable: bool,
) {
    let values: Vec<i64> = rows.iter().filter_map(of).map(u64::cast_signed).collect();
    let present: Option<Vec<i16>> =
        is_nullable.then(|| rows.iter().map(|row| of(row).is_some().into()).collect());
    column::<Int64Type>(group, &values, present.as_deref());
}

fn column<T: DataType>(group: &mut Group<'_>, values: &[T::T], present: Option<&[i16]>) {
    let mut column = group.next_column().expect("a column").expect("one more");
    let written = column.typed::<T>().write_batch(values, present, None);
    written.expect("values that fit");
    column.close().expect("a complete column");
}

fn tables(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let [ours, same, plain] = ["own", "same", "plain"].map(|name| folder.path().join(name));
    let rows = rows();
    own(&ours, &rows);
    let reader = SerializedFileReader::new(File::open(&ours).expect("written")).expect("Parquet");
    let schema = reader.metadata().file_metadata().schema_descr();
    let schema = schema.root_schema_ptr();
    let defaults = || WriterProperties::builder().build();
    by_crate(&same, &rows, &schema, same_encodings(&schema));
    by_crate(&plain, &rows, &schema, defaults());
    for path in [&ours, &same, &plain] {
        let bytes = path.metadata().expect("a file").len();
        let name = path.file_name().expect("a name").to_string_lossy();
        println!("{name}: {:.2} bytes a row", bytes as f64 / ROWS as f64);
    }
    let mut group = c.benchmark_group("packet_log");
    group.throughput(Throughput::Elements(ROWS as u64));
    group.sample_size(10);
    group.bench_function("own", |b| b.iter(|| own(&ours, &rows)));
    group.bench_function("crate, the same encodings", |b| {
        b.iter(|| by_crate(&same, &rows, &schema, same_encodings(&schema)));
    });
    group.bench_function("crate, its defaults", |b| {
        b.iter(|| by_crate(&plain, &rows, &schema, defaults()));
    });
    group.finish();
}

criterion_group!(benches, tables);
criterion_main!(benches);
