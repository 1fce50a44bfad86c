//! Live runs whose checks hold however loaded the machine is: no test depends on lateness.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use pacesim::model::Model;
use pacesim::{Fate, scenario};
use pacesim_live::{LiveError, Outcome, Plan, replay, run};

/// A dumbbell with these parts at its bottleneck and these flows.
fn model(bottleneck: &str, pairs: u32, flows: &str) -> Model {
    let text = format!(
        r#"
[run]
duration = "1500ms"
warmup = "200ms"

[topology]
shape = "dumbbell"
pairs = {pairs}
access = {{ rate = "1Gbps", delay = "0ms", buffer = "unlimited" }}
bottleneck = {{ rate = "10Mbps", delay = "10ms", {bottleneck}, back = {{ rate = "1Gbps", buffer = "unlimited" }} }}
{flows}"#
    );
    let checked = scenario::load("live.toml", &text, &[], &()).expect("a good scenario");
    checked.expand(1, 0)
}

const TCP: &str = r#"
[[flow]]
name = "tcp"
from = "left"
to = "right"
traffic = { kind = "tcp", profile = "linux", control = "reno" }
"#;

const UDP: &str = r#"
[[flow]]
name = "udp"
from = "left"
to = "right"
traffic = { kind = "cbr", rate = "4Mbps", size = "1000B" }
"#;

/// One real flow of each kind beside a simulated one.
const MIXED: &str = r#"
[[flow]]
name = "tcp"
from = "left[0]"
to = "right[0]"
traffic = { kind = "tcp", profile = "linux", control = "reno" }

[[flow]]
name = "udp"
from = "left[1]"
to = "right[1]"
traffic = { kind = "cbr", rate = "1Mbps", size = "500B" }

[[flow]]
name = "simulated"
from = "left[2]"
to = "right[2]"
traffic = { kind = "tcp", profile = "linux", control = "cubic" }
"#;

