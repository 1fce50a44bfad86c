//! Recordings of the points selected by `keep`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::Study;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::input;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;
use pacesim_sweep::recordings::FOLDER as RECORDINGS;

use crate::common::{checked, order};

const SCENARIO: &str = r#"
run = { duration = "500ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
"#;

const OUTPUT: &str = r#"output = { packets = {}, series = { interval = "100ms" } }"#;

/// Two axes: the points with 5 packets are 2 and 3, or 4 and 5 with one more value in front.
fn study(buffers: &str, keep: &str, output: &str) -> Study {
    let text = format!(
        r#"{output}
{SCENARIO}
[sweep]
replications = 2
keep = {keep}
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = {buffers}
[[sweep.axis]]
name = "load"
key = "flow.poisson.traffic.rate"
values = ["8Mbps", "12Mbps"]
"#
    );
    checked("kept", &text)
}

const BUFFERS: &str = r#"["1pkt", "5pkts"]"#;
const ONE: &str = r#"[{ buffer = "5pkts", load = "8Mbps" }]"#;

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

fn swept(
    study: &Study,
    out: &Path,
    jobs: usize,
    monitor: &dyn BatchMonitor,
) -> Result<Outline, SweepError> {
    let all = order(study, out, jobs);
    sweep(&all, monitor)
}

fn done(study: &Study, out: &Path) {
    swept(study, out, 2, &Unwatched).expect("it is swept");
}

/// All files below a folder with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries {
        let entry = entry.expect("listed");
        let name = entry.file_name().into_string().expect("a text");
        if entry.path().is_dir() {
            let inside = files(&entry.path()).into_iter();
            found.extend(inside.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("read"));
        }
    }
    found
}

/// The fingerprint of the run in a results folder.
fn fingerprint(files: &BTreeMap<String, Vec<u8>>) -> String {
    let manifest = serde_json::from_slice(&files["manifest.json"]);
    let manifest: serde_json::Value = manifest.expect("JSON");
    manifest["fingerprint"].to_string()
}

fn modified(folder: &Path) -> impl PartialEq + std::fmt::Debug + use<> {
    let found = fs::metadata(folder.join("manifest.json")).expect("there");
    found.modified().expect("known")
}

#[test]
fn recordings_of_the_points_that_keep_names_are_those_of_a_single_run() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("study");
    done(&study(BUFFERS, ONE, OUTPUT), &out);
    let kept = files(&out.join(RECORDINGS));
    assert!(
        kept.keys().all(|file| file.starts_with("point-2/")),
        "{:?}",
        kept.keys()
    );
    let single = around.path().join("single");
    let text = format!("{OUTPUT}\n{SCENARIO}");
    let sets = ["link.core.buffer=5pkts".to_owned()];
    let scenario = input::from_stream(text.as_bytes(), &sets).expect("a scenario");
    let plan = Plan {
        out: Some(&single),
        ..Plan::default()
    };
    run(&scenario, 0, &plan, &mut Unwatched).expect("it runs");
    for table in [
        "packets.parquet",
        "series.parquet",
        "flows.parquet",
        "scenario.toml",
    ] {
        let ours = &kept[&format!("point-2/{table}")];
        assert_eq!(
            ours,
            &fs::read(single.join(table)).expect("read"),
            "{table}"
        );
    }
}

#[test]
fn a_selection_without_axes_keeps_every_point_and_none_keeps_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("study");
    done(&study(BUFFERS, "[]", OUTPUT), &out);
    assert!(!out.join(RECORDINGS).exists());
    done(&study(BUFFERS, "[{}]", OUTPUT), &out);
    for point in 0..4 {
        let folder = out.join(RECORDINGS).join(format!("point-{point}"));
        assert!(folder.join("packets.parquet").exists(), "{point}");
    }
}

#[test]
fn recordings_are_the_same_bytes_for_any_jobs_and_interruptions() {
    let around = tempfile::tempdir().expect("a folder");
    let study = study(BUFFERS, r#"[{ load = "12Mbps" }]"#, OUTPUT);
    let whole = around.path().join("whole");
    swept(&study, &whole, 1, &Unwatched).expect("it is swept");
    let expected = files(&whole.join(RECORDINGS));
    assert_eq!(
        expected
            .keys()
            .filter(|file| file.ends_with("packets.parquet"))
            .count(),
        2
    );
    let stopped = around.path().join("stopped");
    let mut asked = 4;
    loop {
        match swept(&study, &stopped, 2, &Impatient(AtomicU64::new(asked))) {
            Ok(_) => break,
            Err(error) => assert!(error.is_interrupted(), "{error}"),
        }
        asked += 1;
    }
    assert!(asked > 4, "it was stopped several times: {asked}");
    assert!(files(&stopped.join(RECORDINGS)) == expected);
}

#[test]
fn what_is_there_is_left_alone_and_what_is_missing_or_incomplete_made_again() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("study");
    let study = study(BUFFERS, r#"[{ buffer = "5pkts" }]"#, OUTPUT);
    done(&study, &out);
    let recordings = out.join(RECORDINGS);
    let expected = files(&recordings);
    let first = modified(&recordings.join("point-2"));
    fs::remove_dir_all(recordings.join("point-3")).expect("removed");
    // The leftover of a kill.
    let partial = recordings.join("point-3.77.pacesim-partial");
    fs::create_dir(&partial).expect("made");
    fs::write(partial.join("packets.parquet"), "half").expect("written");
    fs::write(recordings.join("point-3.lock.pacesim-partial"), "").expect("written");
    done(&study, &out);
    assert!(files(&recordings) == expected);
    assert_eq!(modified(&recordings.join("point-2")), first);
}

#[test]
fn an_edit_that_makes_another_recording_replaces_the_one_that_was_there() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("study");
    done(&study(BUFFERS, ONE, OUTPUT), &out);
    let folder = out.join(RECORDINGS).join("point-2");
    let before = files(&folder);
    // Other recorded rows of the same run.
    let fewer = OUTPUT.replace("packets = {}", r#"packets = { to = "100ms" }"#);
    done(&study(BUFFERS, ONE, &fewer), &out);
    let after = files(&folder);
    assert!(before["packets.parquet"] != after["packets.parquet"]);
    assert_eq!(fingerprint(&before), fingerprint(&after));
    // Another point with that number: 2 packets at the same load.
    let more = r#"["1pkt", "2pkts", "5pkts"]"#;
    let two = ONE.replace("5pkts", "2pkts");
    done(&study(more, &two, &fewer), &out);
    assert_ne!(fingerprint(&files(&folder)), fingerprint(&after));
}

#[test]
fn a_recording_with_something_of_the_users_in_it_is_not_replaced() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("study");
    done(&study(BUFFERS, ONE, OUTPUT), &out);
    let folder = out.join(RECORDINGS).join("point-2");
    fs::write(folder.join("notes.txt"), "mine").expect("written");
    done(&study(BUFFERS, ONE, OUTPUT), &out);
    let fewer = OUTPUT.replace("packets = {}", r#"packets = { to = "100ms" }"#);
    let error = swept(&study(BUFFERS, ONE, &fewer), &out, 2, &Unwatched).expect_err("refused");
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert_eq!(
        fs::read_to_string(folder.join("notes.txt")).expect("there"),
        "mine"
    );
}
