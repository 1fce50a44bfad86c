//! `pacesim compare`.

use std::path::Path;

use serde_json::Value;

use crate::common::{SCENARIO, folder, pacesim};
use crate::sweep::study;

/// Results of the small scenario in a folder of this name.
fn run(folder: &Path, name: &str, args: &[&str]) {
    std::fs::write(folder.join("one.toml"), SCENARIO).expect("written");
    let ran = pacesim(
        folder,
        &[&["run", "one.toml", "-q", "--out", name], args].concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

fn json(folder: &Path, a: &str, b: &str, code: i32) -> Value {
    let ran = pacesim(folder, &["compare", a, b, "--json"]);
    assert_eq!(ran.code, code, "{} {}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one document")
}

#[test]
fn two_runs_of_one_scenario_are_the_same_in_one_line() {
    let folder = folder();
    run(folder.path(), "a", &[]);
    run(folder.path(), "b", &["--set", "title=other"]);
    let ran = pacesim(folder.path(), &["compare", "a", "b"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("are the same, run by run"),
        "{}",
        ran.stdout
    );
    let itself = pacesim(folder.path(), &["compare", "a", "a"]);
    assert_eq!(itself.code, 0);
}

#[test]
fn numbers_of_two_runs_that_differ_are_named_the_largest_first() {
    let folder = folder();
    run(folder.path(), "a", &[]);
    run(
        folder.path(),
        "b",
        &["--set", "link.core.buffer=unlimited", "--set", "output={}"],
    );
    let found = json(folder.path(), "a", "b", 1);
    assert_eq!((&found["kind"], &found["runs"]), (&"run".into(), &1.into()));
    assert_eq!(found["other_fingerprints"], 1);
    let keys = found["keys"].as_array().expect("a list");
    assert_eq!(keys.len(), 1, "the output affects no number: {keys:?}");
    assert_eq!(keys[0]["key"], "link.core.buffer");
    assert_eq!(keys[0]["b"], "\"unlimited\"");
    let differences = found["differences"].as_array().expect("a list");
    let of = |metric: &str| {
        let is_it = |d: &&Value| d["of"] == "link" && d["metric"] == metric;
        differences.iter().find(is_it).expect("it differs")
    };
    let loss = of("loss_ratio");
    assert!(loss["a"].as_f64() > Some(0.0), "{loss}");
    assert_eq!(
        (&loss["b"], &loss["low"]),
        (&0.0.into(), &Value::Null),
        "of one run there is no interval"
    );
    let ratio = |d: &Value| {
        let number = |key: &str| d[key].as_f64().expect("a number");
        number("difference").abs() / number("a").abs().max(number("b").abs())
    };
    let ratios: Vec<f64> = differences.iter().map(ratio).collect();
    assert!(ratios.is_sorted_by(|a, b| a >= b), "{ratios:?}");
    assert!(ratios[0] == 1.0 && ratios.last() < Some(&1.0));
    let ran = pacesim(folder.path(), &["compare", "a", "b"]);
    assert_eq!(ran.code, 1);
    for told in [
        "link.core.loss_ratio",
        "numbers differ",
        "too few runs for an interval",
        "other keys: link.core.buffer = ",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
}

#[test]
fn numbers_that_only_one_run_has_come_last() {
    let folder = folder();
    run(folder.path(), "a", &[]);
    let idle = ["--set", "flow.poisson.traffic.rate=100bps"];
    run(folder.path(), "b", &idle);
    let found = json(folder.path(), "a", "b", 1);
    let differences = found["differences"].as_array().expect("a list");
    let is_of_one = |d: &Value| d["difference"].is_null();
    let of_one: Vec<bool> = differences.iter().map(is_of_one).collect();
    assert!(of_one.is_sorted(), "{of_one:?}");
    assert!(
        of_one.contains(&false) && of_one.contains(&true),
        "{of_one:?}"
    );
}

#[test]
fn replications_of_one_seed_are_paired_and_of_two_seeds_not() {
    let folder = folder();
    let bigger = ["--set", "link.core.buffer=20pkts"];
    let three = ["--replications", "3"];
    run(folder.path(), "a", &three);
    run(folder.path(), "bigger", &[&three[..], &bigger].concat());
    run(
        folder.path(),
        "seed",
        &[&three[..], &["--seed", "9"]].concat(),
    );
    run(folder.path(), "five", &["--replications", "5"]);
    let goodput = |found: &Value| {
        let all = found["differences"].as_array().expect("a list").clone();
        let is_it = |d: &Value| d["of"] == "flows" && d["metric"] == "goodput_bps";
        all.into_iter().find(is_it).expect("it differs")
    };
    let width =
        |d: &Value| d["high"].as_f64().expect("an end") - d["low"].as_f64().expect("an end");
    let paired = json(folder.path(), "a", "bigger", 1);
    assert_eq!(paired["runs"], 3);
    let paired = goodput(&paired);
    assert_eq!(
        (&paired["pairing"], &paired["n_a"]),
        (&"paired".into(), &3.into())
    );
    assert!(paired["low"].as_f64() > Some(0.0), "clearly more: {paired}");
    let other = json(folder.path(), "a", "seed", 1);
    assert_eq!(
        (&other["runs"], &other["only_in_a"]["runs"]),
        (&0.into(), &3.into())
    );
    let other = goodput(&other);
    assert_eq!(other["pairing"], "not_paired");
    assert!(
        width(&other) > width(&paired),
        "common random numbers: {other} {paired}"
    );
    let ran = pacesim(folder.path(), &["compare", "a", "seed"]);
    assert!(ran.stdout.contains("not paired"), "{}", ran.stdout);
    // The three common ones are equal; the two additional ones are reported.
    let more = json(folder.path(), "a", "five", 1);
    assert_eq!(more["differences"], Value::Array(Vec::new()));
    assert_eq!(more["only_in_b"]["runs"], 2);
}

#[test]
fn points_of_studies_are_matched_by_the_values_of_their_axes() {
    let folder = study();
    let sweep = |out: &str, sets: &[&str]| {
        let args = [&["sweep", "study.toml", "-q", "--out", out], sets].concat();
        let ran = pacesim(folder.path(), &args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    sweep("a", &[]);
    let values = "sweep.axis.buffer.values=[\"20pkts\",\"40pkts\",\"1pkt\"]";
    sweep("b", &["--set", values, "--set", "flow.poisson.count=2"]);
    let found = json(folder.path(), "a", "b", 1);
    assert_eq!(
        (&found["kind"], &found["points"], &found["runs"]),
        (&"study".into(), &4.into(), &12.into())
    );
    assert_eq!(
        found["differences"],
        Value::Array(Vec::new()),
        "other numbers of points, same scenarios"
    );
    assert_eq!(
        found["only_in_a"]["points"],
        Value::from(vec![
            "buffer = 5pkts, load = high",
            "buffer = 5pkts, load = low"
        ])
    );
    assert_eq!(
        found["only_in_b"]["points"],
        Value::from(vec![
            "buffer = 40pkts, load = high",
            "buffer = 40pkts, load = low"
        ])
    );
    sweep("c", &["--set", "link.core.delay=20ms"]);
    let found = json(folder.path(), "a", "c", 1);
    let delay = &found["differences"][0];
    assert_eq!(delay["metric"], "delay_p50_s", "{delay}");
    assert!(delay["low"].as_f64() > Some(0.0149), "{delay}");
    let point = delay["point"].as_str().expect("a text");
    assert!(point.starts_with("buffer = "), "{point}");
}

#[test]
fn files_of_fingerprints_are_compared_scenario_by_scenario() {
    let folder = folder();
    let write = |name: &str, rows: &str| {
        let text = format!("scenario,short_duration,short,full\n{rows}");
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("old.csv", "a.toml,1s,aa,bb\nb.toml,1s,cc,dd\n");
    write("new.csv", "a.toml,1s,aa,b0\nc.toml,1s,cc,dd\n");
    let found = json(folder.path(), "old.csv", "new.csv", 1);
    assert_eq!(found["texts"][0]["scenario"], "a.toml");
    assert_eq!(found["only_in_b"]["points"][0], "c.toml");
    let ran = pacesim(folder.path(), &["compare", "old.csv", "old.csv"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("all 6 fingerprints are the same"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_cannot_be_compared_is_refused_with_the_reason() {
    let folder = folder();
    run(folder.path(), "one", &[]);
    run(folder.path(), "two", &["--replications", "2"]);
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    let manifest = folder.path().join("one/manifest.json");
    let refused = |a: &str, b: &str, told: &str| {
        let ran = pacesim(folder.path(), &["compare", a, b]);
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
        assert!(ran.stdout.is_empty());
    };
    refused("one", "two", "compare two of one kind");
    refused("one", "empty", "empty cannot be compared");
    refused("one.toml", "one.toml", "one.toml cannot be compared");
    refused("one", "absent", "absent");
    let older = std::fs::read_to_string(&manifest).expect("read");
    let older = older.replace("\"schema_version\": 5", "\"schema_version\": 3");
    std::fs::write(&manifest, older).expect("written");
    refused("one", "two", "schema version 3");
}

#[test]
fn a_study_that_lacks_runs_and_one_of_other_tables_are_refused() {
    let folder = study();
    let sweep = |args: &[&str]| {
        let ran = pacesim(
            folder.path(),
            &[&["sweep", "study.toml", "-q"], args].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    sweep(&["--out", "whole"]);
    sweep(&["--out", "part"]);
    let change = |sql: &str| {
        let store = folder.path().join("part/store.sqlite");
        let store = rusqlite::Connection::open(store).expect("opened");
        store.execute_batch(sql).expect("changed");
    };
    let refused = |told: &str| {
        let ran = pacesim(folder.path(), &["compare", "whole", "part"]);
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    };
    change("DELETE FROM runs WHERE replication = 1");
    refused(
        "part/store.sqlite is damaged: 6 runs that are gone; numbers of runs that are not there",
    );
    sweep(&["--out", "part"]);
    let ran = pacesim(folder.path(), &["compare", "whole", "part"]);
    assert_eq!(ran.code, 0, "what was gone is made again: {}", ran.stderr);
    change("PRAGMA user_version = 2");
    refused("tables of version 2");
}
