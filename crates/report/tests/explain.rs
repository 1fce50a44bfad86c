//! Answers about runs with a known course.

use std::path::Path;

use pacesim_report::explain::{moment, packet, why_slow};

use crate::common::{Runs, TCP, open};

fn told(folder: &Path, seq: u64) -> String {
    packet(&open(folder), "f", seq)
        .expect("an answer")
        .to_string()
}

/// Asserts that a text contains these parts in this order.
fn assert_has(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("no {part:?} (in this order) in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

const DROP: &str = r#"link.core.drops=[{ flow = "f", seq = 100 }]"#;

#[test]
fn a_packet_that_just_passes_has_its_hops_and_its_acknowledgement() {
    let runs = Runs::new();
    let text = told(&runs.run("a", TCP, &[]), 0);
    // ns-2's first packet has 40 bytes: they take 3.2 us and 1 ms on the first link, then 32 us and 20 ms.
    assert_has(
        &text,
        &[
            "Sent at 0 s, from a",
            "first  0 s",
            "3.200 us",
            "core   0.0010032 s",
            "32.000 us",
            "It reached c at 0.0210352 s.",
            "First acknowledged by ACK of 0",
            "It reached the sender at",
            "cwnd",
        ],
    );
}

#[test]
fn a_scripted_drop_is_named_and_its_fast_retransmit_follows() {
    let runs = Runs::new();
    let text = told(&runs.run("a", TCP, &[DROP]), 100);
    assert_has(
        &text,
        &[
            "dropped by the scenario's script",
            "It ended at link core",
            "Retransmitted at",
            "fast retransmit of",
            "duplicate acknowledgements",
            "It reached c at",
        ],
    );
}

#[test]
fn three_duplicate_acknowledgements_start_the_retransmission() {
    let runs = Runs::new();
    let text = told(&runs.run("a", TCP, &[DROP]), 100);
    assert_has(&text, &["after 3 duplicate acknowledgements"]);
}

#[test]
fn a_lost_retransmission_is_repaired_after_a_time_out() {
    let runs = Runs::new();
    let twice = r#"link.core.drops=[{ flow = "f", seq = 100 }, { flow = "f", seq = 100, k = 2 }]"#;
    let folder = runs.run("a", TCP, &[twice]);
    let text = told(&folder, 100);
    assert_has(
        &text,
        &[
            "It ended at link core",
            "fast retransmit of",
            "It ended at link core",
            "after the time-out of",
            "It reached c at",
        ],
    );
    let text = why_slow(&open(&folder), "f")
        .expect("an answer")
        .to_string();
    assert_has(
        &text,
        &[
            "Losses: 2",
            "Time-outs: 1",
            "the retransmission of 100 was lost",
        ],
    );
}

#[test]
fn a_full_queue_is_named() {
    let runs = Runs::new();
    let folder = runs.run("a", TCP, &["link.core.buffer=5pkts"]);
    let recording = open(&folder);
    let mut first = None;
    recording
        .packets(|row| {
            if row.outcome == 1 && first.is_none() {
                first = Some(row.seq);
            }
        })
        .expect("packets");
    let text = told(
        &folder,
        first.expect("five packets are too few for slow start"),
    );
    assert_has(
        &text,
        &["dropped: the queue was full", "It ended at link core"],
    );
}

#[test]
fn a_loss_on_the_wire_is_told_from_a_drop() {
    let runs = Runs::new();
    let folder = runs.run("a", TCP, &["link.core.loss={ bernoulli = 0.01 }"]);
    let mut first = None;
    open(&folder)
        .packets(|row| {
            if row.outcome == 3 && first.is_none() {
                first = Some(row.seq);
            }
        })
        .expect("packets");
    let text = told(&folder, first.expect("a loss in thousands"));
    assert_has(&text, &["sent, and lost on the wire", "Retransmitted at"]);
}

#[test]
fn a_pacers_hold_is_told_from_the_queue() {
    let runs = Runs::new();
    let pacer = r#"link.core.pacer={ kind = "token_bucket", rate = "5Mbps", burst = "1000B" }"#;
    let folder = runs.run("a", TCP, &[pacer, "link.core.buffer=100pkts"]);
    let text = told(&folder, 2);
    // The two packets of the second flight arrive 80 us apart and leave 1.6 ms apart.
    assert_has(
        &text,
        &["pacer held it", "core", "1.520 ms", "0 s", "800.000 us"],
    );
}

#[test]
fn a_repair_by_fec_is_no_retransmission() {
    let runs = Runs::new();
    let fec = format!("{TCP}\n[[fec]]\ningress = \"b\"\negress = \"c\"\nblock = 3\n");
    let folder = runs.run("a", &fec, &[DROP]);
    let text = told(&folder, 100);
    assert_has(
        &text,
        &["dropped by the scenario's script", "It ended at link core"],
    );
    assert!(
        !text.contains("Retransmitted"),
        "the egress repaired it:\n{text}"
    );
    assert_has(&text, &["First acknowledged by"]);
}

#[test]
fn the_state_of_ports_and_senders_at_a_moment_is_counted() {
    let runs = Runs::new();
    let folder = runs.run("a", TCP, &[]);
    // With 40 packets in flight and 52 of them to the pipe, none waits; the line has one.
    let text = moment(&open(&folder), 2_000_000_000_000, None)
        .expect("an answer")
        .to_string();
    assert_has(
        &text,
        &[
            "at 2 s",
            "core",
            "sender",
            "f[0]",
            "40",
            "Events before and after",
        ],
    );
}

#[test]
fn a_window_is_named_as_the_limit() {
    let runs = Runs::new();
    let text = why_slow(&open(&runs.run("a", TCP, &[])), "f")
        .expect("an answer")
        .to_string();
    assert_has(
        &text,
        &["Limited most of the measured time by the receiver's window"],
    );
    assert_has(&text, &["None of its data was dropped or lost"]);
}

#[test]
fn those_who_have_the_port_are_named_beside_a_fair_share() {
    let runs = Runs::new();
    let others = "[[flow]]\nname = \"g\"\nfrom = \"a\"\nto = \"c\"\ntraffic = { kind = \"cbr\", rate = \"6Mbps\", size = \"1KB\" }\n\
                  [[flow]]\nname = \"h\"\nfrom = \"a\"\nto = \"c\"\ntraffic = { kind = \"cbr\", rate = \"2Mbps\", size = \"1KB\" }\n[output]";
    let recording = open(&runs.run("a", &TCP.replace("[output]", others), &[]));
    let core = recording.link("core").expect("a link");
    let mut bytes = [0_u64; 3];
    recording
        .packets(|row| {
            if row.link_id == core && row.departure_ps.is_some() {
                bytes[row.flow_id as usize] += u64::from(row.size_bytes);
            }
        })
        .expect("read");
    let all: u64 = bytes.iter().sum();
    let share = |flow: usize| format!("{:.1} %", bytes[flow] as f64 * 100.0 / all as f64);
    let text = why_slow(&recording, "f").expect("an answer").to_string();
    let own = format!(
        "The data that left core: {} of its bytes are this flow's",
        share(0)
    );
    let [g, h] = [1, 2].map(share);
    assert_has(
        &text,
        &[
            &own,
            &format!("{g}, "),
            &h,
            "a fair share of 3 flows is 33.3 %",
        ],
    );
    assert!(bytes[1] > 2 * bytes[2] && bytes[0] < bytes[1], "{bytes:?}");
    let alone = why_slow(&open(&runs.run("b", TCP, &[])), "f").expect("an answer");
    assert!(!alone.to_string().contains("a fair share"), "{alone}");
}

#[test]
fn an_application_without_data_is_named_as_the_limit() {
    let runs = Runs::new();
    let folder = runs.run(
        "a",
        TCP,
        &["flow.f.traffic.transfers={ size = \"20KB\", pause = \"1s\" }"],
    );
    let text = why_slow(&open(&folder), "f")
        .expect("an answer")
        .to_string();
    assert_has(
        &text,
        &["Limited most of the measured time by the application"],
    );
}

#[test]
fn a_mark_is_named_with_its_echo_and_the_senders_reduction() {
    let runs = Runs::new();
    let linux =
        r#"flow.f.traffic={ kind = "tcp", profile = "linux", control = "reno", ecn = true }"#;
    let codel = r#"link.core.discipline={ kind = "codel", ecn = true }"#;
    let folder = runs.run("a", TCP, &[linux, codel]);
    let recording = open(&folder);
    let (mut marked, mut first) = (0, None);
    let core = recording.link("core").expect("a link");
    recording
        .packets(|row| {
            if row.kind == 0 && row.link_id == core && row.ecn & 3 == 3 {
                marked += 1;
                first = first.or(Some((row.seq, row.t_ps)));
            }
        })
        .expect("packets");
    let (seq, t_ps) = first.expect("slow start overflows CoDel's 5 ms");
    let text = told(&folder, seq);
    // One packet is enough for its link to be named once; the echo halves the window (RFC 3168).
    assert_has(
        &text,
        &[
            "first",
            "sent\n",
            "core",
            "sent, marked (CE)\n",
            "It carried ECE",
        ],
    );
    let after = |words: &str| -> f64 {
        let (_, rest) = text
            .split_once(words)
            .unwrap_or_else(|| panic!("no {words:?} in\n{text}"));
        let number = rest.split(' ').next().expect("a word");
        number
            .parse()
            .unwrap_or_else(|_| panic!("no number after {words:?} in\n{text}"))
    };
    let (cwnd, threshold) = (after("left it with cwnd "), after("slow-start threshold "));
    assert!(text.contains("(none before)"), "{text}");
    assert_eq!(threshold, (cwnd / 2.0).floor(), "{text}");
    let unmarked = told(&folder, seq - 1);
    assert!(
        !unmarked.contains("marked") && !unmarked.contains("ECE"),
        "{unmarked}"
    );
    let slow = why_slow(&recording, "f").expect("an answer").to_string();
    let at = format!("the first to come at {}.", moment_of(t_ps));
    assert_has(&slow, &["Marked (CE) at link core: ", &at]);
    assert_has(&slow, &[&format!("link core: {marked} of its packets")]);
}

/// A time in seconds as answers write it.
fn moment_of(ps: u64) -> String {
    let text = format!("{}.{:012}", ps / 1_000_000_000_000, ps % 1_000_000_000_000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[test]
fn the_senders_own_pacing_is_told_from_its_window() {
    let runs = Runs::new();
    let folder = runs.run("a", TCP, &["flow.f.traffic.pacing=window"]);
    let text = told(&folder, 20);
    assert_has(&text, &["Sent at", "from a: its own pacing released it"]);
    let slow = why_slow(&open(&folder), "f")
        .expect("an answer")
        .to_string();
    assert_has(
        &slow,
        &[
            "%   the sender's own pacing",
            "Its limits over time are unknown",
        ],
    );
    // Without it, an acknowledgement opens the window for the same packet.
    let text = told(&runs.run("b", TCP, &[]), 20);
    assert_has(&text, &["Sent at", "from a: the window allowed it"]);
}

#[test]
fn data_that_came_late_is_told_from_the_window() {
    let runs = Runs::new();
    let transfers = r#"flow.f.traffic.transfers={ packets = "20pkts", pause = "1s" }"#;
    let folder = runs.run("a", TCP, &[transfers]);
    // Packet 0 is the SYN; the second transfer begins a second after the last acknowledgement.
    let text = told(&folder, 21);
    assert_has(
        &text,
        &["Sent at 1.", "from a: the application had handed it over"],
    );
    let text = told(&folder, 20);
    assert_has(&text, &["Sent at 0.", "from a: the window allowed it"]);
}

#[test]
fn a_drop_by_a_discipline_that_had_room_is_told_from_a_full_queue() {
    let runs = Runs::new();
    let codel = r#"link.core.discipline={ kind = "codel" }"#;
    let folder = runs.run("a", TCP, &[codel, "flow.f.traffic.window=200pkts"]);
    let mut first = None;
    open(&folder)
        .packets(|row| {
            if row.kind == 0 && row.outcome > 4 && first.is_none() {
                first = Some(row.seq);
            }
        })
        .expect("packets");
    let text = told(&folder, first.expect("a queue above 5 ms for 100 ms"));
    assert_has(
        &text,
        &[
            "taken by the queue discipline and dropped later",
            "It ended at link core",
            "Retransmitted at",
        ],
    );
}

#[test]
fn questions_without_an_answer_say_what_is_missing() {
    let runs = Runs::new();
    let folder = runs.run("a", TCP, &[]);
    let refused = packet(&open(&folder), "f", 1_000_000).expect_err("no such packet");
    assert!(
        refused
            .to_string()
            .contains("its recorded packets are 0 to"),
        "{refused}"
    );
    let refused = packet(&open(&folder), "g", 1).expect_err("no such flow");
    assert!(
        refused.to_string().contains("no flow is called \"g\""),
        "{refused}"
    );
    let plain = TCP.replace("packets = {}", "");
    let bare = runs.run("b", &plain, &[]);
    let refused = packet(&open(&bare), "f", 1).expect_err("nothing recorded");
    assert!(
        refused
            .to_string()
            .contains("add `packets = {}` to [output]"),
        "{refused}"
    );
    let refused = moment(&open(&folder), 9_000_000_000_000, None).expect_err("after the end");
    assert!(
        refused
            .to_string()
            .contains("nothing was recorded from 9 s on"),
        "{refused}"
    );
}
