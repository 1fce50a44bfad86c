//! The scenarios that ship with the project.

use std::path::{Path, PathBuf};

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim::units::{LinkId, Time};

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
            // Studies build on scenarios, which have separate fingerprints; mutations of studies
            // are not scenarios.
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

/// Digests of links at several times of a short run: time, and name and digest of each link.
type Steps = Vec<(Time, Vec<(String, u16)>)>;
type ByScenario = BTreeMap<String, Steps>;

/// Sampling times of a short run, evenly spaced.
const STEPS: u64 = 4;

/// The number of links with stored digests, from the first on.
const MOST_LINKS: usize = 128;

fn run_in_steps(model: Model) -> (String, Steps) {
    let names = model.links.iter().take(MOST_LINKS);
    let names: Vec<String> = names.map(|link| link.name.to_string()).collect();
    let step = model.duration.as_ps() / STEPS;
    let mut world = World::new(model).expect("a checked model");
    let mut steps = Steps::new();
    for number in 1..=STEPS {
        let at = Time::from_ps(step * number);
        world.run_until(at);
        let digest = |link| {
            let whole = world.link_fingerprint(LinkId::from_index(link));
            (whole ^ whole >> 16 ^ whole >> 32 ^ whole >> 48) as u16
        };
        let digests = (0..names.len()).map(|link| (names[link].clone(), digest(link)));
        steps.push((at, digests.collect()));
    }
    world.run();
    (format!("{:016x}", world.fingerprint()), steps)
}

/// The first time at which links differ, and these links.
fn first_difference(before: &Steps, now: &Steps) -> Option<String> {
    let mut since = Time::ZERO;
    for ((at, old), (_, new)) in before.iter().zip(now) {
        let differing = old.iter().zip(new).filter(|(old, new)| old != new);
        let names: Vec<&str> = differing.map(|(_, (name, _))| name.as_str()).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            return Some(format!("first between {since} and {at}, at {names}"));
        }
        since = *at;
    }
    None
}

fn by_link_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/fingerprints_by_link.csv")
}

/// A line for each scenario and time, with `link=digest` for each link.
fn written(all: &ByScenario) -> String {
    let mut text = "scenario,at_ps,links\n".to_owned();
    for (scenario, steps) in all {
        for (at, links) in steps {
            let links = links
                .iter()
                .map(|(link, digest)| format!("{link}={digest:04x}"));
            let links: Vec<String> = links.collect();
            text += &format!("{scenario},{},{}\n", at.as_ps(), links.join(" "));
        }
    }
    text
}

fn by_link_stored() -> ByScenario {
    let text = std::fs::read_to_string(by_link_path()).unwrap_or_default();
    let mut all = ByScenario::new();
    for line in text.lines().skip(1) {
        let mut fields = line.splitn(3, ',');
        let mut field = || fields.next().expect("three fields");
        let (scenario, at, links) = (field(), field(), field());
        let links = links.split(' ').filter_map(|link| link.split_once('='));
        let digest = |text| u16::from_str_radix(text, 16).expect("a digest");
        let links = links.map(|(link, text)| (link.to_owned(), digest(text)));
        let at = Time::from_ps(at.parse().expect("a time"));
        let steps = all.entry(scenario.to_owned()).or_default();
        steps.push((at, links.collect()));
    }
    all
}

#[test]
fn where_a_fingerprint_moves_the_first_time_and_link_are_named() {
    let name = "dumbbell.toml";
    let path = by_link_path().with_file_name(name);
    let text = std::fs::read_to_string(path).expect("a readable file");
    let run = |sets: &[&str]| {
        let sets = [&["run.duration=2s", "run.warmup=0s"], sets].concat();
        let scenario = load(name, &text, &sets, &()).expect("a good scenario");
        run_in_steps(scenario.expand(1, 0)).1
    };
    let before = run(&[]);
    assert_eq!(first_difference(&before, &run(&[])), None, "the same run");
    let smaller = run(&["topology.bottleneck.buffer=9pkts"]);
    let place = first_difference(&before, &smaller).expect("a smaller buffer drops earlier");
    assert!(place.contains("core"), "the link of the buffer: {place}");
}

/// Short runs, in the build profile of tests; `scripts/fingerprints.sh` compares these and the full
/// runs in a release build.
#[test]
fn every_shipped_scenario_has_its_stored_fingerprint_twice() {
    let stored = stored();
    let by_link_before = by_link_stored();
    let mut by_link_now = ByScenario::new();
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
        let model = scenario.expand(scenario.scenario().run.seed, 0);
        let (second, by_link) = run_in_steps(model);
        let first = run();
        assert_eq!(first, second, "{name} differs from itself");
        let before = by_link_before.get(&name);
        if first != known.short {
            let place = before.and_then(|before| first_difference(before, &by_link));
            let place = place.unwrap_or_else(|| "no link of the first few".to_owned());
            moved.push(format!("{name}: {first}, stored {}: {place}", known.short));
        }
        by_link_now.insert(name, by_link);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(by_link_path(), written(&by_link_now)).expect("a writable file");
        return;
    }
    assert_eq!(
        moved.is_empty(),
        by_link_now == by_link_before,
        "scenarios/fingerprints_by_link.csv is not of these fingerprints: write it with UPDATE_DOCS=1; {moved:#?}"
    );
    assert!(
        moved.is_empty(),
        "results moved; see CONTRIBUTING.md: {moved:#?}"
    );
}

/// The changes that a file's comments suggest: the text after each `--set`, without quotes.
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
