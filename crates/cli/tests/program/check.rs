//! `pacesim check`, and `run` with an invalid scenario.

use crate::common::{SCENARIO, folder, names, pacesim};
use serde_json::Value;

/// Twelve mistakes, each of another kind.
const WRONG: &str = r#"title = 5

[run]
duration = 60
warmup = "10m"
seed = -1
routng = "hops"

[[node]]
name = "a"
count = 0

[[node]]
name = "b"

[[link]]
name = "core"
from = "a"
to = "c"
rate = "10mbps"
buffer = "40"
buffer_counts = "waitin"

[[flow]]
name = "poisson"
from = "a"
traffic = { kind = "poison", rate = "4.5Mbps", size = "1KB" }
"#;

#[test]
fn all_mistakes_are_told_at_once_and_nothing_is_written() {
    let folder = folder();
    std::fs::write(folder.path().join("wrong.toml"), WRONG).expect("written");
    let ran = pacesim(folder.path(), &["run", "wrong.toml", "--out", "kept"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(names(folder.path()), ["one.toml", "wrong.toml"]);
    let expected = [
        "wrong.toml:1:9",
        "wrong.toml:4:12",
        "wrong.toml:5:10",
        "wrong.toml:6:8",
        "wrong.toml:7:1",
        "wrong.toml:11:9",
        "wrong.toml:19:6",
        "wrong.toml:20:8",
        "wrong.toml:21:10",
        "wrong.toml:22:17",
        "wrong.toml:24:1",
        "wrong.toml:27:20",
    ];
    for place in expected {
        assert!(ran.stderr.contains(place), "{place} in\n{}", ran.stderr);
    }
    for help in [
        "\"routing\"",
        "\"waiting\"",
        "\"poisson\"",
        "\"Mbps\"",
        "rate = \"10mbps\"",
    ] {
        assert!(ran.stderr.contains(help), "{help} in\n{}", ran.stderr);
    }
    assert!(ran.stderr.ends_with("12 problems\n"), "{}", ran.stderr);
}

#[test]
fn json_lists_the_problems() {
    let folder = folder();
    std::fs::write(folder.path().join("wrong.toml"), WRONG).expect("written");
    let ran = pacesim(folder.path(), &["check", "wrong.toml", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let problems = document["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 12);
    let unknown = problems
        .iter()
        .find(|p| p["path"] == "run.routng")
        .expect("it is reported");
    assert_eq!(
        (&unknown["line"], &unknown["column"]),
        (&7.into(), &1.into())
    );
    assert_eq!(unknown["file"], "wrong.toml");
    for problem in problems {
        assert!(problem["message"].is_string() && problem.get("help").is_some());
    }
    let right = pacesim(folder.path(), &["check", "one.toml", "--json"]);
    let document: Value = serde_json::from_str(&right.stdout).expect("JSON");
    assert_eq!(
        (right.code, &document["problems"]),
        (0, &Value::Array(vec![]))
    );
}

#[test]
fn a_right_scenario_is_said_to_be_right() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["check", "one.toml", "--set", "run.seed=7"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let facts = "One queue: no problems; 2 nodes, 2 links, 2 flows, 2s to simulate\n\
                 memory: about 11 MB for a run, and 100 B more for each packet on its way\n";
    assert_eq!(ran.stdout, facts);
}

/// The chain is long enough for the program's own memory to be negligible.
#[test]
fn memory_is_estimated_to_a_factor_of_two() {
    let folder = folder();
    let chain = "run = { duration = \"1s\" }\n\
                 topology = { shape = \"tandem\", hops = 40000, link = { rate = \"1Gbps\" } }\n\
                 flow = [{ name = \"f\", from = \"node[0]\", to = \"node[9]\", \
                 traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" } }]\n";
    std::fs::write(folder.path().join("chain.toml"), chain).expect("written");
    let number = |arguments: &[&str], key: &str| {
        let ran = pacesim(folder.path(), arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        document[key].as_f64().expect("a number")
    };
    let estimate = number(&["check", "chain.toml", "--json"], "memory_bytes");
    let taken = number(&["run", "chain.toml", "--json"], "peak_rss_bytes");
    assert!(
        taken / estimate < 2.0 && estimate / taken < 2.0,
        "{taken} for {estimate}"
    );
}

#[test]
fn what_repair_packets_protect_is_said() {
    let folder = folder();
    let new = ["new", "nsfnet_fec", "-o", "core.toml"];
    assert_eq!(pacesim(folder.path(), &new).code, 0);
    let keys = ["check", "core.toml", "--set", "fec[0].acks=together"];
    let ran = pacesim(folder.path(), &keys);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let said =
        "pairs of edges protect the data of 3480 of 3480 flows and the acknowledgements of 3480";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let bare = ["check", "core.toml", "--set", "fec[0].ingress=edge[0..70]"];
    let ran = pacesim(folder.path(), &bare);
    assert!(ran.stderr.contains("is not protected"), "{}", ran.stderr);
}

/// 12 Mbps into a line of 10 Mbps with an unlimited buffer, and a flow that starts at the end of
/// the run.
const DUBIOUS: &[&str] = &[
    "--set",
    "flow.poisson.traffic.rate=6Mbps",
    "--set",
    "link.core.buffer=unlimited",
    "--set",
    "flow.poisson.start=2s",
];

#[test]
fn warnings_are_told_and_hinder_nothing() {
    let folder = folder();
    let ran = pacesim(
        folder.path(),
        &[&["check", "one.toml"], &DUBIOUS[..4]].concat(),
    );
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("no problems, 1 warning;"),
        "{}",
        ran.stdout
    );
    for part in [
        "warning[growing_queue]: link[0].buffer: the queue of core grows without end",
        "send 12Mbps over its 10Mbps",
        "help: give a finite buffer",
    ] {
        assert!(ran.stderr.contains(part), "{part} in\n{}", ran.stderr);
    }
    let ran = pacesim(folder.path(), &[&["run", "one.toml"], DUBIOUS].concat());
    assert_eq!(ran.code, 0);
    let never = "warning[never_starts]: flow[0].start: nothing is ever sent: it starts at 2s, the run ends at 2s";
    assert!(ran.stderr.contains(never), "{}", ran.stderr);
    let quiet = pacesim(
        folder.path(),
        &[&["run", "one.toml", "--quiet"], DUBIOUS].concat(),
    );
    assert_eq!(quiet.stderr, "");
}

#[test]
fn json_lists_the_warnings_beside_the_problems() {
    let folder = folder();
    let args = [&["check", "one.toml", "--json"], DUBIOUS].concat();
    let ran = pacesim(folder.path(), &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["problems"], Value::Array(vec![]));
    let warnings = document["warnings"].as_array().expect("a list");
    // A flow that never starts overloads nothing.
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert_eq!(warnings[0]["path"], "flow[0].start");
    assert_eq!(warnings[0]["file"], "--set flow.poisson.start=2s");
}

#[test]
fn one_of_a_kind_is_counted_in_the_singular() {
    let folder = folder();
    let args = ["check", "one.toml", "--set", "flow.poisson.count=1"];
    let ran = pacesim(folder.path(), &args);
    assert!(ran.stdout.contains("2 links, 1 flow, 2s"), "{}", ran.stdout);
}

#[test]
fn messages_have_no_empty_bars_and_name_a_key_once() {
    let folder = folder();
    let missing = pacesim(folder.path(), &["check", "missing.toml"]);
    let lines: Vec<&str> = missing.stderr.lines().collect();
    assert!(
        lines[0].starts_with("error: missing.toml: there is no such file"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("help: give the path"),
        "{}",
        missing.stderr
    );
    std::fs::write(folder.path().join("few.toml"), "[run]\nsed = 1\n").expect("written");
    let few = pacesim(folder.path(), &["check", "few.toml"]).stderr;
    assert!(
        few.contains("error: run.duration: this key is missing\n"),
        "{few}"
    );
    assert!(few.contains("error: run.sed: unknown key\n"), "{few}");
}

#[test]
fn what_is_no_scenario_ends_in_the_same_way() {
    let folder = folder();
    let file = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    };
    file("empty.toml", b"");
    file("binary.toml", b"\x7fELF\x02\x01\x01\x00\xff\xfe");
    file("cut.toml", &SCENARIO.as_bytes()[..SCENARIO.len() / 2]);
    file("latin1.toml", b"title = \"Z\xfcrich\"\n");
    file("enormous.toml", &vec![b'#'; (16 << 20) + 1]);
    file(
        "long.toml",
        format!("title = \"{}\"\nrun = 1\n", "x".repeat(1 << 20)).as_bytes(),
    );
    let names = [
        "empty.toml",
        "binary.toml",
        "cut.toml",
        "latin1.toml",
        "enormous.toml",
        "long.toml",
        "missing.toml",
        ".",
    ];
    for name in names {
        let ran = pacesim(folder.path(), &["run", name, "--out", "kept"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{name}: {}",
            ran.stderr
        );
        assert!(ran.stderr.starts_with("error: "), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(name), "{name}: {}", ran.stderr);
        assert!(
            ran.stderr.len() < 10_000,
            "{name}: {} bytes",
            ran.stderr.len()
        );
        assert!(!folder.path().join("kept").exists());
    }
}

/// A regression: the program used to read an endless device up to a gigabyte, and wait for a pipe.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["check", "/dev/zero"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("a pipe or a device, not a regular file"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("- to read standard input"),
        "{}",
        ran.stderr
    );
    let recorded = "flow.poisson.traffic={ kind = \"recorded\", file = \"/dev/zero\" }";
    let list =
        "topology={ shape = \"edge_list\", file = \"/dev/zero\", link = { rate = \"1Mbps\" } }";
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("z.parquet")).expect("linked");
    let parquet = "flow.poisson.traffic={ kind = \"recorded\", file = \"z.parquet\" }";
    for set in [recorded, list, parquet] {
        let ran = pacesim(folder.path(), &["check", "one.toml", "--set", set]);
        assert_eq!(ran.code, 2, "{set}");
        assert!(
            ran.stderr.contains("not a regular file"),
            "{set}: {}",
            ran.stderr
        );
    }
}

