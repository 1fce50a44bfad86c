//! The catalogue: every check and every shipped study, their stored findings, and the page.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::Unwatched;
use pacesim_lab::claims::Verdict;
use pacesim_lab::findings::Findings;
use pacesim_lab::input::study_from_file;
use pacesim_lab::study::{self, LEAST_SCALE, Sweep};
use pacesim_lab::tables::TableReader;
use pacesim_papers::{
    Catalogue, Experiment, ExperimentKind, FILES, KeptPage, Options, kept, reproduce, show,
};
use serde_json::Value as Json;

fn experiment(id: &str) -> Experiment {
    let catalogue = Catalogue::shipped();
    catalogue.select(&[id.to_owned()]).expect("an id")[0].clone()
}

fn at_scale(experiment: &Experiment, scale: f64, seed: Option<u64>) -> Findings {
    let out = tempfile::tempdir().expect("a folder");
    let options = Options {
        scale,
        seed,
        jobs: std::thread::available_parallelism().ok(),
        ..Options::new(out.path())
    };
    let findings = reproduce(experiment, &options, &Unwatched);
    let findings = findings.unwrap_or_else(|fault| panic!("{}: {fault}", experiment.id));
    assert!(!findings.claims.is_empty(), "{}", experiment.id);
    findings
}

fn is_check(experiment: &&Experiment) -> bool {
    matches!(experiment.kind, ExperimentKind::Check(_))
}

fn is_study(experiment: &&Experiment) -> bool {
    matches!(experiment.kind, ExperimentKind::Shipped(_))
}

#[test]
fn every_check_runs_and_every_claim_passes() {
    for experiment in Catalogue::shipped().experiments().iter().filter(is_check) {
        let findings = at_scale(experiment, 0.1, None);
        assert!(findings.figure.is_some(), "{}", experiment.id);
        assert_no_text_twice(&findings);
        let fails = findings
            .claims
            .iter()
            .find(|claim| claim.verdict != Verdict::Pass);
        assert_eq!(fails, None, "{}", experiment.id);
    }
}

/// Claims judged by theory alone take no time, so the shortest run covers them all.
#[test]
fn models_are_judged_at_any_scale_and_only_known_claims_differ() {
    let mut differ = Vec::new();
    for id in [
        "edge/fig9",
        "zerobuf/fig8",
        "zerobuf/fig25",
        "zerobuf/fig30",
    ] {
        let findings = at_scale(&experiment(id), LEAST_SCALE, None);
        for claim in findings.claims {
            if ![Verdict::Pass, Verdict::NotRun].contains(&claim.verdict) {
                assert!(claim.note.is_some(), "no reason: {claim:?}");
                differ.push((id, claim.verdict, claim.claim));
            }
        }
    }
    // The paper's text on Fig. 30 does not follow from its equations.
    let claims = ["10 % load, without FEC", "30 % load, with the heuristic"];
    let known = claims.map(|claim| {
        (
            "zerobuf/fig30",
            Verdict::Differs,
            format!("mean loss at {claim}"),
        )
    });
    assert_eq!(differ, known);
}

/// A run that is too short is reported as such, without any failure.
#[test]
fn the_shortest_run_of_every_experiment_has_verdicts_too() {
    for experiment in Catalogue::shipped().experiments() {
        at_scale(experiment, LEAST_SCALE, None);
    }
}

fn assert_no_text_twice(findings: &Findings) {
    let mut texts: Vec<&str> = findings.claims.iter().map(|c| &c.claim[..]).collect();
    texts.sort_unstable();
    let twice = texts.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "{}", findings.id);
}

#[test]
fn every_id_is_there_once_and_has_a_summary() {
    let catalogue = Catalogue::shipped();
    let ids: Vec<&str> = catalogue.experiments().iter().map(|e| &e.id[..]).collect();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    for experiment in catalogue.experiments() {
        let Experiment { id, summary, .. } = experiment;
        assert!(!summary.is_empty(), "{id} has no title");
        assert!(!summary.ends_with('.'), "{id}: {summary}");
    }
}

