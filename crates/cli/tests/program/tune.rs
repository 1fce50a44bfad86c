//! `pacesim tune`.

use std::path::Path;

use serde_json::Value;

use crate::common::{folder, pacesim};

const SEARCH: &str = r#"
name = "room"
run = { duration = "20s", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "800Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "640Mbps", size = { exponential = "100KB" } } }]
[sweep]
replications = 3
axis = [{ name = "room", key = "link.core.buffer", linear = { from = "1pkt", to = "40pkts", count = 40 } }]
[tune]
search = ["room"]
least = "room"
bound = [{ y = "link.core.loss_ratio", at_most = 0.02 }]
"#;

fn search(folder: &Path) {
    std::fs::write(folder.join("room.toml"), SEARCH).expect("written");
}

#[test]
fn a_search_prints_its_answer_and_keeps_it() {
    let folder = folder();
    search(folder.path());
    let ran = pacesim(folder.path(), &["tune", "room.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for told in [
        "least room",
        "link.core.loss_ratio at most 0.02",
        "pkts",
        "points",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert!(ran.stderr.contains("results/room"), "{}", ran.stderr);
    assert!(folder.path().join("results/room/tuned.parquet").exists());
    let again = pacesim(folder.path(), &["tune", "room.toml", "--json"]);
    let answer: Value = serde_json::from_str(&again.stdout).expect("one document");
    assert_eq!(
        (&answer["made"], &answer["goal"]),
        (&0.into(), &"room".into())
    );
    let found = &answer["cases"][0]["found"][0];
    assert!(ran.stdout.contains(found["text"].as_str().expect("a text")));
}

#[test]
fn a_search_without_an_answer_ends_with_1_and_says_where_it_looked() {
    let folder = folder();
    search(folder.path());
    let at_least = "tune.bound=[{ y = \"link.core.utilisation\", at_least = 0.9 }]";
    let ran = pacesim(folder.path(), &["tune", "room.toml", "--set", at_least]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for told in [
        "not shown to hold at any value that was tried",
        "tried: 1pkt (",
        "40pkts (",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
}

#[test]
fn runs_that_were_stopped_are_named_and_made_again_on_request() {
    let folder = folder();
    search(folder.path());
    let long = ["tune", "room.toml", "--set", "run.duration=200s"];
    let tune = |more: &[&str]| pacesim(folder.path(), &[&long[..], more].concat());
    let stopped = tune(&["--run-time", "1us"]);
    assert_eq!(stopped.code, 1, "{}", stopped.stderr);
    assert!(
        stopped.stdout.contains("runs stopped on this machine"),
        "{}",
        stopped.stdout
    );
    assert!(stopped.stdout.contains("--run-time"), "{}", stopped.stdout);
    // No run is repeated unless requested.
    let again = tune(&[]);
    assert_eq!((again.code, again.stdout), (1, stopped.stdout));
    let retried = tune(&["--retry"]);
    assert_eq!(retried.code, 0, "{}{}", retried.stdout, retried.stderr);
    assert!(!retried.stdout.contains("stopped"), "{}", retried.stdout);
}

#[test]
fn a_bound_that_holds_at_the_wanted_end_only_is_found_there() {
    let folder = folder();
    search(folder.path());
    // A small buffer loses many packets; the goal lies at the first value.
    let bound = "tune.bound=[{ y = \"link.core.loss_ratio\", at_least = 0.1 }]";
    let least = |first: &str, count: &str| {
        let from = format!("sweep.axis[0].linear.from={first}");
        let count = format!("sweep.axis[0].linear.count={count}");
        let set = [
            "--set", bound, "--set", &from, "--set", &count, "--out", first,
        ];
        let ran = pacesim(folder.path(), &[&["tune", "room.toml"][..], &set].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let border = "is at the border of the values of room";
    let two = least("2pkts", "39");
    assert!(two.contains(&format!("2pkts {border}")), "{two}");
    // There is nothing beyond one packet.
    let one = least("1pkt", "40");
    assert!(!one.contains(border), "{one}");
}

#[test]
fn warnings_of_runs_are_told_with_the_answer() {
    let folder = folder();
    search(folder.path());
    let tune = |warmup: &str, json: bool| {
        let mut all = vec!["tune", "room.toml", "--out", warmup];
        let warmup = format!("run.warmup={warmup}");
        let tcp = "flow.f.traffic={ kind = \"tcp\" }";
        for set in [
            &warmup,
            tcp,
            "link.core.rate=10Mbps",
            "link.core.delay=10ms",
            "accept=[{ warning = \"small_windows\", because = \"the window is the default\" }]",
        ] {
            all.extend(["--set", set]);
        }
        all.extend(json.then_some("--json"));
        pacesim(folder.path(), &all)
    };
    let sound = tune("1s", false);
    assert!(!sound.stdout.contains('!'), "{}", sound.stdout);
    let whole = tune("0s", false);
    let (row, told) = ("pkts !  ", "(run.run.no_warmup): point ");
    assert!(whole.stdout.contains(row), "{}", whole.stdout);
    assert!(whole.stdout.contains(told), "{}", whole.stdout);
    let json = tune("0s", true);
    let answer: Value = serde_json::from_str(&json.stdout).expect("one document");
    let warned = &answer["warnings"][0];
    assert_eq!(warned["warning"], "no_warmup");
    let found = &answer["cases"][0]["point"];
    let points = warned["points"].as_array().expect("a list");
    assert!(points.iter().any(|point| point["point"] == *found));
}

#[test]
fn sweep_and_tune_name_each_other() {
    let folder = folder();
    search(folder.path());
    let ran = pacesim(folder.path(), &["sweep", "room.toml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("room.toml:10") && ran.stderr.contains("pacesim tune"),
        "{}",
        ran.stderr
    );
    let (without, _) = SEARCH.split_once("[tune]").expect("it searches");
    std::fs::write(folder.path().join("plain.toml"), without).expect("written");
    let ran = pacesim(folder.path(), &["tune", "plain.toml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("[tune]") && ran.stderr.contains("pacesim sweep"),
        "{}",
        ran.stderr
    );
    assert!(!folder.path().join("results").exists());
}

#[test]
fn a_point_of_a_search_can_be_run_again() {
    let folder = folder();
    search(folder.path());
    let ran = pacesim(
        folder.path(),
        &["run", "room.toml", "--point", "7", "--json"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let checked = pacesim(folder.path(), &["check", "room.toml"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(
        checked.stdout.contains("a search among 40 points"),
        "{}",
        checked.stdout
    );
}
