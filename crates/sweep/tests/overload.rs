//! A study whose greater loads never end, and a machine with limits.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_runs::limits::RunLimits;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::Study;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;

use crate::common::{checked, order};

const STUDY: &str = r#"
name = "overload"
run = { duration = "200ms", most_waiting = 500 }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
sweep.replications = 2
sweep.find_warmup = [WARMUP]
[[sweep.axis]]
name = "load"
key = "flow.f.traffic.rate"
values = [LOADS]
[[measure]]
name = "delays"
kind = "delays"
flows = "f"
[[expect]]
claim = "the link carries little more than it can"
y = "link.core.utilisation"
at = { load = "5Mbps" }
at_most = 10.0
"#;

pub(crate) fn study(loads: &str, warmup: &str, more: &str) -> Study {
    let text = STUDY.replace("LOADS", loads).replace("WARMUP", warmup) + more;
    let text = match warmup {
        "" => text.replace("sweep.find_warmup = []\n", ""),
        _ => text,
    };
    checked("study", &text)
}

/// A machine whose clock advances with each reading.
#[derive(Default)]
pub(crate) struct Machine {
    looks: AtomicU64,
    rss: Option<u64>,
    limits: RunLimits,
}

impl BatchMonitor for Machine {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.looks.fetch_add(1, Ordering::Relaxed))
    }

    fn rss_bytes(&self) -> Option<u64> {
        self.rss
    }

    fn limits(&self) -> RunLimits {
        self.limits
    }
}

pub(crate) fn swept(study: &Study, out: &Path, limits: RunLimits, rss: Option<u64>) -> Outline {
    let machine = Machine {
        rss,
        limits,
        ..Machine::default()
    };
    sweep(&order(study, out, 2), &machine).expect("it comes to its end")
}

pub(crate) fn healthy(study: &Study, out: &Path) -> Outline {
    swept(study, out, RunLimits::default(), None)
}

pub(crate) const SHORT: RunLimits = RunLimits {
    time: Some(Duration::ZERO),
    memory: None,
    again: false,
};
