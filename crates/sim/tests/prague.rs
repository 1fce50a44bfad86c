//! Prague in a network: alone and with CUBIC behind DualPI2, and on round trips of different
//! lengths.

use pacesim::measure::record::FlowRow;

use crate::common::hosts::{Shown, run as one, several};

/// Flows over 100 Mbps, of these round trips in ms and keys, from their 10th second on.
fn run(queue: &str, flows: &[(f64, &str)], seconds: u32) -> Shown {
    let queue = format!("buffer = \"10000pkts\"\n{queue}");
    let run_keys = format!("duration = \"{seconds}s\", warmup = \"10s\"");
    let flows = flows
        .iter()
        .map(|(rtt, keys)| (rtt / 2.0, format!(", {keys}")));
    several("100Mbps", &queue, &run_keys, &flows.collect::<Vec<_>>(), 1)
}

fn share(flows: &[FlowRow]) -> f64 {
    let sum: f64 = flows.iter().map(|flow| flow.goodput_bps).sum();
    flows[0].goodput_bps / sum
}

/// As in the measurement on hosts: the classic queue is held at 5 ms.
const DUALPI2: &str = "discipline = { kind = \"dualpi2\", profile = \"linux\", target = \"5ms\" }";

/// The step of DualPI2 marks at 1 ms of queue, 8 packets here: the queue remains below and the link
/// nearly full.
#[test]
fn alone_it_fills_the_link_within_the_step() {
    let Shown { core, flows } = run(DUALPI2, &[(10.0, "control = \"prague\"")], 20);
    assert!(core.utilisation > 0.97, "utilisation {}", core.utilisation);
    assert_eq!(core.dropped_pkts, 0, "L4S packets are marked");
    assert!(flows[0].goodput_bps > 90e6, "{}", flows[0].goodput_bps);
}

/// Hosts over such a queue measured 0.44 to 0.46 for Prague's share, with a spread of 0.02 (Sarpkaya et al., PAM 2025).
#[test]
fn beside_cubic_behind_dualpi2_it_has_its_measured_share() {
    let flows = [
        (10.0, "control = \"prague\""),
        (10.0, "control = \"cubic\", ecn = true"),
    ];
    let share = share(&run(DUALPI2, &flows, 60).flows);
    assert!(
        (share - 0.452).abs() < 2.0 * 0.015 + 0.05,
        "Prague's share is {share}"
    );
}

/// After 500 rounds a flow of 5 ms grows as if it had 25 ms (section 2.4.4 of the draft); a flow of
/// DCTCP takes most of the link.
#[test]
fn a_short_round_trip_gives_less_of_an_advantage_than_to_dctcp() {
    let of = |control: &str| {
        let flow = format!("control = \"{control}\"");
        share(&run("mark = \"8pkts\"", &[(5.0, &flow), (25.0, &flow)], 40).flows)
    };
    let (prague, dctcp) = (of("prague"), of("dctcp"));
    assert!(dctcp > 0.7, "DCTCP's share with 5 ms beside 25 is {dctcp}");
    assert!(
        (prague - 0.5).abs() < 0.15,
        "Prague's share with 5 ms beside 25 is {prague}"
    );
}

/// Without losses a count of marks (AccECN) says what the echo of DCTCP says; with lost ACKs it remains
/// complete.
#[test]
fn a_count_of_marks_travels_with_every_ack() {
    let of = |echo: &str, loss: f64| {
        let text = format!(
            r#"
run = {{ duration = "30s", warmup = "10s" }}
node = [{{ name = "s" }}, {{ name = "d" }}]
[[link]]
name = "core"
from = "s"
to = "d"
rate = "100Mbps"
delay = "5ms"
buffer = "10000pkts"
mark = "8pkts"
back = {{ rate = "100Gbps", buffer = "unlimited", loss = {{ bernoulli = {loss} }} }}
[[flow]]
name = "f"
from = "s"
to = "d"
[flow.traffic]
kind = "tcp"
profile = "linux"
window = "100000pkts"
control = "dctcp"
acks = "every_packet"
ecn_echo = "{echo}"
"#
        );
        let Shown { core, .. } = one(&text, 1);
        let marked = core.marked_pkts as f64 / core.left_pkts as f64;
        (marked, core.utilisation)
    };
    assert_eq!(of("accecn", 0.0), of("dctcp", 0.0));
    let (marked, used) = of("accecn", 0.3);
    assert!((0.08..0.12).contains(&marked), "{marked} of the packets");
    assert!(used > 0.95, "utilisation {used}");
}
