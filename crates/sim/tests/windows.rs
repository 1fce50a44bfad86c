//! Restarted statistics: a run whose measured time is cut into windows.

use crate::common::models;
use pacesim::World;
use pacesim::measure::record::{FlowRow, LinkRow};
use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim::units::{Span, Time};
use proptest::prelude::*;

/// The rows of one window.
type Rows = (Vec<FlowRow>, Vec<LinkRow>);

/// The rows of each window between these cuts, and the fingerprint of the run.
fn in_windows(model: Model, cuts: &[Span]) -> (Vec<Rows>, u64) {
    let mut world = World::new(model).expect("a connected network");
    let mut windows = Vec::new();
    for cut in cuts {
        world.run_before(Time::ZERO + *cut);
        windows.push((world.flow_rows(), world.link_rows()));
        world.restart_statistics();
    }
    world.run();
    windows.push((world.flow_rows(), world.link_rows()));
    (windows, world.fingerprint())
}

fn at_once(model: Model) -> (Rows, u64) {
    let mut world = World::new(model).expect("a connected network");
    world.run();
    ((world.flow_rows(), world.link_rows()), world.fingerprint())
}

/// The counts of a flow.
fn of_flow(row: &FlowRow) -> [u64; 11] {
    [
        row.sent_pkts,
        row.sent_bytes,
        row.delivered_pkts,
        row.delivered_bytes,
        row.dropped_pkts,
        row.lost_pkts,
        row.goodput_bytes,
        row.retransmitted_pkts,
        row.timeouts,
        row.fast_recoveries,
        row.rtt_samples,
    ]
}

/// The counts at a link. With a pacer, arrivals minus departures may decrease within a window.
fn of_link(row: &LinkRow) -> [u64; 10] {
    [
        row.arrived_pkts,
        row.arrived_bytes,
        row.dropped_pkts,
        row.dropped_bytes,
        row.lost_pkts,
        row.lost_bytes,
        row.left_pkts,
        row.left_bytes,
        row.reached_pkts,
        row.refused_pkts.unwrap_or_default(),
    ]
}

fn sum<const N: usize>(all: impl Iterator<Item = [u64; N]>) -> [u64; N] {
    all.fold([0; N], |sum, more| {
        std::array::from_fn(|i| sum[i] + more[i])
    })
}

/// Counters add up, the maximum is that of all windows, and the fingerprint is the same.
fn assert_windows_add_up(model: Model, cuts: &[Span]) {
    let ((flows, links), fingerprint) = at_once(model.clone());
    let (windows, in_windows) = in_windows(model, cuts);
    assert_eq!(in_windows, fingerprint);
    for (i, whole) in flows.iter().enumerate() {
        let all = windows.iter().map(|(flows, _)| of_flow(&flows[i]));
        assert_eq!(sum(all), of_flow(whole), "flow {i}");
        let delays = windows.iter().filter_map(|(flows, _)| flows[i].delay_max_s);
        assert_eq!(delays.reduce(f64::max), whole.delay_max_s, "flow {i}");
    }
    for (i, whole) in links.iter().enumerate() {
        let all = windows.iter().map(|(_, links)| of_link(&links[i]));
        assert_eq!(sum(all), of_link(whole), "link {i}");
        let most = windows.iter().map(|(_, links)| links[i].queue_max_pkts);
        assert_eq!(most.max(), Some(whole.queue_max_pkts), "link {i}");
    }
}

