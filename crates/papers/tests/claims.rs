//! The papers' claims, one by one (`scenarios/papers/PAPER/claims.csv`): each has an experiment
//! that judges it or waits for a feature. Every claim that a change of a study must break
//! (`mutations.toml`) is a claim of that study.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pacesim::model::Distribution;
use pacesim::scenario::Value;
use pacesim_lab::Unwatched;
use pacesim_lab::input::study_from_file;
use pacesim_lab::study::LEAST_SCALE;
use pacesim_papers::{Catalogue, Experiment, ExperimentKind, Options, reproduce};
use pacesim_study::{Claimed, Expectation};

const PAPERS: [&str; 8] = [
    "qlbp11", "qlbp09", "impact", "edge", "zerobuf", "beyond", "fabric", "lossless",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/papers")
}

/// A row of `claims.csv`.
struct Row {
    id: String,
    paper_says: String,
    claim: String,
}

fn rows() -> Vec<Row> {
    let of_paper = |paper: &str| {
        let file = folder().join(paper).join("claims.csv");
        let text = fs::read_to_string(&file).expect("each paper has a list of claims");
        let mut lines = text.lines().map(cells);
        assert_eq!(
            lines.next().expect("a header"),
            ["id", "paper_says", "claim"]
        );
        let row = |cells: Vec<String>| {
            let [id, paper_says, claim] = cells.try_into().expect("three cells");
            Row {
                id,
                paper_says,
                claim,
            }
        };
        lines.map(row).collect::<Vec<Row>>()
    };
    PAPERS.into_iter().flat_map(of_paper).collect()
}

/// The cells of a line; a cell in quotes may contain commas and doubled quotes.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let cell = cells.last_mut().expect("never empty");
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            character => cell.push(character),
        }
    }
    cells
}

/// The wordings of an experiment's claims.
fn claims(experiment: &Experiment) -> BTreeSet<String> {
    match &experiment.kind {
        ExperimentKind::Shipped(file) => {
            let input = study_from_file(&folder().join(file), &[]);
            let input = input.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
            let claims = input.study.expectations.iter();
            claims.map(|claim| claim.claim.clone()).collect()
        }
        _ => {
            let out = tempfile::tempdir().expect("a folder");
            let options = Options {
                scale: LEAST_SCALE,
                ..Options::new(out.path())
            };
            let findings = reproduce(experiment, &options, &Unwatched).expect("it runs");
            findings
                .claims
                .into_iter()
                .map(|claim| claim.claim)
                .collect()
        }
    }
}

