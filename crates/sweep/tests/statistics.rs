//! The statistics of studies: windows of one run, warm-ups found by pilots, and replications until
//! numbers are precise.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_claims::spread::Spread;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::forecast::forecast;
use pacesim_sweep::kept::Kept;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;
use pacesim_sweep::warmup::find_warmup;
use pacesim_tables::{Numbers, TableReader};

use crate::common::{checked, order};
use crate::folders::files;

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

/// Stops the work after a number of queries, if ever.
struct Watch(AtomicU64);

impl Watch {
    fn patient() -> Watch {
        Watch(AtomicU64::new(u64::MAX))
    }
}

impl BatchMonitor for Watch {
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
    study_of(SCENARIO, lines)
}

fn study_of(scenario: &str, lines: &str) -> Study {
    let text = format!("{scenario}[sweep]\n{lines}");
    checked("study", &text)
}

fn done(study: &Study, out: &Path) -> Outline {
    sweep(&order(study, out, 2), &Watch::patient()).expect("it comes to its end")
}

const TABLES: [&str; 3] = ["runs.parquet", "summary.parquet", "wide.parquet"];

/// The tables of an uninterrupted sweep with one job.
fn of_one_job(study: &Study) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("alone");
    sweep(&order(study, &out, 1), &Watch::patient()).expect("it comes to its end");
    files(TABLES, &out)
}

/// The tables of a sweep with two jobs that is stopped repeatedly, each time a little later.
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
    files(TABLES, &out)
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
            // Time averages over windows of equal length.
            let (one, eight) = (one.mean.expect("a mean"), eight.mean.expect("a mean"));
            assert!((one - eight).abs() < 1e-9 * one, "{one} {eight}");
        }
        assert!(
            spread(&windows, point, "delay_mean_s").half_width() > Some(0.0),
            "{:?}",
            spread(&windows, point, "delay_mean_s").half_width()
        );
    }
    assert!(
        spread(&windows, 0, "loss_ratio").half_width() > Some(0.0),
        "{:?}",
        spread(&windows, 0, "loss_ratio").half_width()
    );
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
    assert!(files(TABLES, &out) == of_one_job(&study("batches = 8")));
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

/// The core is half loaded, and fully from 600 ms or 1400 ms on.
const LATE: &str = r#"
name = "late"
run = { duration = "2s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
[[flow]]
name = "early"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "5Mbps", size = "500B" }
[[flow]]
name = "late"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "5Mbps", size = "500B" }
[[sweep.axis]]
name = "start"
key = "flow.late.start"
values = ["600ms", "1400ms"]
"#;

const FIND: &str = "find_warmup = [\"link.core.utilisation\"]\nreplications = 3";

#[test]
fn a_warm_up_is_found_where_numbers_become_steady() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("found");
    let outline = done(&study_of(LATE, FIND), &out);
    let found = |point: usize| {
        let point = &outline.points[point];
        (point.warmup_s.expect("found"), point.is_settled)
    };
    let ((early, settled), (late, unsettled)) = (found(0), found(1));
    assert!(
        (0.6..0.65).contains(&early) && settled == Some(true),
        "{early}"
    );
    assert!(
        (1.4..1.45).contains(&late) && unsettled == Some(false),
        "{late}"
    );
    // Measurement begins there, and the tables state it as the warm-up.
    assert!(
        spread(&outline, 0, "utilisation").mean > Some(0.9),
        "{:?}",
        spread(&outline, 0, "utilisation").mean
    );
    let summary = TableReader::open(&out.join("summary.parquet")).expect("a table");
    let names = summary.column_names()[..4].join(" ");
    assert_eq!(names, "point start start_s warmup_s");
    // The runs equal those of a scenario with that warm-up, and the pilots are not repeated.
    assert_eq!(done(&study_of(LATE, FIND), &out).made, 0);
    let given = LATE.replace("\"2s\"", &format!("\"2s\", warmup = \"{early}s\""));
    assert_eq!(done(&study_of(&given, "replications = 3"), &out).made, 3);
    // A different number yields a different warm-up.
    let by_loss = FIND.replace("utilisation", "loss_ratio");
    let by_loss = done(&study_of(LATE, &by_loss), &out);
    assert!(by_loss.points[0].warmup_s.is_some());
}

#[test]
fn warm_ups_are_the_same_for_any_number_of_jobs_and_stops() {
    let study = study_of(
        LATE,
        &format!("{FIND}\nprecision = \"5%\"\nprecise = [\"link.core.loss_ratio\"]\nmost = 10"),
    );
    assert!(of_one_job(&study) == of_two_that_are_stopped(&study));
}

#[test]
fn a_point_of_a_study_finds_the_warm_up_of_its_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study_of(LATE, FIND);
    let outline = done(&study, &folder.path().join("found"));
    struct Calm;
    impl pacesim_runs::run_monitor::RunMonitor for Calm {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
    }
    let scenario = study.scenario(1).expect("a point");
    let found = find_warmup(&study.find_warmup, &scenario, None, &mut Calm).expect("it runs");
    assert_eq!(outline.points[1].warmup_s, Some(found.warmup.as_secs_f64()));
}

const PRECISE: &str = "precise = [\"link.core.utilisation\", \"link.core.loss_ratio\"]\nmost = 40";

