//! Limits of TCP flows, their presence, and their transfers.

use pacesim::World;
use pacesim::measure::record::{FlowRow, TransferRow};
use pacesim::scenario::load;
use pacesim::units::{FlowId, Span, Time};

/// TCP over one link and back, with these lines for the run, the link and the flow.
fn world(run: &str, link: &str, flow: &str) -> World {
    let text = format!(
        r#"
run = {{ {run} }}
topology = {{ shape = "tandem", hops = 1, link = {{ {link} }} }}
[[flow]]
name = "f"
from = "node[0]"
to = "node[1]"
{flow}
"#
    );
    let scenario = load("limits", &text, &[], &()).unwrap_or_else(|p| panic!("{p:?}"));
    World::new(scenario.expand(1, 0)).expect("a sound model")
}

fn row(mut world: World) -> FlowRow {
    world.run();
    world.flow_rows().swap_remove(0)
}

/// The shares of window, congestion, data and pacing.
fn shares(row: &FlowRow) -> [f64; 4] {
    let shares = [
        row.window_limited,
        row.congestion_limited,
        row.data_limited,
        row.pacing_limited,
    ];
    shares.map(|share| share.expect("TCP that was there"))
}

const RUN: &str = r#"duration = "60s", warmup = "5s""#;
const LONG: &str = r#"rate = "10Mbps", delay = "16ms""#;

