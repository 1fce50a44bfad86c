//! The files of a sweep for a build machine, and what they say of a run that gave up.

use std::path::Path;

use crate::{Ran, new_part, program_of, run};

/// The template's study over two buffers, in one of which too many packets wait.
const STUDY: &str = r#"
name = "own_end"
scenario = "scenario.toml"

[sweep]
replications = 2
axis = [{ name = "buffer", key = "topology.bottleneck.buffer", values = ["20pkts", "unlimited"] }]

[[plot]]
name = "goodput"
x = "buffer"
y = "flows.own.goodput_bps"

[[expect]]
claim = "more than <the line>"
y = "flows.own.goodput_bps"
at = { buffer = "20pkts" }
at_least = "20Mbps"

[[expect]]
claim = "something arrives"
y = "flows.own.goodput_bps"
at = { buffer = "20pkts" }
at_least = "1kbps"
"#;

const BUDGET: [&str; 2] = ["--set", "run.most_waiting=300"];

fn swept(options: &[&str]) -> (tempfile::TempDir, Ran) {
    let folder = new_part("end");
    let of = folder.path().join("own_end");
    std::fs::write(of.join("networks.toml"), STUDY).expect("written");
    let sweep = ["sweep", "networks.toml", "--quiet", "--out", "results"];
    let args = [&sweep[..], &BUDGET[..], options].concat();
    let ran = run(program_of("end"), &of, &args);
    (folder, ran)
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join("own_end").join(file)).expect(file)
}

/// The command that repeats a run, from the text of a failure.
fn command(xml: &str) -> Vec<String> {
    let from = xml.find("pacesim run ").expect("a command");
    let (command, _) = xml[from..].split_once('<').expect("an end");
    let words = command.split(' ').skip(1);
    words
        .map(|word| word.trim_matches('\'').to_owned())
        .collect()
}

#[test]
fn a_failure_has_its_case_its_reason_and_the_command_that_repeats_it() {
    let files = [
        "--strict",
        "--junit",
        "report.xml",
        "--markdown",
        "summary.md",
    ];
    let (folder, ran) = swept(&files);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let xml = text(folder.path(), "report.xml");
    assert!(
        xml.contains("<testsuite name=\"own_end\" tests=\"4\" failures=\"2\" skipped=\"0\""),
        "{xml}"
    );
    assert!(
        xml.contains("name=\"more than &lt;the line&gt;\"><failure message="),
        "{xml}"
    );
    assert!(
        xml.contains("name=\"something arrives\"></testcase>"),
        "{xml}"
    );
    let failed =
        "name=\"point 1: buffer=unlimited\"><failure message=\"gave up: more than 300 packets wait";
    assert!(xml.contains(failed), "{xml}");
    let args = command(&xml);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(args[..2], ["run", "networks.toml"]);
    let of = folder.path().join("own_end");
    let again = run(program_of("end"), &of, &args);
    assert!(
        again.stderr.contains("more than 300 packets wait"),
        "{}",
        again.stderr
    );
    let summary = text(folder.path(), "summary.md");
    assert!(
        summary.starts_with("# own_end: 1 of 2 claims differ, 2 runs without results\n"),
        "{summary}"
    );
    assert!(summary.contains("| something arrives |"), "{summary}");
    assert!(
        summary.contains("  `pacesim run networks.toml --point 1 "),
        "{summary}"
    );
    assert!(
        summary.contains("![results/figures/goodput.svg]"),
        "{summary}"
    );
    assert!(of.join("results/figures/goodput.svg").exists());
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let (_folder, ran) = swept(&["--junit", "no/such/folder/report.xml"]);
    assert_ne!(ran.code, 0);
    assert!(
        ran.stderr.contains("no/such/folder/report.xml"),
        "{}",
        ran.stderr
    );
}
