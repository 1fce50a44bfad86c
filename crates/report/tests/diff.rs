//! Runs with one planted difference.

use std::path::Path;

use pacesim_report::diff::{Parting, diff, diff_trace};

use crate::common::{Runs, TCP};

/// Compares a run with one that has this change.
fn parted(sets: &[&str], changes: &[&str]) -> Parting {
    let runs = Runs::new();
    let a = runs.run("a", TCP, sets);
    let b = runs.run("b", TCP, &[sets, changes].concat());
    diff(&a, &b).expect("comparable")
}

/// The first event that only one side has, with single spaces.
fn only_in(side: &str, text: &str) -> String {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with(&format!("only in {side} (")));
    let first = lines
        .nth(1)
        .unwrap_or_else(|| panic!("no side {side} in\n{text}"));
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Asserts the time of a difference, the first event of each side, and the reason.
fn assert_parts(parting: &Parting, at_ps: u64, a: &str, b: &str, reason: &str) {
    let text = parting.text.to_string();
    assert_eq!(parting.at_ps, Some(at_ps), "{text}");
    assert_eq!(only_in("A", &text), a, "{text}");
    assert_eq!(only_in("B", &text), b, "{text}");
    assert_eq!(text.trim_end().lines().last(), Some(reason), "{text}");
}

/// Nanoseconds. ns-2's first packet has 40 bytes: 3200 ns at 100 Mbps, 32000 ns at 10 Mbps.
const NS: u64 = 1000;

#[test]
fn the_same_run_twice_does_not_part() {
    let parting = parted(&[], &[]);
    assert_eq!(parting.at_ps, None, "{}", parting.text);
}

/// The cause that all differences of scenarios have.
macro_rules! scenarios_differ {
    ($kind:literal) => {
        concat!(
            $kind,
            "; the scenarios differ (compare scenario.toml of both)."
        )
    };
}

#[test]
fn a_dropped_first_packet_is_another_decision() {
    let change = r#"link.core.drops=[{ flow = "f", seq = 0 }]"#;
    // It reaches the second port after 3.2 us and 1 ms.
    assert_parts(
        &parted(&[], &[change]),
        1_003_200 * NS,
        "0.0010352 s f[0] data 0 left, link core",
        "0.0010032 s f[0] data 0 dropped by the scenario's script, link core",
        scenarios_differ!(
            "Another decision about the same packet: sent in A, dropped by the scenario's script in B"
        ),
    );
}

#[test]
fn a_dropped_acknowledgement_is_found() {
    let runs = Runs::new();
    let a = runs.run("a", TCP, &[]);
    let two = TCP.replace(
        "duplex = true\n[[flow]]",
        "duplex = true\nback = { drops = [{ flow = \"f\", ack = 0 }] }\n[[flow]]",
    );
    let b = runs.run("b", &two, &[]);
    assert_parts(
        &diff(&a, &b).expect("comparable"),
        21_035_200 * NS,
        "0.0210672 s f[0] ACK of 0 left, link core.back",
        "0.0210352 s f[0] ACK of 0 dropped by the scenario's script, link core.back",
        scenarios_differ!(
            "Another decision about the same packet: sent in A, dropped by the scenario's script in B"
        ),
    );
}

#[test]
fn a_longer_delay_shows_where_the_first_packet_is_late() {
    assert_parts(
        &parted(&[], &["link.core.delay=21ms"]),
        21_035_200 * NS,
        "0.0210352 s f[0] data 0 reached, link core",
        "0.0220352 s f[0] data 0 reached, link core",
        scenarios_differ!("An earlier time in A: the same packet reached there 1.000 ms before"),
    );
}

#[test]
fn a_slower_line_shows_at_its_first_departure() {
    assert_parts(
        &parted(&[], &["link.core.rate=5Mbps"]),
        1_035_200 * NS,
        "0.0010352 s f[0] data 0 left, link core",
        "0.0010672 s f[0] data 0 left, link core",
        scenarios_differ!("An earlier time in A: the same packet left there 32.000 us before"),
    );
}

#[test]
fn a_faster_first_link_shows_at_once() {
    assert_parts(
        &parted(&[], &["link.first.rate=200Mbps"]),
        1600 * NS,
        "0.0000032 s f[0] data 0 left, link first",
        "0.0000016 s f[0] data 0 left, link first",
        scenarios_differ!("An earlier time in B: the same packet left there 1.600 us before"),
    );
}

#[test]
fn a_later_start_shows_in_the_first_event() {
    assert_parts(
        &parted(&[], &["flow.f.start=1ms"]),
        0,
        "0 s f[0] data 0 arrived, link first",
        "0.001 s f[0] data 0 arrived, link first",
        scenarios_differ!("An earlier time in A: the same packet arrived there 1.000 ms before"),
    );
}

