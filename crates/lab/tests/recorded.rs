//! Recordings in Parquet files.

use std::path::{Path, PathBuf};

use pacesim_lab::recorded;
use pacesim_lab::tables::{Cell, Column, Kind, TableWriter};

const INTEGERS: &[Column] = &[
    Column::new("flow", Kind::Text, "ignored"),
    Column::new("t_ns", Kind::Time, "when"),
    Column::new("size_bytes", Kind::Integer, "how large"),
];
const REALS: &[Column] = &[
    Column::new("time_s", Kind::Real, "when"),
    Column::new("size", Kind::Integer, "how large"),
];

fn table(folder: &Path, columns: &'static [Column], rows: &[&[Cell<'_>]]) -> PathBuf {
    let path = folder.join("trace.parquet");
    let mut table = TableWriter::create(&path, columns, &[]).expect("created");
    for row in rows {
        table.push(row).expect("pushed");
    }
    table.finish().expect("finished");
    path
}

#[test]
fn integer_and_float_times_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let x = Cell::Text("x");
    let row = |t, size| [x, Cell::Time(t), Cell::Integer(size)];
    let path = table(folder.path(), INTEGERS, &[&row(0, 40), &row(1500, 1500)]);
    let arrivals = recorded::read(&path).expect("read");
    assert_eq!(arrivals[1].at.as_ps(), 1_500_000);
    assert_eq!(arrivals[1].size.get(), 1500);

    let path = table(
        folder.path(),
        REALS,
        &[&[Cell::Real(0.25), Cell::Integer(9)]],
    );
    assert_eq!(
        recorded::read(&path).expect("read")[0].at.to_string(),
        "250ms"
    );
}

#[test]
fn times_that_decrease_name_their_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |t| [Cell::Real(t), Cell::Integer(9)];
    let path = table(folder.path(), REALS, &[&row(1.0), &row(0.5)]);
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
    let path = table(folder.path(), REALS, &[]);
    assert!(
        recorded::read(&path)
            .expect_err("empty")
            .message
            .contains("no arrivals")
    );
}
