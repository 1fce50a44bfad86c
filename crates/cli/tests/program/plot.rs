//! `pacesim plot` given the folder of a study.

use std::path::Path;

use crate::common::{folder, pacesim};

/// The template, based on a scenario in a separate file, swept briefly into `kept`.
fn swept(folder: &Path) -> String {
    let ran = pacesim(folder, &["new", "study", "-o", "whole.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = std::fs::read_to_string(folder.join("whole.toml")).expect("read");
    let (scenario, study) = text.split_once("[sweep]").expect("a study");
    let (name, scenario) = scenario.split_once("run = ").expect("a scenario");
    let base = folder.join("scenarios");
    std::fs::create_dir_all(&base).expect("made");
    std::fs::write(base.join("base.toml"), format!("run = {scenario}")).expect("written");
    let text = format!("{name}\nscenario = \"scenarios/base.toml\"\n[sweep]{study}");
    std::fs::write(folder.join("study.toml"), text).expect("written");
    let sweep = [
        "sweep",
        "study.toml",
        "-q",
        "--out",
        "kept",
        "--scale",
        "0.02",
    ];
    let set = ["--set", "flow.sack.count=5", "--replications", "2"];
    let ran = pacesim(folder, &[&sweep[..], &set].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    std::fs::read_to_string(folder.join("kept/figures/goodput.svg")).expect("drawn")
}

#[test]
fn the_folder_of_a_study_is_enough_for_its_figures() {
    let folder = folder();
    let drawn = swept(folder.path());
    for gone in ["study.toml", "scenarios/base.toml", "whole.toml"] {
        std::fs::remove_file(folder.path().join(gone)).expect("removed");
    }
    std::fs::rename(folder.path().join("kept"), folder.path().join("moved")).expect("moved");
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("made");
    let ran = pacesim(&elsewhere, &["plot", "../moved", "--to", "."]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let again = std::fs::read_to_string(elsewhere.join("goodput.svg")).expect("drawn");
    assert_eq!(again, drawn);
    let fewer = [
        "plot",
        "../moved",
        "--to",
        ".",
        "--replications",
        "1",
        "--force",
    ];
    let ran = pacesim(&elsewhere, &fewer);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let fewer = std::fs::read_to_string(elsewhere.join("goodput.svg")).expect("drawn");
    assert_ne!(fewer, drawn, "of one replication there is no interval");
}

#[test]
fn a_folder_that_is_none_of_a_study_and_options_of_files_are_refused() {
    let folder = folder();
    swept(folder.path());
    std::fs::create_dir(folder.path().join("other")).expect("made");
    for (args, told) in [
        (&["plot", "other"][..], "is not the folder of a study"),
        (
            &["plot", "kept", "--seed", "3"],
            "--seed goes with the file",
        ),
        (
            &["plot", "kept", "--set", "run.seed=3"],
            "--set goes with the file",
        ),
        (
            &["plot", "kept", "--plot", "nothing"],
            "valid here: goodput",
        ),
    ] {
        let ran = pacesim(folder.path(), args);
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn the_folder_of_a_search_is_enough_too() {
    let folder = folder();
    let new = pacesim(folder.path(), &["new", "tune", "-o", "tune.toml"]);
    assert_eq!(new.code, 0, "{}", new.stderr);
    let args = [
        "tune",
        "tune.toml",
        "-q",
        "--out",
        "kept",
        "--scale",
        "0.02",
        "--set",
        "sweep.axis.flows.values=[10]",
    ];
    let ran = pacesim(folder.path(), &args);
    // Runs this short find no result; the figures are drawn nevertheless.
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let figures = folder.path().join("kept/figures");
    let drawn = std::fs::read_dir(&figures).expect("drawn");
    let name = drawn.map(|file| file.expect("listed").file_name()).next();
    let name = name.expect("a figure");
    std::fs::remove_file(folder.path().join("tune.toml")).expect("removed");
    let ran = pacesim(folder.path(), &["plot", "kept", "--to", "again"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let again = std::fs::read(folder.path().join("again").join(&name)).expect("drawn");
    assert_eq!(again, std::fs::read(figures.join(&name)).expect("read"));
}
