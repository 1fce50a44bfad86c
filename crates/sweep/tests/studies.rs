//! Sweeps: the runs made, the runs stored, the contents of tables.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_runs::run_monitor::Unwatched;
use pacesim_runs::workers::{BatchMonitor, StepProgress};
use pacesim_store::database::StoreError;
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::forecast::forecast;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;
use pacesim_tables::{Numbers, TableReader};

use crate::buffers::{Listener, TABLES, study, text};
use crate::common::order;
use crate::folders::{edit, files};

/// Stops the work after a number of queries.
struct Impatient(AtomicU64);

impl BatchMonitor for Impatient {
    fn wants_end(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

fn done(study: &Study, out: &Path) -> Outline {
    sweep(&order(study, out, 2), &Unwatched).expect("it comes to its end")
}

/// The tables of an uninterrupted sweep, in a separate folder.
fn undisturbed(study: &Study) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    done(study, &folder.path().join("whole"));
    files(TABLES, &folder.path().join("whole"))
}

/// Notes the steps other than runs.
#[derive(Default)]
struct Note(std::sync::Mutex<Vec<StepProgress>>);

impl BatchMonitor for Note {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn step(&self, step: &StepProgress) {
        self.0.lock().expect("no panic").push(*step);
    }
}

#[test]
fn work_that_is_no_run_has_its_progress_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let note = Note::default();
    let study = study(&[1, 5]);
    sweep(&order(&study, &folder.path().join("out"), 2), &note).expect("it comes to its end");
    let steps = note.0.into_inner().expect("no panic");
    let of = |verb: &str| -> Vec<u64> {
        let steps = steps.iter().filter(|step| step.verb == verb);
        steps.map(|step| step.done).collect()
    };
    assert!(steps.iter().all(|step| step.all == 4));
    assert_eq!(of("checked").into_iter().max(), Some(4));
    assert_eq!(of("written"), [0, 1, 2, 3]);
}

#[test]
fn one_job_and_several_give_the_same_tables() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study(&[1, 5, 20]));
    let with = |jobs: usize| {
        let out = folder.path().join(jobs.to_string());
        let outline = sweep(&order(&study, &out, jobs), &Unwatched).expect("it ends");
        (outline.points, files(TABLES, &out))
    };
    let one = with(1);
    assert!(one == with(2) && one == with(5));
    assert_eq!(one.0.len(), 6);
}

#[test]
fn the_same_sweep_again_makes_nothing_and_a_longer_one_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let mut small = study(&[1, 5]);
    let first = done(&small, &out);
    assert_eq!((first.runs, first.made), (12, 12));
    let again = done(&small, &out);
    assert_eq!((again.runs, again.made), (12, 0));
    assert_eq!(again.points, first.points);
    small.replications = 5;
    assert_eq!(done(&small, &out).made, 8);
    let mut wider = study(&[1, 3, 5]);
    wider.replications = 5;
    assert_eq!(done(&wider, &out).made, 10);
    assert_eq!(files(TABLES, &out), undisturbed(&wider));
    // Points no longer in the grid vanish from the tables and remain in the store.
    small.replications = 3;
    assert_eq!(done(&small, &out).made, 0);
    assert_eq!(files(TABLES, &out), undisturbed(&small));
    assert_eq!(done(&wider, &out).made, 0);
    let mut without = text(&[1, 3, 5]);
    without.except = "except = [{ buffer = '1pkts', load = 'low' }]";
    let mut without = without.study();
    without.replications = 5;
    let outline = done(&without, &out);
    assert_eq!((outline.made, outline.runs), (0, 25));
    assert_eq!(outline.points[0].point, 1);
}