#[test]
fn a_much_later_start_is_no_end_of_the_recording() {
    // Ten events of the first run end long before the first of the other.
    assert_parts(
        &parted(&[], &["flow.f.start=1s"]),
        0,
        "0 s f[0] data 0 arrived, link first",
        "nothing until 0.0410672 s",
        scenarios_differ!("An event in A that the other has later or never"),
    );
}

#[test]
fn a_smaller_packet_shows_in_the_first_with_data() {
    // The first packet is as small as before; the second leaves when its ACK is back.
    assert_parts(
        &parted(&[], &["flow.f.traffic.packet_size=900B"]),
        42_070_400 * NS,
        "0.0420704 s f[0] data 1 arrived, link first",
        "0.0420704 s f[0] data 1 arrived, link first",
        scenarios_differ!("Another size of the same packet: 1000 bytes in A, 900 in B"),
    );
}

#[test]
fn a_smaller_buffer_parts_at_the_first_drop() {
    // Data 25 finds five waiting; in the first run it leaves later than the events shown.
    assert_parts(
        &parted(&[], &["link.core.buffer=5pkts"]),
        175_896_000 * NS,
        "nothing until 0.176416 s",
        "0.175896 s f[0] data 25 dropped: the queue was full, link core",
        scenarios_differ!(
            "Another decision about data 25 at link core: dropped: the queue was full in B only"
        ),
    );
}

#[test]
fn another_seed_is_another_draw() {
    let loss = "link.core.loss={ bernoulli = 0.05 }";
    assert_parts(
        &parted(&[loss], &["run.seed=2"]),
        149_780_800 * NS,
        "0.1497808 s f[0] data 7 reached, link core",
        "0.1497808 s f[0] data 7 lost, link core",
        "Another decision about the same packet: sent in A, sent, and lost on the wire in B; \
         the seeds or replications differ, so random draws do.",
    );
}

#[test]
fn another_control_parts_at_the_third_duplicate_acknowledgement() {
    let sets = [
        r#"link.core.drops=[{ flow = "f", seq = 100 }]"#,
        "flow.f.traffic.variant=reno",
    ];
    assert_parts(
        &parted(&sets, &["flow.f.traffic.variant=tahoe"]),
        342_476_800 * NS,
        "0.3424768 s f[0] sender: fast_retransmit cwnd 20.00, 40 in flight",
        "0.3424768 s f[0] sender: fast_retransmit cwnd 1.00, 40 in flight",
        scenarios_differ!(
            "Another decision of the sender: fast_retransmit with cwnd 20.00 in A, \
             fast_retransmit with cwnd 1.00 in B"
        ),
    );
}

#[test]
fn another_receiver_parts_at_the_first_duplicate_acknowledgement() {
    let drop = r#"link.core.drops=[{ flow = "f", seq = 100 }]"#;
    // The acknowledgement of 99 has a SACK block of 8 bytes.
    assert_parts(
        &parted(&[drop], &["flow.f.traffic.variant=reno"]),
        308_126_400 * NS,
        "0.3081264 s f[0] ACK of 99 arrived, link core.back",
        "0.3081264 s f[0] ACK of 99 arrived, link core.back",
        scenarios_differ!("Another size of the same packet: 48 bytes in A, 40 in B"),
    );
}

#[test]
fn runs_of_other_networks_are_refused() {
    let runs = Runs::new();
    let a = runs.run("a", TCP, &[]);
    let b = runs.run("b", &TCP.replace("\"f\"", "\"g\""), &[]);
    let refused = diff(&a, &b).expect_err("other flows");
    assert!(refused.to_string().contains("other flows"), "{refused}");
    let c = runs.run("c", &TCP.replace("tcp = {}", ""), &[]);
    let refused = diff(&a, &c).expect_err("another recording");
    assert!(refused.to_string().contains("tcp = {}"), "{refused}");
}