#[test]
fn a_lone_default_flow_is_limited_by_its_window() {
    let row = row(world(RUN, LONG, r#"traffic = { kind = "tcp" }"#));
    let half_of_the_link = row.throughput_bps / 10e6;
    assert!((0.4..0.6).contains(&half_of_the_link), "{half_of_the_link}");
    assert_eq!((row.dropped_pkts, row.lost_pkts), (0, 0));
    assert_eq!(shares(&row), [1.0, 0.0, 0.0, 0.0]);
}

/// All of the time-out used to be counted, though most of it had passed before the end of the
/// warm-up, and it was subtracted from the time at other limits, which could end below zero.
#[test]
fn of_a_time_out_across_the_warm_up_only_the_rest_is_measured() {
    let drops = r#"rate = "10Mbps", delay = "16ms", drops = [{ packet = 50 }]"#;
    let one = r#"traffic = { kind = "tcp", window = "1pkts" }"#;
    let row = |warmup: &str| row(world(&format!("duration = \"4s\", {warmup}"), drops, one));
    let whole = row("warmup = \"1.6s\"");
    let rest = row("warmup = \"1.8s\"");
    assert_eq!((whole.timeouts, rest.timeouts), (1, 1));
    let congestion_s = |row: &FlowRow, measured_s: f64| shares(row)[1] * measured_s;
    assert!(
        (congestion_s(&whole, 2.4) - 0.2).abs() < 1e-9,
        "{:?}",
        congestion_s(&whole, 2.4)
    );
    assert!((0.0..0.05).contains(&congestion_s(&rest, 2.2)));
    assert_eq!(shares(&rest).iter().sum::<f64>(), 1.0);
}

#[test]
fn a_flow_that_loses_packets_is_limited_by_congestion() {
    let lossy = r#"rate = "10Mbps", delay = "16ms", loss = { bernoulli = 0.03 }"#;
    let row = row(world(RUN, lossy, r#"traffic = { kind = "tcp" }"#));
    let [window, congestion, ..] = shares(&row);
    assert!(congestion > 0.9 && window < 0.1, "{congestion} {window}");
}

#[test]
fn the_wait_for_a_time_out_is_due_to_loss_not_to_the_window() {
    // A window of two yields no third duplicate: each loss waits for a time-out of a second.
    let lossy = r#"rate = "10Mbps", delay = "1ms", loss = { bernoulli = 0.05 }"#;
    let flow = r#"traffic = { kind = "tcp", window = "2pkts", min_rto = "1s" }"#;
    let row = row(world(RUN, lossy, flow));
    let [window, congestion, ..] = shares(&row);
    assert!(row.timeouts > 30, "{}", row.timeouts);
    assert!(congestion > 0.8 && window < 0.2, "{congestion} {window}");
}

#[test]
fn a_flow_that_pauses_is_limited_by_its_data() {
    let flow = r#"traffic = { kind = "tcp", transfers = { size = "10KB", pause = "2s" } }"#;
    let [_, _, data, _] = shares(&row(world(RUN, LONG, flow)));
    assert!(data > 0.9, "{data}");
}

#[test]
fn a_slow_pacer_of_its_own_limits_a_flow() {
    let flow = r#"traffic = { kind = "tcp", pacing = { rate = "500kbps" } }"#;
    let [.., pacing] = shares(&row(world(RUN, LONG, flow)));
    assert!(pacing > 0.9, "{pacing}");
}

#[test]
fn shares_of_a_flows_time_add_up_to_one_whatever_happens() {
    let links = [
        r#"rate = "2Mbps", delay = "10ms", buffer = "5pkts""#,
        r#"rate = "2Mbps", delay = "10ms", loss = { bernoulli = 0.1 }"#,
    ];
    let flows = [
        r#"traffic = { kind = "tcp", pacing = "window" }"#,
        r#"traffic = { kind = "tcp", variant = "sack", delayed_ack = true }"#,
        r#"traffic = { kind = "tcp", profile = "rfc", pacing = "linux", transfers = { size = "40KB", pause = "300ms" } }"#,
        "start = \"7s\"\ntraffic = { kind = \"tcp\", transfer = \"500KB\" }",
        "stop = \"9s\"\ntraffic = { kind = \"tcp\", transfers = { size = \"9KB\", pause = \"1s\" } }",
    ];
    for link in links {
        for flow in flows {
            let row = row(world(RUN, link, flow));
            let sum: f64 = shares(&row).iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum} of {flow} on {link}");
        }
    }
}

/// Seconds of the measured time in which the flow was present.
fn presence(row: &FlowRow) -> (f64, f64) {
    (row.from_ps as f64 / 1e12, row.until_ps as f64 / 1e12)
}

#[test]
fn a_flow_that_starts_late_has_the_rate_of_the_time_it_is_there() {
    let cbr = r#"traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" }"#;
    let late = row(world(
        RUN,
        LONG,
        &format!("start = \"45s\"\nstop = \"55s\"\n{cbr}"),
    ));
    assert_eq!(presence(&late), (45.0, 55.0));
    assert!(
        (late.throughput_bps / 1e6 - 1.0).abs() < 0.01,
        "{}",
        late.throughput_bps
    );
    let always = row(world(RUN, LONG, cbr));
    assert_eq!(presence(&always), (5.0, 60.0), "the measured time");
    let never = row(world(RUN, LONG, &format!("stop = \"2s\"\n{cbr}")));
    assert_eq!((never.from_ps, never.throughput_bps), (never.until_ps, 0.0));
    let after = row(world(RUN, LONG, &format!("start = \"70s\"\n{cbr}")));
    assert_eq!((after.from_ps, after.throughput_bps), (after.until_ps, 0.0));
}

#[test]
fn a_transfer_is_there_until_it_is_delivered() {
    let flow = "start = \"10s\"\ntraffic = { kind = \"tcp\", transfer = \"1MB\" }";
    let row = row(world(RUN, LONG, flow));
    let (from, until) = presence(&row);
    // Some 5 Mbps, as its window allows.
    assert!(
        from == 10.0 && (11.5..12.5).contains(&until),
        "{from} {until}"
    );
    let goodput = row.goodput_bytes as f64 * 8.0 / (until - from);
    assert!(
        (row.goodput_bps / goodput - 1.0).abs() < 1e-9,
        "{:?} and {:?}",
        row.goodput_bps,
        goodput
    );
    assert_eq!(shares(&row).iter().sum::<f64>(), 1.0);
}

#[test]
fn endless_data_end_when_the_flow_stops() {
    let mut stopped = world(RUN, LONG, "stop = \"20s\"\ntraffic = { kind = \"tcp\" }");
    let mut at_stop = world(RUN, LONG, "traffic = { kind = \"tcp\" }");
    at_stop.run_until(Time::ZERO + Span::from_secs(20));
    let sent_by_then = at_stop.flow(FlowId(0)).sent.packets;
    stopped.run();
    assert_eq!(stopped.flow(FlowId(0)).sent.packets, sent_by_then);
    let row = stopped.flow_rows().swap_remove(0);
    assert_eq!(presence(&row), (5.0, 20.0));
    assert!(stopped.tcp_sender(FlowId(0)).expect("TCP").is_done());
    assert!((4e6..6e6).contains(&row.goodput_bps), "{}", row.goodput_bps);
}

#[test]
fn transfers_that_do_not_finish_have_no_end() {
    let run = r#"duration = "10s", warmup = "3s""#;
    let flow = r#"count = 2
traffic = { kind = "tcp", transfers = { size = "600KB", pause = "500ms" } }"#;
    let mut world = world(run, LONG, flow);
    world.run();
    let finished = world.take_transfers();
    let unfinished = world.unfinished_transfers();
    assert!(finished.len() > 6 && finished.iter().all(|row| row.end_ps.is_some()));
    let early: Vec<&TransferRow> = finished.iter().filter(|row| row.began_in_warmup).collect();
    assert!(early.iter().all(|row| row.start_ps < 3_000_000_000_000));
    assert!(!early.is_empty() && early.len() < finished.len());
    for flow in 0..2 {
        let of_flow = |row: &&TransferRow| row.flow_id == flow;
        let done = finished.iter().filter(of_flow).count() as u32;
        let open: Vec<_> = unfinished.iter().filter(of_flow).collect();
        let sender = world.tcp_sender(FlowId(flow)).expect("TCP");
        assert_eq!(open.is_empty(), sender.is_done(), "flow {flow}");
        for row in open {
            let known = (row.group.as_str(), row.transfer, row.end_ps, row.size_bytes);
            assert_eq!(known, ("f", done, None, 600_000));
            assert!(!row.began_in_warmup);
        }
    }
    assert!(
        !unfinished.is_empty(),
        "one of the two is under way at the end"
    );
    assert!(world.now() == Time::ZERO + Span::from_secs(10));
}
