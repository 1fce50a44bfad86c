//! Senders of the Linux profile in a network, against the kernel over the same path (Linux 6.12 in
//! virtual time; its figures stand beside ours, with the spread of its runs).

use pacesim::World;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::scenario::load;

/// The rows of the core and of the flows.
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
        let sum: f64 = rates().sum();
        sum * sum / self.flows.len() as f64 / rates().map(|r| r * r).sum::<f64>()
    }
}

/// Ten flows with round-trip times of 36 to 45 ms over 20 Mbps and this buffer, started in the
/// first 200 ms.
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

/// The standard error of the mean of a figure over seeds.
fn error(runs: &[Shown], of: impl Fn(&Shown) -> f64) -> f64 {
    let (mean, n) = (mean(runs, &of), runs.len() as f64);
    let off = runs.iter().map(|run| of(run) - mean);
    let squares: f64 = off.map(|off| off * off).sum();
    (squares / (n - 1.0) / n).sqrt()
}

/// Means of the kernel's repetitions, and how far theirs spread: utilisation by 0.02 where it is below 0.95, else
/// 0.005, Jain's index by 0.03, loss by 8 % of its value.
#[test]
fn ten_flows_behind_small_buffers_share_it_as_the_kernel_s() {
    for (control, buffer, keys, kernel) in [
        ("cubic", 5, "", [0.536, 0.992, 0.0652]),
        ("cubic", 10, "", [0.874, 0.889, 0.0311]),
        ("cubic", 20, "", [0.998, 0.874, 0.0217]),
        ("cubic", 50, "", [1.0, 0.852, 0.0145]),
        ("cubic", 10, ", pacing = \"linux\"", [0.988, 0.974, 0.0191]),
        ("cubic", 50, ", pacing = \"linux\"", [1.0, 0.965, 0.0105]),
        ("reno", 5, "", [0.550, 0.990, 0.0841]),
        ("reno", 10, "", [0.851, 0.929, 0.0443]),
        ("reno", 20, "", [0.982, 0.941, 0.0325]),
        ("reno", 50, "", [1.0, 0.906, 0.0213]),
        ("reno", 10, ", pacing = \"linux\"", [0.926, 0.974, 0.0302]),
        ("reno", 50, ", pacing = \"linux\"", [0.997, 0.982, 0.0166]),
    ] {
        let runs: Vec<Shown> = (1..=8)
            .map(|seed| ten(control, buffer, keys, seed))
            .collect();
        let figures: [fn(&Shown) -> f64; 3] =
            [|run| run.core.utilisation, Shown::jain, Shown::loss];
        let spread = [
            if kernel[0] < 0.95 { 0.02 } else { 0.005 },
            0.03,
            0.08 * kernel[2],
        ];
        for (n, figure) in figures.iter().enumerate() {
            let (ours, error) = (mean(&runs, figure), error(&runs, figure));
            assert!(
                (ours - kernel[n]).abs() <= spread[n] + 2.0 * error,
                "{control}{keys} behind {buffer} packets: figure {n} is {ours:.4} ± {error:.4}, the kernel's {}",
                kernel[n]
            );
        }
    }
}

/// One flow over 10 Mbps, or another rate, and 40 ms.
fn alone(core: &str, keys: &str, run_keys: &str) -> Shown {
    let core = match core.contains("rate") {
        true => core.to_owned(),
        false => format!("rate = \"10Mbps\"\n{core}"),
    };
    run(
        &format!(
            r#"
run = {{ {run_keys} }}
[[node]]
name = "s"
[[node]]
name = "d"
[[link]]
name = "core"
from = "s"
to = "d"
delay = "20ms"
{core}
back = {{ rate = "100Gbps", buffer = "unlimited" }}
[[flow]]
name = "f"
from = "s"
to = "d"
traffic = {{ kind = "tcp", profile = "linux", window = "100000pkts", acks = "every_packet"{keys} }}
"#
        ),
        1,
    )
}

/// A path and a flow over it, the duration of the kernel's run and the start of its measurement;
/// then its drops and marks, utilisation and mean queue.
type Alone = (&'static str, &'static str, [u32; 2], u64, f64, f64);

const ALONE: [Alone; 11] = [
    (OFFLOADED, ", gso = true", [10, 0], 9, 0.9880, 46.47),
    ("buffer = \"33pkts\"", "", [30, 5], 15, 1.0, 26.09),
    (
        "buffer = \"33pkts\"",
        ", hystart = \"off\"",
        [30, 5],
        107,
        1.0,
        26.17,
    ),
    (
        "buffer = \"33pkts\"",
        ", control = \"reno\"",
        [30, 5],
        83,
        0.9995,
        18.30,
    ),
    (
        "buffer = \"33pkts\"",
        ", pacing = \"linux\"",
        [20, 3],
        19,
        1.0,
        26.09,
    ),
    (
        "buffer = \"10pkts\"",
        ", control = \"reno\"",
        [20, 3],
        27,
        0.8994,
        3.05,
    ),
    (
        "buffer = \"10pkts\"",
        ", control = \"reno\", pacing = \"linux\"",
        [20, 3],
        42,
        0.8997,
        2.94,
    ),
    (
        "buffer = \"10pkts\"",
        ", pacing = { rate = \"20Mbps\" }",
        [20, 3],
        43,
        0.9904,
        4.35,
    ),
    (
        "buffer = \"50pkts\"",
        ", pacing = { rate = \"8Mbps\" }",
        [8, 1],
        0,
        0.8287,
        0.0,
    ),
    (MARKED, ", ecn = true", [15, 5], 326, 0.9377, 5.16),
    (
        MARKED,
        ", ecn = true, control = \"reno\"",
        [15, 5],
        429,
        0.8275,
        4.31,
    ),
];

const OFFLOADED: &str = "rate = \"20Mbps\"\nbuffer = \"67pkts\"";
const MARKED: &str = "buffer = \"100pkts\"\nmark = \"15pkts\"";

#[test]
fn one_flow_over_a_path_loses_as_often_as_the_kernel_s() {
    for (core, keys, [seconds, warmup], losses, utilisation, queue) in ALONE {
        let whole = alone(core, keys, &format!("duration = \"{seconds}s\""));
        let warm = format!("duration = \"{seconds}s\", warmup = \"{warmup}s\"");
        let later = alone(core, keys, &warm).core;
        let ours = whole.core.dropped_pkts + whole.core.marked_pkts;
        let case = format!("{keys} behind {core:?}");
        assert!(
            ours.abs_diff(losses) <= 1 + losses / 200,
            "{case}: {ours} for {losses}"
        );
        let (used, held) = (later.utilisation, later.queue_mean_pkts);
        assert!(
            (used - utilisation).abs() < 0.001,
            "{case}: {used} for {utilisation}"
        );
        assert!(
            (held - queue).abs() <= 0.01 * queue,
            "{case}: {held} for {queue}"
        );
    }
}
