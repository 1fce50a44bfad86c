//! A study of a queue with several buffers and two loads.

use std::time::Duration;

use pacesim_runs::workers::BatchMonitor;
use pacesim_study::Study;

use crate::common::checked;

const SCENARIO: &str = r#"
title = "One queue"
run = { duration = "500ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
"#;

/// The parts of a study file.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) replications: u64,
    pub(crate) scenario: String,
    pub(crate) buffers: Vec<String>,
    pub(crate) rates: [&'static str; 2],
    pub(crate) second_axis: &'static str,
    pub(crate) except: &'static str,
}

/// Buffers of these sizes, each with two rates.
pub(crate) fn text(buffers: &[u32]) -> Text {
    Text {
        name: "buffers",
        replications: 3,
        scenario: SCENARIO.to_owned(),
        buffers: buffers.iter().map(|n| format!("{n}pkts")).collect(),
        rates: ["8Mbps", "12Mbps"],
        second_axis: "load",
        except: "",
    }
}

impl Text {
    pub(crate) fn study(&self) -> Study {
        let Text {
            name,
            replications,
            scenario,
            buffers,
            rates: [low, high],
            second_axis,
            except,
        } = self;
        let text = format!(
            r#"
name = "{name}"
{scenario}
[sweep]
replications = {replications}
{except}
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = {buffers:?}
[[sweep.axis]]
name = "{second_axis}"
[sweep.axis.cases]
low = {{ "flow.poisson.traffic.rate" = "{low}" }}
high = {{ "flow.poisson.traffic.rate" = "{high}" }}
"#
        );
        checked("study", &text)
    }
}

pub(crate) fn study(buffers: &[u32]) -> Study {
    text(buffers).study()
}

pub(crate) const TABLES: [&str; 3] = ["runs.parquet", "summary.parquet", "wide.parquet"];

/// Collects the messages to the user.
#[derive(Default)]
pub(crate) struct Listener(pub(crate) std::sync::Mutex<Vec<String>>);

impl BatchMonitor for Listener {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn note(&self, sentence: &str) {
        self.0.lock().expect("one thread").push(sentence.to_owned());
    }
}
