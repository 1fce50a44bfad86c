//! Optional log of TCP senders: the flows that have rows, and the contents of rows.

use pacesim::World;
use pacesim::measure::record::TcpRow;
use pacesim::model::Model;
use pacesim::scenario::{Problem, load};
use pacesim::units::FlowId;

/// Six TCP flows that lose packets, and one that is not TCP, with these lines under `[output]`.
fn text(output: &str) -> String {
    format!(
        r#"
run = {{ duration = "20s" }}
topology = {{ shape = "tandem", hops = 1, link = {{ rate = "2Mbps", delay = "20ms", buffer = "8pkts" }} }}
[[flow]]
name = "f"
count = 4
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "tcp", variant = "newreno", transfer = "400KB" }}
[[flow]]
name = "plain"
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "cbr", rate = "100kbps", size = "500B" }}
[[flow]]
name = "g"
count = 2
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "tcp", profile = "rfc", variant = "sack" }}
[output]
{output}
"#
    )
}

fn model(output: &str) -> Model {
    let checked = load("test.toml", &text(output), &[], &());
    checked
        .unwrap_or_else(|problems| panic!("{problems:?}"))
        .expand(1, 0)
}

fn problems(text: &str) -> Vec<Problem> {
    load("test.toml", text, &[], &()).expect_err("broken").0
}

fn run(recorded: &[FlowId]) -> World {
    let mut world = World::new(model("")).expect("a sound model");
    recorded.iter().for_each(|flow| world.record_tcp(*flow));
    world.run();
    world
}

