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
