//! Tables as read by other programs.

use pacesim_measure::record::{FlowRow, LinkRow, PacketRow, Row};
use pacesim_tables::{Numbers, TableError, TableReader, TableWriter};

fn row(n: u64) -> PacketRow {
    PacketRow {
        t_ps: n * 1000,
        departure_ps: (!n.is_multiple_of(3)).then_some(n * 1000 + 7),
        flow_id: (n % 7) as u32,
        kind: (n % 2) as u8,
        retransmission: n > 5,
        ..PacketRow::default()
    }
}

fn names<R: Row>() -> Vec<&'static str> {
    let columns = R::SCHEMA.columns.iter();
    columns.map(|column| column.name).collect()
}

#[test]
fn rows_come_back_over_several_row_groups() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let mut table = TableWriter::create(&path, &[]).expect("created");
    let rows = (1 << 18) + 1000;
    for n in 0..rows {
        table.push(row(n)).expect("pushed");
    }
    assert!(!path.exists(), "no name before it is complete");
    assert_eq!(table.finish().expect("finished"), rows);

    let table = TableReader::open(&path).expect("opened");
    assert_eq!(table.rows(), rows);
    assert_eq!(table.column_names(), names::<PacketRow>());
    let integers = |name: &str| {
        let place = names::<PacketRow>().iter().position(|known| *known == name);
        table.numbers(place.expect("a column")).expect("read")
    };
    let times = (0..rows as i64).map(|n| n * 1000).collect();
    assert_eq!(integers("t_ps"), Some(Numbers::Integers(times)));
    assert_eq!(integers("departure_ps"), None, "it has nulls");
    let kinds = (0..rows as i64).map(|n| n % 2).collect();
    assert_eq!(integers("kind"), Some(Numbers::Integers(kinds)));
    assert_eq!(integers("retransmission"), None, "it holds true and false");
}

#[test]
fn a_table_without_rows_has_the_same_columns_and_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let table = TableWriter::<FlowRow>::create(&path, &[("seed", "7".into())]).expect("created");
    assert_eq!(table.finish().expect("finished"), 0);
    let table = TableReader::open(&path).expect("opened");
    assert_eq!(table.column_names(), names::<FlowRow>());
    let notes = table.notes();
    assert!(
        notes.contains(&("pacesim.seed".into(), "7".into())),
        "{notes:?}"
    );
    assert!(
        notes.contains(&("pacesim.column.flow_id".into(), "The flow's id.".into())),
        "{notes:?}"
    );
}

#[test]
fn an_abandoned_table_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let mut table = TableWriter::create(&path, &[]).expect("created");
    table.push(row(1)).expect("pushed");
    drop(table);
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}

fn push_and_finish<R: Row>(mut table: TableWriter<R>, row: R) -> Result<u64, TableError> {
    table.push(row)?;
    table.finish()
}

#[test]
fn what_a_column_cannot_hold_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.parquet");
    let table = TableWriter::create(&path, &[]).expect("created");
    let late = PacketRow {
        t_ps: u64::MAX,
        ..row(1)
    };
    let error = push_and_finish(table, late).expect_err("beyond 63 bits");
    assert!(
        matches!(&error, TableError::Value { column, .. } if column == "t_ps"),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("18446744073709551615"),
        "{error}"
    );
    let table = TableWriter::create(&path, &[]).expect("created");
    let absent = LinkRow {
        utilisation: f64::NAN,
        ..LinkRow::default()
    };
    let error = push_and_finish(table, absent).expect_err("not nullable");
    let column = "utilisation";
    assert!(
        matches!(&error, TableError::Value { column: c, .. } if c == column),
        "{error:?}"
    );
}

#[test]
fn a_missing_folder_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no/t.parquet");
    let error = TableWriter::<LinkRow>::create(&path, &[]).err();
    let error = error.expect("no such folder").to_string();
    assert!(error.contains("t.parquet"), "{error}");
}