#[test]
fn a_run_parts_from_a_trace_where_its_sendings_do() {
    let runs = Runs::new();
    let a = runs.run("a", TCP, &[]);
    let mut sent = Vec::new();
    let recording = crate::common::open(&a);
    recording
        .packets(|row| {
            if row.kind == 0 && row.link_id == recording.link("first").expect("a link") {
                sent.push((row.t_ps, row.seq));
            }
        })
        .expect("packets");
    let trace = |name: &str, change: &dyn Fn(usize, &mut f64, &mut u64)| {
        let rows = sent.iter().enumerate().map(|(place, (t_ps, seq))| {
            let (mut t, mut seq) = (*t_ps as f64 / 1e12, *seq);
            change(place, &mut t, &mut seq);
            format!("[{t}, {seq}, 0]")
        });
        let rows: Vec<String> = rows.collect();
        let text = format!(
            "{{\"format\": \"pacesim-ns2-trace-1\", \"events\": {{\"data_tx\": [{}]}}}}",
            rows.join(",")
        );
        let path = runs.path(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let same = diff_trace(&a, &trace("same", &|_, _, _| ()), None, None).expect("comparable");
    assert_eq!(same.at_ps, None, "{}", same.text);
    let late = trace("late", &|place, t, _| {
        *t += if place >= 50 { 1e-3 } else { 0.0 }
    });
    let late = diff_trace(&a, &late, Some("f"), None).expect("comparable");
    assert_eq!(late.at_ps, Some(sent[50].0), "{}", late.text);
    assert!(
        late.text
            .to_string()
            .contains("The same packet, 1.000 ms apart"),
        "{}",
        late.text
    );
    let other = trace("other", &|place, _, seq| *seq += u64::from(place == 70));
    let other = diff_trace(&a, &other, None, None).expect("comparable");
    assert_eq!(other.at_ps, Some(sent[70].0), "{}", other.text);
    let text = other.text.to_string();
    assert!(
        text.contains("data 70 in the run, data 71 in the trace"),
        "{text}"
    );
    std::fs::write(runs.path("foreign"), "a,b\n1,2\n").expect("written");
    let refused = diff_trace(&a, &runs.path("foreign"), None, None).expect_err("no trace");
    assert!(
        refused.to_string().contains("pacesim-ns2-trace-1"),
        "{refused}"
    );
}

#[test]
fn a_trace_of_linux_is_compared_with_its_syn_or_without() {
    let runs = Runs::new();
    let linux = TCP.replace("variant = \"sack\"", "profile = \"linux\"");
    let linux = linux.replace(", packet_size = \"1000B\"", "");
    let a = runs.run("a", &linux, &[]);
    let recording = crate::common::open(&a);
    let first = recording.link("first").expect("a link");
    let mut rows = Vec::new();
    recording
        .packets(|row| {
            if row.kind == 0 && row.link_id == first {
                let data = row.seq > 0;
                let (byte, length) = (row.seq as i64 * 1448 - 1448, 1448 * u32::from(data));
                let seq = if data { byte } else { -1 };
                rows.push(format!("{},D,{seq},{length},0", row.t_ps / 1_000_000));
                rows.push("7,A,0,0,0".to_owned());
            }
        })
        .expect("packets");
    let trace = |name: &str, rows: &[String]| {
        let path = runs.path(name);
        let text = format!("t_us,dir,seq,len,rtx\n{}\n", rows.join("\n"));
        std::fs::write(&path, text).expect("written");
        diff_trace(&a, &path, None, None).expect("comparable")
    };
    let told = |parting: &Parting| parting.text.to_string();
    let all = rows.len() / 2;
    let whole = trace("whole", &rows);
    assert!(
        told(&whole).contains(&format!("same: {all} sendings\n")),
        "{}",
        told(&whole)
    );
    let without = trace("without", &rows[2..]);
    let words = format!("same: {} sendings\n", all - 1);
    assert!(told(&without).contains(&words), "{}", told(&without));
    let cut = trace("cut", &rows[..rows.len() - 4]);
    assert!(
        told(&cut).contains("; the run has 2 more"),
        "{}",
        told(&cut)
    );
    rows[40] = rows[40].replace(",D,", ",A,");
    let parted = trace("parted", &rows);
    assert!(parted.at_ps.is_some(), "{}", told(&parted));
    assert!(
        told(&parted).contains("data 20 in the run, data 21 in the trace"),
        "{}",
        told(&parted)
    );
}

#[test]
fn a_run_sends_what_the_kernel_sent_to_the_end() {
    const SCENARIO: &str = include_str!("../../../docs/cookbook/kernel.toml");
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cookbook/kernel.csv");
    let runs = Runs::new();
    let compared = |name: &str, sets: &[&str], within_ps: Option<u64>| {
        let run = runs.run(name, SCENARIO, sets);
        let parting = diff_trace(&run, &trace, None, within_ps).expect("comparable");
        (parting.at_ps, parting.text.to_string())
    };
    let (at_ps, text) = compared("same", &[], None);
    assert_eq!(at_ps, None, "{text}");
    assert!(text.contains("the same: 102 sendings\n"), "{text}");
    // The acknowledgement of the handshake, 42 us, and the time that the kernel's path takes.
    let (_, text) = compared("strict", &[], Some(10_000_000));
    assert!(text.contains("at sending 11,"), "{text}");
    assert!(text.contains("The same packet, 46.992 us apart"), "{text}");
    let (_, text) = compared("reno", &["flow.f.traffic.control=reno"], None);
    assert!(text.contains("at sending 34,"), "{text}");
    assert!(text.contains("The same packet, 1.151 ms apart"), "{text}");
    let other = r#"link.core.drops=[{ flow = "f", seq = 10 }]"#;
    let (_, text) = compared("other", &[other], None);
    let words = "data 10 (retransmitted) in the run, data 29 in the trace";
    assert!(text.contains(words), "{text}");
}
