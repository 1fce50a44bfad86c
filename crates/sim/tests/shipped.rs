//! The scenarios that ship with the project.

use std::path::{Path, PathBuf};

use pacesim::World;
use pacesim::scenario::load;

fn shipped() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_string_lossy();
            // Studies stand on scenarios, which have fingerprints of their own; mutations of
            // studies are no scenarios.
            let is_other = name.ends_with(".study.toml") || name.ends_with("mutations.toml");
            if name.ends_with(".toml") && !is_other {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_shipped_scenario_is_checked_without_a_problem() {
    let all = shipped();
    assert!(all.len() >= 5, "scenarios are found");
    for path in all {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.display().to_string();
        if let Err(problems) = load(&name, &text, &[], &()) {
            panic!("{name}: {problems:?}");
        }
    }
}

/// A row of `scenarios/fingerprints.csv`.
struct Stored {
    scenario: String,
    short_duration: String,
    short: String,
}

fn stored() -> Vec<Stored> {
    let table = include_str!("../../../scenarios/fingerprints.csv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [scenario, short_duration, short, _full] = fields[..] else {
            panic!("four fields in {line:?}");
        };
        let [scenario, short_duration, short] =
            [scenario, short_duration, short].map(str::to_owned);
        Stored {
            scenario,
            short_duration,
            short,
        }
    };
    table.lines().skip(1).map(row).collect()
}

/// Short runs, in whatever profile tests are built; `scripts/fingerprints.sh` compares these
/// and the full runs in a release build.
#[test]
fn every_shipped_scenario_has_its_stored_fingerprint_twice() {
    let stored = stored();
    let mut moved = Vec::new();
    for path in shipped() {
        let name = path.to_string_lossy();
        let name = name
            .split("/scenarios/")
            .last()
            .expect("below scenarios")
            .to_owned();
        let known = stored.iter().find(|row| row.scenario == name);
        let known = known.unwrap_or_else(|| panic!("{name} has no stored fingerprint"));
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let duration = format!("run.duration={}", known.short_duration);
        let scenario =
            load(&name, &text, &[&duration, "run.warmup=0s"], &()).expect("a good scenario");
        let run = || {
            let seed = scenario.scenario().run.seed;
            let mut world = World::new(scenario.expand(seed, 0)).expect("a checked model");
            world.run();
            format!("{:016x}", world.fingerprint())
        };
        let (first, second) = (run(), run());
        assert_eq!(first, second, "{name} differs from itself");
        if first != known.short {
            moved.push(format!("{name}: {first}, stored {}", known.short));
        }
    }
    assert!(
        moved.is_empty(),
        "results moved; see CONTRIBUTING.md: {moved:#?}"
    );
}

/// The changes that a file's comments advise: what follows each `--set`, without quotes.
fn advised(text: &str) -> Vec<String> {
    let comments = text.lines().filter(|line| line.starts_with('#'));
    let sets = comments.flat_map(|line| line.split("--set ").skip(1));
    let value = |rest: &str| match rest.strip_prefix('\'') {
        Some(quoted) => quoted.split('\'').next().unwrap_or_default().to_owned(),
        None => rest.split([' ', ',']).next().unwrap_or_default().to_owned(),
    };
    sets.map(value).collect()
}

#[test]
fn what_comments_advise_can_be_done() {
    let files = shipped().into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        (path.display().to_string(), text)
    });
    let templates = pacesim::scenario::templates().iter();
    let templates = templates.map(|template| (template.name.to_owned(), template.text.to_owned()));
    let mut tried = 0;
    for (name, text) in files.chain(templates) {
        for set in advised(&text) {
            if let Err(problems) = load(&name, &text, &[&set], &()) {
                panic!("{name} with {set}: {problems:?}");
            }
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried} are found");
}
