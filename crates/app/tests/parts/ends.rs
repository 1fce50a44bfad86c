//! Transports of a program's own in scenario files: the data of TCP, their own keys, and what is
//! refused.

use std::path::Path;

use crate::{Ran, new_part, program_of, run};

/// Runs a command on a scenario with this traffic and these further entries.
fn of_traffic(command: &[&str], traffic: &str, more: &str) -> Ran {
    let folder = new_part("end");
    let of = folder.path().join("own_end");
    let text = format!(
        r#"
run = {{ duration = "4s" }}
topology = {{ shape = "tandem", hops = 3, link = {{ rate = "10Mbps", delay = "2ms", buffer = "20pkts" }} }}
flow = [{{ name = "own", from = "node[0]", to = "node[3]", ecn = "ect0", traffic = {{ kind = "own_end", ecn = true{traffic} }} }}]
{more}
"#
    );
    std::fs::write(of.join("own.toml"), text).expect("written");
    run(program_of("end"), Path::new(&of), command)
}

/// The summary of a run with this traffic.
fn summary(traffic: &str) -> serde_json::Value {
    let ran = of_traffic(&["run", "own.toml", "--json", "--quiet"], traffic, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one document")
}

#[test]
fn transfers_are_counted_as_for_tcp() {
    for connection in ["same", "new"] {
        let transfers = format!(
            ", transfers = {{ size = \"30KB\", pause = \"100ms\", count = 8, connection = \"{connection}\" }}"
        );
        let group = &summary(&transfers)["flows"][0];
        assert_eq!(group["transfers"]["finished"], 8, "{group}");
        assert_eq!(group["transfers"]["unfinished"], 0, "{group}");
        let mean = group["transfers"]["completion_mean_s"].as_f64();
        assert!(mean.is_some_and(|mean| mean > 0.01), "{group}");
    }
}

#[test]
fn goodput_counts_what_was_delivered_and_ends_have_numbers() {
    let group = &summary(", transfer = \"100KB\"")["flows"][0];
    let goodput = group["goodput_bps"].as_f64().expect("a number");
    let active_s = group["active_s"].as_f64().expect("a number");
    let bytes = goodput * active_s / 8.0;
    assert!((bytes - 100e3).abs() < 1.0, "{bytes}");
    assert!(group["end"]["rate_bps"].as_f64() > Some(1e5), "{group}");
}

#[test]
fn tables_have_its_numbers_under_their_names() {
    let ran = of_traffic(&["run", "own.toml", "--quiet"], "", "");
    let line = ran.stdout.lines().find(|line| line.contains("end_rate"));
    let line = line.unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr));
    assert!(line.contains("flows.own.end_rate_bps"), "{line}");
    assert!(line.ends_with(" Mbps"), "{line}");
    let replications = ["run", "own.toml", "--quiet", "--replications", "2"];
    let ran = of_traffic(&replications, "", "");
    assert!(
        ran.stdout.contains("flows.own.end_rate_bps"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

/// Runs the template's end with recordings into a folder, then a command on this folder.
fn of_recording(command: &[&str], output: &str) -> Ran {
    let folder = new_part("end");
    let of = folder.path().join("own_end");
    let set = format!("output={{ {output} }}");
    let args = [
        "run",
        "scenario.toml",
        "--set",
        "run.duration=6s",
        "--set",
        &set,
        "--out",
        "ran",
    ];
    let ran = run(program_of("end"), &of, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    run(program_of("end"), &of, command)
}

#[test]
fn explanations_know_that_it_is_no_tcp() {
    let why = ["explain", "ran", "--why-slow", "own[0]"];
    let ran = of_recording(&why, "packets = {}");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("most of the measured time by the sender's own pacing"),
        "{}",
        ran.stdout
    );
    let packet = ["explain", "ran", "--flow", "own[0]", "--packet", "100"];
    let ran = of_recording(&packet, "packets = {}");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "Only the transport own_end knows which packet an answer is about";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    assert!(!ran.stdout.contains("tcp = {}"), "{}", ran.stdout);
}

#[test]
fn its_packets_and_numbers_are_exported_as_qlog() {
    let export = ["export", "ran", "--to", "qlog", "--flow", "own[0]", "-o"];
    let export = |file| [&export[..], &[file]].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.sqlog");
    let ran = of_recording(
        &export(file.to_str().expect("text")),
        "packets = {}, ends = {}",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = std::fs::read_to_string(&file).expect("a file");
    let records = text.split('\u{1e}').skip(2);
    let records: Vec<serde_json::Value> = records
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let times = records
        .iter()
        .map(|record| record["time"].as_f64().expect("a time"));
    assert!(times.is_sorted(), "the order of time");
    let mut rates = records
        .iter()
        .filter(|record| !record["pacesim_rate_bps"].is_null());
    let first = rates.next().expect("the first rate");
    assert_eq!(first["data"]["pacing_rate"], 1_000_000, "{first}");
    assert_eq!(first["pacesim_rate_bps"], 1e6, "{first}");
    assert!(rates.count() > 100, "the rate changes with each report");
    let lost = |record: &&serde_json::Value| record["name"] == "quic:packet_lost";
    assert!(records.iter().filter(lost).count() > 0);
    let ran = of_recording(&export("own.sqlog"), "packets = {}, tcp = {}");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("add `ends = {}` to [output]"),
        "{}",
        ran.stderr
    );
}

#[test]
fn explanations_have_its_numbers() {
    for (command, told) in [
        (&["explain", "ran", "--at", "3s"][..], "rate_bps"),
        (
            &["explain", "ran", "--flow", "own[0]", "--packet", "100"],
            "Its end then had rate_bps ",
        ),
        (
            &["explain", "ran", "--why-slow", "own[0]"],
            "Means of its end's numbers over the time",
        ),
    ] {
        let ran = of_recording(command, "packets = {}, ends = {}");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains(told), "{}", ran.stdout);
    }
    let ran = of_recording(
        &["explain", "ran", "--at", "3s", "--flow", "own[0]"],
        "packets = {}",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("`ends = {}` in [output]"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("tcp = {}"), "{}", ran.stdout);
}

#[test]
fn its_numbers_are_metrics_over_time() {
    let folder = new_part("end");
    let of = folder.path().join("own_end");
    let study = r#"
name = "course"
scenario = "scenario.toml"

[sweep]
axis = [{ name = "keep", key = "flow.own.traffic.keep", values = [0.7, 0.95] }]

[[measure]]
name = "course"
kind = "series"
flows = "own"
metric = "end_rate_bps"
every = "100ms"

[[plot]]
name = "course"
x = "measure.course.time_s"
y = "measure.course.value_bps"
lines = "keep"

[[expect]]
claim = "the rate at the end"
y = "flows.own.end_rate_bps"
at = { keep = 0.7 }
at_least = "1Mbps"
"#;
    std::fs::write(of.join("course.toml"), study).expect("written");
    let args = [
        "sweep",
        "course.toml",
        "--set",
        "run.duration=8s",
        "--out",
        "results",
    ];
    let ran = run(program_of("end"), &of, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(of.join("results/figures/course.svg").exists());
    let wrong = study.replace("end_rate_bps\"\nevery", "end_rates_bps\"\nevery");
    std::fs::write(of.join("wrong.toml"), wrong).expect("written");
    let ran = run(program_of("end"), &of, &["check", "wrong.toml"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("did you mean \"end_rate_bps\""),
        "{}",
        ran.stderr
    );
}

#[test]
fn no_theory_fits_a_port_with_other_transports() {
    let ran = of_traffic(
        &["solve", "--scenario", "own.toml", "--port", "hop[0]"],
        "",
        "",
    );
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("own_end"), "{}", ran.stderr);
}

#[test]
fn the_first_rate_is_that_of_the_key() {
    // Reports add nothing, and nothing is lost.
    let keys = ", first = \"3Mbps\", gain = \"1bps\", keep = 1.0";
    let group = &summary(keys)["flows"][0];
    let sent = group["offered_bps"].as_f64().expect("a number");
    assert!((sent / 3e6 - 1.0).abs() < 0.01, "{sent}");
}

#[test]
fn keys_that_need_tcp_are_refused_with_a_remedy() {
    let fec = r#"fec = [{ name = "xor", ingress = "node[1]", egress = "node[2]", block = 4 }]"#;
    for (traffic, more, told) in [
        ("", fec, "whose contents no repair packet restores"),
        (", control = \"cubic\"", "", "unknown key"),
        (
            ", exchanges = { file = \"a.cvec\" }",
            "",
            "traffic.exchanges: unknown key",
        ),
        (
            ", packet_size = \"50B\"",
            "",
            "its ends cannot be opened: no report fits",
        ),
        (
            ", packet_size = \"30B\"",
            "",
            "a packet of 30B carries nothing beside its header of 40B",
        ),
        (
            ", transfer = \"1KB\", transfers = { size = \"1KB\" }",
            "",
            "transfer and transfers exclude each other",
        ),
    ] {
        let ran = of_traffic(&["check", "own.toml"], traffic, more);
        assert_eq!(ran.code, 2, "{told}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}