fn until(precision: &str, more: &str) -> Study {
    study(&format!("precision = \"{precision}\"\n{PRECISE}\n{more}"))
}

fn replications(outline: &Outline) -> Vec<(u64, Option<bool>)> {
    let points = outline.points.iter();
    points
        .map(|point| (point.replications, point.is_precise))
        .collect()
}

#[test]
fn points_are_repeated_until_they_are_precise() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("stopped");
    let coarse = done(&until("4%", ""), &out);
    let [(first, Some(true)), (second, Some(false))] = replications(&coarse)[..] else {
        panic!("{:?}", replications(&coarse))
    };
    // Losses are rare behind a large buffer, and zero is never precise.
    assert_eq!((first % 5, second), (0, 40));
    assert!((10..40).contains(&first), "{first}");
    let loss = spread(&coarse, 0, "loss_ratio");
    assert_eq!(loss.n, first);
    assert!(loss.half_width() <= loss.mean.map(|mean| 0.04 * mean));
    assert_eq!(coarse.made, first + 40);
    // The store records the number of replications that count.
    let kept = Kept::open(&out).expect("a store");
    let drawn = kept.study().expect("its study");
    assert_eq!(drawn.precision, Some(0.04));
    drop(kept);
    let counts = "SELECT replications FROM points ORDER BY point";
    let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
    let counts: Vec<u64> = {
        let mut counts = store.prepare(counts).expect("SQL");
        let counts = counts.query_map([], |row| row.get(0)).expect("rows");
        counts.map(|count| count.expect("a number")).collect()
    };
    assert_eq!(counts, [first, second]);
    drop(store);
    // A repetition adds nothing, and a higher precision only the missing runs.
    assert_eq!(done(&until("4%", ""), &out).made, 0);
    let fine = done(&until("3%", ""), &out);
    assert_eq!(fine.made, replications(&fine)[0].0 - first);
    assert!(fine.made > 0, "{:?}", fine.made);
    // Additional runs in the store change nothing.
    assert_eq!(
        replications(&done(&until("4%", ""), &out)),
        replications(&coarse)
    );
    assert!(files(TABLES, &out) == of_one_job(&until("4%", "")));
}

#[test]
fn stopping_is_the_same_for_any_number_of_jobs_and_stops() {
    let study = until("4%", "");
    assert!(of_one_job(&study) == of_two_that_are_stopped(&study));
}

#[test]
fn what_replications_asks_for_is_the_least() {
    let folder = tempfile::tempdir().expect("a folder");
    let outline = done(
        &until("90%", "replications = 12"),
        &folder.path().join("least"),
    );
    assert_eq!(replications(&outline)[0], (15, Some(true)));
}

#[test]
fn points_that_are_compared_stop_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let claim = "[[expect]]\nclaim = \"c\"\ny = \"link.core.utilisation\"\nat = { buffer = \"2pkts\" }\nover = { buffer = \"20pkts\" }\nat_most = 1.0\n";
    let together = done(&until("4%", claim), &folder.path().join("together"));
    assert_eq!(
        replications(&together),
        [(40, Some(false)), (40, Some(false))]
    );
    let figure = "[[plot]]\nname = \"p\"\nx = \"buffer\"\ny = \"link.core.utilisation\"\nrelative_to = { buffer = \"20pkts\" }\n";
    let drawn = done(&until("4%", figure), &folder.path().join("drawn"));
    assert_eq!(replications(&drawn), replications(&together));
}

#[test]
fn a_forecast_of_what_is_found_and_stopped_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("forecast");
    let study = until("4%", "find_warmup = [\"link.core.utilisation\"]");
    let ahead = |out: &Path| forecast(&order(&study, out, 1), &Watch::patient()).expect("it ends");
    let before = ahead(&out);
    assert_eq!((before.runs, before.missing, before.pilots), (10, 10, 2));
    assert!(before.may_grow && !out.exists());
    let outline = done(&study, &out);
    let after = ahead(&out);
    assert_eq!(
        (after.runs, after.missing, after.pilots),
        (outline.runs, 0, 0)
    );
    assert!(!after.may_grow);
}

#[test]
fn a_precision_of_nothing_and_of_windows_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("refused");
    let refused = |mut study: Study| {
        study.precision = Some(0.02);
        let error = sweep(&order(&study, &out, 1), &Watch::patient()).expect_err("refused");
        assert!(error.is_usage() && !out.exists(), "{error}");
        error
    };
    assert!(matches!(refused(study("")), SweepError::NothingPrecise));
    let windows = refused(study(&format!("batches = 5\n{PRECISE}")));
    assert!(matches!(windows, SweepError::Batches { .. }), "{windows:?}");
}

#[test]
fn numbers_that_are_not_there_are_mistakes_with_their_place() {
    let study =
        study("precise = [\"link.cora.loss_ratio\"]\nfind_warmup = [\"link.core.utilization\"]");
    let found = pacesim_sweep::input::mistakes(&study);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    let expected = [
        "sweep.find_warmup[0]: a link has no number \"utilization\" (did you mean \"utilisation\"?",
        "sweep.precise[0]: there is no link \"cora\" (did you mean \"core\"?",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found}");
    }
    assert_eq!(found.len(), 2, "{found:#?}");
}
