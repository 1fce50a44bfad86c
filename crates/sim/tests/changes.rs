//! Links that change during a run, packet by packet.

use crate::common::models;
use pacesim::World;
use pacesim::model::change::{Change, TimedChange};
use pacesim::model::{Loss, Model, Traffic};
use pacesim::net::{DropCause, Packet, Probe};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, Rate, Span, Time};
use proptest::prelude::*;

/// Delivery times of packets, and times and causes of drops.
#[derive(Default)]
struct Watch {
    delivered_us: Vec<(u32, u64)>,
    dropped_us: Vec<(u32, u64, &'static str)>,
}

impl Probe for Watch {
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.delivered_us
            .push((packet.seq, now.as_ps() / 1_000_000));
    }

    fn dropped(&mut self, now: Time, _: LinkId, packet: &Packet, cause: DropCause) {
        let why = match cause {
            DropCause::Full { .. } => "refused",
            DropCause::PushedOut { .. } => "waiting",
            DropCause::Wire => "wire",
            _ => "otherwise",
        };
        let us = now.as_ps() / 1_000_000;
        self.dropped_us.push((packet.seq, us, why));
    }
}

/// A packet of 1 ms every `gap_us`, from 0 on, over a line of 8 Mbps with 3 ms of delay.
fn run(gap_us: u64, lasts_ms: u64, changes: &[(u64, Change)]) -> World<Watch> {
    let mut model = Model::new("changes", Span::from_ms(lasts_ms));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let link = model.add_link(a, b, Rate::from_mbps(8), Span::from_ms(3));
    let rate = Rate::from_bps(8_000_000_000 / gap_us).expect("above zero");
    let size = Bytes(1000);
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    let change = |(us, change): &(u64, Change)| TimedChange {
        at: Time::ZERO + Span::from_us(*us),
        link,
        change: *change,
    };
    model.changes = changes.iter().map(change).collect();
    let mut world = World::watched(model, Watch::default()).expect("a sound model");
    world.run();
    world
}

fn delivered(world: &World<Watch>) -> Vec<u64> {
    let delivered = world.probe().delivered_us.iter();
    delivered.map(|(_, us)| *us).collect()
}

#[test]
fn a_packet_is_sent_to_its_end_at_the_rate_at_which_it_began() {
    // Packets arrive at 0, 2, 4... ms. The one of 2 ms is in transmission when the rate halves, and
    // the one of 6 ms when it rises eightfold.
    let slower = Change::Rate(Rate::from_mbps(4));
    let faster = Change::Rate(Rate::from_mbps(32));
    let world = run(2_000, 14, &[(2_500, slower), (6_500, faster)]);
    assert_eq!(
        delivered(&world),
        [4_000, 6_000, 9_000, 11_000, 11_250, 13_250]
    );
}

#[test]
fn a_line_is_as_busy_as_its_packets_take_at_the_rates_that_they_had() {
    // Six packets of 1 ms, the last in transmission when the rate doubles, and four of 0.5 ms.
    let faster = [(10_500, Change::Rate(Rate::from_mbps(16)))];
    let world = run(2_000, 20, &faster);
    assert_eq!(world.link(LinkId(0)).busy_ps, 8_000_000_000);
    assert!(
        (world.link_rows()[0].utilisation - 0.4).abs() < 1e-12,
        "{:?}",
        world.link_rows()[0].utilisation
    );
    // Back at a rate at which a byte takes a fraction of a picosecond: the last two packets take
    // 8/15 ms each.
    let odd = [faster[0], (15_000, Change::Rate(Rate::from_mbps(15)))];
    let busy_ps = run(2_000, 20, &odd).link(LinkId(0)).busy_ps;
    assert!(
        busy_ps.abs_diff(7_000_000_000 + 1_066_666_667) <= 2,
        "{busy_ps}"
    );
}

#[test]
fn a_line_with_a_queue_is_always_busy_whatever_its_rate() {
    let changes = [(3_300, 24), (7_100, 1), (15_000, 80), (15_010, 3)];
    let changes = changes.map(|(us, mbps)| (us, Change::Rate(Rate::from_mbps(mbps))));
    let world = run(90, 30, &changes);
    // Each change may round by a picosecond.
    let busy_ps = world.link(LinkId(0)).busy_ps;
    assert!(busy_ps.abs_diff(30_000_000_000) <= 4, "{busy_ps}");
}

