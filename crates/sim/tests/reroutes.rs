//! Rerouting when links go down and come back: paths equal those of a network without the links
//! that are down, and every packet is accounted for.

use crate::ahead::{any_tcp, assert_same, looks, trees};
use crate::common::models;
use pacesim::middlebox::OwnMiddlebox;
use pacesim::model::change::{Change, TimedChange};
use pacesim::model::{Metric, Model, Traffic};
use pacesim::net::{Middlebox, Packet, Probe, Step};
use pacesim::units::{Bytes, FlowId, LinkId, NodeId, Rate, Span, Time};
use pacesim::{BuildError, World};
use proptest::prelude::*;

fn at_us(us: u64) -> Time {
    Time::ZERO + Span::from_us(us)
}

/// Adds changes of links, each followed by rerouting.
fn rerouted(mut model: Model, changes: &[(u64, LinkId, Change)]) -> Model {
    for (us, link, change) in changes {
        let (at, link, change) = (at_us(*us), *link, *change);
        model.changes.push(TimedChange { at, link, change });
        model.reroutes.push(at);
    }
    model
}

/// Arrivals at the receivers: time and packet.
#[derive(Default)]
struct Watch(Vec<(u32, u64)>);

impl Probe for Watch {
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.0.push((packet.seq, now.as_ps() / 1_000_000));
    }
}

/// From a to b over one link of 3 ms, or over c in 2 + 5 ms; a packet of 1 ms every 2 ms.
fn triangle() -> (Model, LinkId) {
    let mut model = Model::new("triangle", Span::from_ms(30));
    let [a, b, c] = ["a", "b", "c"].map(|name| model.add_node(name));
    let rate = Rate::from_mbps(8);
    let direct = model.add_link(a, b, rate, Span::from_ms(3));
    model.add_link(a, c, rate, Span::from_ms(2));
    model.add_link(c, b, rate, Span::from_ms(5));
    let (rate, size) = (Rate::from_mbps(4), Bytes(1000));
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    (model, direct)
}

fn delivered(model: Model) -> Vec<(u32, u64)> {
    let mut world = World::watched(model, Watch::default()).expect("a sound model");
    world.run();
    world.into_probe().0
}

#[test]
fn packets_take_the_way_round_while_a_link_is_down() {
    let (model, direct) = triangle();
    let changes = [(7_500, direct, Change::Down), (15_500, direct, Change::Up)];
    // Packets of 0, 2, 4... ms: those sent at 4 and 6 ms are lost on the link, those from 8 to 14
    // ms take 9 ms over c, and those from 16 ms on 4 ms as before. Two of these arrive first.
    let mut expected: Vec<(u32, u64)> = (0..2).map(|n| (n, 2_000 * u64::from(n) + 4_000)).collect();
    expected.extend((4..8).map(|n| (n, 2_000 * u64::from(n) + 9_000)));
    expected.extend((8..14).map(|n| (n, 2_000 * u64::from(n) + 4_000)));
    let mut got = delivered(rerouted(model, &changes));
    got.sort_unstable();
    assert_eq!(got, expected);
}

#[test]
fn a_packet_keeps_to_the_route_on_which_it_was_sent() {
    let (model, direct) = triangle();
    // A paused link loses nothing: packets sent to it wait there.
    let changes = [(3_900, direct, Change::Pause), (15_500, direct, Change::Up)];
    let mut got = delivered(rerouted(model, &changes));
    got.truncate(3);
    assert_eq!(got, [(0, 4_000), (1, 6_000), (2, 13_000)]);
    let (model, _) = triangle();
    let second = LinkId(2);
    // The detour breaks behind c while the direct link is down: no path remains, and routes stay.
    let changes = [
        (7_500, direct, Change::Down),
        (9_500, second, Change::Down),
        (20_500, second, Change::Up),
    ];
    let seqs = |model| {
        delivered(model)
            .iter()
            .map(|(seq, _)| *seq)
            .collect::<Vec<_>>()
    };
    // Packets that arrive at c while it is cut off are lost there.
    assert_eq!(seqs(rerouted(model, &changes)), [0, 1, 9, 10]);
}

#[test]
fn a_longer_delay_sends_packets_another_way_where_routes_go_by_it() {
    let (mut model, direct) = triangle();
    let longer = [(7_500, direct, Change::Delay(Span::from_ms(20)))];
    let by_hops = rerouted(model.clone(), &longer);
    model.metric = Metric::Delay;
    let by_delay = rerouted(model, &longer);
    let path = |model: Model| {
        let mut world = World::new(model).expect("a sound model");
        world.run();
        world.path(FlowId(0)).collect::<Vec<_>>()
    };
    assert_eq!(path(by_hops), [direct]);
    assert_eq!(path(by_delay), [LinkId(1), LinkId(2)]);
}

/// A link that flaps adds two routes in total, not two each time, and a long run equals itself
/// ahead of time.
#[test]
fn a_link_that_goes_down_and_up_again_and_again_is_the_same_ahead_of_time() {
    let (model, direct) = triangle();
    let changes: Vec<_> = (0..50)
        .map(|i| match i % 2 {
            0 => (500 * i + 300, direct, Change::Down),
            _ => (500 * i + 300, direct, Change::Up),
        })
        .collect();
    assert_same(&rerouted(model, &changes), &[Span::from_ms(9)]);
}

