//! Senders of the Linux profile in a network, against the kernel over the same path (Linux 6.12 in
//! virtual time; its figures are given with the spread of its runs).

use crate::common::hosts::{Shown, run, several};

/// Ten flows with round trips of 36 to 45 ms over 20 Mbps and this queue.
fn ten(control: &str, queue: &str, keys: &str, seed: u64) -> Shown {
    let flow = |n: u32| {
        let half = 18.0 + 0.5 * f64::from(n);
        (half, format!(", control = \"{control}\"{keys}"))
    };
    let flows: Vec<(f64, String)> = (0..10).map(flow).collect();
    several(
        "20Mbps",
        queue,
        "duration = \"20s\", warmup = \"5s\"",
        &flows,
        seed,
    )
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

/// Means of the kernel's repetitions, and their spread: utilisation by 0.02 where it is below 0.95,
/// otherwise 0.005, Jain's index by 0.03, loss by 8 % of its value.
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
        let queue = format!("buffer = \"{buffer}pkts\"");
        let runs: Vec<Shown> = (1..=8)
            .map(|seed| ten(control, &queue, keys, seed))
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

/// One flow over 10 Mbps, or another rate, and 40 ms, between hosts without noise: those of the
/// kernel in virtual time have none, and count 27 losses where noise makes 38.
fn alone(core: &str, keys: &str, run_keys: &str) -> Shown {
    let core = if core.contains("rate") {
        core.to_owned()
    } else {
        format!("rate = \"10Mbps\"\n{core}")
    };
    run(
        &format!(
            r#"
host = "none"
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

const ALONE: [Alone; 15] = [
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
    (CODEL, "", [20, 5], 19, 0.9531, 1.43),
    (CODEL, ", control = \"reno\"", [20, 5], 26, 0.8626, 1.51),
    (CODEL_MARKS, ", ecn = true", [20, 5], 19, 0.9529, 1.50),
    (
        CODEL_MARKS,
        ", ecn = true, control = \"reno\"",
        [20, 5],
        25,
        0.8617,
        1.61,
    ),
];

const OFFLOADED: &str = "rate = \"20Mbps\"\nbuffer = \"67pkts\"";
const MARKED: &str = "buffer = \"100pkts\"\nmark = \"15pkts\"";
const CODEL: &str = "buffer = \"500pkts\"\ndiscipline = { kind = \"codel\" }";
const CODEL_MARKS: &str = "buffer = \"500pkts\"\ndiscipline = { kind = \"codel\", ecn = true }";

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

/// The kernel's runs are repeated three times; the spread of each figure is that of its repetitions.
#[test]
fn ten_flows_behind_codel_share_it_as_the_kernel_s() {
    for (control, kernel) in [
        ("cubic", [1.0, 0.989, 0.0139, 0.0108]),
        ("reno", [0.998, 0.993, 0.0155, 0.0134]),
    ] {
        let queue = "buffer = \"1000pkts\"\ndiscipline = { kind = \"codel\" }";
        let runs: Vec<Shown> = (1..=8).map(|seed| ten(control, queue, "", seed)).collect();
        let figures: [fn(&Shown) -> f64; 4] = [
            |run| run.core.utilisation,
            Shown::jain,
            Shown::loss,
            |run| run.core.sojourn_mean_s.expect("packets that waited"),
        ];
        let spread = [0.005, 0.03, 0.08 * kernel[2], 0.02 * kernel[3]];
        for (n, figure) in figures.iter().enumerate() {
            let ours = mean(&runs, figure);
            assert!(
                (ours - kernel[n]).abs() <= spread[n],
                "{control} behind CoDel: figure {n} is {ours:.5}, the kernel's {}",
                kernel[n]
            );
        }
    }
}

/// DCTCP behind marks from 8 packets on at 10 Mbps and from 32 at 50 Mbps, both with a round trip of 40 ms. The kernel's
/// queue stays within one packet of the threshold, and its link is used fully, or to 0.970.
#[test]
fn dctcp_holds_the_queue_at_the_threshold_as_the_kernel_s() {
    for (rate, threshold, utilisation) in [("10Mbps", 8, 1.0), ("50Mbps", 32, 0.9701)] {
        let queue = format!("buffer = \"1000pkts\"\nmark = \"{threshold}pkts\"");
        let keys = ", control = \"dctcp\", acks = \"every_packet\"".to_owned();
        let run_keys = "duration = \"10s\", warmup = \"3s\"";
        let core = several(rate, &queue, run_keys, &[(20.0, keys)], 1).core;
        assert!(
            (threshold..=threshold + 1).contains(&core.queue_max_pkts),
            "at most {} packets for a threshold of {threshold}",
            core.queue_max_pkts
        );
        let used = core.utilisation;
        assert!(
            (used - utilisation).abs() < 0.005,
            "{rate}: {used} for {utilisation}"
        );
    }
}

/// BBR over 10 Mbps and 40 ms behind 133 packets, its ACKs released every 10 ms, compared with the
/// kernel: utilisation 0.982 and 0.980, a mean queue of 18.9 and 30.3 packets and at most 78, by
/// the phase of its start. Without aggregation the mean queue is far shorter.
#[test]
fn bbr_keeps_a_longer_queue_where_acks_are_aggregated_as_the_kernel_s_does() {
    let text = |boxes: &str| {
        format!(
            r#"
run = {{ duration = "20s" }}
node = [{{ name = "s" }}, {{ name = "L" }}, {{ name = "R" }}, {{ name = "d" }}]
flow = [{{ name = "f", from = "s", to = "d", start = {{ uniform = ["0ms", "10ms"] }}, traffic = {{ kind = "tcp", profile = "linux", control = "bbr", acks = "every_packet", window = "100000pkts" }} }}]

[[link]]
name = "core"
from = "L"
to = "R"
rate = "10Mbps"
buffer = "133pkts"
back = {{ rate = "100Gbps", delay = "10ms", buffer = "unlimited"{boxes} }}

[[link]]
name = "host"
from = "s"
to = "L"
rate = "100Gbps"

[[link]]
name = "far"
from = "R"
to = "d"
rate = "100Gbps"
delay = "20ms"
back = {{ delay = "10ms" }}
"#
        )
    };
    let boxes = r#", middleboxes = [{ kind = "ack_aggregation", every = "10ms" }]"#;
    let runs =
        |boxes: &str| -> Vec<Shown> { (1..=4).map(|seed| run(&text(boxes), seed)).collect() };
    let (aggregated, plain) = (runs(boxes), runs(""));
    let utilisation = mean(&aggregated, |run| run.core.utilisation);
    let queue = mean(&aggregated, |run| run.core.queue_mean_pkts);
    let most = aggregated.iter().map(|run| run.core.queue_max_pkts).max();
    eprintln!("utilisation {utilisation}, mean queue {queue}, most {most:?}");
    assert!((utilisation - 0.981).abs() < 0.01, "{utilisation}");
    assert!((15.0..36.0).contains(&queue), "{queue}");
    let plain = mean(&plain, |run| run.core.queue_mean_pkts);
    assert!(
        queue > 1.5 * plain,
        "{queue} packets, {plain} without aggregation"
    );
}
