//! Small runs with recordings.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pacesim_report::Recording;
use pacesim_runs::plan::Plan;
use pacesim_runs::run_monitor::{Progress, RunMonitor};
use pacesim_sweep::input;
use tempfile::TempDir;

/// One TCP flow from a to c over b: 1000-byte packets, 10 Mbps behind 100 Mbps.
pub(crate) const TCP: &str = r#"
title = "One flow"
run = { duration = "3s", seed = 1 }
node = [{ name = "a" }, { name = "b" }, { name = "c" }]
[[link]]
name = "first"
from = "a"
to = "b"
rate = "100Mbps"
delay = "1ms"
duplex = true
[[link]]
name = "core"
from = "b"
to = "c"
rate = "10Mbps"
delay = "20ms"
buffer = "1000pkts"
duplex = true
[[flow]]
name = "f"
from = "a"
to = "c"
traffic = { kind = "tcp", variant = "sack", window = "40pkts", packet_size = "1000B" }
[output]
packets = {}
tcp = {}
"#;

struct Unwatched;

impl RunMonitor for Unwatched {
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A folder for runs.
pub(crate) struct Runs(TempDir);

impl Runs {
    pub(crate) fn new() -> Runs {
        Runs(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a scenario with changes, and returns its folder.
    pub(crate) fn run(&self, name: &str, scenario: &str, sets: &[&str]) -> PathBuf {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let read = input::from_stream(scenario.as_bytes(), &sets);
        let input = read.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
        let out = self.path(name);
        let plan = Plan {
            out: Some(&out),
            ..Plan::default()
        };
        pacesim_runs::run::run(&input, 0, &plan, &mut Unwatched).expect("it runs");
        out
    }
}

pub(crate) fn open(folder: &Path) -> Recording {
    Recording::open(folder).expect("a recording")
}