#[test]
fn round_trips_of_links_alone_are_listed() {
    let folder = folder();
    let text = r#"
run = { duration = "1s" }
[topology]
shape = "dumbbell"
pairs = 2
access = { rate = "100Mbps", delay = "1ms" }
bottleneck = { rate = "10Mbps", delay = "20ms", buffer = "20pkts" }
[[flow]]
name = "f"
from = "left"
to = "right"
traffic = { kind = "tcp", profile = "linux" }
[[flow]]
name = "udp"
from = "left[0]"
to = "right[0]"
traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }
"#;
    std::fs::write(folder.path().join("trips.toml"), text).expect("written");
    let checked = pacesim(folder.path(), &["check", "trips.toml"]);
    // Both sides have the access delay, which counts four times.
    let told = "round trip of f, links alone: 44.0 ms\n";
    assert!(checked.stdout.contains(told), "{}", checked.stdout);
    assert!(!checked.stdout.contains("of udp"), "{}", checked.stdout);
    let set = "topology.access.delay={ uniform = [\"1ms\", \"6ms\"] }";
    let drawn = pacesim(
        folder.path(),
        &["check", "trips.toml", "--json", "--set", set],
    );
    let document: Value = serde_json::from_str(&drawn.stdout).expect("JSON");
    let trips = &document["round_trips"][0];
    let [least, mean, greatest] =
        ["least_s", "mean_s", "greatest_s"].map(|key| trips[key].as_f64());
    assert!(
        least < mean && mean < greatest && least > Some(0.044),
        "{trips}"
    );
    assert_eq!(trips["group"], "f");
}