#[test]
fn every_study_that_ships_is_sound_and_whole_where_it_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    for experiment in Catalogue::shipped().experiments().iter().filter(is_study) {
        let id = &experiment.id;
        let files = show(experiment, folder.path(), false).expect("written");
        let file = folder.path().join(format!("{id}.study.toml"));
        assert!(files.contains(&file), "{id}");
        let input = study_from_file(&file, &[]);
        let input = input.unwrap_or_else(|rejected| panic!("{id}: {:?}", rejected.problems));
        assert_eq!(input.study.name, experiment.folder(), "{id}: its name");
        assert_eq!(pacesim_lab::input::mistakes(&input.study), [], "{id}");
        assert!(!input.study.expectations.is_empty(), "{id} claims nothing");
        // A table of schemes, with no number to draw along.
        let is_table = id == "zerobuf/fig29";
        let draws = !input.study.plots.is_empty() || input.study.tune.is_some() || is_table;
        assert!(draws, "{id} draws nothing");
    }
}

#[test]
fn files_that_are_there_and_differ_are_replaced_by_force_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let fig3 = experiment("edge/fig3");
    let files = show(&fig3, folder.path(), false).expect("written");
    let base = folder.path().join("edge/fig3.toml");
    assert!(files.contains(&base), "{files:?}");
    show(&fig3, folder.path(), false).expect("the same files are there");
    fs::write(&base, "mine").expect("written");
    let text = show(&fig3, folder.path(), false).expect_err("mine");
    assert!(text.to_string().contains("--force"), "{text}");
    assert_eq!(fs::read_to_string(&base).expect("kept"), "mine");
    show(&fig3, folder.path(), true).expect("replaced");
    assert_ne!(fs::read_to_string(&base).expect("there"), "mine");
}

#[test]
fn a_study_in_a_folder_is_an_experiment() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = r#"
        # Utilisation of a queue.
        title = "My own queue"
        run = { duration = "20s", warmup = "1s" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", buffer = "4pkts" }]
        flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "500kbps", size = "1KB" } }]
        expect = [{ claim = "half of the link is used", y = "link.core.utilisation", about = 0.5, within = 0.01 }]
        sweep = { replications = 3 }
    "#;
    let mine = folder.path().join("mine");
    fs::create_dir(&mine).expect("made");
    let file = mine.join("queue.study.toml");
    fs::write(&file, study).expect("written");
    let catalogue = Catalogue::shipped()
        .with_folder(folder.path())
        .expect("one study");
    let known = catalogue
        .select(&["mine/queue".to_owned()])
        .expect("its id");
    assert_eq!(known[0].summary, "My own queue");
    let findings = at_scale(known[0], 1.0, None);
    assert_eq!(findings.count(Verdict::Pass), 1, "{:?}", findings.claims);
    assert!(findings.fingerprint.is_some());

    let again = catalogue.with_folder(folder.path()).expect_err("taken");
    assert!(again.to_string().contains("mine/queue"), "{again}");
    fs::rename(&file, mine.join("../edge-fig3.study.toml")).expect("renamed");
    let clash = Catalogue::shipped().with_folder(folder.path());
    let text = clash.expect_err("the folder of edge/fig3").to_string();
    assert!(text.contains("\"edge/fig3\""), "{text}");
    let nothing = tempfile::tempdir().expect("a folder");
    let none = Catalogue::shipped().with_folder(nothing.path());
    let text = none.expect_err("empty").to_string();
    assert!(text.contains(".study.toml"), "{text}");
    let absent = Catalogue::shipped().with_folder(&nothing.path().join("absent"));
    assert!(absent.is_err(), "{absent:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("one").file_name();
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    let text = |name: std::ffi::OsString| name.into_string().expect("UTF-8");
    names.into_iter().map(text).collect()
}

