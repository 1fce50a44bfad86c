//! The scenarios that ship with the project.

use std::path::{Path, PathBuf};

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
            } else if path.extension().is_some_and(|end| end == "toml") {
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
