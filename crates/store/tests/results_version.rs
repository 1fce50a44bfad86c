//! A store never resumes with runs of an engine with other results.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_store::key::{RESULTS_VERSION, declared_metrics};

/// Scenarios with their fingerprints, the rest of the line.
fn fingerprints(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| {
        panic!(
            "{}: {error}; it is a copy of scenarios/fingerprints.csv from when RESULTS_VERSION \
             became {RESULTS_VERSION}",
            path.display()
        )
    });
    let line = |line: &str| {
        let (scenario, rest) = line.split_once(',').expect("columns");
        (scenario.to_owned(), rest.to_owned())
    };
    text.lines().skip(1).map(line).collect()
}

#[test]
fn the_version_of_results_grows_when_a_stored_fingerprint_changes() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let version = format!("tests/results_of_version/{RESULTS_VERSION}.csv");
    let then = fingerprints(&package.join(version));
    let now = fingerprints(&package.join("../../scenarios/fingerprints.csv"));
    let changed: Vec<&String> = then
        .iter()
        .filter(|(scenario, of)| now.get(*scenario).is_some_and(|now| now != *of))
        .map(|(scenario, _)| scenario)
        .collect();
    assert!(
        changed.is_empty(),
        "the fingerprints of {changed:?} are not those of results of version {RESULTS_VERSION}. If the engine \
         changed, make RESULTS_VERSION (crates/store/src/key.rs) one greater and copy \
         scenarios/fingerprints.csv to crates/store/tests/results_of_version/ under its new number; if only these \
         scenarios were edited, correct their lines there"
    );
    assert!(then.keys().any(|scenario| now.contains_key(scenario)));
}

#[test]
fn the_version_of_results_grows_when_the_table_of_metrics_changes() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let then = package.join(format!(
        "tests/results_of_version/{RESULTS_VERSION}.metrics"
    ));
    let then = std::fs::read_to_string(&then).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; it has a line for each declared metric",
            then.display()
        )
    });
    let now = declared_metrics();
    assert!(
        then.lines().eq(now.iter().map(String::as_str)),
        "the declared metrics are not those of results of version {RESULTS_VERSION}: make RESULTS_VERSION \
         (crates/store/src/key.rs) one greater, and write these lines to its file in \
         crates/store/tests/results_of_version/:\n{}",
        now.join("\n")
    );
}
