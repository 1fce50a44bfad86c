//! `pacesim verify`.

use serde_json::Value;

use crate::common::{SCENARIO, folder, pacesim};
use crate::sweep::study;

#[test]
fn a_results_folder_is_what_was_written_until_a_file_changes() {
    let folder = folder();
    std::fs::write(folder.path().join("one.toml"), SCENARIO).expect("written");
    let ran = pacesim(folder.path(), &["run", "one.toml", "-q", "--out", "kept"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = pacesim(folder.path(), &["verify", "kept", "--again", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("1 run made again: everything is unchanged"),
        "{}",
        ran.stdout
    );
    let flows = folder.path().join("kept/flows.parquet");
    let mut bytes = std::fs::read(&flows).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&flows, bytes).expect("written");
    let ran = pacesim(folder.path(), &["verify", "kept", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(found["kind"], "results");
    assert_eq!(found["problems"], serde_json::json!(["kept/flows.parquet"]));
    let ran = pacesim(folder.path(), &["compare", "kept", "kept"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("flows.parquet: damaged"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_no_folder_of_ours_is_refused() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["verify", "."]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("neither a results folder nor the folder of a study"),
        "{}",
        ran.stderr
    );
}

#[test]
fn runs_of_a_study_are_made_again_and_damaged_ones_named() {
    let folder = study();
    let ran = pacesim(
        folder.path(),
        &["sweep", "study.toml", "-q", "--out", "kept"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = pacesim(
        folder.path(),
        &["verify", "kept", "--again", "4", "--seed", "2"],
    );
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("4 runs made again"), "{}", ran.stdout);
    let store =
        rusqlite::Connection::open(folder.path().join("kept/store.sqlite")).expect("opened");
    let change = "UPDATE numbers SET value = value + 1 WHERE run = 2 AND place = 0";
    store.execute_batch(change).expect("changed");
    drop(store);
    let ran = pacesim(folder.path(), &["verify", "kept"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("has changed since it was stored"),
        "{}",
        ran.stdout
    );
    let ran = pacesim(
        folder.path(),
        &["sweep", "study.toml", "-q", "--out", "kept"],
    );
    assert_eq!(
        (ran.code, ran.stderr.contains("was damaged")),
        (0, true),
        "{}",
        ran.stderr
    );
    let ran = pacesim(folder.path(), &["verify", "kept"]);
    assert_eq!(ran.code, 0, "the sweep has made it again: {}", ran.stdout);
}
