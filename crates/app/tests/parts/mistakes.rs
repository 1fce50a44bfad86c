//! Mistakes in the keys of own parts, and their place in schema and options.

use crate::{new_part, program_of, run};

/// The messages of a check with this option.
fn complaint(kind: &str, set: &str) -> String {
    let folder = new_part(kind);
    let of = folder.path().join(format!("own_{kind}"));
    let ran = run(
        program_of(kind),
        &of,
        &["check", "scenario.toml", "--set", set],
    );
    assert_eq!(ran.code, 2, "{set}: {}", ran.stdout);
    ran.stderr
}

#[test]
fn mistakes_are_reported_as_for_built_in_parts() {
    let pacer = "topology.link.pacer";
    let control = "flow.tcp.traffic.control";
    for (kind, set, told) in [
        (
            "pacer",
            format!("{pacer}.kind=own_pace"),
            "did you mean \"own_pacer\"",
        ),
        ("pacer", format!("{pacer}.gapp=1ms"), "did you mean \"gap\""),
        ("pacer", format!("{pacer}.gap=3"), "3 has no unit"),
        ("pacer", format!("{pacer}.gap=5pkts"), "5pkts"),
        (
            "control",
            format!("{control}=own_contrl"),
            "did you mean \"own_control\"",
        ),
        (
            "control",
            format!("{control}.decrease=2.0"),
            "2 is out of range",
        ),
        (
            "control",
            format!("{control}.decreas=0.3"),
            "did you mean \"decrease\"",
        ),
        (
            "control",
            format!("{control}={{ kind = \"cubic2\" }}"),
            "unknown value \"cubic2\"",
        ),
        (
            "middlebox",
            "topology.link.back.middleboxes[0].los=0.1".to_owned(),
            "did you mean \"lost\"",
        ),
        (
            "middlebox",
            "topology.link.back.middleboxes[0].kind=own_midlebox".to_owned(),
            "did you mean \"own_middlebox\"",
        ),
        (
            "loss",
            "topology.link.loss.model.lasts=2s".to_owned(),
            "give more than lasts",
        ),
        (
            "loss",
            "topology.link.loss.model.kind=own_los".to_owned(),
            "did you mean \"own_loss\"",
        ),
        (
            "discipline",
            "topology.link.discipline.patience=true".to_owned(),
            "true is not accepted here",
        ),
    ] {
        let message = complaint(kind, &set);
        assert!(message.contains(told), "{set}: {message}");
    }
}

#[test]
fn keys_that_are_not_declared_have_their_line_their_path_and_a_remedy() {
    for (kind, line, path) in [
        ("control", 4, "flow[0].traffic.control.undeclared"),
        ("pacer", 3, "topology.link.pacer.undeclared"),
        ("discipline", 3, "topology.link.discipline.undeclared"),
        ("source", 4, "flow[0].traffic.undeclared"),
        ("end", 5, "flow[0].traffic.undeclared"),
        ("application", 5, "flow[0].traffic.undeclared"),
        (
            "middlebox",
            3,
            "topology.link.back.middleboxes[0].undeclared",
        ),
        ("loss", 3, "topology.link.loss.model.undeclared"),
    ] {
        let folder = new_part(kind);
        let of = folder.path().join(format!("own_{kind}"));
        let text = std::fs::read_to_string(of.join("scenario.toml")).expect("a scenario");
        let within = format!("{{ kind = \"own_{kind}\"");
        let text = text.replace(&within, &format!("{within}, undeclared = 1"));
        std::fs::write(of.join("wrong.toml"), text).expect("written");
        let ran = run(program_of(kind), &of, &["check", "wrong.toml"]);
        assert_eq!(ran.code, 2, "{kind}: {}", ran.stdout);
        assert!(
            ran.stderr.contains(&format!("{path}: unknown key")),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(&format!("wrong.toml:{line}:")),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("= help: valid here: kind, "),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn keys_of_parts_are_options_and_stand_in_the_schema() {
    let folder = new_part("control");
    let of = folder.path().join("own_control");
    let set = "flow.tcp.traffic.control.decrease=0.7";
    let word = "flow.tcp.traffic.control=own_control";
    let args = ["check", "scenario.toml", "--set", word, "--set", set];
    let ran = run(program_of("control"), &of, &args);
    assert_eq!(ran.code, 0, "a name alone takes keys: {}", ran.stderr);
    let schema = run(program_of("control"), &of, &["schema"]).stdout;
    assert!(schema.contains("The share of the window that is left after a loss."));
    let reference = run(program_of("control"), &of, &["schema", "--reference"]).stdout;
    assert!(
        reference.contains("## [[flow]]: traffic: kind = \"tcp\": control: kind = \"own_control\""),
        "{reference}"
    );
    let version = run(program_of("control"), &of, &["version"]).stdout;
    assert!(version.contains("control own_control"), "{version}");
}

#[test]
fn mistakes_in_measures_are_reported_at_their_place_in_the_study() {
    let folder = new_part("measure");
    let of = folder.path().join("own_measure");
    let study = std::fs::read_to_string(of.join("study.toml")).expect("a study");
    let named = "kind = \"own_measure\"";
    for (wrong, told) in [
        ("kind = \"own_mesure\"", "did you mean \"own_measure\""),
        ("kind = \"own_measure\", leas = 2", "did you mean \"least\""),
        ("kind = \"own_measure\", least = 0", "0 is out of range"),
    ] {
        let text = study.replace(named, wrong);
        std::fs::write(of.join("wrong.toml"), text).expect("written");
        let ran = run(program_of("measure"), &of, &["check", "wrong.toml"]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{wrong}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("wrong.toml:3:"),
            "{wrong}: {}",
            ran.stderr
        );
    }
}
