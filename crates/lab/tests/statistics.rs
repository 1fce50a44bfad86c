//! The statistics of studies: windows of one run.
#![cfg(feature = "studies")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_lab::Overseer;
use pacesim_lab::study::{Outline, Spread, Sweep, SweepError, sweep};
use pacesim_lab::tables::{Numbers, TableReader};
use pacesim_study::{Study, StudyText};

const SCENARIO: &str = r#"
name = "queue"
run = { duration = "2s", warmup = "400ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["2pkts", "20pkts"]
"#;

/// Wants an end after being asked a number of times, if ever.
struct Watch(AtomicU64);

impl Watch {
    fn patient() -> Watch {
        Watch(AtomicU64::new(u64::MAX))
    }
}

impl Overseer for Watch {
    fn wants_end(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// The study with these lines in its table `[sweep]`.
fn study(lines: &str) -> Study {
    let text = format!("{SCENARIO}[sweep]\n{lines}");
    let text = StudyText::parse("study.toml", "study", text.as_bytes(), Arc::new(()));
    text.check()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn order<'a>(study: &'a Study, out: &'a Path, jobs: usize) -> Sweep<'a> {
    Sweep {
        study,
        folder: Path::new(""),
        seed: None,
        replications: study.replications,
        jobs: NonZeroUsize::new(jobs).expect("a job"),
        out,
    }
}

fn done(study: &Study, out: &Path) -> Outline {
    sweep(&order(study, out, 2), &Watch::patient()).expect("it comes to its end")
}

const TABLES: [&str; 3] = ["runs.parquet", "summary.parquet", "wide.parquet"];

fn tables(out: &Path) -> [Vec<u8>; 3] {
    TABLES.map(|table| std::fs::read(out.join(table)).expect(table))
}

/// The tables of one job, undisturbed.
fn of_one_job(study: &Study) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("alone");
    sweep(&order(study, &out, 1), &Watch::patient()).expect("it comes to its end");
    tables(&out)
}

/// The tables of two jobs that are stopped again and again, each time a little later.
fn of_two_that_are_stopped(study: &Study) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("stopped");
    let patience = |stops: u64| Watch(AtomicU64::new(7 * stops));
    let mut stops = 0;
    while let Err(error) = sweep(&order(study, &out, 2), &patience(stops)) {
        assert!(error.is_interrupted(), "{error}");
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    tables(&out)
}

fn spread(outline: &Outline, point: usize, metric: &str) -> Spread {
    let means = &outline.points[point].means;
    let found = means.iter().find(|mean| mean.number.metric == metric);
    found.expect("a main number").spread
}

fn whole_numbers(table: &TableReader, name: &str) -> Vec<i64> {
    let names = table.column_names();
    let place = names.iter().position(|column| column == name);
    let place = place.unwrap_or_else(|| panic!("no column {name} in {names:?}"));
    match table.numbers(place).expect("read") {
        Some(Numbers::Integers(numbers)) => numbers,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn windows_are_the_parts_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = done(&study(""), &folder.path().join("whole"));
    let out = folder.path().join("windows");
    let windows = done(&study("batches = 8"), &out);
    assert_eq!(
        (windows.runs, windows.made, windows.windows),
        (2, 2, Some(8))
    );
    for point in 0..2 {
        for metric in ["utilisation", "queue_mean_pkts"] {
            let (one, eight) = (
                spread(&whole, point, metric),
                spread(&windows, point, metric),
            );
            assert_eq!((one.n, one.low, eight.n), (1, None, 8));
            // Time averages over windows of one length.
            let (one, eight) = (one.mean.expect("a mean"), eight.mean.expect("a mean"));
            assert!((one - eight).abs() < 1e-9 * one, "{one} {eight}");
        }
        assert!(spread(&windows, point, "delay_mean_s").half_width() > Some(0.0));
    }
    assert!(spread(&windows, 0, "loss_ratio").half_width() > Some(0.0));
    let runs = TableReader::open(&out.join("runs.parquet")).expect("a table");
    let names = runs.column_names()[3..].join(" ");
    assert_eq!(
        names,
        "replication window seed fingerprint of entity metric value"
    );
    let mut numbers = whole_numbers(&runs, "window");
    numbers.dedup();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(whole_numbers(&runs, "replication").iter().all(|n| *n == 0));
}

#[test]
fn windows_are_the_same_for_any_number_of_jobs_and_stops() {
    let study = study("batches = 20");
    let alone = of_one_job(&study);
    assert!(alone == of_two_that_are_stopped(&study));
}

#[test]
fn a_run_cut_into_other_windows_is_another_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let made = |lines: &str| done(&study(lines), &out).made;
    assert_eq!(made("batches = 8"), 2);
    assert_eq!(made("batches = 8"), 0);
    assert_eq!(made("batches = 4"), 2);
    assert_eq!(made("replications = 2"), 4);
    assert_eq!(made("batches = 8"), 0);
    assert!(tables(&out) == of_one_job(&study("batches = 8")));
}

#[test]
fn windows_of_several_runs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("refused");
    let study = study("batches = 8");
    let order = Sweep {
        replications: 3,
        ..order(&study, &out, 1)
    };
    let error = sweep(&order, &Watch::patient()).expect_err("it is refused");
    assert!(matches!(error, SweepError::Batches { .. }) && error.is_usage());
    assert!(!out.exists(), "nothing is touched");
}