#[test]
fn the_folder_of_a_check_has_claims_table_figure_data_and_manifest() {
    let around = tempfile::tempdir().expect("a folder");
    let options = Options {
        scale: 0.02,
        ..Options::new(around.path())
    };
    let bibo = experiment("qlbp09/bibo");
    let findings = reproduce(&bibo, &options, &Unwatched).expect("it runs");
    let out = options.folder(&bibo);
    let expected = [
        "claims.json",
        "data.parquet",
        #[cfg(feature = "pictures")]
        "figure.pdf",
        #[cfg(feature = "pictures")]
        "figure.png",
        "figure.svg",
        "figure.tex",
        "manifest.json",
        "table.md",
    ];
    assert_eq!(names(&out), expected);
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("a text");
    assert_eq!(read("claims.json"), findings.sealed());
    assert!(
        read("figure.svg").contains("natural response"),
        "{}",
        read("figure.svg")
    );
    for claim in &findings.claims {
        let text = claim.claim.replace('|', "\\|");
        assert!(read("table.md").contains(&text), "{}", claim.claim);
    }
    let figure = findings.figure.clone().expect("drawn");
    let series = figure.panels.iter().flat_map(|panel| &panel.series);
    let points: usize = series.map(|series| series.points.len()).sum();
    let data = TableReader::open(&out.join("data.parquet")).expect("a table");
    assert_eq!(data.rows(), points as u64);
    let read_again = kept(&bibo, around.path()).expect("kept");
    let short = |findings: &Findings| -> Vec<(String, Verdict)> {
        let claims = findings.claims.iter();
        claims.map(|c| (c.claim.clone(), c.verdict)).collect()
    };
    assert_eq!(short(&read_again), short(&findings));
}

#[test]
fn own_results_are_replaced_and_others_are_not() {
    let around = tempfile::tempdir().expect("a folder");
    let options = Options::new(around.path());
    let law = experiment("qlbp11/law");
    reproduce(&law, &options, &Unwatched).expect("it runs");
    reproduce(&law, &options, &Unwatched).expect("it runs again");
    let out = options.folder(&law);
    fs::write(out.join("claims.json"), "{}").expect("written");
    let text = reproduce(&law, &options, &Unwatched)
        .expect_err("not ours")
        .to_string();
    assert!(text.contains("--force"), "{text}");
}

#[test]
fn json_has_the_shape_that_others_rely_on() {
    let findings = at_scale(&experiment("qlbp11/autocov"), 0.1, None);
    let document: Json = serde_json::from_str(&findings.to_json()).expect("JSON");
    assert_eq!(document["id"], "qlbp11/autocov");
    assert_eq!(document["scale"], 0.1);
    let claims = document["claims"].as_array().expect("a list");
    for claim in claims {
        for key in ["claim", "verdict", "paper", "ours", "low", "high", "ns2"] {
            assert!(claim.get(key).is_some(), "{key} in {claim}");
        }
    }
    let simulated = claims.iter().find(|claim| claim["low"].is_f64());
    let simulated = simulated.expect("an estimate");
    assert!(
        simulated["low"].as_f64() < simulated["high"].as_f64(),
        "{:?} and {:?}",
        simulated["low"].as_f64(),
        simulated["high"].as_f64()
    );
}

