//! `pacesim phases`.

use crate::common::{folder, pacesim};
use serde_json::Value;

/// Flows of 20 and of 80 ms, both 0.8 ms modulo a packet's time, on ideal hosts: the near one has
/// 0.45 of the line, and up to 0.83 where round trips are a part of a packet's time longer.
const COINCIDING: &str = r#"
host = "none"
run = { duration = "20s", warmup = "5s" }
node = [{ name = "s", count = 2 }, { name = "L" }, { name = "R" }, { name = "d", count = 2 }]
link = [
    { name = "near", from = "s[0]", to = "L", rate = "100Gbps", delay = "9ms" },
    { name = "far", from = "s[1]", to = "L", rate = "100Gbps", delay = "39ms" },
    { name = "core", from = "L", to = "R", rate = "10Mbps", delay = "1ms", buffer = "33pkts" },
    { name = "exit", from = "R", to = "d", rate = "100Gbps", delay = "0s" },
]
flow = [
    { name = "near", from = "s[0]", to = "d[0]", start = { uniform = ["0s", "0.2s"] }, traffic = { kind = "tcp", profile = "linux" } },
    { name = "far", from = "s[1]", to = "d[1]", start = { uniform = ["0s", "0.2s"] }, traffic = { kind = "tcp", profile = "linux" } },
]
"#;

/// Arrivals at random, with losses and no phase.
const POISSON: &str = r#"
run = { duration = "20s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "1ms", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "9Mbps", size = "1KB" } }]
"#;

fn asked(text: &str, args: &[&str]) -> Value {
    let folder = folder();
    std::fs::write(folder.path().join("asked.toml"), text).expect("written");
    let args = [&["phases", "asked.toml", "--json"], args].concat();
    let ran = pacesim(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// The names of the numbers that hang on a phase.
fn hanging(answer: &Value) -> Vec<String> {
    let numbers = answer["numbers"].as_array().expect("numbers");
    let hanging = numbers.iter().filter(|number| number["hangs"] == true);
    let name = |number: &Value| format!("{}.{}", number["entity"], number["metric"]);
    hanging.map(name).collect()
}

#[test]
fn a_share_that_hangs_on_a_phase_is_told_with_its_range() {
    let answer = asked(COINCIDING, &["--runs", "30", "--jobs", "2"]);
    assert_eq!(answer["runs"], 30);
    assert_eq!(answer["moved_by_s"], 0.0006, "half a packet at 10 Mbps");
    let name = "\"near\".\"goodput_bps\"".to_owned();
    assert!(hanging(&answer).contains(&name), "{answer}");
    // The number of jobs changes the time alone.
    assert_eq!(asked(COINCIDING, &["--runs", "30", "--jobs", "1"]), answer);
}

#[test]
fn numbers_of_random_arrivals_hang_on_none() {
    for seed in ["1", "2", "3"] {
        let answer = asked(POISSON, &["--seed", seed]);
        assert_eq!(hanging(&answer), [""; 0], "{answer}");
        let numbers = answer["numbers"].as_array().map(Vec::len);
        assert!(numbers >= Some(5), "{answer}");
    }
}

#[test]
fn a_table_says_which_and_a_wrong_file_is_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("asked.toml"), COINCIDING).expect("written");
    let ran = pacesim(
        folder.path(),
        &["phases", "asked.toml", "-q", "--runs", "30"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("flows.near.goodput_bps!"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("hang on a phase"), "{}", ran.stdout);
    let wrong = pacesim(
        folder.path(),
        &["phases", "asked.toml", "--set", "run.duration=1"],
    );
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let few = pacesim(folder.path(), &["phases", "asked.toml", "--runs", "2"]);
    assert_eq!(few.code, 2, "{}", few.stderr);
}

#[test]
fn a_warm_up_that_only_a_pilot_finds_is_said_to_be_missing() {
    let folder = folder();
    let text = format!("{POISSON}[sweep]\nfind_warmup = [\"link.core.queue_mean_pkts\"]\n");
    std::fs::write(folder.path().join("asked.toml"), text).expect("written");
    let ran = pacesim(folder.path(), &["phases", "asked.toml", "--point", "0"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("not one that a pilot finds"),
        "{}",
        ran.stderr
    );
}