#[test]
fn a_sweep_that_was_stopped_goes_on_where_it_was() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study(&[1, 5]));
    let out = folder.path().join("kept");
    let (mut stops, mut kept_before) = (0, 0);
    loop {
        assert!(stops < 100, "it gets somewhere each time");
        // A run queries some fifteen times.
        let monitor = Impatient(AtomicU64::new(60));
        match sweep(&order(&study, &out, 2), &monitor) {
            Err(SweepError::Interrupted { kept, all, .. }) => {
                assert!(kept >= kept_before && all == 12, "{kept} of {all}");
                assert!(!out.join("runs.parquet").exists());
                (stops, kept_before) = (stops + 1, kept);
            }
            Err(error) => panic!("{error}"),
            Ok(outline) => {
                assert_eq!(outline.made, 12 - kept_before);
                break;
            }
        }
    }
    assert!(stops > 1, "{stops}");
    assert_eq!(files(TABLES, &out), undisturbed(&study));
}

#[test]
fn what_moves_a_result_is_run_again_and_what_does_not_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let mut text = text(&[1]);
    assert_eq!(done(&text.study(), &out).made, 6);
    text.scenario = text.scenario.replace("One queue", "A queue");
    assert_eq!(done(&text.study(), &out).made, 0);
    text.scenario = text.scenario.replace("500ms", "400ms");
    let study = text.study();
    assert_eq!(done(&study, &out).made, 6);
    assert_eq!(files(TABLES, &out), undisturbed(&study));
    let other_seed = Sweep {
        seed: Some(9),
        ..order(&study, &out, 1)
    };
    assert_eq!(sweep(&other_seed, &Unwatched).expect("it ends").made, 6);
    assert_eq!(done(&study, &out).made, 0, "the others are still there");
    // Edited as if an engine with other results had made them.
    edit(&out, "UPDATE runs SET results = 0");
    assert_eq!(done(&study, &out).made, 6);
}

#[test]
fn points_with_the_same_scenario_share_their_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = text(&[3, 4]);
    text.rates = ["8Mbps", "8000kbps"];
    let outline = done(&text.study(), &folder.path().join("kept"));
    assert_eq!((outline.points.len(), outline.made), (4, 6));
    assert_eq!(outline.points[0].means, outline.points[1].means);
}

/// The error of a sweep that must not touch the folder.
fn refused(study: &Study, out: &Path) -> StoreError {
    let content = |out: &Path| {
        let entries = std::fs::read_dir(out).expect("a folder");
        let entry = |entry: std::io::Result<std::fs::DirEntry>| {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).unwrap_or_default();
            (path, bytes)
        };
        let mut all: Vec<_> = entries.map(entry).collect();
        all.sort();
        all
    };
    let before = content(out);
    let error = sweep(&order(study, out, 1), &Unwatched).expect_err("it is refused");
    assert!(error.is_usage(), "{error}");
    assert!(content(out) == before, "nothing is touched");
    match error {
        SweepError::Store(error) => error,
        error => panic!("{error}"),
    }
}

#[test]
fn stores_that_are_not_of_this_study_are_refused_and_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let study = study(&[1]);
    done(&study, &out);
    let mut renamed = text(&[1]);
    renamed.name = "others";
    let error = refused(&renamed.study(), &out);
    assert!(
        matches!(&error, StoreError::OtherStudy { theirs, .. } if theirs == "buffers"),
        "{error:?}"
    );
    assert!(error.to_string().contains("\"others\""), "{error}");
    for version in [4, 6] {
        edit(&out, &format!("PRAGMA user_version = {version}"));
        let error = refused(&study, &out);
        assert!(
            matches!(&error, StoreError::Schema { found, .. } if *found == version),
            "{error:?}"
        );
    }
    edit(&out, "PRAGMA user_version = 5");
    assert_eq!(done(&study, &out).made, 0);
    edit(&out, "PRAGMA application_id = 1");
    assert!(matches!(refused(&study, &out), StoreError::NotAStore(_)));
    std::fs::write(
        out.join("store.sqlite"),
        "notes of mine, which are no database",
    )
    .expect("written");
    assert!(matches!(refused(&study, &out), StoreError::NotAStore(_)));
}

#[test]
fn a_folder_that_is_something_else_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(&[1]);
    std::fs::write(folder.path().join("notes.txt"), "mine").expect("written");
    assert!(matches!(
        refused(&study, folder.path()),
        StoreError::NotOurs(_)
    ));
    let file = folder.path().join("notes.txt");
    let error = sweep(&order(&study, &file, 1), &Unwatched).expect_err("it is refused");
    assert!(
        matches!(error, SweepError::Store(StoreError::NotOurs(_))),
        "{error:?}"
    );
}

