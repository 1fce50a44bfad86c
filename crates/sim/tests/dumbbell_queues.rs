//! TCP of Linux's profile behind queues that mark or drop early, against ns-3.37 (with the corrections of its later versions): ten
//! flows, or fewer, with round trips of 30 to 60 ms over 50 Mbps, begun in the first second.
//!
//! Packets of 1490 B, ACKs of pairs. Medians of five seeds must be within the bands of these runs: utilisation to 0.02, loss and marks
//! within a factor of 1.5 (1.25 with BBR) or 0.0005, the mean delay to 15 % (25 %) or 2 ms, Jain's index and the share of the first of two
//! controls to 0.1. Means of ns-3's that one of its three seeds moved by more than that, by a start that lasted into the window, are
//! left out.
//!
//! CUBIC beside BBR behind PIE is held against Linux 6.12 itself: its TCP in virtual time behind RFC 8033's PIE, six draws of the same
//! round trips and starts, receive buffers that never limit. ns-3's only run leaves 0.30 to CUBIC at a loss of 0.089, Linux 0.034 to
//! 0.057 in each of 50 runs behind four forms of PIE, its own included.
//!
//! The delay is that of packets sent, as in ns-3: with the wait of packets that CoDel drops at the
//! head, CUBIC with BBR behind FQ-CoDel would have 12.1 ms in place of 11.1.

use pacesim::World;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::scenario::load;

/// A row of ns-3: the controls, which alternate among the flows, their number, whether they support
/// marks, and the queue.
struct Case {
    controls: &'static [&'static str],
    flows: u32,
    ecn: bool,
    queue: &'static str,
    window: [u32; 2],
    /// Utilisation, loss, share of packets marked, mean delay in ms, Jain's index, share of the first control.
    ns3: [f64; 6],
}

const CODEL: &str = "buffer = \"1000pkts\"\ndiscipline = { kind = \"codel\" }";
const CODEL_ECN: &str = "buffer = \"1000pkts\"\ndiscipline = { kind = \"codel\", ecn = true }";
const FQ_CODEL: &str = "buffer = \"10240pkts\"\ndiscipline = { kind = \"fq_codel\" }";
const PIE: &str = "buffer = \"1000pkts\"\ndiscipline = { kind = \"pie\" }";
const STEP_32: &str = "buffer = \"188pkts\"\nmark = \"32pkts\"";
const STEP_65: &str = "buffer = \"188pkts\"\nmark = \"65pkts\"";

const fn case(
    controls: &'static [&'static str],
    flows: u32,
    ecn: bool,
    queue: &'static str,
    window: [u32; 2],
    ns3: [f64; 6],
) -> Case {
    Case {
        controls,
        flows,
        ecn,
        queue,
        window,
        ns3,
    }
}

const CUBIC: &[&str] = &["cubic"];
const DCTCP: &[&str] = &["dctcp"];
const BOTH: &[&str] = &["cubic", "bbr"];

/// Too uncertain: its seeds differ by more than the band.
const UNSURE: f64 = f64::NAN;

const CASES: [Case; 10] = [
    case(
        CUBIC,
        10,
        false,
        CODEL,
        [13, 5],
        [1.0, 0.00304, 0.0, 7.62, 0.964, 1.0],
    ),
    case(
        CUBIC,
        10,
        true,
        CODEL_ECN,
        [13, 5],
        [1.0, 0.0, 0.00322, 7.28, 0.953, 1.0],
    ),
    case(
        CUBIC,
        10,
        false,
        FQ_CODEL,
        [13, 5],
        [0.998, UNSURE, 0.0, UNSURE, 0.999, 1.0],
    ),
    case(
        CUBIC,
        10,
        false,
        PIE,
        [13, 5],
        [UNSURE, UNSURE, 0.0, 16.21, 0.859, 1.0],
    ),
    case(
        BOTH,
        10,
        false,
        FQ_CODEL,
        [13, 5],
        [0.995, 0.0245, 0.0, 9.24, 1.0, 0.503],
    ),
    case(
        BOTH,
        10,
        false,
        PIE,
        [13, 5],
        // Linux's.
        [0.999, 0.131, 0.0, 9.9, 0.43, 0.043],
    ),
    case(
        DCTCP,
        1,
        true,
        STEP_32,
        [22, 8],
        [1.0, 0.0, 0.0744, 7.07, 1.0, 1.0],
    ),
    case(
        DCTCP,
        2,
        true,
        STEP_32,
        [22, 8],
        [1.0, 0.0, 0.0686, 6.41, 0.983, 1.0],
    ),
    case(
        DCTCP,
        10,
        true,
        STEP_32,
        [13, 5],
        [1.0, 0.0, 0.158, 5.80, 0.943, 1.0],
    ),
    case(
        DCTCP,
        10,
        true,
        STEP_65,
        [13, 5],
        [1.0, 0.0, 0.153, 13.45, 0.930, 1.0],
    ),
];

