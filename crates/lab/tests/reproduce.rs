//! The reproduction catalogue: every experiment that is ready, its results, its page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pacesim_lab::reproduce::catalogue::{self, EXPERIMENTS};
use pacesim_lab::reproduce::{
    Experiment, Fault, LEAST_SCALE, Options, Reproduction, SCENARIOS, Verdict, reproduce,
};
use pacesim_lab::tables::TableReader;
use pacesim_lab::{Supervisor, input};
use serde_json::Value as Json;

struct Patient;

impl Supervisor for Patient {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

fn experiment(id: &str) -> &'static Experiment {
    catalogue::select(&[id.to_owned()]).expect("an id")[0]
}

fn quick(experiment: &Experiment, out: Option<&Path>) -> Result<Reproduction, Fault> {
    let options = Options {
        scale: 0.02,
        out,
        ..Options::default()
    };
    reproduce(experiment, &options, &mut Patient)
}

/// What does not come out as the papers say, and why.
const DIFFER: &[(&str, &str)] = &[
    // The paper's text to Fig. 30 does not follow from its equations.
    (
        "zerobuf/fig30",
        "load with a mean loss of 1e-3 without FEC, %",
    ),
    (
        "zerobuf/fig30",
        "load with a mean loss of 1e-3 with the heuristic, %",
    ),
];

#[test]
fn every_experiment_that_is_ready_runs_and_only_known_claims_differ() {
    let mut differ = Vec::new();
    for experiment in EXPERIMENTS.iter().filter(|e| e.waits_for().is_none()) {
        let outcome = quick(experiment, None).unwrap_or_else(|e| panic!("{}: {e}", experiment.id));
        assert!(!outcome.claims.is_empty(), "{}", experiment.id);
        assert!(outcome.figure.is_some(), "{}", experiment.id);
        assert_no_text_twice(&outcome);
        for claim in &outcome.claims {
            if claim.verdict == Verdict::Differs {
                assert!(claim.note.is_some(), "no reason: {claim:?}");
                differ.push((experiment.id, claim.claim.clone()));
            }
        }
    }
    let differ: Vec<(&str, &str)> = differ.iter().map(|(id, c)| (*id, c.as_str())).collect();
    assert_eq!(differ, DIFFER);
}

/// Too short a run is reported as such; nothing breaks.
#[test]
fn the_shortest_run_of_every_experiment_has_verdicts_too() {
    for experiment in EXPERIMENTS {
        let options = Options {
            scale: LEAST_SCALE,
            ..Options::default()
        };
        let outcome = reproduce(experiment, &options, &mut Patient);
        let outcome = outcome.unwrap_or_else(|fault| panic!("{}: {fault}", experiment.id));
        assert!(!outcome.claims.is_empty(), "{}", experiment.id);
    }
}

fn assert_no_text_twice(outcome: &Reproduction) {
    let mut texts: Vec<&str> = outcome.claims.iter().map(|c| c.claim.as_str()).collect();
    texts.sort_unstable();
    let twice = texts.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "{}", outcome.id);
}

#[test]
fn what_cannot_be_run_yet_says_what_it_waits_for_and_leaves_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("results");
    for experiment in EXPERIMENTS {
        let Some(what) = experiment.waits_for() else {
            continue;
        };
        let outcome = quick(experiment, Some(&out)).expect("it says so");
        assert_eq!(outcome.claims.len(), outcome.count(Verdict::NotYet));
        let note = outcome.claims[0].note.as_deref();
        assert_eq!(note, Some(format!("waits for {what}").as_str()));
        assert!(!out.exists());
    }
}

#[test]
fn the_results_folder_has_claims_table_figure_data_and_manifest() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("results");
    let outcome = quick(experiment("zerobuf/fig9-10"), Some(&out)).expect("it runs");
    let entries = std::fs::read_dir(&out).expect("listed");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("one").file_name();
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    let expected = [
        "claims.json",
        "data.parquet",
        #[cfg(feature = "pictures")]
        "figure.pdf",
        #[cfg(feature = "pictures")]
        "figure.png",
        "figure.svg",
        "manifest.json",
        "table.md",
    ];
    assert_eq!(names, expected);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect("a text");
    assert_eq!(read("claims.json"), outcome.to_json());
    assert!(read("figure.svg").contains("UDP, simulated"));
    for claim in &outcome.claims {
        assert!(read("table.md").contains(&claim.claim), "{}", claim.claim);
    }
    let figure = outcome.figure.expect("drawn");
    let series = figure.panels.iter().flat_map(|panel| &panel.series);
    let points: usize = series.map(|series| series.points.len()).sum();
    let data = TableReader::open(&out.join("data.parquet")).expect("a table");
    assert_eq!(data.rows(), points as u64);
}

#[test]
fn a_folder_that_is_taken_is_told_before_the_work() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("results");
    quick(experiment("zerobuf/fig8"), Some(&out)).expect("it runs");
    let again = quick(experiment("zerobuf/fig8"), Some(&out));
    let text = again.expect_err("taken").to_string();
    assert!(text.contains("--force"), "{text}");
}

#[test]
fn json_has_the_shape_that_others_rely_on() {
    let outcome = quick(experiment("zerobuf/fig9-10"), None).expect("it runs");
    let document: Json = serde_json::from_str(&outcome.to_json()).expect("JSON");
    assert_eq!(document["id"], "zerobuf/fig9-10");
    assert_eq!(document["scale"], 0.02);
    let claims = document["claims"].as_array().expect("a list");
    for claim in claims {
        for key in ["claim", "verdict", "paper", "ours", "low", "high", "ns2"] {
            assert!(claim.get(key).is_some(), "{key} in {claim}");
        }
    }
    let simulated = claims.iter().find(|claim| claim["low"].is_f64());
    let simulated = simulated.expect("an estimate");
    assert!(simulated["low"].as_f64() < simulated["high"].as_f64());
}

#[test]
fn the_same_seed_gives_the_same_results_and_another_others() {
    let run = |seed| {
        let options = Options {
            scale: 0.02,
            seed,
            ..Options::default()
        };
        reproduce(experiment("zerobuf/fig9-10"), &options, &mut Patient).expect("it runs")
    };
    assert_eq!(run(None), run(None));
    assert_eq!(run(None).claims, run(Some(1)).claims);
    assert_ne!(run(None).claims, run(Some(2)).claims);
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn embedded_scenarios_are_the_shipped_files_and_sound() {
    for (name, text) in SCENARIOS {
        let file = root().join(format!("scenarios/papers/{name}.toml"));
        let shipped = std::fs::read_to_string(&file).expect("it ships");
        assert_eq!(shipped, *text, "{name}");
        assert!(input::from_stream(text.as_bytes(), &[]).is_ok(), "{name}");
    }
}

#[test]
fn the_page_is_made_from_the_catalogue() {
    let file = root().join("docs/reproduce.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, catalogue::markdown()).expect("written");
    }
    let page = std::fs::read_to_string(&file).unwrap_or_default();
    let hint = "run: UPDATE_DOCS=1 cargo test -p pacesim-lab --test reproduce";
    assert!(page == catalogue::markdown(), "{hint}");
}