#[test]
fn a_store_that_somebody_else_has_open_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let study = study(&[1]);
    done(&study, &out);
    let other = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    assert!(matches!(refused(&study, &out), StoreError::Busy(_)));
    drop(other);
    assert_eq!(done(&study, &out).made, 0);
}

/// Tries a second sweep while the first one is running.
struct Second<'a> {
    order: Sweep<'a>,
    refused: AtomicU64,
}

impl BatchMonitor for Second<'_> {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn progress(&self, _: &pacesim_runs::workers::BatchProgress) {
        let second = sweep(&self.order, &Unwatched);
        let busy = matches!(second, Err(SweepError::Store(StoreError::Busy(_))));
        self.refused.fetch_add(u64::from(busy), Ordering::Relaxed);
    }
}

#[test]
fn a_second_sweep_into_the_same_folder_is_refused_while_the_first_goes_on() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study(&[1]));
    let out = folder.path().join("kept");
    let monitor = Second {
        order: order(&study, &out, 1),
        refused: AtomicU64::new(0),
    };
    let outline = sweep(&monitor.order, &monitor).expect("it is not disturbed");
    assert_eq!(outline.made, 6);
    assert!(monitor.refused.into_inner() > 0);
    assert_eq!(files(TABLES, &out), undisturbed(&study));
}

fn column(table: &TableReader, name: &str) -> usize {
    let names = table.column_names();
    let place = names.iter().position(|column| column == name);
    place.unwrap_or_else(|| panic!("no column {name} in {names:?}"))
}

#[test]
fn tables_have_a_row_for_each_run_and_metric_for_each_metric_and_for_each_point() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    done(&study(&[1, 5, 20]), &out);
    let [runs, summary, wide] =
        TABLES.map(|table| TableReader::open(&out.join(table)).expect(table));
    let point = ["point", "buffer", "buffer_pkts", "load"];
    let behind = |table: &TableReader| table.column_names()[4..].join(" ");
    for table in [&runs, &summary, &wide] {
        assert_eq!(table.column_names()[..4], point);
    }
    assert_eq!(
        behind(&runs),
        "replication seed fingerprint of entity metric value"
    );
    assert_eq!(
        behind(&summary),
        "of entity metric n mean std_dev low high replications marks"
    );
    let metrics = summary.rows() / 6;
    assert_eq!(runs.rows(), metrics * 18);
    assert_eq!((wide.rows(), summary.rows()), (6, metrics * 6));
    assert_eq!(wide.column_names().len() as u64, 4 + 2 * metrics);
    let means = wide
        .numbers(column(&wide, "link.core.utilisation"))
        .expect("read");
    let Some(Numbers::Reals(means)) = means else {
        panic!("no numbers")
    };
    assert!(
        means.iter().all(|load| (0.5..=1.0).contains(load)),
        "{means:?}"
    );
    assert!(
        means.is_sorted_by(|_, _| true) && means[0] < means[1],
        "{means:?}"
    );
    let half = wide.numbers(column(&wide, "link.core.utilisation.half_width"));
    assert!(
        half.expect("read").is_some(),
        "three replications have an interval"
    );
    let buffers = wide.numbers(column(&wide, "buffer_pkts")).expect("read");
    let expected = vec![1.0, 1.0, 5.0, 5.0, 20.0, 20.0];
    assert_eq!(buffers, Some(Numbers::Reals(expected)));
}

#[test]
fn with_one_replication_there_is_no_interval() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let mut study = study(&[5]);
    study.replications = 1;
    let outline = done(&study, &out);
    let spread = outline.points[0].means[0].spread;
    assert!(spread.mean.is_some() && spread.low.is_none(), "{spread:?}");
    let wide = TableReader::open(&out.join("wide.parquet")).expect("a table");
    let half = wide.numbers(column(&wide, "link.core.utilisation.half_width"));
    assert_eq!(half.expect("read"), None, "all null");
}