#[test]
fn references_become_flows_and_none_means_all() {
    let flows = |output| model(output).output.tcp;
    assert_eq!(flows(""), None);
    assert_eq!(flows("tcp = {}"), Some(vec![]));
    let some = flows(r#"tcp = { flows = ["g", "f[1..3]", "g[0]"] }"#);
    assert_eq!(some, Some([1, 2, 5, 6].map(FlowId).to_vec()));
}

#[test]
fn flows_that_are_unknown_or_not_tcp_are_told_with_a_remedy() {
    let all = problems(&text(r#"tcp = { flows = ["f", "plain", "gg", "f[4]"] }"#));
    let reported: Vec<_> = all.iter().map(|problem| problem.path.as_str()).collect();
    let paths = [1, 2, 3].map(|i| format!("output.tcp.flows[{i}]"));
    assert_eq!(reported, paths, "{all:#?}");
    let says = [
        ("not TCP", "valid here: f, g"),
        ("unknown flow", "did you mean \"g\"?"),
        ("no \"f[4]\"", "\"f[0]\" to \"f[3]\""),
    ];
    for (problem, (message, help)) in all.iter().zip(says) {
        assert!(problem.message.contains(message), "{problem}");
        let given = problem.help.as_deref().expect("a remedy");
        assert!(given.contains(help), "{problem}");
    }
}

#[test]
fn misunderstood_traffic_is_not_told_again() {
    let wrong = text(r#"tcp = { flows = ["f"] }"#).replace("kind = \"tcp\", variant", "variant");
    let all = problems(&wrong);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0].path, "flow[0].traffic.kind");
}

#[test]
fn recording_changes_nothing() {
    let plain = run(&[]);
    let recorded = run(&[0, 1, 2, 3, 4, 5, 6].map(FlowId));
    assert_eq!(plain.fingerprint(), recorded.fingerprint());
    assert_eq!(plain.flow_rows(), recorded.flow_rows());
}

#[test]
fn only_recorded_senders_have_rows_and_they_are_taken_once() {
    let mut world = run(&[1, 4, 6].map(FlowId));
    let mut flows: Vec<u32> = world.take_tcp_rows().map(|row| row.flow_id).collect();
    flows.dedup();
    assert_eq!(flows, [1, 6], "flow 4 is no TCP");
    assert_eq!(world.take_tcp_rows().count(), 0);
    assert_eq!(world.take_tcp_events().count(), 0);
}

#[test]
fn rows_agree_with_the_counters_and_the_sender() {
    let all = [0, 1, 2, 3, 5, 6].map(FlowId);
    let mut world = run(&all);
    let rows: Vec<TcpRow> = world.take_tcp_rows().collect();
    for flow in all {
        let of_flow = || rows.iter().filter(|row| row.flow_id == flow.0);
        let count = |event| of_flow().filter(|row| row.event == event).count() as u32;
        let sender = world.tcp_sender(flow).expect("TCP");
        assert_eq!(count("timeout"), sender.counters().timeouts);
        assert_eq!(count("fast_retransmit"), sender.counters().fast_retransmits);
        assert!(count("window") > 50 && count("rtt") > 20, "flow {flow:?}");
        assert!(of_flow().is_sorted_by_key(|row| row.t_ps));
        assert!(of_flow().all(|row| (row.event == "window") != row.reason.is_empty()));
        let last = of_flow().next_back().expect("rows");
        assert_eq!(last.cwnd_pkts, sender.cwnd());
        assert_eq!(last.ssthresh_pkts, Some(sender.ssthresh()));
        assert_eq!(last.srtt_s, Some(sender.srtt().as_secs_f64()));
    }
    let repairs = rows.iter().filter(|row| row.event == "fast_retransmit");
    assert!(repairs.clone().count() > 0, "packets are lost");
    assert!(repairs.clone().all(|row| row.state == "recovery"));
    let mut recovered = rows.iter().filter(|row| row.event == "recovered");
    assert!(recovered.all(|row| row.state == "open"));
}

#[test]
fn what_is_not_known_yet_is_missing() {
    let mut world = run(&[FlowId(6)]);
    let rows: Vec<TcpRow> = world.take_tcp_rows().collect();
    // RFC 5681 lets the initial threshold be arbitrarily high.
    let windows = || rows.iter().filter(|row| row.event == "window");
    let is_loss = |row: &&TcpRow| matches!(row.reason, "fast_retransmit" | "timeout");
    let first_loss = windows().position(|row| is_loss(&row)).expect("a loss");
    assert!(first_loss > 0, "{first_loss:?}");
    for (i, row) in windows().enumerate() {
        assert_eq!(row.ssthresh_pkts.is_some(), i >= first_loss, "{i}: {row:?}");
    }
}

/// A flow of Linux's profile alone on a link of 10 Mbps and 20 ms, with these words in its traffic.
fn linux_rows(words: &str) -> Vec<TcpRow> {
    let text = format!(
        r#"
run = {{ duration = "12s" }}
topology = {{ shape = "tandem", hops = 1, link = {{ rate = "10Mbps", delay = "20ms", buffer = "33pkts", mark = "20pkts" }} }}
[[flow]]
name = "f"
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "tcp", profile = "linux", {words} }}
"#
    );
    let checked = load("test.toml", &text, &[], &()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut world = World::new(checked.expand(1, 0)).expect("a sound model");
    world.record_tcp(FlowId(0));
    world.run();
    world.take_tcp_rows().collect()
}

#[test]
fn recovery_and_cubic_s_curve_are_told() {
    let rows = linux_rows(r#"control = "cubic""#);
    let is = |row: &TcpRow, state| row.ca_state == Some(state);
    for row in &rows {
        let reducing = is(row, "recovery") || is(row, "cwr");
        assert_eq!(row.prr_delivered_pkts.is_some(), reducing, "{row:?}");
        assert_eq!(
            row.state == "recovery",
            is(row, "recovery") || is(row, "loss")
        );
        assert!(row.alpha.is_none() && row.bbr_phase.is_none(), "{row:?}");
    }
    let first = rows
        .iter()
        .position(|row| is(row, "recovery"))
        .expect("a loss");
    // HyStart may end slow start before any loss: the curve then begins at the window.
    let cut = &rows[first];
    let w_max = cut.w_max_pkts.expect("a reduction");
    assert_eq!(cut.k_s, None, "the epoch starts when the repair is over");
    let most = rows[..first]
        .iter()
        .map(|row| row.cwnd_pkts)
        .fold(0.0, f64::max);
    assert_eq!(f64::from(w_max), most, "the window before the first loss");
    // RFC 9438, equation 2, from the window at which the epoch began; Linux's root is within 0.5 %.
    let epoch = rows[first..]
        .iter()
        .find(|row| row.k_s.is_some())
        .expect("an epoch");
    let k = f64::cbrt((f64::from(w_max) - cut.ssthresh_pkts.expect("a threshold")) / 0.4);
    let told = epoch.k_s.expect("K");
    assert!((told / k - 1.0).abs() < 0.01, "{told} s for {k} s");
    let repaired = rows[first..].iter().take_while(|row| is(row, "recovery"));
    let delivered: Vec<_> = repaired.map(|row| row.prr_delivered_pkts).collect();
    assert!(
        delivered.is_sorted() && delivered.last() > delivered.first(),
        "{delivered:?}"
    );
}

#[test]
fn the_limit_of_a_sender_is_told() {
    let limits = |words: &str| {
        let rows = linux_rows(words);
        let mut limits: Vec<_> = rows.iter().map(|row| row.limited_by).collect();
        limits.sort_unstable();
        limits.dedup();
        limits
    };
    assert_eq!(limits(r#"control = "reno""#), ["congestion"]);
    let few = limits(r#"control = "reno", window = "8pkts""#);
    assert_eq!(few, ["window"]);
    let paced = limits(r#"control = "reno", pacing = { rate = "2Mbps" }"#);
    assert!(paced.contains(&"pacing"), "{paced:?}");
    let done = limits(r#"control = "reno", transfer = "100KB""#);
    assert!(done.contains(&"data"), "{done:?}");
}

#[test]
fn the_model_of_bbr_is_told() {
    for (control, phases) in [
        ("bbr", &["drain", "probe_bw", "probe_rtt", "startup"][..]),
        (
            "bbr3",
            &[
                "drain",
                "probe_bw_cruise",
                "probe_bw_down",
                "probe_bw_refill",
                "probe_bw_up",
                "probe_rtt",
                "startup",
            ],
        ),
    ] {
        let rows = linux_rows(&format!("control = \"{control}\""));
        let mut seen: Vec<_> = rows.iter().map(|row| row.bbr_phase.expect("BBR")).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, phases, "{control}");
        let steady = rows
            .iter()
            .find(|row| row.t_ps > 5_000_000_000_000)
            .expect("rows");
        // 1448 of 1500 bytes are payload.
        let payload_bps = 10e6 * 1448.0 / 1500.0;
        let bandwidth = steady.bbr_bandwidth_bps.expect("a bandwidth");
        assert!(
            (bandwidth / payload_bps - 1.0).abs() < 0.02,
            "{control}: {bandwidth}"
        );
        let rtt = steady.min_rtt_s.expect("a round trip");
        assert!((0.04..0.045).contains(&rtt), "{control}: {rtt}");
        assert!(
            rows.iter()
                .all(|row| row.w_max_pkts.is_none() && row.prr_out_pkts.is_none())
        );
        let bounded = rows.iter().any(|row| row.bbr_inflight_hi_pkts.is_some());
        assert_eq!(bounded, control == "bbr3");
    }
}

#[test]
fn the_share_that_dctcp_reckons_with_is_told() {
    let rows = linux_rows(r#"control = "dctcp", ecn = true"#);
    let alpha = |row: &TcpRow| row.alpha.expect("DCTCP");
    assert_eq!(alpha(&rows[0]), 1.0);
    let last = alpha(rows.last().expect("rows"));
    assert!((0.01..0.5).contains(&last), "{last}");
}

#[test]
fn other_profiles_have_no_state_of_linux() {
    let mut world = run(&[FlowId(6)]);
    for row in world.take_tcp_rows() {
        assert_eq!(
            (row.ca_state, row.sacked_pkts, row.min_rtt_s),
            (None, None, None),
            "{row:?}"
        );
    }
}
