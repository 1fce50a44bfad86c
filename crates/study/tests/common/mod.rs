//! Studies on one small scenario.
#![allow(dead_code, reason = "each file of tests uses some of it")]

use std::sync::Arc;

use pacesim_language::problem::Problems;
use pacesim_scenario::Scenario;
use pacesim_study::{SharedFiles, Study, StudyText};
use pacesim_units::Capacity;

pub(crate) const BASE: &str = r#"
run = { duration = "10s" }
node = [{ name = "a" }, { name = "b" }]
[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
buffer = "10pkts"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
"#;

/// The base scenario as a file, also in a folder.
fn files() -> SharedFiles {
    Arc::new(|name: &str| match name {
        "base.toml" => Ok(BASE.to_owned()),
        "sub/listed.toml" => Ok(LISTED.to_owned()),
        "sub/net.csv" => Ok("a,b,km\n1,2,100\n".to_owned()),
        _ => Err("there is no such file".to_owned()),
    })
}

const LISTED: &str = r#"
run = { duration = "1s" }
topology = { shape = "edge_list", file = "net.csv", link = { rate = "1Mbps" } }
flow = [{ name = "f", from = "router[0]", to = "router[1]", traffic = { kind = "cbr", rate = "1kbps", size = "1KB" } }]
"#;

pub(crate) fn read(text: &str, sets: &[&str]) -> Result<Study, Problems> {
    let mut study = StudyText::parse("s.toml", "s", text.as_bytes(), files());
    study.apply_sets(sets);
    study.check()
}

pub(crate) fn on_base(text: &str) -> Study {
    read(&format!("scenario = \"base.toml\"\n{text}"), &[]).expect("a sound study")
}

/// Each problem as its line, its path, and its message with the help.
pub(crate) fn refused(text: &str) -> Vec<String> {
    problems(read(text, &[]))
}

pub(crate) fn problems(found: Result<Study, Problems>) -> Vec<String> {
    let problems = found.expect_err("something is wrong").0;
    problems.iter().map(ToString::to_string).collect()
}

pub(crate) fn scenario(study: &Study, point: u64) -> Scenario {
    study
        .scenario(point)
        .expect("a sound point")
        .scenario()
        .clone()
}

pub(crate) fn buffers(study: &Study) -> Vec<Capacity> {
    let buffer = |point| scenario(study, point).links[0].spec.queue.buffer;
    study.points().map(buffer).collect()
}