#[test]
fn a_change_comes_before_all_else_at_its_time() {
    // The packet of 2 ms starts at the instant of the change.
    let slower = Change::Rate(Rate::from_mbps(4));
    assert_eq!(
        delivered(&run(2_000, 8, &[(2_000, slower)])),
        [4_000, 7_000]
    );
    assert_eq!(delivered(&run(2_000, 8, &[(0, slower)])), [5_000, 7_000]);
}

#[test]
fn nothing_overtakes_on_a_wire_that_becomes_shorter() {
    let shorter = Change::Delay(Span::from_us(500));
    // Sent at 0, 1, 2, 3 ms: the third is sent after the change, and waits for the second.
    let world = run(1_000, 6, &[(1_500, shorter)]);
    assert_eq!(delivered(&world), [4_000, 5_000, 5_000, 5_000, 5_500]);
    let order: Vec<_> = world
        .probe()
        .delivered_us
        .iter()
        .map(|(seq, _)| *seq)
        .collect();
    assert_eq!(order, [0, 1, 2, 3, 4]);
}

/// Twice the line's rate: packets of 0, 500, 1000 us... start at 0, 1, 2... ms.
fn busy(changes: &[(u64, Change)]) -> World<Watch> {
    run(500, 12, changes)
}

#[test]
fn what_a_broken_link_carries_waits_or_gets_is_lost() {
    let world = busy(&[(4_250, Change::Down), (7_000, Change::Up)]);
    // 0 has arrived; 1 to 3 are on the wire and 4 is in transmission; 5 to 8 wait; 9 to 13 arrive
    // while the link is down, and the one of 7 ms when it is up.
    let expected = [(1, 5_000), (2, 6_000), (3, 7_000), (4, 8_000)].map(|(n, us)| (n, us, "wire"));
    let waiting = [5, 6, 7, 8].map(|n| (n, 4_250, "waiting"));
    let refused = [9, 10, 11, 12, 13].map(|n| (n, u64::from(n) * 500, "refused"));
    let mut all = [&expected[..], &waiting, &refused].concat();
    all.sort_unstable();
    let mut dropped = world.probe().dropped_us.clone();
    dropped.sort_unstable();
    assert_eq!(dropped, all);
    assert_eq!(
        world.probe().delivered_us,
        [(0, 4_000), (14, 11_000), (15, 12_000)]
    );
}

#[test]
fn a_paused_link_keeps_what_waits_and_delivers_what_is_on_the_wire() {
    let world = busy(&[(4_250, Change::Pause), (7_000, Change::Up)]);
    assert_eq!(world.probe().dropped_us, []);
    // 4 is sent completely by 5 ms; 5 starts at 7 ms.
    let arrivals = [4, 5, 6, 7, 8, 11, 12].map(|ms| ms * 1000);
    assert_eq!(delivered(&world), arrivals);
}

#[test]
fn up_and_down_twice_is_no_more_than_once() {
    let once = busy(&[(4_250, Change::Down), (7_000, Change::Up)]);
    let (down, up) = (Change::Down, Change::Up);
    let twice = busy(&[
        (1, up),
        (4_250, down),
        (4_300, down),
        (7_000, up),
        (7_100, up),
    ]);
    assert_eq!(once.probe().delivered_us, twice.probe().delivered_us);
    assert_eq!(once.probe().dropped_us, twice.probe().dropped_us);
}

#[test]
fn loss_begins_and_ends_with_its_changes() {
    let all = Change::Loss(Some(Loss::Bernoulli { probability: 1.0 }));
    let world = run(2_000, 20, &[(5_000, all), (11_000, Change::Loss(None))]);
    // They arrive at 4, 6, 8... ms.
    assert_eq!(
        delivered(&world),
        [4_000, 12_000, 14_000, 16_000, 18_000, 20_000]
    );
    assert!(
        world
            .probe()
            .dropped_us
            .iter()
            .all(|(_, _, why)| *why == "wire")
    );
}

