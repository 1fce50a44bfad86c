//! An application of a program's own whose messages quinn carries, and TCP for comparison.

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../examples/dialogues.rs"]
mod dialogues;

use std::ffi::OsString;
use std::path::Path;

/// A process installs its parts once: one sweep tries every transport.
#[test]
fn quinn_carries_questions_and_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/dialogues.study.toml");
    let out = folder.path().join("results");
    let mut arguments = vec![OsString::from("dialogues"), "sweep".into(), study.into()];
    arguments.extend(["--strict", "--quiet", "--out"].map(OsString::from));
    arguments.push(out.clone().into());
    let code = pacesim_app::main_of(dialogues::parts(), arguments);
    assert_eq!(code, 0, "a claim of the study does not hold");
    assert!(out.join("figures/response.svg").exists());
}
