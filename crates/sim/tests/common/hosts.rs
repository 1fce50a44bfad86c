//! Flows of profile linux between hosts over one queue, as in recordings of the kernel.

use pacesim::World;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::scenario::load;

/// The rows of the core and of the flows.
pub(crate) struct Shown {
    pub(crate) core: LinkRow,
    pub(crate) flows: Vec<FlowRow>,
}

impl Shown {
    pub(crate) fn loss(&self) -> f64 {
        self.core.dropped_pkts as f64 / self.core.arrived_pkts as f64
    }

    pub(crate) fn jain(&self) -> f64 {
        let rates = || self.flows.iter().map(|flow| flow.goodput_bps);
        let sum: f64 = rates().sum();
        sum * sum / self.flows.len() as f64 / rates().map(|r| r * r).sum::<f64>()
    }
}

/// Flows over one queue, each with half its round trip in ms and its keys, begun in the first 200 ms.
pub(crate) fn several(
    rate: &str,
    queue: &str,
    run_keys: &str,
    flows: &[(f64, String)],
    seed: u64,
) -> Shown {
    between("none", rate, queue, run_keys, flows, seed)
}

/// The same between hosts of this kind.
pub(crate) fn between(
    host: &str,
    rate: &str,
    queue: &str,
    run_keys: &str,
    flows: &[(f64, String)],
    seed: u64,
) -> Shown {
    let text_of: String = flows
        .iter()
        .enumerate()
        .map(|(n, (half, keys))| {
            let delay = half - 0.1;
            format!(
                r#"
[[link]]
name = "a{n}"
from = "s{n}"
to = "L"
rate = "100Gbps"
delay = "0.05ms"
buffer = "unlimited"
back = {{ buffer = "unlimited" }}
[[link]]
name = "b{n}"
from = "R"
to = "d{n}"
rate = "100Gbps"
delay = "{delay}ms"
buffer = "unlimited"
back = {{ delay = "{delay}ms", buffer = "unlimited" }}
[[flow]]
name = "f{n}"
from = "s{n}"
to = "d{n}"
start = {{ uniform = ["0s", "0.2s"] }}
traffic = {{ kind = "tcp", profile = "linux", window = "100000pkts"{keys} }}
"#
            )
        })
        .collect();
    let nodes: String = (0..flows.len())
        .map(|n| format!("[[node]]\nname = \"s{n}\"\n[[node]]\nname = \"d{n}\"\n"))
        .collect();
    let text = format!(
        r#"
host = "{host}"
run = {{ {run_keys} }}
[[node]]
name = "L"
[[node]]
name = "R"
{nodes}
[[link]]
name = "core"
from = "L"
to = "R"
rate = "{rate}"
delay = "0.05ms"
{queue}
back = {{ rate = "100Gbps", buffer = "unlimited" }}
{text_of}
"#
    );
    run(&text, seed)
}

pub(crate) fn run(text: &str, seed: u64) -> Shown {
    let scenario = load("hosts", text, &[], &()).unwrap_or_else(|p| panic!("{p:?}"));
    let mut world = World::new(scenario.expand(seed, 0)).expect("a sound model");
    world.run();
    Shown {
        core: world.link_rows().swap_remove(0),
        flows: world.flow_rows(),
    }
}
