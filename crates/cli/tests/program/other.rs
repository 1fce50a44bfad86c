//! Help, templates, and what the program says about itself.

use crate::common::{folder, names, pacesim, pacesim_reading};
use serde_json::Value;

#[test]
fn help_teaches_by_example() {
    let folder = folder();
    for command in [
        "run",
        "solve",
        "check",
        "new",
        "schema",
        "completions",
        "man",
    ] {
        let ran = pacesim(folder.path(), &[command, "--help"]);
        assert_eq!(ran.code, 0);
        assert!(
            ran.stdout.contains("Examples:"),
            "{command}: {}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains(&format!("pacesim {command}")),
            "{}",
            ran.stdout
        );
    }
    let ran = pacesim(folder.path(), &["--help"]);
    assert!(ran.stdout.contains("Exit codes: 0 done"), "{}", ran.stdout);
}

#[test]
fn wrong_usage_ends_with_2() {
    let folder = folder();
    for args in [
        &["rn"][..],
        &[],
        &["run"],
        &["run", "one.toml", "--force"],
        &["run", "one.toml", "--replications", "0"],
    ] {
        let ran = pacesim(folder.path(), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn the_version_is_the_crate_s() {
    let folder = folder();
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        pacesim(folder.path(), &["version"])
            .stdout
            .contains(version)
    );
    assert!(
        pacesim(folder.path(), &["--version"])
            .stdout
            .contains(version)
    );
    let json: Value =
        serde_json::from_str(&pacesim(folder.path(), &["version", "--json"]).stdout).expect("JSON");
    assert_eq!(json["version"], version);
}

#[test]
fn every_template_is_a_right_scenario() {
    let folder = folder();
    let list = pacesim(folder.path(), &["new", "--list"]).stdout;
    assert!(list.lines().count() >= 5, "{list}");
    for line in list.lines() {
        let name = line.split_whitespace().next().expect("a name");
        let text = pacesim(folder.path(), &["new", name]).stdout;
        let ran = pacesim_reading(folder.path(), &["check", "-"], &text);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
    }
}

#[test]
fn an_unknown_template_names_the_nearest() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["new", "dumbel"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("did you mean \"dumbbell\"?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_new_file_is_never_written_over_another() {
    let folder = folder();
    let new = || pacesim(folder.path(), &["new", "mm1k", "-o", "mine.toml"]);
    assert_eq!(new().code, 0);
    assert_eq!(names(folder.path()), ["mine.toml", "one.toml"]);
    let ran = new();
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("exists"), "{}", ran.stderr);
}

#[test]
fn the_schema_is_json() {
    let folder = folder();
    let schema = pacesim(folder.path(), &["schema"]).stdout;
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(schema["properties"]["run"].is_object(), "{schema}");
}

#[test]
fn completions_and_manual_know_the_commands() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = pacesim(folder.path(), &["completions", shell]).stdout;
        assert!(script.contains("replications"), "{shell}");
    }
    let page = pacesim(folder.path(), &["man", "run"]).stdout;
    assert!(page.contains(".TH pacesim-run"), "{page}");
    assert!(page.contains("\\-\\-replications"), "{page}");
    assert!(!page.contains("pacesim-solve"), "{page}");
    assert_eq!(pacesim(folder.path(), &["man", "rnu"]).code, 2);
    let manual = pacesim(folder.path(), &["man"]).stdout;
    assert!(manual.contains("\\-\\-replications"), "{manual}");
    assert!(
        manual.starts_with(".ie") || manual.contains(".TH pacesim"),
        "{manual:.200}"
    );
    assert!(manual.contains("replications"));
}
