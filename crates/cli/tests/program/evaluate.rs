//! `pacesim evaluate` from outside.

use std::path::Path;

use crate::common::{folder, pacesim};

/// The number of entries of a folder.
fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn the_list_names_all_studies_and_runs_nothing() {
    let folder = folder();
    let before = entries(folder.path());
    let ran = pacesim(folder.path(), &["evaluate", "cubic", "--list"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for name in ["alone: ", "beside: ", "reordering: ", "conformance: "] {
        assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
    }
    assert_eq!(entries(folder.path()), before);
}

#[test]
fn an_evaluation_leaves_a_page_a_file_for_ci_and_studies_that_can_be_repeated() {
    let folder = folder();
    let command = [
        "evaluate",
        "reno",
        "--only",
        "loss",
        "conformance",
        "--scale",
        "0.1",
        "--out",
        "tried",
    ];
    let ran = pacesim(folder.path(), &command);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("trials of RFC 9743"), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let page = read("tried/evaluation.md");
    assert!(
        page.contains("| a loss of 10 % does not end it |"),
        "{page}"
    );
    assert!(page.contains("(loss/figures/loss.svg)"), "{page}");
    assert!(read("tried/loss/figures/loss.svg").starts_with("<svg"));
    let junit = read("tried/junit.xml");
    assert!(
        junit.contains("<testsuite name=\"reno.conformance\""),
        "{junit}"
    );
    // The file is a study like any other, and its store is complete.
    let file = "tried/loss.study.toml";
    let again = ["sweep", file, "--scale", "0.1", "--out", "tried/loss"];
    let ran = pacesim(folder.path(), &again);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("were there"), "{}", ran.stderr);
}

#[test]
fn what_is_no_control_is_refused_before_anything_is_written() {
    let folder = folder();
    let before = entries(folder.path());
    for (control, told) in [
        ("cubik", "\"cubic\""),
        ("../cubic", "is no name of a control"),
        ("cubic, pacing = 3", "pacing"),
        ("kind = \"tpc\"", "\"tcp\""),
    ] {
        let ran = pacesim(folder.path(), &["evaluate", control]);
        assert_eq!(ran.code, 2, "{control}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{control}: {}", ran.stderr);
    }
    let ran = pacesim(folder.path(), &["evaluate", "cubic", "--only", "besides"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("did you mean \"beside\""),
        "{}",
        ran.stderr
    );
    assert_eq!(entries(folder.path()), before);
}
