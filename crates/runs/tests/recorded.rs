//! Recordings in Parquet files.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim::measure::record::Row;
use pacesim::model::Arrival;
use pacesim::recording::Recording;
use pacesim_runs::recorded;
use pacesim_tables::TableWriter;

pacesim::measure::row! {
    InNanoseconds in "trace" {
        kind: &'static str, "", "";
        t_ns: u64, "", "";
        size_bytes: u64, "", "";
    }
}

fn in_nanoseconds(t_ns: u64, size_bytes: u64) -> InNanoseconds {
    InNanoseconds {
        kind: "data",
        t_ns,
        size_bytes,
    }
}

pacesim::measure::row! {
    InSeconds in "trace" {
        time_s: f64, "", "";
        size: u32, "", "";
    }
}

pacesim::measure::row! {
    WithDeadline in "trace" {
        t_ns: u64, "", "";
        bytes: u32, "", "";
        deadline_us: f64, "", "";
    }
}

fn table<R: Row>(folder: &Path, rows: &[R]) -> PathBuf {
    let path = folder.join("trace.parquet");
    let mut table = TableWriter::create(&path, &[]).expect("created");
    table.extend(rows).expect("taken");
    table.finish().expect("finished");
    path
}

#[test]
fn integer_and_float_times_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = table(
        folder.path(),
        &[in_nanoseconds(0, 40), in_nanoseconds(1500, 1500)],
    );
    let arrivals: Vec<_> = recorded::read(&path)
        .expect("read")
        .arrivals
        .iter()
        .collect();
    assert_eq!(arrivals[1].at.as_ps(), 1_500_000);
    assert_eq!(arrivals[1].size.get(), 1500);

    let path = table(
        folder.path(),
        &[InSeconds {
            time_s: 0.25,
            size: 9,
        }],
    );
    assert_eq!(
        recorded::read(&path)
            .expect("read")
            .arrivals
            .get(0)
            .expect("one")
            .at
            .to_string(),
        "250ms"
    );
}

#[test]
fn times_that_decrease_name_their_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = table(
        folder.path(),
        &[
            InSeconds {
                time_s: 1.0,
                size: 9,
            },
            InSeconds {
                time_s: 0.5,
                size: 9,
            },
        ],
    );
    assert_eq!(recorded::read(&path).expect_err("decreases").place, "row 2");
}

/// CSV with the same columns.
#[test]
fn parquet_and_csv_give_the_same_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = [
        WithDeadline {
            t_ns: 0,
            bytes: 40,
            deadline_us: 2.5,
        },
        WithDeadline {
            t_ns: 1500,
            bytes: 1500,
            deadline_us: 4.0,
        },
    ];
    let parquet = table(folder.path(), &rows);
    let csv = folder.path().join("trace.csv");
    let text = "t_ns,bytes,deadline_us\n0,40,2.5\n1500,1500,4.0\n";
    std::fs::write(&csv, text).expect("written");
    let read = recorded::read(&parquet).expect("read");
    assert_eq!(read, recorded::read(&csv).expect("read"));
    let deadlines = read.deadlines.expect("there is a column");
    assert_eq!(deadlines.get(0).expect("one").as_ps(), 2_500_000);
}

#[test]
fn what_is_no_recording_is_an_error_that_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.parquet");
    std::fs::write(&bad, "not parquet").expect("written");
    for (path, part) in [
        (bad, "Parquet"),
        (folder.path().join("missing.csv"), "there is no such file"),
        (
            folder.path().join("missing.parquet"),
            "there is no such file",
        ),
        (folder.path().to_path_buf(), "a directory"),
        (table::<InSeconds>(folder.path(), &[]), "no arrivals"),
    ] {
        let error = recorded::read(&path).expect_err("no recording");
        assert!(error.message.contains(part), "{error}");
    }
}

/// A recording written by PyArrow with `recordings/make.py`.
fn of_pyarrow(name: &str) -> Result<Recording, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let path = folder.join(format!("{name}.parquet"));
    recorded::read(&path).map_err(|error| error.to_string())
}

fn times_ms(name: &str) -> Vec<u64> {
    let recording = of_pyarrow(name).expect(name);
    let ms = |arrival: Arrival| arrival.at.as_ps() / 1_000_000_000;
    recording.arrivals.iter().map(ms).collect()
}

#[test]
fn recordings_are_read_however_pyarrow_compressed_them() {
    for codec in ["none", "snappy", "gzip", "lz4", "zstd"] {
        assert_eq!(times_ms(codec), [0, 500, 1000, 1500], "{codec}");
    }
    let refused = of_pyarrow("brotli").expect_err("not accepted");
    assert!(
        refused.contains("compressed with brotli; accepted are zstd, Snappy"),
        "{refused}"
    );
    assert!(refused.contains("pq.write_table("), "{refused}");
}

#[test]
fn a_unit_that_the_file_says_is_never_misread() {
    for name in [
        "duration_ms",
        "duration_us",
        "duration_ns",
        "duration_named",
        "timestamp_ms",
        "timestamp_us",
        "timestamp_ns",
        "time_ms",
        "time_us",
        "time_ns",
        "old_timestamp",
    ] {
        assert_eq!(times_ms(name), [0, 500, 1000, 1500], "{name}");
    }
}

#[test]
fn what_is_no_time_and_no_size_is_refused_with_what_is_accepted() {
    for (name, part) in [
        (
            "decimal",
            "column t_s: it holds decimals; accepted are integers, floats, durations",
        ),
        ("date", "column t_s: it holds dates; accepted"),
        (
            "since_1970",
            "row 1: accepted are times from 0 to 213 days, but timestamps count from 1970",
        ),
        ("size_duration", "column size_bytes: sizes are whole bytes"),
    ] {
        let refused = of_pyarrow(name).expect_err(name);
        assert!(refused.contains(part), "{refused}");
    }
}

#[test]
fn unsigned_sizes_beyond_two_gigabytes_keep_their_value() {
    let arrivals: Vec<_> = of_pyarrow("unsigned")
        .expect("read")
        .arrivals
        .iter()
        .collect();
    assert_eq!(arrivals[2].size.get(), 4_000_000_000);
}

/// A recording of more than a million records is kept in a file while in use.
#[test]
fn a_recording_that_is_too_long_for_memory_is_the_same() {
    const ROWS: usize = (1 << 20) + 5_000;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.csv");
    let size = |i: usize| 40 + (i * 7919) % 1460;
    let mut text = String::from("t_us,size_bytes\n");
    (0..ROWS).for_each(|i| text += &format!("{i},{}\n", size(i)));
    fs::write(&path, &text).expect("written");
    let read = recorded::read(&path).expect("read");
    assert_eq!(read.arrivals.len(), ROWS);
    assert_eq!(
        read,
        Recording::from_csv(&text).expect("all of it in memory")
    );
    let late = read.arrivals.from(ROWS - 2);
    let late: Vec<_> = late.map(|row| row.size.get() as usize).collect();
    assert_eq!(late, [size(ROWS - 2), size(ROWS - 1)]);

    fs::write(&path, text + "soon,1\n").expect("written");
    let error = recorded::read(&path).expect_err("the last line is wrong");
    assert_eq!(error.place, format!("line {}", ROWS + 2));
}
