//! Recorded live runs that ship: anyone's repetition has the fingerprint of the live run.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim::World;
use pacesim::scenario::load;
use pacesim_runs::drive::{Watchers, drive};
use pacesim_runs::lived::{LiveOrder, open};
use pacesim_runs::reality::Recordings;
use pacesim_runs::run_monitor::Unwatched;

/// The folders of recordings.
fn folders() -> Vec<PathBuf> {
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/live");
    let entries = fs::read_dir(live).expect("they ship").flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// The texts of recordings in a folder.
fn records(folder: &Path) -> Vec<serde_json::Value> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let texts = entries.map(|entry| entry.path());
    let texts = texts.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    texts
        .map(|path| {
            let text = fs::read_to_string(path).expect("it ships");
            serde_json::from_str(&text).expect("JSON")
        })
        .collect()
}

#[test]
fn shipped_live_runs_repeat_with_their_fingerprints() {
    let mut repeated = 0;
    for folder in folders() {
        let recordings = Recordings::in_folder(&folder);
        for record in records(&folder) {
            let text = record["scenario"].as_str().expect("a scenario");
            let scenario = load("recorded.toml", text, &[], &()).expect("a good scenario");
            let seed = record["seed"].as_u64().expect("a seed");
            let mut model = scenario.expand(seed, 0);
            let order = LiveOrder {
                scenario: &scenario,
                model: &model,
            };
            let lived = recordings.find(&order).expect("it can be read");
            let lived = lived.expect("it is found by its scenario");
            let other = scenario.expand(seed + 1, 0);
            let other = LiveOrder {
                model: &other,
                ..order
            };
            assert!(recordings.find(&other).expect("readable").is_none());

            open(&scenario, &mut model);
            let mut world = World::new(model).expect("a good model");
            let mut watchers = Watchers {
                lived: Some(&lived),
                ..Watchers::default()
            };
            drive(&mut world, &mut watchers, &mut Unwatched).expect("it ends");
            let fingerprint = format!("{:016x}", world.fingerprint());
            lived.expect(&fingerprint).expect("that of the live run");
            assert!(lived.expect("0000000000000000").is_err());
            let goodput: u64 = world.flow_rows().iter().map(|row| row.goodput_bytes).sum();
            assert!(goodput > 100_000, "{goodput} bytes");
            repeated += 1;
        }
    }
    assert!(repeated >= 18, "{repeated} were repeated");
}