#[test]
fn a_forecast_counts_what_is_missing_and_makes_nothing() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study(&[1, 5]));
    let out = folder.path().join("kept");
    let mut asked = order(&study, &out, 2);
    let before = forecast(&asked, &Unwatched).expect("a forecast");
    assert_eq!((before.runs, before.missing), (12, 12));
    assert_eq!((before.tried, before.judged_by), (true, 3));
    assert!(!out.exists());
    done(&study, &out);
    asked.replications = 4;
    let after = forecast(&asked, &Unwatched).expect("a forecast");
    assert_eq!((after.runs, after.missing, after.judged_by), (16, 4, 12));
    assert!(!after.tried && after.missing_s.is_some());
    assert!(after.points.iter().all(|point| point.done == 3));
}

/// A busy machine: real time passes by the hour, processor time by the millisecond.
#[derive(Default)]
struct Starved(AtomicU64);

impl BatchMonitor for Starved {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(3600 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn processor_time(&self) -> Option<Duration> {
        Some(Duration::from_millis(
            self.0.fetch_add(1, Ordering::Relaxed),
        ))
    }
}

#[test]
fn a_forecast_counts_the_time_of_the_processor_where_it_is_known() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study(&[1, 5]));
    let out = folder.path().join("kept");
    let ahead = forecast(&order(&study, &out, 1), &Starved::default()).expect("a forecast");
    let seconds = ahead.missing_s.expect("judged by what was tried");
    assert!(ahead.tried && 0.0 < seconds && seconds < 60.0, "{seconds}");
}

#[test]
fn mistakes_of_points_are_all_reported_and_nothing_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    // The first point is checked when the file is read.
    let mut text = text(&[1, 5]);
    text.buffers[1] = "5pkq".to_owned();
    text.rates[1] = "fast";
    let study = text.study();
    let error = sweep(&order(&study, &out, 2), &Unwatched).expect_err("it is refused");
    let SweepError::Problems(problems) = &error else {
        panic!("{error}")
    };
    assert_eq!(problems.len(), 2, "each once: {problems:?}");
    assert!(!out.exists());
}

#[test]
fn an_axis_that_makes_a_column_of_another_ones_name_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    let mut text = text(&[1]);
    text.second_axis = "buffer_pkts";
    let study = text.study();
    let error = sweep(&order(&study, &out, 1), &Unwatched).expect_err("it is refused");
    let SweepError::Problems(problems) = &error else {
        panic!("{error}")
    };
    assert!(
        problems[0].message.contains("two columns \"buffer_pkts\""),
        "{}",
        problems[0].message
    );
    assert_eq!(problems[0].path, "sweep.axis[1].name");
    assert!(!out.exists());
}

#[test]
fn more_runs_than_a_study_may_take_are_refused() {
    let (folder, mut study) = (tempfile::tempdir().expect("a folder"), study(&[1, 5]));
    let out = folder.path().join("kept");
    study.replications = 250_001;
    let error = sweep(&order(&study, &out, 1), &Unwatched).expect_err("it is refused");
    assert!(
        matches!(
            error,
            SweepError::TooMany {
                runs: 1_000_004,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.is_usage() && !out.exists());
}

/// Sweeps, and returns the messages to the user.
fn told(study: &Study, out: &Path) -> Vec<String> {
    let listener = Listener::default();
    sweep(&order(study, out, 1), &listener).expect("it comes to its end");
    listener.0.into_inner().expect("one thread")
}

#[test]
fn after_an_edit_the_keys_are_named_for_which_points_are_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    assert_eq!(
        told(&study(&[1, 5]), &out),
        [""; 0],
        "a first sweep says nothing"
    );
    assert_eq!(
        told(&study(&[1, 5]), &out),
        [""; 0],
        "nor does the same again"
    );
    let mut edited = text(&[1, 5]);
    edited.rates = ["9Mbps", "12Mbps"];
    let told = told(&edited.study(), &out);
    let expected = "2 of 4 points changed since the last sweep and are made again:\n  points 0 and 2: \
                    flow.poisson.traffic.rate = \"9Mbps\" (was \"8Mbps\")";
    assert_eq!(told, [expected]);
}