#[test]
fn a_model_with_something_on_its_routes_keeps_them() {
    let (model, direct) = triangle();
    let mut model = rerouted(model, &[(1_000, direct, Change::Down)]);
    struct Gate;
    impl Middlebox for Gate {
        type Payload = pacesim::model::Payload;
        fn arrive(&mut self, _: Time, _: u32, _: &Packet, _: &mut u32) {}
        fn step(&mut self, _: Time) -> Step {
            Step::Wait
        }
    }
    let part = OwnMiddlebox::new("gate", |_| Gate);
    model.add_middlebox(NodeId(0), vec![FlowId(0)], part);
    let error = World::new(model).err().expect("it is refused");
    assert!(matches!(error, BuildError::RoutesStay { .. }), "{error}");
}

/// The same network without a link; names are unchanged, and with them the random streams.
fn without(mut model: Model, link: LinkId) -> Model {
    model.links.remove(link.index());
    model
}

/// A random network with flows that begin after 5 ms, and one of its links.
fn late_flows() -> impl Strategy<Value = (Model, LinkId)> {
    let more = prop::collection::vec((0u32..6, 1u32..6, any_tcp()), 0..4);
    (models(), more, any::<u32>()).prop_map(|(mut model, more, link)| {
        for (from, step, traffic) in more {
            model.add_flow(NodeId(from), NodeId((from + step) % 6), traffic);
        }
        for flow in &mut model.flows {
            flow.start += Span::from_ms(5);
        }
        let link = LinkId(link % model.links.len() as u32);
        (model, link)
    })
}

/// Changes of any links at any time, some of them with rerouting.
fn flapping(model: Model, changes: Vec<(u64, u32, u8, bool)>) -> Model {
    let mut model = model;
    for (us, link, kind, reroutes) in changes {
        let at = at_us(us);
        let link = LinkId(link % model.links.len() as u32);
        let change = match kind {
            0 | 1 => Change::Down,
            2 => Change::Pause,
            3 => Change::Delay(Span::from_us(us % 3000)),
            _ => Change::Up,
        };
        model.changes.push(TimedChange { at, link, change });
        if reroutes {
            model.reroutes.push(at);
        }
    }
    model
}

fn any_changes(until_us: u64) -> impl Strategy<Value = Vec<(u64, u32, u8, bool)>> {
    let change = (0..until_us, any::<u32>(), 0u8..7, any::<bool>());
    prop::collection::vec(change, 1..12)
}

fn flows_of(model: Model) -> Option<String> {
    let mut world = World::new(model).ok()?;
    world.run();
    Some(format!("{:?}", world.flow_rows()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Flows that begin once all is settled see the network as if the link did not exist, and once
    /// it is back as if nothing had happened.
    #[test]
    fn a_network_with_a_link_down_is_the_network_without_it(
        (model, link) in late_flows(), down_us in 0u64..4_000, up_us in 4_000u64..5_000,
        pauses in any::<bool>(), by_delay in any::<bool>(),
    ) {
        let mut model = model;
        model.metric = if by_delay { Metric::Delay } else { Metric::Hops };
        let down = if pauses { Change::Pause } else { Change::Down };
        let changes = [(down_us, link, down), (up_us, link, Change::Up)];
        if let Some(lacking) = flows_of(without(model.clone(), link)) {
            let rerouted = rerouted(model.clone(), &changes[..1]);
            prop_assert_eq!(flows_of(rerouted), Some(lacking));
        }
        let back = rerouted(model.clone(), &changes);
        // A link that changes has a queue that is asked for each packet, whatever the change.
        let same = TimedChange { at: at_us(up_us), link, change: Change::Up };
        model.changes.push(same);
        prop_assert_eq!(flows_of(back), flows_of(model));
    }

    /// After the transient, with traffic before and after the event: every flow is on the path that
    /// it has in the network without the link.
    #[test]
    fn flows_are_on_the_shortest_paths_that_are_left((model, link) in late_flows()) {
        let mut world = World::new(rerouted(model.clone(), &[(9_000, link, Change::Down)]))
            .expect("a sound model");
        world.run();
        let lacking = without(model, link);
        let Ok(lacking) = World::new(lacking) else { return Ok(()) };
        let names = |world: &World, flow| -> Vec<String> {
            let there = world.path(flow).chain(world.path_back(flow));
            there.map(|link| world.model().links[link.index()].name.to_string()).collect()
        };
        for flow in (0..world.model().flows.len()).map(FlowId::from_index) {
            prop_assert_eq!(names(&world, flow), names(&lacking, flow));
        }
    }

    #[test]
    fn packets_are_conserved_whatever_is_rerouted(
        model in models(), changes in any_changes(20_000),
    ) {
        let mut world = World::new(flapping(model, changes)).expect("a sound model");
        world.run();
        let flows = (0..world.model().flows.len()).map(FlowId::from_index);
        let left: u64 = flows.map(|flow| {
            let tally = world.flow(flow);
            tally.sent.packets
                - (tally.delivered.packets + tally.dropped.packets + tally.lost.packets)
        }).sum();
        prop_assert_eq!(world.in_flight(), left);
    }

    #[test]
    fn rerouted_networks_are_the_same_ahead_of_time(
        (model, _) in late_flows(), changes in any_changes(20_000), looks in looks(20),
    ) {
        assert_same(&flapping(model, changes), &looks);
    }

    #[test]
    fn rerouted_trees_are_the_same_ahead_of_time(
        model in trees(), spare in 0u32..8, changes in any_changes(400_000), looks in looks(400),
    ) {
        // A second wire from a host to the other side of the core, so that there is a choice.
        let mut model = model;
        let (host, far) = (NodeId(2 + spare), NodeId(u32::from(spare < 4)));
        for (from, to) in [(host, far), (far, host)] {
            model.add_link(from, to, Rate::from_mbps(4), Span::from_ms(2));
        }
        assert_same(&flapping(model, changes), &looks);
    }
}
