//! Runs that would not end give up, with reason, time and place determined by the model alone.

use pacesim::model::{Model, Traffic};
use pacesim::net::{Packet, Probe};
use pacesim::source::{Emission, Source};
use pacesim::units::{Bytes, FlowId, LinkId, Rate, Span, Time};
use pacesim::{Excess, GaveUp, World};

/// Requires packets in order of time, so that nothing is computed ahead.
struct InOrder;

impl Probe for InOrder {
    fn delivered(&mut self, _now: Time, _packet: &Packet) {}
}

/// Time never passes between its packets.
struct AllAtOnce;

impl Source for AllAtOnce {
    fn next(&mut self) -> Option<Emission> {
        let (gap, size) = (Span::ZERO, 1000);
        Some(Emission { gap, size })
    }
}

fn cbr(mbps: u64) -> Traffic {
    Traffic::Cbr {
        rate: Rate::from_mbps(mbps),
        size: Bytes(1000),
    }
}

/// Two flows of 8 Mbit/s, one packet per millisecond each, over two links of 8 Mbit/s in series;
/// all buffers are unlimited.
fn overload(most: u32) -> Model {
    let mut model = Model::new("overload", Span::from_secs(10));
    let [a, b, c] = ["a", "b", "c"].map(|name| model.add_node(name));
    model.add_link(a, b, Rate::from_mbps(100), Span::from_ms(1));
    model.add_link(b, c, Rate::from_mbps(8), Span::from_ms(5));
    model.add_flow(a, c, cbr(8));
    model.add_flow(a, c, cbr(8));
    model.budget.waiting = Some(most);
    model
}

/// The outcome of a run in steps of this span.
fn gave_up<P: Probe>(mut world: World<P>, step: Span) -> Option<GaveUp> {
    let mut until = Time::ZERO;
    while world.now() < world.end() && world.gave_up().is_none() {
        until = until.saturating_add(step);
        world.run_until(until);
    }
    world.gave_up().cloned()
}

#[test]
fn a_port_with_more_packets_than_may_wait_ends_the_run_there() {
    // Two arrive and one leaves each millisecond: 100 wait after some 100 ms.
    let found = gave_up(
        World::new(overload(100)).expect("sound"),
        Span::from_secs(10),
    );
    let found = found.expect("it gives up");
    let (link, most) = ("b->c".to_owned(), 100);
    match &found.excess {
        Excess::Waiting { most: 100, .. } => {}
        other => panic!("{other:?} is not {link} with {most}"),
    }
    let ms = found.at.as_secs_f64() * 1e3;
    assert!((99.0..=104.0).contains(&ms), "at {ms} ms");
}

#[test]
fn why_it_gives_up_does_not_depend_on_who_looks_on_nor_how_often() {
    let whole = gave_up(
        World::new(overload(1000)).expect("sound"),
        Span::from_secs(10),
    );
    for step in [Span::from_ms(1), Span::from_us(2700), Span::from_ms(999)] {
        let cut = gave_up(World::new(overload(1000)).expect("sound"), step);
        assert_eq!(cut, whole, "in steps of {step}");
        let watched = World::watched(overload(1000), InOrder).expect("sound");
        assert_eq!(gave_up(watched, step), whole, "watched, in steps of {step}");
    }
}

#[test]
fn the_first_of_several_ports_is_named_also_where_one_is_worked_out_ahead() {
    // The second port is slower, and would be computed ahead of the first.
    let model = |rates: [u64; 2]| {
        let mut model = Model::new("two", Span::from_secs(20));
        let nodes = ["a", "b", "c"].map(|name| model.add_node(name));
        for (pair, mbps) in nodes.windows(2).zip(rates) {
            model.add_link(pair[0], pair[1], Rate::from_mbps(mbps), Span::from_ms(300));
        }
        model.add_flow(nodes[0], nodes[2], cbr(24));
        model.budget.waiting = Some(500);
        model
    };
    for rates in [[16, 8], [12, 2], [20, 1]] {
        let ahead = gave_up(
            World::new(model(rates)).expect("sound"),
            Span::from_secs(20),
        );
        let watched = World::watched(model(rates), InOrder).expect("sound");
        let in_order = gave_up(watched, Span::from_secs(20));
        assert!(ahead.is_some(), "{rates:?}");
        assert_eq!(ahead, in_order, "{rates:?}");
    }
}

#[test]
fn a_run_within_its_budget_is_the_same_as_without() {
    let run = |most: u32| {
        let mut world = World::new(overload(most)).expect("sound");
        world.run();
        assert_eq!(world.gave_up(), None, "at most 10 000 packets wait");
        let counters = (world.link(LinkId(1)), world.flow(FlowId(0)));
        (world.fingerprint(), format!("{counters:?}"))
    };
    assert_eq!(run(10_001), run(u32::MAX));
}

#[test]
fn a_buffer_as_large_as_the_budget_drops_and_goes_on() {
    let mut model = overload(100);
    model.links[1].buffer = pacesim::model::Buffer::waiting("100 packets".parse().expect("sound"));
    let mut world = World::new(model).expect("sound");
    world.run();
    assert_eq!(world.gave_up(), None);
    assert!(
        world.link(LinkId(1)).dropped.packets > 1000,
        "{:?}",
        world.link(LinkId(1)).dropped.packets
    );
}

#[test]
fn time_that_stands_still_ends_the_run() {
    for most in [1, 100, 5000, 1_000_000] {
        let mut model = Model::new("still", Span::from_secs(10));
        let [a, b] = ["a", "b"].map(|name| model.add_node(name));
        model.add_link(a, b, Rate::from_mbps(8), Span::ZERO);
        model.links[0].buffer =
            pacesim::model::Buffer::waiting("10 packets".parse().expect("sound"));
        let flow = model.add_flow(a, b, cbr(1));
        model.flows[flow.index()].start = Time::from_ps(7);
        model.budget.events = Some(most);
        let mut world = World::new(model).expect("sound");
        world.set_source(flow, Box::new(AllAtOnce));
        world.run();
        let found = world.gave_up().expect("it gives up");
        assert_eq!(found.at, Time::from_ps(7), "{most}");
        assert!(matches!(found.excess, Excess::Events { .. }), "{most}");
    }
}
