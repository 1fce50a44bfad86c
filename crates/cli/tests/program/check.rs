//! `pacesim check`, and what `run` does with a wrong scenario.

use crate::common::{SCENARIO, folder, names, pacesim};
use serde_json::Value;

/// Twelve mistakes of as many kinds.
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
        .expect("it is told");
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
    let facts = "One queue: no problems; 2 nodes, 2 links, 2 flows, 2s to simulate\n";
    assert_eq!(ran.stdout, facts);
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
