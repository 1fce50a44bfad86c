//! Help, templates, and information about the program itself.

use std::fs;
use std::path::Path;

use crate::common::{folder, names, pacesim, pacesim_reading, program};
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

/// The lines of a command's help in a terminal of 80 columns.
fn help_lines(folder: &Path, command: &str) -> Vec<String> {
    let mut program = program(folder, &[command, "--help"]);
    let output = program.env("COLUMNS", "80").output();
    let help = String::from_utf8(output.expect("it starts").stdout).expect("text");
    help.lines().map(str::to_owned).collect()
}

#[test]
fn examples_come_before_the_options_and_fit_80_columns() {
    let folder = folder();
    for command in [
        "run",
        "sweep",
        "merge",
        "plot",
        "compare",
        "verify",
        "tune",
        "solve",
        "reproduce",
        "check",
        "new",
        "schema",
        "completions",
        "man",
    ] {
        let lines = help_lines(folder.path(), command);
        let at = |heading: &str| lines.iter().position(|line| line == heading);
        let (examples, options) = (at("Examples:"), at("Options:"));
        assert!(examples.is_some() && examples < options, "{lines:#?}");
        let examples = lines.iter().skip(examples.unwrap_or(0) + 1);
        for line in examples.take_while(|line| !line.is_empty()) {
            let is_whole = line.starts_with("  pacesim ") || line.starts_with("  #");
            assert!(is_whole, "{command}: the line before {line:?} is too long");
        }
    }
}

#[test]
fn metrics_are_found_by_name_and_by_meaning() {
    let folder = folder();
    let all = pacesim(folder.path(), &["metrics"]);
    assert_eq!(all.code, 0, "{}", all.stderr);
    let found = pacesim(folder.path(), &["metrics", "Jain"]);
    let names = found.stdout.lines().map(|line| line.split(' ').next());
    let names: Vec<_> = names.flatten().collect();
    assert_eq!(names, ["flows.NAME.jain_index"], "{}", found.stdout);
    // Columns are as wide as their longest name.
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (all, found) = (squeezed(&all.stdout), squeezed(&found.stdout));
    assert!(all.contains(&found), "{found} is not in {all}");
    let json = pacesim(folder.path(), &["metrics", "utilisation", "--json"]).stdout;
    let json: Value = serde_json::from_str(&json).expect("one document");
    assert_eq!(json["metrics"][0]["name"], "link.NAME.utilisation");
    let none = pacesim(folder.path(), &["metrics", "nothing such"]);
    assert_eq!(none.code, 2, "{}", none.stderr);
    assert!(none.stderr.contains("lists all"), "{}", none.stderr);
}

#[test]
fn metrics_of_a_study_have_its_names_and_its_measures() {
    let folder = folder();
    let study = "[topology]\nshape = \"dumbbell\"\npairs = 3\naccess = { rate = \"10Mbps\", delay = \"1ms\" }\n\
        bottleneck = { rate = \"5Mbps\", delay = \"1ms\", buffer = \"9pkts\" }\n\n\
        [[flow]]\nname = \"web\"\nfrom = \"left\"\nto = \"right\"\n\
        traffic = { kind = \"tcp\", variant = \"reno\", transfers = { size = \"30KB\", arrivals = { kind = \"poisson\", every = \"100ms\" } } }\n\n\
        [run]\nduration = \"1s\"\n\n\
        [[measure]]\nname = \"pages\"\nkind = \"completions\"\nflows = \"web\"\nclasses = [\"20KB\"]\n";
    fs::write(folder.path().join("web.study.toml"), study).unwrap();
    let listed = |pattern: &str| {
        let args = ["metrics", "--of", "web.study.toml", pattern];
        let listed = pacesim(folder.path(), &args);
        let names = listed.stdout.lines().map(|line| line.split(' ').next());
        let names: Vec<String> = names.flatten().map(str::to_owned).collect();
        (listed.code, names)
    };
    let (code, of_pages) = listed("measure.pages.slowdown_p99");
    assert_eq!(code, 0);
    let expected = [
        "",
        "9",
        "_below_20KB",
        "9_below_20KB",
        "_from_20KB",
        "9_from_20KB",
    ];
    assert_eq!(
        of_pages,
        expected.map(|end| format!("measure.pages.slowdown_p99{end}"))
    );
    assert_eq!(
        listed("goodput_bps").1[..2],
        ["flows.web.goodput_bps", "flows.web.flow_goodput_bps"]
    );
    let (_, links) = listed("utilisation");
    assert!(
        links.contains(&"link.core.utilisation".to_owned()),
        "{links:?}"
    );
    assert!(!links.iter().any(|name| name.contains("[1]")), "{links:?}");
    let missing = pacesim(folder.path(), &["metrics", "--of", "none.toml"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
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
    assert!(manual.contains("replications"), "{manual}");
}

/// Readers of `--json` documents need not parse messages for people.
#[test]
fn with_json_errors_are_json_too() {
    let folder = folder();
    std::fs::write(folder.path().join("taken"), "").expect("written");
    let document = |args: &[&str], code: i32| -> Value {
        let ran = pacesim(folder.path(), args);
        assert_eq!((ran.code, ran.stderr.as_str()), (code, ""), "{args:?}");
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    };
    for args in [
        &["run", "one.toml", "--json", "--set", "run.seed=x"][..],
        &["run", "missing.toml", "--json"],
        &["check", "one.toml", "--json", "--set", "run.seed=x"],
        &[
            "solve",
            "--json",
            "--scenario",
            "one.toml",
            "--port",
            "core",
            "--set",
            "run.seed=x",
        ],
    ] {
        let problems = &document(args, 2)["problems"];
        assert_eq!(problems.as_array().map(Vec::len), Some(1), "{args:?}");
        for key in ["file", "line", "column", "path", "message", "help"] {
            assert!(problems[0].get(key).is_some(), "{key} of {args:?}");
        }
    }
    for (args, part) in [
        (
            &["run", "one.toml", "--json", "--out", "taken", "--quiet"][..],
            "taken exists",
        ),
        (
            &["run", "one.toml", "--json", "--replications", "0"],
            "from 1 to",
        ),
        (&["solve", "mm1k", "--json", "--set", "load=x"], "load"),
        (&["solve", "nothing", "--json"], "no model \"nothing\""),
        (&["reproduce", "nothing", "--json"], "nothing"),
        (&["check", "--json"], "<FILE>"),
        (&["version", "--json", "--verbose"], "--verbose"),
    ] {
        let error = &document(args, 2)["error"];
        assert!(
            error.as_str().is_some_and(|text| text.contains(part)),
            "{error}"
        );
    }
}

#[test]
fn more_replications_than_can_be_kept_are_refused_with_the_reason() {
    let folder = folder();
    let args = ["run", "one.toml", "--replications", "4294967295"];
    let ran = pacesim(folder.path(), &args);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("from 1 to 100000"), "{}", ran.stderr);
    assert!(ran.stderr.contains("kept until the end"), "{}", ran.stderr);
}
