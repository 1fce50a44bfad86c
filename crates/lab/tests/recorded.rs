//! Recordings in Parquet files.

use std::path::{Path, PathBuf};

use pacesim::measure::record::{Column, ColumnType, Row, Schema, Value};
use pacesim_lab::recorded;
use pacesim_lab::tables::TableWriter;

const fn column(name: &'static str, kind: ColumnType) -> Column {
    let (nullable, unit, doc) = (false, "", "");
    Column {
        name,
        kind,
        nullable,
        unit,
        doc,
    }
}

struct InNanoseconds(u64, u64);

impl Row for InNanoseconds {
    const SCHEMA: Schema = Schema {
        table: "trace",
        columns: &[
            column("kind", ColumnType::Text),
            column("t_ns", ColumnType::U64),
            column("size_bytes", ColumnType::U64),
        ],
    };
    fn for_each_value<'a>(&'a self, visit: impl FnMut(Value<'a>)) {
        [Value::Text("data"), Value::U64(self.0), Value::U64(self.1)]
            .into_iter()
            .for_each(visit);
    }
}

struct InSeconds(f64, u32);

impl Row for InSeconds {
    const SCHEMA: Schema = Schema {
        table: "trace",
        columns: &[
            column("time_s", ColumnType::F64),
            column("size", ColumnType::U32),
        ],
    };
    fn for_each_value<'a>(&'a self, visit: impl FnMut(Value<'a>)) {
        [Value::F64(self.0), Value::U32(self.1)]
            .into_iter()
            .for_each(visit);
    }
}

fn table<R: Row>(folder: &Path, rows: &[R]) -> PathBuf {
    let path = folder.join("trace.parquet");
    let mut table = TableWriter::create(&path, &[]).expect("created");
    for row in rows {
        table.push(row).expect("pushed");
    }
    table.finish().expect("finished");
    path
}

#[test]
fn integer_and_float_times_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = table(
        folder.path(),
        &[InNanoseconds(0, 40), InNanoseconds(1500, 1500)],
    );
    let arrivals = recorded::read(&path).expect("read");
    assert_eq!(arrivals[1].at.as_ps(), 1_500_000);
    assert_eq!(arrivals[1].size.get(), 1500);

    let path = table(folder.path(), &[InSeconds(0.25, 9)]);
    assert_eq!(
        recorded::read(&path).expect("read")[0].at.to_string(),
        "250ms"
    );
}

#[test]
fn times_that_decrease_name_their_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = table(folder.path(), &[InSeconds(1.0, 9), InSeconds(0.5, 9)]);
    assert_eq!(recorded::read(&path).expect_err("decreases").line, Some(2));
}

#[test]
fn what_is_no_recording_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.parquet");
    std::fs::write(&path, "not parquet").expect("written");
    for path in [
        path,
        folder.path().join("missing.csv"),
        folder.path().to_path_buf(),
    ] {
        let error = recorded::read(&path).expect_err("no recording");
        assert_eq!(error.file, path.display().to_string());
    }
    let path = table::<InSeconds>(folder.path(), &[]);
    assert!(
        recorded::read(&path)
            .expect_err("empty")
            .message
            .contains("no arrivals")
    );
}
