//! `pacesim run` from outside.

use std::path::Path;

use crate::common::{Ran, SCENARIO, folder, names, pacesim, pacesim_reading, program};
use serde_json::Value;

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one JSON document")
}

fn fingerprint(folder: &Path, args: &[&str]) -> String {
    let ran = pacesim(folder, &[&["run", "one.toml", "--json"], args].concat());
    json(&ran)["fingerprint"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn json_has_the_keys_that_others_rely_on() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["run", "one.toml", "--json"]);
    let summary = json(&ran);
    assert_eq!(summary["scenario"], "One queue");
    assert_eq!(summary["seed"], 1);
    assert_eq!(summary["sim_s"], 2.0);
    assert_eq!(summary["fingerprint"].as_str().map(str::len), Some(16));
    for key in ["wall_s", "packet_hops", "packet_hops_per_s"] {
        assert!(summary[key].as_f64().is_some_and(|x| x > 0.0), "{key}");
    }
    for key in ["version", "peak_rss_bytes", "flows", "links", "timeline"] {
        assert!(summary.get(key).is_some(), "{key}");
    }
    let group = &summary["flows"][0];
    assert_eq!(
        (&group["group"], &group["flows"]),
        (&"poisson".into(), &2.into())
    );
    let goodput = group["goodput_bps"].as_f64().expect("a number");
    assert!((5e6..10e6).contains(&goodput), "{goodput}");
    let link = &summary["links"][0];
    assert_eq!(
        (&link["link"], &link["buffer"]),
        (&"core".into(), &"5pkts".into())
    );
    assert_eq!(
        names(folder.path()),
        ["one.toml"],
        "nothing is written without --out"
    );
}

#[test]
fn tables_hold_results_only_and_fit_80_columns() {
    let folder = folder();
    let [first, second] = [(); 2].map(|()| pacesim(folder.path(), &["run", "one.toml"]));
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(
        first.stdout, second.stdout,
        "nothing of the machine on standard output"
    );
    for line in first.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(
            !line.contains('\u{1b}'),
            "no colours off a terminal: {line:?}"
        );
    }
    assert!(first.stderr.contains("packet-hops/s"), "{}", first.stderr);
    assert!(first.stderr.contains("only with --out"), "{}", first.stderr);
    let quiet = pacesim(folder.path(), &["run", "one.toml", "--quiet"]);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (first.stdout, ""));
}

/// A single TCP flow over a long line, and one that starts late.
const WINDOW: &str = r#"
run = { duration = "20s" }
topology = { shape = "tandem", hops = 1, link = { rate = "10Mbps", delay = "16ms" } }
[[flow]]
name = "lone"
from = "node[0]"
to = "node[1]"
traffic = { kind = "tcp" }
[[flow]]
name = "late"
from = "node[0]"
to = "node[1]"
start = "15s"
traffic = { kind = "cbr", rate = "100kbps", size = "1KB" }
"#;