#[test]
fn a_full_buffer_of_a_paused_link_refuses() {
    let mut model = Model::new("pause", Span::from_ms(10));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let link = model.add_link(a, b, Rate::from_mbps(8), Span::ZERO);
    model.link_mut(link).buffer = pacesim::model::Buffer::waiting(Capacity::Packets(2));
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    let (at, change) = (Time::ZERO, Change::Pause);
    model.changes = vec![TimedChange { at, link, change }];
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let flow = world.flow(FlowId(0));
    assert_eq!((flow.sent.packets, flow.dropped.packets), (11, 9));
    assert_eq!(world.waiting(link), (2, 2000));
}

/// Changes of any kind to the links of a model.
fn with_changes() -> impl Strategy<Value = Model> {
    let changes = prop::collection::vec((0u64..20_000, any::<u32>(), 0u8..7, 1u64..50), 0..12);
    (models(), changes).prop_map(|(mut model, changes)| {
        for (us, link, kind, n) in changes {
            model.changes.push(TimedChange {
                at: Time::ZERO + Span::from_us(us),
                link: LinkId(link % model.links.len() as u32),
                change: match kind {
                    0 => Change::Rate(Rate::from_mbps(n)),
                    1 => Change::Delay(Span::from_us(40 * n)),
                    2 => Change::Loss(Some(Loss::Bernoulli {
                        probability: n as f64 / 50.0,
                    })),
                    3 => Change::Loss(None),
                    4 => Change::Down,
                    5 => Change::Pause,
                    _ => Change::Up,
                },
            });
        }
        model
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packets_are_conserved_whatever_changes(model in with_changes()) {
        let mut world = World::new(model).expect("a sound model");
        world.run();
        let flows = 0..world.model().flows.len() as u32;
        let left: u64 = flows
            .map(|flow| {
                let tally = world.flow(FlowId(flow));
                let gone = tally.delivered.packets + tally.dropped.packets + tally.lost.packets;
                tally.sent.packets - gone
            })
            .sum();
        prop_assert_eq!(world.in_flight(), left);
    }

    #[test]
    fn no_line_is_busy_for_longer_than_any_window(model in with_changes(), steps in 2_u64..40) {
        let step = model.duration / steps;
        let end = Time::ZERO + model.duration;
        let mut world = World::new(model).expect("a sound model");
        let mut before = vec![0; world.model().links.len()];
        let mut now = Time::ZERO;
        while now < end {
            now = now.saturating_add(step).min(end);
            world.run_until(now);
            for (place, before) in before.iter_mut().enumerate() {
                let busy_ps = world.link(LinkId::from_index(place)).busy_ps as i128;
                let busy_ps = busy_ps - std::mem::replace(before, busy_ps);
                // Sizes that take a fraction of a picosecond are rounded by one, at each of up to
                // 12 changes.
                let step_ps = i128::from(step.as_ps());
                prop_assert!((-1..=step_ps + 12).contains(&busy_ps), "{busy_ps} of {step}");
            }
        }
    }

    #[test]
    fn steps_and_a_run_at_once_are_the_same(model in with_changes()) {
        let mut at_once = World::new(model.clone()).expect("a sound model");
        at_once.run();
        let mut stepwise = World::new(model).expect("a sound model");
        while stepwise.step().is_some() {}
        prop_assert_eq!(at_once.fingerprint(), stepwise.fingerprint());
        prop_assert_eq!(at_once.link_rows(), stepwise.link_rows());
    }

    #[test]
    fn a_change_to_what_a_link_is_anyway_changes_nothing(model in models()) {
        let mut same = model.clone();
        for (i, link) in model.links.iter().enumerate() {
            let at = Time::ZERO + Span::from_ms(i as u64 % 20);
            let link_id = LinkId(i as u32);
            for change in [Change::Rate(link.rate), Change::Delay(link.delay), Change::Up] {
                // A line that restarts forgets fractions of a picosecond.
                if !matches!(change, Change::Rate(_)) || at == Time::ZERO {
                    same.changes.push(TimedChange { at, link: link_id, change });
                }
            }
        }
        // Fingerprints include the time at which a departure became known, which differs.
        let rows = |model: Model| {
            let mut world = World::new(model).expect("a sound model");
            world.run();
            world.flow_rows()
        };
        prop_assert_eq!(rows(model), rows(same));
    }
}
