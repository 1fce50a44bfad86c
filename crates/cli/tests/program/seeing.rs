//! Reports, exports, questions and comparisons from the command line, and their refusals.

use std::path::Path;

use crate::common::{Ran, folder, pacesim};

/// Runs the scenario with its recording of packets into this folder.
fn recorded(folder: &Path, out: &str, more: &[&str]) {
    let run = ["run", "one.toml", "-q", "--out", out];
    let ran = pacesim(folder, &[&run[..], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Writes a report, and returns its text.
fn reported(folder: &Path, results: &str) -> String {
    let page = format!("{results}.html").replace('/', "-");
    let ran = pacesim(folder, &["report", results, "-o", &page]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    std::fs::read_to_string(folder.join(page)).expect("a page")
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("an element of data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

fn assert_refused(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "no {word:?} in {}", ran.stderr);
    }
}

#[test]
fn a_report_of_replications_has_means_and_the_first_recording() {
    let folder = folder();
    recorded(folder.path(), "several", &["--replications", "3"]);
    let data = data(&reported(folder.path(), "several"));
    let chapter = &data["chapters"][0];
    assert_eq!(chapter["title"], "3 replications");
    let tables = chapter["tables"].as_array().expect("tables");
    let flows = tables.iter().find(|table| table["title"] == "Flows");
    let rows = flows.expect("of flows")["rows"].as_array().expect("rows");
    let goodput = rows.iter().find(|row| row[1] == "goodput_bps");
    let goodput = goodput.expect("a mean of goodput");
    assert_eq!(goodput[5], 3, "of three replications: {goodput}");
    assert!(
        goodput[3].as_f64() < goodput[2].as_f64() && goodput[2].as_f64() < goodput[4].as_f64(),
        "{goodput}"
    );
    assert!(
        data["packets"][0]["count"]
            .as_u64()
            .is_some_and(|count| count > 1000)
    );
}

const STUDY: &str = r#"
name = "buffers"
scenario = "one.toml"
[sweep]
replications = 3
axis = [{ name = "buffer", key = "link.core.buffer", values = ["2pkts", "5pkts"] }]
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
theory = [{ model = "mm1k", y = "loss", label = "M/M/1/K", set = { load = 0.9, places = "buffer" } }]
[[expect]]
claim = "loss with </script><script>alert(1)</script>"
y = "link.core.loss_ratio"
at = { buffer = "2pkts" }
at_least = 0.0
"#;

#[test]
fn a_report_of_a_study_has_claims_figures_theory_and_the_network() {
    let folder = folder();
    std::fs::write(folder.path().join("study.toml"), STUDY).expect("written");
    let ran = pacesim(
        folder.path(),
        &["sweep", "study.toml", "-q", "--out", "kept"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = reported(folder.path(), "kept");
    assert!(!page.contains("<script>alert"), "a claim would run");
    let data = data(&page);
    let chapter = &data["chapters"][0];
    assert_eq!(chapter["title"], "buffers");
    assert_eq!(chapter["claims"][0]["verdict"], "PASS");
    let series = &chapter["figures"][0]["panels"][0]["series"];
    let series = series.as_array().expect("series");
    assert!(
        series
            .iter()
            .any(|one| one["label"].as_str().is_some_and(|l| l.contains("M/M/1/K")))
    );
    let measured = series.iter().find(|one| one["level"] == 0.95);
    let points = measured.expect("an estimate")["points"]
        .as_array()
        .expect("points");
    assert_eq!(points.len(), 2);
    let [low, value, high] = [2, 1, 3].map(|at| points[0][at].as_f64().expect("a number"));
    assert!(low < value && value < high, "{points:?}");
    assert_eq!(chapter["network"]["links"][0]["name"], "core");
    assert_eq!(
        chapter["tables"][0]["rows"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn a_folder_of_studies_is_one_report_with_a_chapter_for_each() {
    let folder = folder();
    std::fs::write(folder.path().join("study.toml"), STUDY).expect("written");
    for out in ["all/one", "all/two"] {
        let sweep = ["sweep", "study.toml", "-q", "--out", out];
        let ran = pacesim(folder.path(), &sweep);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let data = data(&reported(folder.path(), "all"));
    assert_eq!(data["chapters"].as_array().map(Vec::len), Some(2));
    assert_eq!(data["facts"][0], "2 PASS");
}

#[test]
fn folders_without_an_answer_are_refused_with_a_remedy() {
    let folder = folder();
    let at = folder.path();
    recorded(at, "bare", &["--set", "output={}"]);
    recorded(at, "whole", &[]);
    std::fs::create_dir(at.join("foreign")).expect("made");
    std::fs::write(at.join("foreign/manifest.json"), "{ torn").expect("written");
    let export = |results: &str| pacesim(at, &["export", results, "--to", "csv", "-o", "out.csv"]);
    assert_refused(&export("bare"), &["packets = {}"]);
    assert_refused(&export("foreign"), &["manifest.json", "damaged"]);
    assert_refused(&export("nothing"), &["not the results"]);
    assert!(!at.join("out.csv").exists(), "nothing half-written");
    let packet = [
        "explain",
        "whole",
        "--flow",
        "poisson[0]",
        "--packet",
        "999999",
    ];
    assert_refused(&pacesim(at, &packet), &["its recorded packets are 0 to"]);
    assert_refused(
        &pacesim(at, &["diff", "bare", "whole"]),
        &["has a recording", "lacks"],
    );
    std::fs::write(at.join("out.csv"), "mine").expect("written");
    assert_refused(&export("whole"), &["exists already"]);
    let report = pacesim(at, &["report", "whole", "-o", "out.csv"]);
    assert_refused(&report, &["exists already"]);
    assert_eq!(
        std::fs::read_to_string(at.join("out.csv")).expect("there"),
        "mine"
    );
    let report = pacesim(at, &["report", "foreign", "-o", "page.html"]);
    assert_refused(&report, &["damaged"]);
    assert!(!at.join("page.html").exists(), "nothing half-written");
}

#[test]
fn runs_of_other_networks_are_not_matched() {
    let folder = folder();
    recorded(folder.path(), "a", &[]);
    recorded(folder.path(), "b", &["--set", "flow.poisson.count=3"]);
    let ran = pacesim(folder.path(), &["diff", "a", "b"]);
    assert_refused(&ran, &["other flows", "pacesim compare"]);
}

#[test]
fn answers_and_partings_are_json_on_request() {
    let folder = folder();
    recorded(folder.path(), "a", &[]);
    recorded(folder.path(), "b", &["--seed", "2"]);
    let packet = [
        "explain",
        "a",
        "--flow",
        "poisson[0]",
        "--packet",
        "7",
        "--json",
    ];
    let ran = pacesim(folder.path(), &packet);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let parts = answer.as_array().expect("parts");
    let hops = parts.iter().find(|part| part["columns"][0] == "link");
    assert_eq!(hops.expect("a table of hops")["rows"][0][0], "core");
    let ran = pacesim(folder.path(), &["diff", "a", "b", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let parting: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(parting["at_ps"].is_u64(), "{parting}");
    assert!(parting["numbers"].is_object(), "{parting}");
}

#[test]
fn a_run_made_twice_is_the_same_and_all_its_packets_are_compared() {
    let folder = folder();
    let at = folder.path();
    let short = ["--quiet", "--set", "output.packets.to=2ms"];
    let twice = ["run", "one.toml", "--twice", "both"];
    let ran = pacesim(at, &[&twice[..], &short].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.starts_with("the recordings are the same: "),
        "{}",
        ran.stdout
    );
    let events = |ran: &Ran| {
        let numbers = ran.stdout.split(' ').filter_map(|word| word.parse().ok());
        numbers.max().unwrap_or(0_u64)
    };
    recorded(at, "short", &short[1..]);
    let less = pacesim(at, &["diff", "short", "short"]);
    assert!(events(&ran) > 10 * events(&less), "{}", less.stdout);
    assert!(at.join("both/first/manifest.json").exists());
    let again = pacesim(at, &twice);
    assert_refused(&again, &["both/first"]);
    let forced = pacesim(at, &[&twice[..], &["--force", "-q"]].concat());
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    let streamed = pacesim(at, &["run", "-", "--twice", "streamed"]);
    assert_refused(&streamed, &["--twice takes a file"]);
}