#[test]
fn tables_say_that_a_window_limits_a_flow_and_that_one_came_late() {
    let folder = folder();
    let shown = |args: &[&str]| {
        let args = [&["run", "-", "--quiet"], args].concat();
        let ran = pacesim_reading(folder.path(), &args, WINDOW);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let once = shown(&[]);
    assert!(once.contains("its window (20), 9"), "{once}");
    assert!(once.contains(" late   1   101 kbps   101 kbps "), "{once}");
    let note = "\nlate: rates are over the 5.00 s of 20.0 s in which it was there\n";
    assert!(once.contains(note), "{once}");
    let means = shown(&["--replications", "2"]);
    for header in ["sent again", "time-outs", "RTT mean", "window-limited"] {
        assert!(means.contains(header), "{means}");
    }
}

#[test]
fn the_seed_alone_decides_the_fingerprint() {
    let folder = folder();
    let of = |args: &[&str]| fingerprint(folder.path(), args);
    let first = of(&[]);
    assert_eq!(of(&["--seed", "1"]), first);
    assert_eq!(
        of(&["--set", "output.packets.links=[]", "--out", "kept"]),
        first
    );
    assert_ne!(of(&["--seed", "2"]), first);
    assert_eq!(of(&["--set", "run.seed=2"]), of(&["--seed", "2"]));
}

#[test]
fn set_changes_the_scenario() {
    let folder = folder();
    let args = [
        "run",
        "one.toml",
        "--json",
        "--set",
        "run.duration=3s",
        "--set",
        "flow.poisson.count=5",
    ];
    let summary = json(&pacesim(folder.path(), &args));
    assert_eq!(summary["sim_s"], 3.0);
    assert_eq!(summary["flows"][0]["flows"], 5);
    let ran = pacesim(
        folder.path(),
        &["run", "one.toml", "--set", "run.duraton=3s"],
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("did you mean \"duration\""),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_scenario_may_come_from_standard_input() {
    let folder = folder();
    let piped = json(&pacesim_reading(
        folder.path(),
        &["run", "-", "--json"],
        SCENARIO,
    ));
    assert_eq!(
        piped["fingerprint"],
        fingerprint(folder.path(), &[]).as_str()
    );
    let bad = pacesim_reading(folder.path(), &["run", "-"], "[run]\nduration = 5\n");
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("<stdin>:2:12"), "{}", bad.stderr);
}

#[test]
fn out_keeps_everything_under_its_name() {
    let folder = folder();
    let ran = pacesim(
        folder.path(),
        &["run", "one.toml", "--json", "--out", "kept"],
    );
    let summary = json(&ran);
    let kept = folder.path().join("kept");
    assert_eq!(
        names(&kept),
        [
            "flows.parquet",
            "links.parquet",
            "manifest.json",
            "packets.parquet",
            "scenario.toml",
            "series.parquet",
            "summary.json",
            "transfers.parquet",
        ]
    );
    assert_eq!(names(folder.path()), ["kept", "one.toml"]);
    let file = |name: &str| std::fs::read_to_string(kept.join(name)).expect("a text");
    assert_eq!(file("summary.json"), ran.stdout);
    let manifest: Value = serde_json::from_str(&file("manifest.json")).expect("JSON");
    assert_eq!(manifest["fingerprint"], summary["fingerprint"]);
    assert_eq!(manifest["command"][1], "run");
    let again = pacesim(&kept, &["run", "scenario.toml", "--json"]);
    assert_eq!(
        json(&again)["fingerprint"],
        summary["fingerprint"],
        "it can be run again"
    );
}

#[test]
fn results_are_replaced_by_force_only_and_other_folders_never() {
    let folder = folder();
    let run = |args: &[&str]| pacesim(folder.path(), &[&["run", "one.toml"], args].concat());
    assert_eq!(run(&["--out", "kept"]).code, 0);
    let refused = run(&["--out", "kept"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(run(&["--out", "kept", "--force"]).code, 0);
    let thesis = folder.path().join("thesis");
    std::fs::create_dir(&thesis).expect("made");
    std::fs::write(thesis.join("main.tex"), "").expect("written");
    assert_eq!(run(&["--out", "thesis", "--force"]).code, 2);
    assert_eq!(names(&thesis), ["main.tex"]);
}

#[test]
fn replications_give_means_and_a_folder_each() {
    let folder = folder();
    let args = [
        "run",
        "one.toml",
        "--json",
        "--replications",
        "3",
        "--out",
        "kept",
    ];
    let all = json(&pacesim(folder.path(), &args));
    assert_eq!(all["replications"], 3);
    let prints: Vec<&str> = (0..3)
        .map(|i| all["runs"][i]["fingerprint"].as_str().expect("a text"))
        .collect();
    assert!(
        prints[0] != prints[1] && prints[1] != prints[2],
        "{prints:?}"
    );
    assert_eq!(
        prints[0],
        fingerprint(folder.path(), &[]),
        "the first is the plain run"
    );
    let mean = |mean: &Value| mean["entity"] == "core" && mean["metric"] == "utilisation";
    let means = all["means"].as_array().expect("a list");
    let load = means.iter().find(|m| mean(m)).expect("it is there");
    assert!(
        load["half_width"]
            .as_f64()
            .is_some_and(|x| x > 0.0 && x < 0.5),
        "{load}"
    );
    let kept = folder.path().join("kept");
    assert_eq!(
        names(&kept),
        [
            "manifest.json",
            "replication-0",
            "replication-1",
            "replication-2",
            "runs.parquet",
            "summary.json"
        ]
    );
    assert!(names(&kept.join("replication-2")).contains(&"manifest.json".to_owned()));
    let table = pacesim(folder.path(), &["run", "one.toml", "--replications", "3"]);
    assert!(table.stdout.contains(" ± "), "{}", table.stdout);
    let of_all = all["fingerprint"].as_str().expect("a text");
    let last = format!("\nfingerprint {of_all} of all 3\n");
    assert!(table.stdout.ends_with(&last), "{}", table.stdout);
    assert!(
        table.stdout.lines().all(|line| line.chars().count() <= 80),
        "{}",
        table.stdout
    );
}

#[test]
fn a_single_replication_is_the_plain_run_without_an_interval() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["run", "one.toml", "--replications", "1"]);
    let title = "One queue: 1 replication, seed 1, which has no confidence interval\n";
    assert!(ran.stdout.starts_with(title), "{}", ran.stdout);
    let own = fingerprint(folder.path(), &[]);
    assert!(
        ran.stdout.ends_with(&format!("\nfingerprint {own}\n")),
        "{}",
        ran.stdout
    );
}

/// A scenario with a recording and an edge list in other folders.
const WITH_FILES: &str = r#"
run = { duration = "1s" }
[topology]
shape = "edge_list"
file = "nets/net.csv"
link = { rate = "10Mbps", buffer = "20pkts" }
[[flow]]
name = "trace"
from = "router[0]"
to = "router[2]"
traffic = { kind = "recorded", file = "traces/trace.csv", smooth = "5ms" }
"#;

fn with_files() -> tempfile::TempDir {
    let folder = folder();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("files.toml", WITH_FILES);
    write("nets/net.csv", "a,b,km\n1,2,100\n2,3,50\n");
    write(
        "traces/trace.csv",
        "t_ms,size_bytes\n0,1000\n0,1000\n20,500\n",
    );
    folder
}

fn manifest(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("manifest.json")).expect("a text");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_results_folder_holds_all_that_a_second_run_needs() {
    let folder = with_files();
    let run = |file: &str, out: &str| {
        let ran = pacesim(folder.path(), &["run", file, "--out", out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        manifest(&folder.path().join(out))
    };
    let first = run("files.toml", "first");
    assert_eq!(
        names(&folder.path().join("first/files")),
        ["net.csv", "trace.csv"]
    );
    // In another place, and without the originals.
    std::fs::rename(folder.path().join("first"), folder.path().join("moved")).expect("moved");
    std::fs::remove_dir_all(folder.path().join("nets")).expect("removed");
    let again = run("moved/scenario.toml", "again");
    for key in ["fingerprint", "scenario_digest"] {
        assert_eq!(again[key], first[key], "{key}");
    }
    // One byte more or less makes another scenario.
    let copy = folder.path().join("moved/files/trace.csv");
    std::fs::write(copy, "t_ms,size_bytes\n0,1000\n0,1000\n21,500\n").expect("written");
    let changed = run("moved/scenario.toml", "changed");
    assert_ne!(changed["scenario_digest"], first["scenario_digest"]);
}

#[test]
fn what_a_killed_run_left_behind_is_named_and_not_used() {
    let folder = folder();
    let left = folder.path().join("kept.4711.pacesim-partial");
    std::fs::create_dir(&left).expect("made");
    let ran = pacesim(folder.path(), &["run", "one.toml", "--out", "kept"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let reported = "kept.4711.pacesim-partial belongs to a run that is active or was killed";
    assert!(ran.stderr.contains(reported), "{}", ran.stderr);
    assert!(ran.stderr.contains("delete it"), "{}", ran.stderr);
    assert!(left.exists());
    let other = pacesim(folder.path(), &["run", "one.toml", "--out", "other"]);
    assert!(!other.stderr.contains("partial"), "{}", other.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_leaves_nothing() {
    let (ended, left) = signalled("INT");
    assert_eq!(ended.code(), Some(130));
    assert_eq!(left, ["one.toml"]);
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_nothing_that_looks_finished() {
    let (ended, left) = signalled("KILL");
    assert_eq!(ended.code(), None);
    assert!(!left.contains(&"kept".to_owned()), "{left:?}");
}

/// Sends a signal to a long run; returns its exit status and the remaining files.
#[cfg(unix)]
fn signalled(signal: &str) -> (std::process::ExitStatus, Vec<String>) {
    let folder = folder();
    let args = [
        "run",
        "one.toml",
        "--set",
        "run.duration=100000s",
        "--out",
        "kept",
    ];
    let mut command = program(folder.path(), &args);
    let null = std::process::Stdio::null;
    let mut child = command
        .stdout(null())
        .stderr(null())
        .spawn()
        .expect("it starts");
    while names(folder.path()).len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-s", signal, &id])
        .status();
    assert!(kill.expect("kill is there").success());
    let ended = child.wait().expect("it ends");
    (ended, names(folder.path()))
}

/// Rounds are in the printed table, and a job that did not end is said not to have.
#[test]
fn the_rounds_of_a_job_are_told_and_whether_it_ended() {
    let folder = folder();
    let text = r#"
run = { duration = "1s" }
host = "none"
topology = { shape = "star", leaves = 4, link = { rate = "1Gbps", delay = "1us" } }
flow = [{ name = "answer", from = "leaf[1..4]", to = "leaf[0]", traffic = { kind = "tcp", profile = "linux", job = { kind = "incast", size = "100KB", rounds = 20 } } }]
"#;
    std::fs::write(folder.path().join("rounds.toml"), text).expect("written");
    let ran = pacesim(folder.path(), &["run", "rounds.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for part in [
        "answer: its job took ",
        "; 20 rounds, p50 ",
        ", the longest ",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("unfinished_jobs"), "{}", ran.stdout);
    let short = ["run", "rounds.toml", "--set", "run.duration=20ms"];
    let ran = pacesim(folder.path(), &short);
    let warned =
        "warning[unfinished_jobs]: the job of answer, of 60 transfers, had not ended after ";
    assert!(ran.stdout.contains(warned), "{}", ran.stdout);
    assert!(!ran.stdout.contains("its job took"), "{}", ran.stdout);
}

/// A ring over links with nobody else: the time of its steps, in the table and as JSON.
#[test]
fn the_time_of_a_job_is_told() {
    let folder = folder();
    let text = r#"
run = { duration = "1s" }
host = "none"
topology = { shape = "star", leaves = 4, link = { rate = "1Gbps", delay = "1us" } }
flow = [{ name = "reduce", from = "leaf", to = "leaf", traffic = { kind = "tcp", profile = "linux", job = { kind = "ring", size = "1MB" } } }]
"#;
    std::fs::write(folder.path().join("job.toml"), text).expect("written");
    let ran = pacesim(folder.path(), &["run", "job.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("reduce: its job took "),
        "{}",
        ran.stdout
    );
    let ran = pacesim(folder.path(), &["run", "job.toml", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let took = summary["flows"][0]["job_s"].as_f64().expect("a time");
    // 2(n - 1)/n of the data at the rate of the line, with headers and slow starts.
    assert!((0.012..0.02).contains(&took), "{took}");
}

/// Two trees of TCP flows over a long wire.
const TREES: &str = r#"title = "Two trees"

[run]
duration = "2s"
seed = 1

[topology]
shape = "access_tree"
hosts = 100
edges = 4
access = { rate = "10Mbps", delay = { uniform = ["1ms", "5ms"] } }
edge = { rate = "100Mbps", delay = "5ms" }
core = { rate = "100Mbps", delay = "50ms", buffer = "50KB" }

[[flow]]
name = "f"
from = "left"
to = "right"
traffic = { kind = "tcp" }
"#;

#[test]
fn two_threads_write_what_one_writes_and_check_tells_the_division() {
    let folder = folder();
    std::fs::write(folder.path().join("trees.toml"), TREES).expect("written");
    let run = |threads, out| {
        pacesim(
            folder.path(),
            &["run", "trees.toml", "--threads", threads, "--out", out],
        )
    };
    let (one, two) = (run("1", "one"), run("2", "two"));
    assert_eq!([one.code, two.code], [0, 0], "{}{}", one.stderr, two.stderr);
    let division = "2 threads: 2 parts of ";
    assert!(two.stderr.contains(division), "{}", two.stderr);
    assert!(!one.stderr.contains("threads"), "{}", one.stderr);
    for table in ["flows.parquet", "links.parquet"] {
        let [one, two] =
            ["one", "two"].map(|out| std::fs::read(folder.path().join(out).join(table)));
        assert_eq!(one.expect("a table"), two.expect("a table"), "{table}");
    }
    let checked = pacesim(folder.path(), &["check", "trees.toml", "--threads", "2"]);
    assert!(checked.stdout.contains(division), "{}", checked.stdout);
    let checked = pacesim(folder.path(), &["check", "one.toml", "--threads", "2"]);
    let reason = "one thread: packets are recorded in the order of time\n";
    assert!(checked.stdout.ends_with(reason), "{}", checked.stdout);
}
