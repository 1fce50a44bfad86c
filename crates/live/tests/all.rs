//! Live runs whose checks hold however loaded the machine is: no test depends on lateness.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use pacesim::model::{Flow, Model};
use pacesim::scenario::LiveParts;
use pacesim::units::{FlowId, NodeId};
use pacesim::{Fate, scenario};
use pacesim_live::{Command, LiveError, Outcome, Plan, Settings, Verdict, replay, run};

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

/// A plan in which these flows are real.
fn plan(model: Model, is_real: impl Fn(&Flow) -> bool) -> Result<Plan, LiveError> {
    let real = (0..model.flows.len()).filter(|i| is_real(&model.flows[*i]));
    let parts = LiveParts {
        flows: real.map(FlowId::from_index).collect(),
        hosts: Vec::new(),
    };
    Plan::new(model, &parts, Settings::default())
}

/// Makes a live run in which all flows but the simulated ones are real, unless the machine forbids
/// that.
fn live(model: Model) -> Option<(Plan, Outcome)> {
    let is_real = |flow: &Flow| flow.group.as_ref() != "simulated";
    made(plan(model, is_real).expect("a plan"))
}

fn made(plan: Plan) -> Option<(Plan, Outcome)> {
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

/// Commands at two hosts beside a simulated flow.
fn commanded(
    commands: &[(&str, &str, bool)],
    (seconds, settings): (u64, Settings),
) -> Option<(Plan, Outcome)> {
    let mut model = model(r#"buffer = "50pkts""#, 3, MIXED);
    model.duration = pacesim::units::Span::from_secs(seconds);
    let node = |name: &str| {
        let place = model.nodes.iter().position(|node| node.name == *name);
        NodeId::from_index(place.expect("the dumbbell has it"))
    };
    let hosts = [("client", "left[0]"), ("server", "right[0]")];
    let parts = LiveParts {
        flows: Vec::new(),
        hosts: hosts.map(|(name, at)| (name.to_owned(), node(at))).into(),
    };
    let command = |(host, text, must_end): &(&str, &str, bool)| Command {
        host: (*host).to_owned(),
        text: (*text).to_owned(),
        must_end: *must_end,
    };
    let settings = Settings {
        commands: commands.iter().map(command).collect(),
        ..settings
    };
    made(Plan::new(model, &parts, settings).expect("a plan"))
}

/// Every packet that entered has left by one way or is still inside.
fn check_accounts(plan: &Plan, outcome: &Outcome) {
    let entries: BTreeSet<u32> = outcome.departures.iter().map(|d| d.entry).collect();
    assert_eq!(entries.len(), outcome.departures.len(), "one leaves twice");
    let outer = |flow: &FlowId| {
        let traffic = &plan.model.flows[flow.index()].traffic;
        matches!(traffic, pacesim::model::Traffic::Outer)
    };
    let flows = (0..plan.model.flows.len()).map(FlowId::from_index);
    let (mut sent, mut left) = (0, 0);
    for flow in flows.filter(outer) {
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
fn files_repaired_by_forward_error_correction_are_intact() {
    let fec = r#"
[[flow]]
name = "tcp"
from = "left"
to = "right"
traffic = { kind = "tcp", profile = "linux", control = "reno" }

[[fec]]
ingress = "L"
egress = "R"
block = 3
"#;
    let lossy = r#"buffer = "50pkts", loss = { bernoulli = 0.05 }"#;
    let Some((plan, outcome)) = live(model(lossy, 2, fec)) else {
        return;
    };
    assert_eq!(outcome.evidence.failures, Vec::<String>::new());
    let repaired: u64 = (0..2)
        .map(|flow| outcome.world.flow(FlowId(flow)).repaired.packets)
        .sum();
    assert!(repaired > 5, "{repaired} packets were repaired");
    assert!(
        outcome.repairs + 3 >= repaired,
        "{} of {repaired}",
        outcome.repairs
    );
    for received in &outcome.received {
        assert!(received.intact, "bytes have changed");
        assert!(received.bytes > 50_000, "{} bytes", received.bytes);
    }
    let again = replay(&plan, &outcome.entries).expect("the model was built before");
    assert_eq!(again.fingerprint(), outcome.world.fingerprint());
}

#[test]
fn transfers_have_the_sizes_and_gaps_of_the_simulation() {
    let transfers = |connection: &str| {
        format!(
            r#"
[[flow]]
name = "files"
from = "left"
to = "right"
traffic = {{ kind = "tcp", profile = "linux", control = "reno", transfers = {{ size = {{ uniform = ["1KB", "30KB"] }}, pause = "20ms", connection = "{connection}" }} }}
"#
        )
    };
    for connection in ["same", "new"] {
        let model = model(r#"buffer = "50pkts""#, 1, &transfers(connection));
        let mut world = pacesim::World::new(model.clone()).expect("a good model");
        world.run();
        let simulated = world.take_transfers();
        let Some((plan, outcome)) = live(model) else {
            return;
        };
        assert_eq!(outcome.evidence.failures, Vec::<String>::new());
        let rows = outcome.transfers(&plan);
        assert!(rows.len() > 3, "{connection}: {} transfers", rows.len());
        assert!(outcome.received[0].intact);
        for (live, simulated) in rows.iter().zip(&simulated) {
            assert_eq!(live.size_bytes, simulated.size_bytes, "{connection}");
        }
        for (one, next) in rows.iter().zip(&rows[1..]) {
            let end = one.end_ps.expect("the next one waits for it");
            assert!(
                next.start_ps >= end + 20_000_000_000,
                "{connection}: {one:?}"
            );
        }
    }
}

#[test]
fn commands_reach_each_other_through_the_network() {
    if std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("skipped: the server of this test takes python3");
        return;
    }
    // The server may start late on a busy machine.
    let send = "until head -c 200000 /dev/zero > /dev/tcp/{server}/5000; do sleep 0.1; done";
    let send = format!("bash -c '{send}' 2>/dev/null");
    let receive = "python3 -c 'import socket; s = socket.create_server((\"\", 5000)); c = s.accept()[0]\nn = 0\nwhile True:\n  b = c.recv(65536)\n  if not b: break\n  n += len(b)\nassert n == 200000'";
    let commands = [("server", receive, true), ("client", &send, true)];
    let Some((plan, outcome)) = commanded(&commands, (10, Settings::default())) else {
        return;
    };
    assert_eq!(outcome.evidence.failures, Vec::<String>::new());
    check_accounts(&plan, &outcome);
    assert!(
        outcome.entries.len() > 200,
        "{} packets",
        outcome.entries.len()
    );
    let again = replay(&plan, &outcome.entries).expect("the model was built before");
    assert_eq!(again.fingerprint(), outcome.world.fingerprint());
}

#[test]
fn commands_that_fail_or_do_not_end_fail_the_run() {
    let of = |command: &str, must_end, timeout| {
        let settings = Settings {
            timeout,
            ..Settings::default()
        };
        let (_, outcome) = commanded(&[("client", command, must_end)], (1, settings))?;
        Some((outcome.verdict(), outcome.commands[0].clone()))
    };
    let Some((verdict, ended)) = of("exit 3", false, None) else {
        return;
    };
    assert_eq!(ended.code, Some(3));
    let Verdict::Failed(reason) = verdict else {
        panic!("{verdict}");
    };
    assert!(reason.contains("ended with exit code 3"), "{reason}");
    let cases = [
        ("/no/such/program", false, None, "was not found"),
        ("sleep 100", true, None, "had not ended"),
        (
            "sleep 100",
            false,
            Some(pacesim::units::Span::from_ms(300)),
            "time-out",
        ),
    ];
    for (command, must_end, timeout, expected) in cases {
        let (verdict, ended) = of(command, must_end, timeout).expect("the first one was made");
        let failure = ended.failure.unwrap_or_default();
        assert!(failure.contains(expected), "{command}: {failure}");
        assert!(matches!(verdict, Verdict::Failed(_)), "{command}");
    }
    let (_, ended) = of("sleep 100", false, None).expect("the first one was made");
    assert_eq!(
        (ended.code, ended.failure),
        (None, None),
        "a server may run on"
    );
}

#[test]
fn flows_that_no_kernel_sends_are_refused_by_name() {
    let text = |flows: &str| {
        let plan = plan(model(r#"buffer = "8pkts""#, 1, flows), |_| true);
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
    let none = plan(model(r#"buffer = "8pkts""#, 1, UDP), |_| false);
    assert!(
        none.expect_err("it is refused")
            .to_string()
            .contains("nothing is live")
    );
}

/// Scenarios of many kinds: parts at the bottleneck, pairs of hosts, flows.
const KINDS: [(&str, u32, &str); 10] = [
    (r#"buffer = "8pkts""#, 1, TCP),
    (r#"buffer = "20pkts", loss = { bernoulli = 0.02 }"#, 1, TCP),
    (r#"buffer = "50pkts""#, 2, UDP),
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
        r#"buffer = "33pkts", discipline = { kind = "red", min_th = "5pkts", max_th = "15pkts" }"#,
        2,
        TCP,
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
    (
        r#"buffer = "50pkts", loss = { bernoulli = 0.05 }"#,
        2,
        PROTECTED,
    ),
    (
        r#"buffer = "unlimited", jitter = { exponential = "1ms" }"#,
        2,
        TCP,
    ),
];

const PROTECTED: &str = r#"
[[flow]]
name = "tcp"
from = "left"
to = "right"
traffic = { kind = "tcp", profile = "linux", control = "cubic" }

[[fec]]
ingress = "L"
egress = "R"
block = 3
"#;

#[test]
#[ignore = "fifty live runs take minutes"]
fn fifty_replays_have_the_fingerprints_of_their_live_runs() {
    let mut packets = 0;
    for number in 0..50 {
        let (bottleneck, pairs, flows) = KINDS[number % KINDS.len()];
        let Some((plan, outcome)) = live(model(bottleneck, pairs, flows)) else {
            continue;
        };
        assert_eq!(
            outcome.evidence.failures,
            Vec::<String>::new(),
            "{bottleneck}"
        );
        let again = replay(&plan, &outcome.entries).expect("the model was built before");
        assert_eq!(
            again.fingerprint(),
            outcome.world.fingerprint(),
            "run {number}: {bottleneck}"
        );
        packets += outcome.entries.len();
    }
    println!("50 runs, {packets} packets");
}

/// UDP at this rate over one line of 1 Gbps.
fn line(rate: &str, size: &str, [stop, duration]: [&str; 2]) -> Model {
    let text = format!(
        r#"
run = {{ duration = "{duration}", warmup = "100ms" }}
node = [{{ name = "a" }}, {{ name = "b" }}]

[[link]]
name = "line"
from = "a"
to = "b"
rate = "1Gbps"
delay = "5ms"
buffer = "1000pkts"

[[flow]]
name = "udp"
from = "a"
to = "b"
stop = "{stop}"
traffic = {{ kind = "cbr", rate = "{rate}", size = "{size}" }}
"#
    );
    let checked = scenario::load("line.toml", &text, &[], &()).expect("a good scenario");
    checked.expand(1, 0)
}

#[test]
#[ignore = "a million packets take most of a minute"]
fn a_million_packets_come_out_once_or_are_accounted_for() {
    let Some((plan, outcome)) = live(line("40Mbps", "200B", ["40500ms", "42s"])) else {
        return;
    };
    let (sent, entered) = (outcome.sent[0], outcome.entries.len() as u64);
    let received = &outcome.received[0].datagrams;
    let numbers: BTreeSet<u64> = received.iter().map(|datagram| datagram.number).collect();
    assert_eq!(numbers.len(), received.len(), "one came out twice");
    assert!(sent >= 1_000_000, "{sent} were sent");
    let delivered = outcome
        .departures
        .iter()
        .filter(|d| d.fate == Fate::Delivered)
        .count() as u64;
    let inside = entered - outcome.departures.len() as u64;
    println!(
        "{sent} sent, {entered} entered, {delivered} delivered, {inside} inside at the end, {} received, \
         {} lost at doors",
        received.len(),
        outcome.evidence.door_drops
    );
    assert!(
        sent - entered <= outcome.evidence.door_drops,
        "some never came in"
    );
    assert!(delivered - received.len() as u64 <= outcome.evidence.door_drops);
    check_accounts(&plan, &outcome);
}

#[test]
#[ignore = "it takes a processor for itself"]
fn a_gigabit_passes_where_the_machine_allows() {
    let Some((_, outcome)) = live(line("990Mbps", "1500B", ["2s", "3s"])) else {
        return;
    };
    let packets = outcome.entries.len() as f64;
    println!(
        "{} sent, {packets} entered, {} received, {} lost at doors, {:.2} us of the loop's processor a packet",
        outcome.sent[0],
        outcome.received[0].datagrams.len(),
        outcome.evidence.door_drops,
        outcome.cpu_share * 3e6 / packets
    );
    assert!(outcome.received[0].intact);
}

#[test]
#[ignore = "fifty megabytes take half a minute"]
fn a_file_through_loss_is_intact_at_the_goodput_of_the_simulation() {
    let text = r#"
run = { duration = "40s" }

[topology]
shape = "dumbbell"
pairs = 1
access = { rate = "1Gbps", delay = "0ms", buffer = "unlimited" }
bottleneck = { rate = "50Mbps", delay = "5ms", buffer = "100pkts", loss = { bernoulli = 0.05 }, back = { rate = "1Gbps", buffer = "unlimited" } }

[[flow]]
name = "file"
from = "left"
to = "right"
traffic = { kind = "tcp", profile = "linux", control = "cubic", transfers = { count = 1, size = "50MB" } }

[[fec]]
ingress = "L"
egress = "R"
block = 3
"#;
    let checked = scenario::load("file.toml", text, &[], &()).expect("a good scenario");
    let model = checked.expand(1, 0);
    let mut world = pacesim::World::new(model.clone()).expect("a good model");
    world.run();
    let simulated = world.take_transfers();
    let Some((plan, outcome)) = live(model) else {
        return;
    };
    assert_eq!(outcome.evidence.failures, Vec::<String>::new());
    let seconds = |start: u64, end: Option<u64>| Some((end? - start) as f64 / 1e12);
    let of_live = outcome.transfers(&plan)[0].clone();
    let received = &outcome.received[0];
    println!(
        "{} of 50000000 bytes, intact {}, {} packets repaired; live {:?} s, simulated {:?} s; {}",
        received.bytes,
        received.intact,
        outcome.repairs,
        seconds(of_live.start_ps, of_live.end_ps),
        simulated
            .first()
            .and_then(|row| seconds(row.start_ps, row.end_ps)),
        outcome.verdict()
    );
    assert!(received.intact);
    assert_eq!(received.bytes, 50_000_000);
}
