//! Queues with known loss and utilisation, M/M/1/K: a study for the tests of several files.

use std::path::Path;

use pacesim_runs::run_monitor::Unwatched;
use pacesim_study::Study;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;

use crate::common::{checked, order};

/// Queues of two, four and eight places at loads of 0.5 and 0.8.
pub(crate) const QUEUES: &str = r#"
run = { duration = "400s", warmup = "10s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", buffer = "4pkts", buffer_counts = "system" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "500kbps", size = { exponential = "1KB" } } }]
[sweep]
replications = REPLICATIONS
[[sweep.axis]]
name = "places"
key = "link.core.buffer"
values = ["2pkts", "4pkts", "8pkts"]
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["500kbps", "800kbps"]
"#;

/// The study with these additional tables.
pub(crate) fn study(replications: u64, tables: &str) -> Study {
    let text = QUEUES.replace("REPLICATIONS", &replications.to_string()) + tables;
    checked("queues", &text)
}

pub(crate) fn run(study: &Study, out: &Path) -> Outline {
    let plan = order(study, out, 2);
    sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// An `[[expect]]` table with these lines about the loss.
pub(crate) fn expect(lines: &str) -> String {
    format!("[[expect]]\nclaim = {lines:?}\ny = \"link.core.loss_ratio\"\n{lines}\n")
}