/// Cuts within a run of 20 ms, ascending, in the unit in which many events coincide.
fn cuts() -> impl Strategy<Value = (Span, Vec<Span>)> {
    let us = prop_oneof![0u64..20_000, (0u64..20).prop_map(|ms| 1000 * ms)];
    prop::collection::btree_set(us, 2..6).prop_map(|times| {
        let mut times = times.into_iter().map(Span::from_us);
        (times.next().expect("two or more"), times.collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_counters_of_windows_add_up_to_those_of_the_run((warmup, cuts) in cuts(), model in models()) {
        assert_windows_add_up(Model { warmup, ..model }, &cuts);
    }

    #[test]
    fn the_last_window_is_a_run_with_that_warm_up((warmup, cuts) in cuts(), model in models()) {
        let (mut windows, _) = in_windows(Model { warmup, ..model.clone() }, &cuts);
        let last = *cuts.last().expect("one or more");
        let (alone, _) = at_once(Model { warmup: last, ..model });
        prop_assert_eq!(windows.pop().expect("the last"), alone);
    }
}

const TCP: &str = r#"
run = { duration = "4s", warmup = "500ms" }
topology = { shape = "dumbbell", pairs = 3, access = { rate = "100Mbps", delay = "2ms" }, bottleneck = { rate = "5Mbps", delay = "10ms", buffer = "6pkts" } }
flow = [{ name = "f", from = "left", to = "right", traffic = { kind = "tcp", variant = "sack" } }]
"#;

#[test]
fn windows_of_tcp_add_up_and_the_last_is_a_run_with_that_warm_up() {
    let scenario = load("tcp.toml", TCP, &[], &()).unwrap_or_else(|problems| panic!("{problems}"));
    let model = scenario.expand(3, 0);
    let cuts: Vec<Span> = (1..7).map(|i| Span::from_ms(500 + 500 * i)).collect();
    assert_windows_add_up(model.clone(), &cuts);
    let (mut windows, _) = in_windows(model.clone(), &cuts);
    let warmup = *cuts.last().expect("six");
    let (alone, _) = at_once(Model { warmup, ..model });
    let last = windows.pop().expect("the last");
    assert_eq!(last, alone);
    assert!(last.0[0].retransmitted_pkts > 0, "it loses packets");
}

/// A line of 100 kbit/s that always sends packets of 1500 bytes: 120 ms each.
const SLOW: &str = r#"
    run = { duration = "2s" }
    node = [{ name = "a" }, { name = "b" }]
    link = [{ name = "l", from = "a", to = "b", rate = "100kbps", buffer = "20pkts" }]
    flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "120kbps", size = "1500B" } }]
"#;

#[test]
fn a_line_that_always_sends_is_busy_all_of_any_window() {
    let checked = load("slow.toml", SLOW, &[], &()).expect("it is sound");
    let cuts: Vec<Span> = (500..900).map(|n| Span::from_ms(2 * n)).collect();
    let (windows, _) = in_windows(checked.expand(1, 0), &cuts);
    for (n, (_, links)) in windows.iter().enumerate().skip(1) {
        let utilisation = links[0].utilisation;
        assert!(
            (utilisation - 1.0).abs() < 1e-9,
            "window {n}: {utilisation}"
        );
    }
}

proptest! {
    #[test]
    fn busy_times_of_windows_add_up(
        model in models(),
        cuts in prop::collection::btree_set(1_u64..1000, 1..6),
    ) {
        let whole = model.duration.as_ps() as f64;
        let cuts: Vec<Span> = cuts.iter().map(|n| model.duration * *n / 1000).collect();
        let ((_, at_once), _) = at_once(model.clone());
        let (windows, _) = in_windows(model, &cuts);
        let ends: Vec<f64> = cuts.iter().map(|cut| cut.as_ps() as f64).chain([whole]).collect();
        let lengths = ends.iter().scan(0.0, |start, end| Some(end - std::mem::replace(start, *end)));
        let lengths: Vec<f64> = lengths.collect();
        for (place, link) in at_once.iter().enumerate() {
            let busy = windows.iter().zip(&lengths).map(|((_, links), length)| links[place].utilisation * length);
            let busy = busy.sum::<f64>() / whole;
            prop_assert!((busy - link.utilisation).abs() < 1e-9, "{busy} of {}", link.utilisation);
            for (_, links) in &windows {
                prop_assert!(links[place].utilisation <= 1.0 + 1e-9, "{:?}", links[place]);
            }
        }
    }
}
