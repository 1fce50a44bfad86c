//! Tables as other programs will read them.

use pacesim_lab::tables::{Cell, Column, Kind, Numbers, TableError, TableReader, TableWriter};

const COLUMNS: &[Column] = &[
    Column::new("t_ps", Kind::Time, "when"),
    Column::new("size_bytes", Kind::Integer, "how large"),
    Column::nullable("delay_ms", Kind::Real, "how late"),
    Column::new("link", Kind::Text, "where"),
    Column::nullable("dropped", Kind::Flag, "whether it was dropped"),
];

fn row(n: u64) -> [Cell<'static>; 5] {
    let delay = if n.is_multiple_of(3) {
        Cell::Null
    } else {
        Cell::Real(n as f64 / 2.0)
    };
    let link = if n.is_multiple_of(2) { "core" } else { "edge" };
    [
        Cell::Time(n * 1000),
        Cell::Integer(n % 7),
        delay,
        Cell::Text(link),
        Cell::Flag(n > 5),
    ]
}

#[test]
fn rows_come_back_over_several_row_groups() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let mut table = TableWriter::create(&path, COLUMNS, &[("seed", "7".into())]).expect("created");
    let rows = (1 << 18) + 1000;
    for n in 0..rows {
        table.push(&row(n)).expect("pushed");
    }
    assert!(!path.exists(), "no name before it is complete");
    assert_eq!(table.finish().expect("finished"), rows);

    let table = TableReader::open(&path).expect("opened");
    assert_eq!(table.rows(), rows);
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    assert_eq!(table.column_names(), names);
    let times = (0..rows as i64).map(|n| n * 1000).collect();
    assert_eq!(
        table.numbers(0).expect("read"),
        Some(Numbers::Integers(times))
    );
    assert_eq!(table.numbers(2).expect("read"), None, "it has nulls");
    assert_eq!(table.numbers(3).expect("read"), None, "it has text");
}

#[test]
fn a_table_without_rows_has_the_same_columns_and_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let table = TableWriter::create(&path, COLUMNS, &[("seed", "7".into())]).expect("created");
    assert_eq!(table.finish().expect("finished"), 0);
    let table = TableReader::open(&path).expect("opened");
    assert_eq!(table.column_names().len(), COLUMNS.len());
    let notes = table.notes();
    assert!(notes.contains(&("pacesim.seed".into(), "7".into())));
    assert!(notes.contains(&("pacesim.column.link".into(), "where".into())));
}

#[test]
fn an_abandoned_table_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let mut table = TableWriter::create(&path, COLUMNS, &[]).expect("created");
    table.push(&row(1)).expect("pushed");
    drop(table);
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}

#[test]
fn what_a_column_cannot_hold_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let mut table = TableWriter::create(&path, COLUMNS, &[]).expect("created");
    let mut late = row(1);
    late[0] = Cell::Time(u64::MAX);
    let error = table.push(&late).expect_err("beyond 63 bits");
    assert!(
        matches!(error, TableError::Value { column: "t_ps", .. }),
        "{error}"
    );
    let mut absent = row(1);
    absent[1] = Cell::Null;
    let error = table.push(&absent).expect_err("not nullable");
    assert!(
        matches!(
            error,
            TableError::Value {
                column: "size_bytes",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_missing_folder_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no/t.parquet");
    let error = TableWriter::create(&path, COLUMNS, &[])
        .err()
        .expect("no such folder");
    assert!(error.to_string().contains("t.parquet"), "{error}");
}