#[test]
fn what_is_drawn_is_listed() {
    let folder = folder();
    let size = "flow.poisson.traffic.size={ uniform = [\"40B\", \"1500B\"] }";
    let rate = "flow.poisson.traffic.rate={ exponential = \"1Mbps\" }";
    let args = ["check", "one.toml", "--set", size, "--set", rate];
    let ran = pacesim(folder.path(), &args);
    let lines: Vec<&str> = ran.stdout.lines().skip(2).collect();
    let expected = [
        "drawn once for each flow: flow[0].traffic.rate",
        "drawn for each packet: flow[0].traffic.size",
    ];
    assert_eq!(lines, expected);
    let ran = pacesim(folder.path(), &[&args[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["draws"][1]["path"], "flow[0].traffic.size");
    assert_eq!(document["draws"][1]["drawn"], "for each packet");
}

#[test]
fn recordings_that_no_sweep_keeps_and_a_keep_without_any_are_warned_of() {
    let folder = crate::common::folder();
    let check = |output: &str, keep: &str| {
        let (scenario, _) = SCENARIO.split_once("[output]").expect("it records");
        let axis = "[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"1pkt\", \"5pkts\"]";
        let text = format!("{scenario}\n{output}\n[sweep]\n{keep}\n{axis}\n");
        std::fs::write(folder.path().join("study.toml"), text).expect("written");
        let ran = pacesim(folder.path(), &["check", "study.toml"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr
    };
    let (output, keep) = ("[output]\npackets = {}", "keep = [{ buffer = \"5pkts\" }]");
    assert!(
        check(output, "").contains("a sweep does not keep these recordings"),
        "{}",
        check(output, "")
    );
    assert!(
        check("", keep).contains("records nothing that could be kept"),
        "{}",
        check("", keep)
    );
    assert_eq!(check(output, keep), "");
    assert_eq!(check("", ""), "");
}

/// A queue with a claim about a link that does not exist.
const WRONG_CLAIM: &str = r#"
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "8Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
run = { duration = "1s" }
expect = [{ claim = "no loss", y = "link.cor.loss_ratio", at_most = 0.001 }]
"#;

#[test]
fn a_study_without_axes_is_judged_as_sweep_judges_it() {
    let folder = folder();
    std::fs::write(folder.path().join("one.toml"), WRONG_CLAIM).expect("written");
    for command in ["check", "sweep"] {
        let ran = pacesim(folder.path(), &[command, "one.toml"]);
        assert_eq!(ran.code, 2, "{command}: {}", ran.stdout);
        assert!(ran.stderr.contains("link.cor"), "{command}: {}", ran.stderr);
    }
}