/// Makes a live run in which all flows but the simulated ones are real, unless the machine forbids
/// that.
fn live(model: Model) -> Option<(Plan, Outcome)> {
    let is_real = |flow: &pacesim::model::Flow| flow.group.as_ref() != "simulated";
    let plan = Plan::new(model, is_real).expect("a plan");
    match run(&plan, &AtomicBool::new(false)) {
        Ok(outcome) => Some((plan, outcome)),
        Err(error @ (LiveError::Namespace(_) | LiveError::PacketSocket(_))) => {
            println!("skipped: {error}");
            None
        }
        Err(error @ LiveError::TooFast(_)) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Every packet that entered has left by one way or is still inside.
fn check_accounts(plan: &Plan, outcome: &Outcome) {
    let entries: BTreeSet<u32> = outcome.departures.iter().map(|d| d.entry).collect();
    assert_eq!(entries.len(), outcome.departures.len(), "one leaves twice");
    let flows = plan
        .real
        .iter()
        .flat_map(|real| [Some(real.flow), real.back]);
    let (mut sent, mut left) = (0, 0);
    for flow in flows.flatten() {
        let of = outcome.world.flow(flow);
        sent += of.sent.packets;
        left += (of.delivered + of.dropped + of.lost + of.absorbed).packets;
    }
    assert_eq!(sent, outcome.entries.len() as u64);
    assert_eq!(left, outcome.departures.len() as u64);
    for departure in &outcome.departures {
        let entry = &outcome.entries[departure.entry as usize];
        assert!(departure.due >= entry.at);
        assert!(departure.late_before_ns >= 0, "a packet is early");
        assert!(departure.late_after_ns >= departure.late_before_ns);
    }
}

#[test]
fn udp_is_never_early_and_late_by_the_recorded_lateness() {
    let Some((plan, outcome)) = live(model(r#"buffer = "50pkts""#, 1, UDP)) else {
        return;
    };
    check_accounts(&plan, &outcome);
    assert_eq!(outcome.evidence.failures, Vec::<String>::new());
    assert_eq!(outcome.evidence.door_drops, 0);
    let [received] = &outcome.received[..] else {
        panic!("one flow is real");
    };
    assert!(received.intact);
    assert!(outcome.sent[0] > 500, "{} were sent", outcome.sent[0]);
    // The driver and the receiver read the offset of two clocks by itself.
    const OFFSET_NS: i64 = 20_000;
    let delivered = outcome
        .departures
        .iter()
        .filter(|d| d.fate == Fate::Delivered);
    let delivered: Vec<_> = delivered.collect();
    assert_eq!(
        received.datagrams.len(),
        delivered.len(),
        "each comes out once"
    );
    for (number, (datagram, departure)) in received.datagrams.iter().zip(delivered).enumerate() {
        assert_eq!(datagram.number, number as u64, "in their order, none lost");
        assert_eq!(departure.entry, number as u32);
        let entry = outcome.entries[number];
        // 1000 bytes take 0.8 ms on the line and 8 us on each access link; the wire 10 ms.
        let least = entry.at + pacesim::units::Span::from_us(10_816);
        assert!(departure.due >= least, "{departure:?} is early");
        let late = datagram.at_ns - departure.due.as_ps().div_ceil(1000) as i64;
        assert!(
            late + OFFSET_NS >= departure.late_before_ns,
            "{late}: {departure:?}"
        );
        assert!(
            late - OFFSET_NS <= departure.late_after_ns,
            "{late}: {departure:?}"
        );
    }
}

#[test]
fn a_replay_has_the_fingerprint_of_the_live_run() {
    let scenarios = [
        (r#"buffer = "8pkts""#, 1, TCP),
        (r#"buffer = "20pkts", loss = { bernoulli = 0.02 }"#, 1, TCP),
        (
            r#"buffer = "33pkts", discipline = { kind = "codel", profile = "linux" }"#,
            3,
            MIXED,
        ),
        (
            r#"buffer = "33pkts", discipline = { kind = "fq_codel", profile = "linux" }"#,
            3,
            MIXED,
        ),
        (
            r#"buffer = "33pkts", pacer = { kind = "hull", delay = "10ms" }"#,
            3,
            MIXED,
        ),
        (
            r#"buffer = "33pkts", pacer = { kind = "qlbp", mu_min = "1Mbps", q_max = "20pkts" }"#,
            4,
            TCP,
        ),
    ];
    for (bottleneck, pairs, flows) in scenarios {
        let Some((plan, outcome)) = live(model(bottleneck, pairs, flows)) else {
            return;
        };
        check_accounts(&plan, &outcome);
        assert_eq!(
            outcome.evidence.failures,
            Vec::<String>::new(),
            "{bottleneck}"
        );
        for received in &outcome.received {
            assert!(received.intact, "{bottleneck}: bytes have changed");
            assert!(received.bytes > 0, "{bottleneck}: nothing arrived");
        }
        assert!(outcome.entries.len() > 100, "{bottleneck}");
        let again = replay(&plan, &outcome.entries).expect("the model was built before");
        assert_eq!(
            again.fingerprint(),
            outcome.world.fingerprint(),
            "{bottleneck}"
        );
        assert_eq!(again.packet_hops(), outcome.world.packet_hops());
        // It would not have that of other entries.
        let (_, fewer) = outcome.entries.split_last().expect("there are some");
        let other = replay(&plan, fewer).expect("the model was built before");
        assert_ne!(
            other.fingerprint(),
            outcome.world.fingerprint(),
            "{bottleneck}"
        );
    }
}

#[test]
fn the_devices_of_the_machine_are_as_before() {
    let devices = || std::fs::read_to_string("/proc/self/net/dev").expect("Linux has it");
    let names = |text: String| -> Vec<String> {
        let names = text.lines().filter_map(|line| line.split_once(':'));
        names.map(|(name, _)| name.trim().to_owned()).collect()
    };
    let before = names(devices());
    let _ = live(model(r#"buffer = "8pkts""#, 1, UDP));
    assert_eq!(names(devices()), before);
}

#[test]
fn flows_that_no_kernel_sends_are_refused_by_name() {
    let text = |flows: &str| {
        let plan = Plan::new(model(r#"buffer = "8pkts""#, 1, flows), |_| true);
        plan.expect_err("it is refused").to_string()
    };
    let ns2 = TCP.replace("\"linux\"", "\"ns2\"");
    assert!(
        text(&ns2).contains("write `profile = \"linux\"`"),
        "{}",
        text(&ns2)
    );
    let poisson = UDP.replace("cbr", "poisson");
    assert!(
        text(&poisson).contains("kind tcp or cbr"),
        "{}",
        text(&poisson)
    );
    let large = UDP.replace("1000B", "9000B");
    assert!(text(&large).contains("36B to 1500B"), "{}", text(&large));
    let absent = TCP.replace("\"reno\"", "\"prague\"");
    assert!(
        text(&absent).contains("has no congestion control \"prague\""),
        "{}",
        text(&absent)
    );
    let none = Plan::new(model(r#"buffer = "8pkts""#, 1, UDP), |_| false);
    assert!(
        none.expect_err("it is refused")
            .to_string()
            .contains("no flow is real")
    );
}
