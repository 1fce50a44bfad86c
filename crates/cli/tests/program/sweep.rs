//! `pacesim sweep`, and related commands that know studies.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{SCENARIO, folder, names, pacesim, program};

/// The scenario with two axes, as `study.toml`.
pub(crate) fn study() -> tempfile::TempDir {
    let folder = folder();
    write(folder.path(), 3, "1s");
    folder
}

fn write(folder: &Path, replications: u64, warmup: &str) {
    let (scenario, _) = SCENARIO.split_once("[output]").expect("it records");
    let scenario = scenario.replace("warmup = \"1s\"", &format!("warmup = \"{warmup}\""));
    let text = format!(
        r#"name = "queues"
{scenario}
[sweep]
replications = {replications}
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["1pkt", "5pkts", "20pkts"]
[[sweep.axis]]
name = "load"
cases = {{ low = {{}}, high = {{ "flow.poisson.traffic.rate" = "6Mbps" }} }}
"#
    );
    std::fs::write(folder.join("study.toml"), text).expect("written");
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let ran = pacesim(folder, &[args, &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one document")
}

const TABLES: [&str; 3] = ["runs.parquet", "summary.parquet", "wide.parquet"];

pub(crate) fn tables(out: &Path) -> [Vec<u8>; 3] {
    TABLES.map(|table| std::fs::read(out.join(table)).expect(table))
}

#[test]
fn a_sweep_prints_every_point_and_keeps_a_store_and_tables() {
    let folder = study();
    let ran = pacesim(folder.path(), &["sweep", "study.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("queues: 6 points, 3 replications, mean ± half width"),
        "{}",
        ran.stdout
    );
    for told in ["20pkts, high", "goodput", "load", "Mbps"] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert!(ran.stderr.contains("18 of 18 runs"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("are in results/queues"),
        "{}",
        ran.stderr
    );
    let kept = names(&folder.path().join("results/queues"));
    assert_eq!(
        kept,
        [
            "runs.parquet",
            "store.sqlite",
            "summary.parquet",
            "wide.parquet"
        ]
    );
    let again = pacesim(folder.path(), &["sweep", "study.toml"]);
    assert_eq!(again.stdout, ran.stdout);
    assert!(
        again.stderr.contains("all 18 runs were there"),
        "{}",
        again.stderr
    );
    let one = pacesim(
        folder.path(),
        &["sweep", "study.toml", "--replications", "1", "-q"],
    );
    assert!(one.stdout.contains("no interval"), "{}", one.stdout);
    assert!(!one.stdout.contains('±') && one.stderr.is_empty());
}

#[test]
fn points_with_warnings_are_marked_and_only_numbers_asked_for_are_columns() {
    let folder = folder();
    let text = r#"
name = "shaped"
run = { duration = "5s", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", duplex = true, rate = "100Mbps", delay = "10ms", pacer = { kind = "token_bucket", rate = "5Mbps", burst = "10KB" } }]
flow = [{ name = "bulk", from = "a", to = "b", traffic = { kind = "tcp", window = "50pkts" } }]
[sweep]
replications = 2
axis = [{ name = "rate", key = "link.core.pacer.rate", values = ["5Mbps", "90Mbps"] }]
[[expect]]
claim = "the shaper is full"
y = "run.run.full_pacers"
at_least = 1
at = { rate = "5Mbps" }
[[accept]]
warning = "small_windows"
because = "the shaper is the subject"
"#;
    std::fs::write(folder.path().join("shaped.toml"), text).expect("written");
    let ran = pacesim(folder.path(), &["sweep", "shaped.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for told in [
        " 5Mbps !",
        "(run.run.full_pacers): point 0 (5Mbps)\n",
        "PASS",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("90Mbps !"), "{}", ran.stdout);
    for unasked in ["goodput", "held  "] {
        assert!(!ran.stdout.contains(unasked), "{unasked}: {}", ran.stdout);
    }
    let sweep = json(folder.path(), &["sweep", "shaped.toml"]);
    assert_eq!(sweep["points"][0]["warnings"][0], "full_pacers");
    assert_eq!(
        sweep["points"][1]["warnings"].as_array().map(Vec::len),
        Some(0)
    );
}

/// A study with an axis that no packet sees, and a number that no transfer gives.
const IDLE: &str = r#"
run = { duration = "1s", warmup = "200ms" }
node = [{ name = "a" }, { name = "b" }, { name = "c" }]
link = [
  { name = "core", from = "a", to = "b", rate = "10Mbps", delay = "5ms", buffer = "20pkts" },
  { name = "side", from = "b", to = "c", rate = "10Mbps" },
]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "tcp", profile = "linux" } }]
sweep.axis = [
  { name = "idle", key = "link.side.delay", values = ["1ms", "2ms"] },
  { name = "buffer", key = "link.core.buffer", values = ["5pkts", "20pkts"] },
]
[[plot]]
name = "time"
x = "buffer"
y = "flows.f.completion_p99_s"
lines = "idle"
[[plot]]
name = "goodput"
x = "buffer"
y = "flows.f.goodput_bps"
lines = "idle"
"#;

/// Goodput in proportion to that of a group of no flows: nothing can be drawn, and the sweep says so.
#[test]
fn a_figure_without_a_point_is_reported() {
    let folder = folder();
    let text = r#"
name = "blank"
run = { duration = "100ms" }
topology = { shape = "tandem", hops = 1, link = { rate = "10Mbps" } }
flow = [
  { name = "f", from = "node[0]", to = "node[1]", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } },
  { name = "g", from = "node[0]", to = "node[1]", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } },
]
sweep = { replications = 1, axis = [{ name = "flows", key = "flow.f.count", values = [0, 1, 2] }] }
[[plot]]
name = "share"
x = "flows"
y = "flows.f.goodput_bps"
relative_to = { flows = 0 }
"#;
    std::fs::write(folder.path().join("blank.toml"), text).expect("written");
    let ran = pacesim(folder.path(), &["sweep", "blank.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("! figure share is blank: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_axis_that_changes_nothing_and_a_number_without_a_value_are_told_at_the_end() {
    let folder = folder();
    std::fs::write(folder.path().join("idle.toml"), IDLE).expect("written");
    let ran = pacesim(folder.path(), &["sweep", "idle.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for told in [
        "! axis idle changes nothing: all runs are equal along it (idle_axis)\n",
        "! flows.f.completion_p99_s has no value in any run (empty_number)\n",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("axis buffer"), "{}", ran.stdout);
    let document = json(folder.path(), &["sweep", "idle.toml"]);
    assert_eq!(document["idle_axes"], serde_json::json!(["idle"]));
    let empty = serde_json::json!(["flows.f.completion_p99_s"]);
    assert_eq!(document["empty_numbers"], empty);
    let accepts = ["idle_axis", "empty_number", "silent_groups"]
        .map(|name| format!("[[accept]]\nwarning = \"{name}\"\nbecause = \"it is planted\"\n"));
    std::fs::write(
        folder.path().join("idle.toml"),
        IDLE.to_owned() + &accepts.concat(),
    )
    .expect("written");
    let ran = pacesim(folder.path(), &["sweep", "idle.toml"]);
    assert!(!ran.stdout.contains("changes nothing"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("has no value"), "{}", ran.stdout);
    let told = "! no point has a warning silent_groups to accept\n";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
}

/// The group `back` is switched off by a value of an axis.
const SWITCHED: &str = r#"
run = { duration = "1s", warmup = "200ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "5ms", buffer = "20pkts" }]
flow = [
  { name = "f", from = "a", to = "b", traffic = { kind = "tcp", profile = "linux" } },
  { name = "back", from = "b", to = "a", count = 4, traffic = { kind = "tcp", profile = "linux" } },
]
sweep.axis = [{ name = "back_flows", key = "flow.back.count", values = [0, 4] }]
[[plot]]
name = "goodput"
x = "back_flows"
y = "flows.f.goodput_bps"
[[plot]]
name = "back"
x = "back_flows"
y = "flows.back.goodput_bps"
"#;

#[test]
fn a_value_of_an_axis_may_switch_a_group_off() {
    let folder = folder();
    std::fs::write(folder.path().join("back.toml"), SWITCHED).expect("written");
    let checked = pacesim(folder.path(), &["check", "back.toml"]);
    assert_eq!(
        (checked.code, checked.stderr.as_str()),
        (0, ""),
        "{}",
        checked.stderr
    );
    let document = json(folder.path(), &["sweep", "back.toml"]);
    let goodputs = |number: &str| -> Vec<Option<f64>> {
        let points = document["points"].as_array().expect("points").iter();
        let mean = |point: &Value| {
            let means = point["means"].as_array().expect("means");
            means.iter().find(|mean| mean["entity"] == number)?["mean"].as_f64()
        };
        points.map(mean).collect()
    };
    let (ours, back) = (goodputs("f"), goodputs("back"));
    assert!(ours[0] > ours[1] && ours[1].is_some(), "{ours:?}");
    assert!(back[0].is_none() && back[1] > Some(1e6), "{back:?}");
    // Alone, the first point is the scenario without the group.
    let without = SWITCHED.replace("count = 4", "count = 0");
    let (without, _) = without.split_once("sweep.axis").expect("an axis");
    std::fs::write(folder.path().join("off.toml"), without).expect("written");
    let off = pacesim(folder.path(), &["run", "off.toml"]);
    assert_eq!(off.code, 0, "{}", off.stderr);
    let lines = without.lines().filter(|line| !line.contains("\"back\""));
    let alone: Vec<&str> = lines.collect();
    std::fs::write(folder.path().join("alone.toml"), alone.join("\n")).expect("written");
    let alone = pacesim(folder.path(), &["run", "alone.toml"]);
    let fingerprint = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("fingerprint"))
            .map(str::to_owned)
    };
    assert_eq!(fingerprint(&off.stdout), fingerprint(&alone.stdout));
    // Nothing at all is refused.
    let nothing = without.replace("to = \"b\", traffic", "to = \"b\", count = 0, traffic");
    std::fs::write(folder.path().join("nothing.toml"), nothing).expect("written");
    let refused = pacesim(folder.path(), &["run", "nothing.toml"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("there is no flow"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_document_has_the_numbers_of_every_point() {
    let folder = study();
    let document = json(folder.path(), &["sweep", "study.toml", "--out", "kept"]);
    assert_eq!(
        (&document["runs"], &document["made"]),
        (&18.into(), &18.into())
    );
    assert_eq!(document["axes"][0]["unit"], "pkts");
    let points = document["points"].as_array().expect("a list");
    assert_eq!(points.len(), 6);
    assert_eq!(points[5]["values"][0]["number"], 20.0);
    assert_eq!(points[5]["values"][1]["text"], "high");
    let mean = &points[0]["means"][0];
    assert_eq!(
        (&mean["metric"], &mean["n"]),
        (&"goodput_bps".into(), &3.into())
    );
    assert!(mean["low"].as_f64() < mean["mean"].as_f64(), "{mean}");
}

#[test]
fn a_dry_run_lists_the_points_and_keeps_nothing() {
    let folder = study();
    let args = ["sweep", "study.toml", "--dry-run"];
    let ran = pacesim(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("18 runs: 0 done, 18 missing; about"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("tried now and not kept"),
        "{}",
        ran.stdout
    );
    assert_eq!(names(folder.path()), ["one.toml", "study.toml"]);
    assert_eq!(
        pacesim(folder.path(), &["sweep", "study.toml", "-q"]).code,
        0
    );
    let more = pacesim(
        folder.path(),
        &[&args[..], &["--replications", "4"]].concat(),
    );
    assert!(
        more.stdout.contains("24 runs: 18 done, 6 missing"),
        "{}",
        more.stdout
    );
    assert!(
        more.stdout.contains("judged by 18 runs in the store"),
        "{}",
        more.stdout
    );
}

#[test]
fn a_run_of_a_study_names_sweep_and_repeats_one_run_exactly() {
    let folder = study();
    let refused = pacesim(folder.path(), &["run", "study.toml"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("pacesim sweep"),
        "{}",
        refused.stderr
    );
    let beyond = pacesim(folder.path(), &["run", "study.toml", "--point", "6"]);
    assert_eq!(beyond.code, 2);
    assert!(
        beyond.stderr.contains("the last one is 5"),
        "{}",
        beyond.stderr
    );
    assert_eq!(
        pacesim(folder.path(), &["sweep", "study.toml", "-q"]).code,
        0
    );
    let store = folder.path().join("results/queues/store.sqlite");
    let store = rusqlite::Connection::open(store).expect("a store");
    for (point, replication) in [(0, 0), (5, 2)] {
        let stored =
            "SELECT DISTINCT fingerprint FROM results WHERE point = ?1 AND replication = ?2";
        let stored = store.query_one(stored, [point, replication], |row| row.get(0));
        let stored: String = stored.expect("one run");
        let (point, replication) = (point.to_string(), replication.to_string());
        let args = [
            "run",
            "study.toml",
            "--point",
            &point,
            "--replication",
            &replication,
        ];
        assert_eq!(json(folder.path(), &args)["fingerprint"], stored);
    }
}

#[test]
fn check_looks_at_every_point_of_a_study() {
    let folder = study();
    let ran = pacesim(folder.path(), &["check", "study.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("6 points, 18 runs"), "{}", ran.stdout);
    let report = json(folder.path(), &["check", "study.toml"]);
    assert_eq!(
        (&report["points"], &report["runs"]),
        (&6.into(), &18.into())
    );
    let path = folder.path().join("study.toml");
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, text.replace("20pkts", "20pkq")).expect("written");
    for command in ["check", "sweep"] {
        let ran = pacesim(folder.path(), &[command, "study.toml"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("20pkq"), "{}", ran.stderr);
    }
    assert_eq!(names(folder.path()), ["one.toml", "study.toml"]);
}

#[test]
fn a_plain_scenario_is_a_study_of_one_point() {
    let folder = folder();
    let args = ["sweep", "one.toml", "--replications", "2"];
    let document = json(folder.path(), &args);
    assert_eq!(
        (&document["runs"], &document["study"]),
        (&2.into(), &"one".into())
    );
}

/// A sweep with two jobs that continues until it is stopped.
fn started(folder: &Path) -> Child {
    let args = ["sweep", "study.toml", "-q", "--jobs", "2", "--out", "kept"];
    let mut command = program(folder, &args);
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn missing(folder: &Path) -> u64 {
    let args = ["sweep", "study.toml", "--dry-run", "--out", "kept"];
    json(folder, &args)["missing"].as_u64().expect("a number")
}

#[cfg(unix)]
#[test]
fn control_c_keeps_what_is_finished_and_says_how_to_go_on() {
    let folder = study();
    // Runs of some ten milliseconds each, for minutes.
    write(folder.path(), 2000, "0s");
    let child = started(folder.path());
    wait_for_runs(folder.path());
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(
        told.contains("of 12000 runs are kept in kept; the same command"),
        "{told}"
    );
    assert!(
        missing(folder.path()) < 12_000,
        "{:?}",
        missing(folder.path())
    );
    assert!(!folder.path().join("kept/runs.parquet").exists());
}

/// A store in use cannot be queried; its size shows that it has runs.
fn wait_for_runs(folder: &Path) {
    let size = || std::fs::metadata(folder.join("kept/store.sqlite")).map_or(0, |of| of.len());
    while size() < 200_000 {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_second_sweep_into_the_same_folder_is_refused() {
    let folder = study();
    write(folder.path(), 2000, "0s");
    let mut first = started(folder.path());
    wait_for_runs(folder.path());
    let second = pacesim(
        folder.path(),
        &["sweep", "study.toml", "-q", "--out", "kept"],
    );
    assert_eq!(second.code, 2);
    assert!(
        second.stderr.contains("perhaps a sweep that goes on"),
        "{}",
        second.stderr
    );
    first.kill().expect("killed");
    first.wait().expect("it ends");
    missing(folder.path());
}

/// The number of kills of the sweep; `scripts/kill.sh` sets a larger one.
fn kills() -> u64 {
    let asked = std::env::var("PACESIM_SWEEP_KILLS").ok();
    asked.map_or(3, |times| times.parse().expect("a number of kills"))
}

#[test]
fn killed_at_any_moment_a_sweep_comes_to_the_same_tables() {
    let folder = study();
    // Runs of some ten milliseconds each, enough of them for all kills.
    write(folder.path(), 4 * kills(), "0s");
    let path = folder.path().join("study.toml");
    let text = std::fs::read_to_string(&path).expect("there");
    // One of the points gives up: its record must survive a kill as well.
    let text = text.replace("\"2s\"", "\"100s\"\nmost_waiting = 500");
    std::fs::write(&path, text.replace("\"20pkts\"", "\"unlimited\"")).expect("written");
    let undisturbed = ["sweep", "study.toml", "-q", "--jobs", "1", "--out", "whole"];
    let whole = stopwatch(|| {
        let ran = pacesim(folder.path(), &undisturbed);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("gave up"), "{}", ran.stdout);
    });
    let all = 24 * kills();
    let (mut missing_before, mut in_time) = (all, 0);
    for kill in 1..=kills() {
        let mut child = started(folder.path());
        std::thread::sleep(whole.mul_f64(random(kill) / kills() as f64));
        child.kill().expect("killed, or ended before");
        in_time += u64::from(!child.wait().expect("it ends").success());
        let missing_now = missing(folder.path());
        assert!(
            missing_now <= missing_before,
            "nothing that was kept is lost"
        );
        missing_before = missing_now;
    }
    println!(
        "{in_time} of {} kills came in time; {missing_before} of {all} runs were missing after them",
        kills()
    );
    let last = ["sweep", "study.toml", "-q", "--jobs", "2", "--out", "kept"];
    assert_eq!(pacesim(folder.path(), &last).code, 0);
    let (kept, expected) = (
        folder.path().join("kept"),
        tables(&folder.path().join("whole")),
    );
    assert!(tables(&kept) == expected);
    // All runs are complete now, so the kills hit the writing of tables.
    let again = stopwatch(|| assert_eq!(pacesim(folder.path(), &last).code, 0));
    for kill in 1..=kills() {
        let mut child = started(folder.path());
        std::thread::sleep(again.mul_f64(random(kill)));
        child.kill().expect("killed, or ended before");
        child.wait().expect("it ends");
        assert!(tables(&kept) == expected, "each is whole at any moment");
    }
    assert_eq!(pacesim(folder.path(), &last).code, 0);
    assert_eq!(
        names(&kept),
        [
            "runs.parquet",
            "store.sqlite",
            "summary.parquet",
            "wide.parquet"
        ]
    );
}

/// Between 0 and 1, by a multiplicative congruential generator: a random moment, but reproducible.
fn random(kill: u64) -> f64 {
    const MODULUS: u64 = 2_147_483_647;
    let state = (0..4).fold(kill, |state, _| state * 48_271 % MODULUS);
    state as f64 / MODULUS as f64
}

/// Measures the time of some work, to choose the moment of a kill.
#[allow(clippy::disallowed_types, reason = "no result depends on it")]
fn stopwatch(work: impl FnOnce()) -> Duration {
    let start = std::time::Instant::now();
    work();
    start.elapsed()
}