/// The numbers of a run, in the order of ns-3's.
fn numbers(case: &Case, core: &LinkRow, flows: &[FlowRow]) -> [f64; 6] {
    let share = |packets: u64| packets as f64 / core.arrived_pkts as f64;
    let rates: Vec<f64> = flows.iter().map(|flow| flow.goodput_bps).collect();
    let sum: f64 = rates.iter().sum();
    let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
    let first: f64 = rates.iter().step_by(case.controls.len()).sum();
    let [end, warm] = case.window;
    // Little's law for plain ports, whose packets are all sent.
    let little_s = || core.queue_mean_pkts * f64::from(end - warm) / core.left_pkts as f64;
    let delay_s = core.sojourn_mean_s.unwrap_or_else(little_s);
    [
        core.utilisation,
        share(core.dropped_pkts),
        share(core.marked_pkts),
        1000.0 * delay_s,
        sum * sum / rates.len() as f64 / squares,
        first / sum,
    ]
}

fn run(case: &Case, seed: u64) -> [f64; 6] {
    let flows: String = (0..case.flows)
        .map(|n| {
            let control = case.controls[n as usize % case.controls.len()];
            let delay = match case.flows {
                1 => "\"12.5ms\"",
                _ => "{ uniform = [\"5ms\", \"20ms\"] }",
            };
            format!(
                r#"
[[node]]
name = "s{n}"
[[node]]
name = "d{n}"
[[link]]
name = "a{n}"
from = "s{n}"
to = "L"
rate = "1Gbps"
[[link]]
name = "b{n}"
from = "R"
to = "d{n}"
rate = "1Gbps"
delay = {delay}
[[flow]]
name = "f{n}"
from = "s{n}"
to = "d{n}"
start = {{ uniform = ["0s", "1s"] }}
traffic = {{ kind = "tcp", profile = "linux", control = "{control}", ecn = {}, payload = "1448B", header = "42B", ack_size = "42B", timestamps = false, acks = "pairs", window = "11000pkts", hz = 0 }}
"#,
                case.ecn
            )
        })
        .collect();
    let (queue, [end, warm]) = (case.queue, case.window);
    let text = format!(
        r#"
host = "none"
run = {{ duration = "{end}s", warmup = "{warm}s" }}
[[node]]
name = "L"
[[node]]
name = "R"
[[link]]
name = "core"
from = "L"
to = "R"
rate = "50Mbps"
delay = "10ms"
{queue}
back = {{ buffer = "unlimited", discipline = {{ kind = "drop_tail" }} }}
{flows}
"#
    );
    let scenario = load("dumbbell", &text, &[], &()).unwrap_or_else(|p| panic!("{p:?}"));
    let mut world = World::new(scenario.expand(seed, 0)).expect("a sound model");
    world.run();
    let core = world.link_rows().swap_remove(0);
    numbers(case, &core, &world.flow_rows())
}

const NAMES: [&str; 6] = [
    "utilisation",
    "loss",
    "marks",
    "mean delay in ms",
    "Jain's index",
    "share of the first control",
];

/// True if a number is within its band around ns-3's.
fn is_within(case: &Case, place: usize, ours: f64, ns3: f64) -> bool {
    let has_bbr = case.controls.contains(&"bbr");
    let (factor, share) = if has_bbr { (1.25, 0.25) } else { (1.5, 0.15) };
    let off = (ours - ns3).abs();
    match place {
        0 => off <= 0.02,
        1 | 2 => off <= 0.0005 || (ours <= ns3 * factor && ours >= ns3 / factor),
        3 => off <= 2.0 || off <= share * ns3,
        _ => off <= 0.1,
    }
}

#[test]
fn flows_behind_early_queues_share_and_wait_as_in_ns_3() {
    for case in &CASES {
        let runs: Vec<[f64; 6]> = (1..=5).map(|seed| run(case, seed)).collect();
        for (place, ns3) in case.ns3.into_iter().enumerate() {
            let mut all: Vec<f64> = runs.iter().map(|run| run[place]).collect();
            all.sort_by(f64::total_cmp);
            let ours = all[2];
            assert!(
                ns3.is_nan() || is_within(case, place, ours, ns3),
                "{} flows of {:?} behind {:?}: {} {ours:.4}, in ns-3 {ns3}",
                case.flows,
                case.controls,
                case.queue,
                NAMES[place]
            );
        }
    }
}

/// Five and five behind buffers of 10 and 70 packets at 20 Mbps have in Linux 6.12 a share of CUBIC of 0.043 and 0.035 (0.032 to 0.050 in six
/// runs) and losses of 0.155 and 0.129 (0.120 to 0.162).
#[test]
fn behind_pie_bbr_leaves_to_cubic_what_linux_s_leaves_behind_short_buffers() {
    let is_it = |case: &&Case| case.controls == BOTH && case.queue == PIE;
    let case = CASES.iter().find(is_it).expect("among the cases");
    let runs: Vec<[f64; 6]> = (1..=5).map(|seed| run(case, seed)).collect();
    let mean = |place: usize| runs.iter().map(|run| run[place]).sum::<f64>() / runs.len() as f64;
    let (loss, share) = (mean(1), mean(5));
    assert!((0.120..=0.162).contains(&loss), "a loss of {loss}");
    assert!(
        (0.032 - 0.01..=0.050 + 0.01).contains(&share),
        "a share of {share}"
    );
}