#[test]
fn the_same_seed_gives_the_same_results_and_another_others() {
    let fig13 = experiment("zerobuf/fig13");
    let run = |seed| at_scale(&fig13, 0.02, seed);
    assert_eq!(run(None), run(None));
    assert_eq!(run(None).figure, run(Some(1)).figure);
    assert_ne!(run(None).figure, run(Some(2)).figure);
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn what_ships_are_the_files_of_the_project() {
    for (name, text) in FILES {
        let file = root().join("scenarios/papers").join(name);
        let shipped = fs::read_to_string(&file).expect("it ships");
        assert_eq!(shipped, *text, "{name}");
    }
}

/// Shards of `sweep`, merged by `merge`, fill the same store: an experiment resumes in it.
#[test]
fn a_store_that_a_sweep_has_filled_is_taken_as_it_is() {
    let around = tempfile::tempdir().expect("a folder");
    let bursts = experiment("qlbp11/fig9-10");
    let options = Options {
        scale: 0.1,
        ..Options::new(around.path())
    };
    let out = options.folder(&bursts);
    let file = root().join("scenarios/papers/qlbp11/fig9-10.study.toml");
    let input = study_from_file(&file, &[]);
    let input = input.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
    let input = input.at_scale(options.scale);
    let sweep = || {
        let plan = Sweep {
            folder: &input.folder,
            ..Sweep::new(&input.study, &out)
        };
        study::sweep(&plan, &Unwatched).expect("it runs")
    };
    let filled = sweep();
    assert!(filled.made > 0);
    let findings = reproduce(&bursts, &options, &Unwatched).expect("it runs");
    assert_eq!(findings.fingerprint, Some(filled.fingerprint));
    assert_eq!(sweep().made, 0, "other runs than those of the sweep");
}

#[test]
fn the_page_has_every_experiment_and_the_figures_that_are_kept() {
    let around = tempfile::tempdir().expect("a folder");
    let out = around.path().join("results");
    let law = experiment("qlbp11/law");
    reproduce(&law, &Options::new(&out), &Unwatched).expect("it runs");
    let page = around.path().join("docs/found.md");
    let catalogue = Catalogue::shipped();
    let count = pacesim_papers::page(&catalogue, &out, &page, false).expect("written");
    assert_eq!(count, 1);
    let text = fs::read_to_string(&page).expect("a page");
    for experiment in catalogue.experiments() {
        assert!(
            text.contains(&format!("\n### {}\n", experiment.id)),
            "{text:?}"
        );
    }
    assert!(text.contains("](found/qlbp11-law-figure.svg)"), "{text}");
    let kept = fs::read(page.with_extension("json")).expect("beside the page");
    let kept = KeptPage::from_json(&kept).expect("findings");
    assert_eq!(kept.page(&catalogue, &page), text);
    assert!(text.contains(&kept.findings[0].digest()));
    assert!(page.with_file_name("found/qlbp11-law-figure.svg").is_file());
    fs::write(&page, "mine").expect("written");
    let taken = pacesim_papers::page(&catalogue, &out, &page, false);
    let text = taken.expect_err("mine").to_string();
    assert!(text.contains("--force"), "{text}");
}

/// A page may be made in parts, on several machines.
#[test]
fn a_page_keeps_the_sections_of_studies_that_were_not_run_again() {
    let around = tempfile::tempdir().expect("a folder");
    let page = around.path().join("found.md");
    let catalogue = Catalogue::shipped();
    let study = experiment("qlbp11/overload");
    let made_in = |folder: &str, experiment: &Experiment| {
        let out = around.path().join(folder);
        let options = Options {
            scale: 0.1,
            ..Options::new(&out)
        };
        reproduce(experiment, &options, &Unwatched).expect("it runs");
        pacesim_papers::page(&catalogue, &out, &page, true).expect("written")
    };
    assert_eq!(made_in("one", &study), 1);
    assert_eq!(made_in("two", &experiment("qlbp11/law")), 2);
    let read = || fs::read_to_string(page.with_extension("json")).expect("beside the page");
    let inputs = study.inputs().expect("it is a study");
    assert!(read().contains(&inputs), "{}", read());
    fs::write(
        page.with_extension("json"),
        read().replace(&inputs, "of another file"),
    )
    .expect("written");
    assert_eq!(
        made_in("two", &experiment("qlbp11/law")),
        1,
        "its study has changed"
    );
}
