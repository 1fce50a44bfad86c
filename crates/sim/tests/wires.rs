//! Wires as they are: jitter with and without reordering, ACKs thinned and aggregated behind a wire,
//! periodic loss, recorded opportunities.

use crate::common::models;
use crate::properties::{Auditor, check_conservation};
use pacesim::World;
use pacesim::middlebox::{AckThinning, Jitter};
use pacesim::model::{Distribution, Model, PeriodicLoss, PortQueue, Traffic};
use pacesim::net::{Packet, Probe};
use pacesim::scenario::load;
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, Rate, Span, Time};
use proptest::prelude::*;

fn jitter(mean_us: u64, reorders: bool) -> Jitter {
    let mean = (mean_us * 1_000_000) as f64;
    let delay = Distribution::Exponential { mean };
    Jitter { delay, reorders }
}

/// A model with jitter on some links, and periodic loss and recorded opportunities on others.
fn as_wires_are(mut model: Model, choices: &[u8]) -> Model {
    for (link, choice) in model.links.iter_mut().zip(choices) {
        let extras = &mut link.extras;
        match choice % 6 {
            0 => extras.jitter = Some(jitter(u64::from(*choice) * 10 + 1, false)),
            1 => extras.jitter = Some(jitter(u64::from(*choice) * 10 + 1, true)),
            2 => extras.own_loss = Some(PeriodicLoss { every: 7 }.part()),
            3 => {
                extras.opportunities = Some([1, 2, 2, 5].into_iter().collect());
                extras.queue = Some(PortQueue::DropTail);
            }
            4 => {
                let (every, hold) = (3, Span::from_ms(1));
                extras.middleboxes.push(AckThinning { every, hold }.part());
            }
            _ => (),
        }
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packets_are_conserved_behind_jitter_loss_and_middleboxes(
        model in models(), choices in prop::collection::vec(any::<u8>(), 20),
    ) {
        let mut model = as_wires_are(model, &choices);
        // The audit knows ports without a discipline.
        for link in &mut model.links {
            (link.extras.opportunities, link.extras.queue) = (None, None);
        }
        let auditor = Auditor::new(&model);
        let mut world = World::watched(model, auditor).expect("a connected network");
        while world.step().is_some() {
            check_conservation(&world);
        }
        check_conservation(&world);
    }

    #[test]
    fn work_ahead_of_time_changes_nothing(
        model in models(), choices in prop::collection::vec(any::<u8>(), 20),
    ) {
        let model = as_wires_are(model, &choices);
        let mut ahead = World::new(model.clone()).expect("a connected network");
        let mut watched = World::watched(model, Arrivals::default()).expect("a connected network");
        ahead.run();
        watched.run();
        prop_assert_eq!(ahead.fingerprint(), watched.fingerprint());
    }
}

/// Arrivals at the receivers: number and time.
#[derive(Default)]
struct Arrivals(Vec<(u32, Time)>);

impl Probe for Arrivals {
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.0.push((packet.seq, now));
    }
}

/// A packet every millisecond over a link of 5 ms, for 200 ms, with this jitter.
fn one_link(jitter: Option<Jitter>) -> Vec<(u32, Time)> {
    let mut model = Model::new("one link", Span::from_ms(200));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let link = model.add_link(a, b, Rate::from_mbps(80), Span::from_ms(5));
    model.link_mut(link).extras.jitter = jitter;
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    let flow = model.add_flow(a, b, Traffic::Cbr { rate, size });
    model.flow_mut(flow).stop = Some(Time::ZERO + Span::from_ms(100));
    let mut world = World::watched(model, Arrivals::default()).expect("a sound model");
    world.run();
    assert_eq!(world.flow(FlowId(0)).delivered.packets, 100);
    world.into_probe().0
}

#[test]
fn packets_keep_their_order_unless_jitter_reorders() {
    let plain = one_link(None);
    let (kept, free) = (
        one_link(Some(jitter(3000, false))),
        one_link(Some(jitter(3000, true))),
    );
    let numbers = |arrivals: &[(u32, Time)]| -> Vec<u32> {
        arrivals.iter().map(|(number, _)| *number).collect()
    };
    assert_eq!(numbers(&kept), numbers(&plain));
    assert!(!numbers(&free).is_sorted(), "a packet overtakes another");
    for (number, at) in kept.iter().chain(&free) {
        let without = plain[*number as usize].1;
        assert!(
            *at >= without,
            "packet {number} at {at}, without jitter at {without}"
        );
    }
}

