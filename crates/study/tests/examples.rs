//! The examples of the reference: one for each table, each accepted as part of a study.

use std::sync::Arc;

use pacesim_study::{StudyText, examples, reference};

/// The scenario of all.
const SCENARIO: &str = r#"
run = { duration = "10s", warmup = "2s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "20ms", buffer = "25pkts" }]
[[flow]]
name = "f"
count = 5
from = "a"
to = "b"
traffic = { kind = "tcp", transfers = { size = "30KB", pause = "100ms" } }
"#;

/// Parts of a study that examples leave out.
const HEAD: &str = "name = \"example\"\nscenario = \"dumbbell.toml\"\n";
const AXES: &str = r#"
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["5pkts", "20pkts", "80pkts"]
[[sweep.axis]]
name = "pacing"
cases = { none = {}, host = { "flow.f.traffic.pacing" = "window" } }
"#;

/// A whole study with this example.
fn whole(example: &str) -> String {
    let tables: toml::Table = example.parse().expect("TOML");
    let head = if tables.contains_key("scenario") {
        ""
    } else {
        HEAD
    };
    let axes = if tables.contains_key("sweep") {
        ""
    } else {
        AXES
    };
    format!("{head}{example}\n{axes}")
}

#[test]
fn each_is_accepted() {
    for (heading, example) in examples() {
        let text = whole(example);
        let files = Arc::new(|name: &str| match name {
            "dumbbell.toml" => Ok(SCENARIO.to_owned()),
            "kernel.csv" => Ok("buffer,mean,sd\n5pkts,0.8,0.01\n20pkts,0.9,0.01\n".to_owned()),
            _ => Err(format!("no file {name}")),
        });
        let study = StudyText::parse("example.toml", "example", text.as_bytes(), files);
        let study = study
            .check()
            .unwrap_or_else(|problems| panic!("{heading}: {problems}\n{text}"));
        for point in study.points() {
            let scenario = study.scenario(point);
            assert!(scenario.is_ok(), "{heading}: {:?}", scenario.err());
        }
    }
}

#[test]
fn each_table_of_the_reference_has_one() {
    let page = reference();
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    let of_examples: Vec<&str> = examples().iter().map(|(heading, _)| *heading).collect();
    assert_eq!(
        of_examples, headings,
        "one example for each table, in order"
    );
}
