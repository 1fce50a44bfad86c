//! Studies on one small scenario.

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
        "based.toml" => Ok(format!("scenario = \"base.toml\"\n{BASE}")),
        "circle.toml" => Ok("scenario = \"circle.toml\"\n".to_owned()),
        "kernel.csv" => Ok(KERNEL.to_owned()),
        "means.csv" => Ok("buffer,mean\n5pkts,0.2\n\n20pkts,0.05\n".to_owned()),
        "broken.csv" => Ok(BROKEN.to_owned()),
        "sub/listed.toml" => Ok(LISTED.to_owned()),
        "sub/net.csv" => Ok("a,b,km\n1,2,100\n".to_owned()),
        _ => Err("there is no such file".to_owned()),
    })
}

/// Loss in percent, measured at two buffers.
const KERNEL: &str = "buffer,loss,sd,runs\n5pkts,20,1,3\n20pkts,5,0.5,3\n";

/// A value that the axis does not have, a word for a number, a point again, too few cells, less than no spread.
const BROKEN: &str =
    "buffer,mean,sd\n5KB,1,1\n5pkts,many,1\n20pkts,1,1\n20pkts,2,1\n20pkts,2\n5pkts,1,-1\n";

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

pub(crate) fn problems<T: std::fmt::Debug>(found: Result<T, Problems>) -> Vec<String> {
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