#[test]
fn what_the_papers_claim_is_judged_or_waits() {
    let rows = rows();
    let catalogue = Catalogue::shipped();
    let mut missing = Vec::new();
    for row in &rows {
        if !catalogue.is_id(&row.id) {
            missing.push(format!("{}: no such experiment", row.id));
        }
        assert!(!row.paper_says.is_empty(), "{} says nothing", row.id);
    }
    for experiment in catalogue.experiments() {
        let id = &experiment.id;
        let of_it: Vec<&Row> = rows.iter().filter(|row| row.id == *id).collect();
        if of_it.is_empty() {
            missing.push(format!("{id}: nothing in claims.csv"));
        }
        let claims = claims(experiment);
        for row in of_it {
            let is_judged = claims.contains(&row.claim);
            if !is_judged && !row.claim.starts_with("waits for ") {
                missing.push(format!("{id}: no claim \"{}\"", row.claim));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A row of `mutations.toml`: a change of a study.
#[derive(serde::Deserialize)]
struct Mutation {
    id: String,
    name: String,
    set: Vec<String>,
    breaks: Vec<String>,
    scale: f64,
}

/// A claim that no change can break.
#[derive(serde::Deserialize)]
struct Unbroken {
    id: String,
    claim: String,
    because: String,
}

#[derive(serde::Deserialize)]
struct Mutations {
    mutation: Vec<Mutation>,
    #[serde(default)]
    unbroken: Vec<Unbroken>,
    /// Claims that stay true while parameters are a third off, and break by a mutation above.
    #[serde(default)]
    robust: Vec<Unbroken>,
}

fn mutations() -> impl Iterator<Item = Mutations> {
    PAPERS.into_iter().map(|paper| {
        let text = fs::read_to_string(folder().join(paper).join("mutations.toml"));
        toml::from_str(&text.expect("there")).unwrap_or_else(|error| panic!("{paper}: {error}"))
    })
}

/// The claims with a change declared to break them, or declared unbreakable, with their ids.
fn breakable() -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for of_paper in mutations() {
        for Mutation { id, breaks, .. } in of_paper.mutation {
            all.extend(breaks.into_iter().map(|claim| (id.clone(), claim)));
        }
        for Unbroken { id, claim, because } in of_paper.unbroken {
            assert!(!because.is_empty(), "{id}: {claim}");
            all.insert((id, claim));
        }
    }
    all
}

/// A change that is refused breaks nothing, and neither does one with too short a run for a
/// verdict.
#[test]
fn studies_take_their_changes_and_are_run_for_long_enough() {
    let mut wrong = Vec::new();
    for change in mutations().flat_map(|of_paper| of_paper.mutation) {
        let Mutation { id, name, .. } = &change;
        let file = folder().join(format!("{id}.study.toml"));
        let mistakes = match study_from_file(&file, &change.set) {
            Err(rejected) => rejected.problems,
            Ok(changed) => {
                let claims = changed.study.expectations.iter();
                let too_short = claims.filter(|claim| claim.scale > change.scale);
                let too_short = too_short.filter(|claim| change.breaks.contains(&claim.claim));
                wrong.extend(too_short.map(|claim| format!("{id}, {name}: {}", claim.claim)));
                pacesim_lab::input::mistakes(&changed.study)
            }
        };
        wrong.extend(mistakes.iter().map(|it| format!("{id}, {name}: {it:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `scripts/mutations.py` runs the changes, and lists the claims that none of them breaks.
#[test]
fn what_a_change_must_break_is_a_claim_of_a_study() {
    let breakable = breakable();
    let mut known = BTreeSet::new();
    for experiment in Catalogue::shipped().experiments() {
        if matches!(experiment.kind, ExperimentKind::Shipped(_)) {
            let id = &experiment.id;
            known.extend(
                claims(experiment)
                    .into_iter()
                    .map(|claim| (id.clone(), claim)),
            );
        }
    }
    let unknown: Vec<_> = breakable.difference(&known).collect();
    assert!(unknown.is_empty(), "there is no claim {unknown:#?}");
}

/// A robust claim is not a meaningless one: a coarser change breaks it.
#[test]
fn a_claim_that_withstands_small_changes_breaks_by_a_large_one() {
    for of_paper in mutations() {
        let broken: BTreeSet<(String, String)> = (of_paper.mutation.iter())
            .flat_map(|change| {
                change
                    .breaks
                    .iter()
                    .map(|claim| (change.id.clone(), claim.clone()))
            })
            .collect();
        for Unbroken { id, claim, because } in of_paper.robust {
            assert!(!because.is_empty(), "{id}: {claim}");
            let key = (id, claim);
            assert!(broken.contains(&key), "no [[mutation]] breaks {key:?}");
        }
    }
}

/// `scripts/mutation_score.py` keeps the break that each claim noticed. A study that has changed is to
/// be tried again.
#[test]
fn what_has_noticed_a_break_is_a_claim_of_a_study() {
    let text = fs::read_to_string(folder().join("mutation_score.csv")).expect("there");
    let mut lines = text.lines().map(cells);
    let head = lines.next().expect("a header");
    assert_eq!(head, ["study", "percent", "files", "claim", "noticed"]);
    let rows: BTreeSet<_> = lines.map(|row| (row[0].clone(), row[3].clone())).collect();
    let catalogue = Catalogue::shipped();
    let tried =
        (catalogue.experiments().iter()).filter(|one| rows.iter().any(|row| row.0 == one.id));
    let known: BTreeSet<_> = tried
        .flat_map(|one| claims(one).into_iter().map(|claim| (one.id.clone(), claim)))
        .collect();
    let unknown: Vec<_> = rows.difference(&known).collect();
    assert!(unknown.is_empty(), "remove these rows: {unknown:#?}");
}

/// A claim about many flows covers all of them: those with random starting times have started when
/// the measured time begins, at the smallest scale at which it is judged.
#[test]
fn flows_have_begun_before_a_claim_is_measured() {
    let mut late = Vec::new();
    for experiment in Catalogue::shipped().experiments() {
        let ExperimentKind::Shipped(file) = &experiment.kind else {
            continue;
        };
        let input = study_from_file(&folder().join(file), &[]);
        let study = input
            .unwrap_or_else(|rejected| panic!("{:?}", rejected.problems))
            .study;
        let scales = study.expectations.iter().map(|claim| claim.scale);
        let Some(least) = scales.filter(|scale| *scale > 0.0).reduce(f64::min) else {
            continue;
        };
        let study = study.at_scale(least);
        let first = study.points().next().expect("a point");
        let scenario = study.scenario(first).expect("sound");
        let warmup = scenario.scenario().run.warmup.as_ps() as f64;
        for flows in &scenario.scenario().flows {
            if let Value::Drawn(Distribution::Uniform { high, .. }) = flows.start
                && high > warmup
                && warmup > 0.0
            {
                late.push(format!("{}: {} at {least}", experiment.id, flows.name));
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

/// Numbers of one kind that differ by more than 5 % must be distinguishable: neither may be
/// accepted for the other.
#[test]
fn tolerances_of_different_numbers_do_not_overlap() {
    let mut overlaps = Vec::new();
    for experiment in Catalogue::shipped().experiments() {
        let ExperimentKind::Shipped(file) = &experiment.kind else {
            continue;
        };
        let input = study_from_file(&folder().join(file), &[]);
        let input = input.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
        let claims = &input.study.expectations;
        for (i, a) in claims.iter().enumerate() {
            for b in &claims[..i] {
                if is_of_one_kind(a, b) && do_overlap(&a.claimed, &b.claimed) {
                    overlaps.push(format!(
                        "{}: \"{}\" and \"{}\"",
                        experiment.id, b.claim, a.claim
                    ));
                }
            }
        }
    }
    assert!(overlaps.is_empty(), "{}", overlaps.join("\n"));
}

/// True for claims about the same number at different points.
fn is_of_one_kind(a: &Expectation, b: &Expectation) -> bool {
    let kind = |claim: &Expectation| {
        (
            claim.y.clone(),
            claim.per.clone(),
            claim.jain_with.clone(),
            claim.against.clone(),
            claim.line,
            claim.times.to_bits(),
        )
    };
    kind(a) == kind(b)
}

/// True if the accepted ranges of two numbers overlap.
fn do_overlap(a: &Claimed, b: &Claimed) -> bool {
    let range = |claimed: &Claimed| match *claimed {
        Claimed::About { number, within } => Some((number, (number * within).abs())),
        _ => None,
    };
    match (range(a), range(b)) {
        // The paper itself hardly distinguishes numbers this close.
        (Some((a, _)), Some((b, _))) if (a - b).abs() <= 0.05 * a.abs().max(b.abs()) => false,
        // Tolerances of half a printed digit each may touch.
        (Some((a, a_off)), Some((b, b_off))) => a != b && (a - b).abs() < 0.99 * (a_off + b_off),
        _ => false,
    }
}
