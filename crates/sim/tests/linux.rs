//! Senders of Linux's profile in a network, against runs of the kernel over the same path (Linux 6.12 in virtual
//! time; its own figures stand beside ours, with the spread of its runs).

use pacesim::World;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::scenario::load;

/// What a run shows of the core and of its flows.
struct Shown {
    core: LinkRow,
    flows: Vec<FlowRow>,
}

impl Shown {
    fn loss(&self) -> f64 {
        self.core.dropped_pkts as f64 / self.core.arrived_pkts as f64
    }

    fn jain(&self) -> f64 {
        let rates = || self.flows.iter().map(|flow| flow.goodput_bps);
        rates().sum::<f64>().powi(2) / self.flows.len() as f64 / rates().map(|r| r * r).sum::<f64>()
    }
}

/// Ten flows with round trips of 36 to 45 ms over 20 Mbps and this buffer, begun in the first 200 ms.
fn ten(control: &str, buffer: u32, keys: &str, seed: u64) -> Shown {
    let flows: String = (0..10)
        .map(|n| {
            let delay = 18.0 + 0.5 * f64::from(n) - 0.1;
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
back = {{ delay = "{}ms", buffer = "unlimited" }}
[[flow]]
name = "f{n}"
from = "s{n}"
to = "d{n}"
start = {{ uniform = ["0s", "0.2s"] }}
traffic = {{ kind = "tcp", profile = "linux", control = "{control}", window = "100000pkts"{keys} }}
"#,
                18.0 + 0.5 * f64::from(n) - 0.1
            )
        })
        .collect();
    let nodes: String = (0..10)
        .map(|n| format!("[[node]]\nname = \"s{n}\"\n[[node]]\nname = \"d{n}\"\n"))
        .collect();
    let text = format!(
        r#"
run = {{ duration = "20s", warmup = "5s" }}
[[node]]
name = "L"
[[node]]
name = "R"
{nodes}
[[link]]
name = "core"
from = "L"
to = "R"
rate = "20Mbps"
delay = "0.05ms"
buffer = "{buffer}pkts"
back = {{ rate = "100Gbps", buffer = "unlimited" }}
{flows}
"#
    );
    run(&text, seed)
}

fn run(text: &str, seed: u64) -> Shown {
    let scenario = load("linux", text, &[], &()).unwrap_or_else(|p| panic!("{p:?}"));
    let mut world = World::new(scenario.expand(seed, 0)).expect("a sound model");
    world.run();
    Shown {
        core: world.link_rows().swap_remove(0),
        flows: world.flow_rows(),
    }
}

/// The mean of a figure over seeds.
fn mean(runs: &[Shown], of: impl Fn(&Shown) -> f64) -> f64 {
    runs.iter().map(of).sum::<f64>() / runs.len() as f64
}

/// Means of the kernel, from its own repetitions: utilisation, Jain's index, loss.
#[test]
fn ten_flows_behind_small_buffers_share_it_as_the_kernel_s() {
    for (control, buffer, keys, kernel) in [
        ("cubic", 5, "", [0.536, 0.992, 0.0652]),
        ("cubic", 10, "", [0.874, 0.889, 0.0311]),
        ("cubic", 20, "", [0.998, 0.874, 0.0217]),
        ("cubic", 50, "", [1.0, 0.852, 0.0145]),
        ("cubic", 10, ", pacing = \"linux\"", [0.988, 0.974, 0.0191]),
        ("reno", 5, "", [0.550, 0.990, 0.0841]),
        ("reno", 10, "", [0.851, 0.929, 0.0443]),
        ("reno", 20, "", [0.982, 0.941, 0.0325]),
        ("reno", 10, ", pacing = \"linux\"", [0.926, 0.974, 0.0302]),
    ] {
        let runs: Vec<Shown> = (1..=6)
            .map(|seed| ten(control, buffer, keys, seed))
            .collect();
        let ours = [
            mean(&runs, |run| run.core.utilisation),
            mean(&runs, Shown::jain),
            mean(&runs, Shown::loss),
        ];
        println!("{control} {buffer} {keys}: {ours:.4?}, kernel {kernel:?}");
    }
}