#[test]
fn jitter_draws_from_a_stream_of_its_link() {
    assert_eq!(
        one_link(Some(jitter(500, true))),
        one_link(Some(jitter(500, true)))
    );
    let twice = jitter(1000, true);
    // The same draws, scaled.
    let delays = |arrivals: Vec<(u32, Time)>| {
        let mut sorted = arrivals;
        sorted.sort_unstable();
        let plain = one_link(None);
        let late = sorted
            .iter()
            .zip(&plain)
            .map(|((_, at), (_, plain))| *at - *plain);
        late.map(Span::as_secs_f64).collect::<Vec<f64>>()
    };
    let (one, two) = (
        delays(one_link(Some(jitter(500, true)))),
        delays(one_link(Some(twice))),
    );
    for (one, two) in one.iter().zip(&two) {
        assert!((two - 2.0 * one).abs() < 1e-9, "{one} s and {two} s");
    }
}

#[test]
fn routes_that_change_lead_through_jitter_too() {
    let text = r#"
        run = { duration = "2s" }
        node = [{ name = "a" }, { name = "b" }, { name = "c" }]
        link = [
          { name = "direct", from = "a", to = "b", rate = "8Mbps", delay = "1ms" },
          { name = "up", from = "a", to = "c", rate = "8Mbps", delay = "1ms", jitter = "10ms" },
          { name = "down", from = "c", to = "b", rate = "8Mbps", delay = "1ms" },
        ]
        flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "80kbps", size = "1KB" } }]
        event = [{ at = "1s", links = ["direct"], up = false, reroute = true }]
    "#;
    let scenario = load("wires.toml", text, &[], &()).expect("it is sound");
    let model = scenario.expand(1, 0);
    let mut world = World::watched(model, Arrivals::default()).expect("it is sound");
    world.run();
    let mut gaps: Vec<u64> = Vec::new();
    for pair in world.probe().0.windows(2) {
        gaps.push((pair[1].1 - pair[0].1).as_ps() / 1_000_000_000);
    }
    // A packet every 100 ms; the detour takes 1 + 1 ms and 10 ms of jitter longer.
    assert_eq!(
        gaps.iter().filter(|gap| **gap == 112).count(),
        1,
        "{gaps:?}"
    );
    assert!(gaps.iter().all(|gap| [100, 112].contains(gap)), "{gaps:?}");
}

#[test]
fn every_nth_packet_is_lost() {
    let mut model = Model::new("periodic", Span::from_secs(1));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let link = model.add_link(a, b, Rate::from_mbps(80), Span::ZERO);
    model.link_mut(link).extras.own_loss = Some(PeriodicLoss { every: 4 }.part());
    let (rate, size) = (Rate::from_bps(80_000).expect("a rate"), Bytes(1000));
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    let mut world = World::watched(model, Arrivals::default()).expect("a sound model");
    world.run();
    let numbers: Vec<u32> = world.probe().0.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 1, 2, 4, 5, 6, 8, 9]);
}

#[test]
fn a_recorded_line_has_disciplines_of_its_own() {
    // An opportunity every 10 ms for a packet of 1504 bytes, half of the offered load.
    let mut model = Model::new("recorded", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let link = model.add_link(a, b, Rate::from_mbps(100), Span::ZERO);
    model.link_mut(link).buffer.capacity = Capacity::Packets(50);
    model.link_mut(link).extras.opportunities = Some([10].into_iter().collect());
    model.link_mut(link).extras.queue = Some(PortQueue::DropTail);
    let (rate, size) = (Rate::from_bps(2 * 1_203_200).expect("a rate"), Bytes(1504));
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let row = &world.link_rows()[LinkId(0).index()];
    // One for each opportunity; that at the end itself is not over.
    assert_eq!(row.left_pkts, 1999);
    assert_eq!(row.queue_max_pkts, 50);
    let flow = world.flow(FlowId(0));
    let gone = flow.delivered.packets + flow.dropped.packets + world.in_flight();
    assert_eq!(flow.sent.packets, gone);
}
