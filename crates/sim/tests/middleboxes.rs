//! Middleboxes on routes: one file suffices for one that holds, absorbs and sends packets, and the
//! accounts stay balanced.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::common::models;
use pacesim::middlebox::OwnMiddlebox;
use pacesim::model::{Arrival, Direction, Load, Loss, Model, PlacedMiddlebox, Tcp, Traffic};
use pacesim::net::{DropCause, Kind, Middlebox, MiddleboxId, Packet, Probe, Step, middlebox_laws};
use pacesim::tcp::{Config, Variant};
use pacesim::units::{Bytes, FlowId, LinkId, NodeId, Rate, Span, Time};
use pacesim::{BuildError, World};
use proptest::prelude::*;

/// Holds data packets of a flow until there are two, absorbs both and sends a third with the sum of
/// their bytes. A packet without a partner in time continues alone. Other packets pass.
struct Joiner {
    patience: Span,
    kept: VecDeque<(Time, u32, Packet)>,
    steps: VecDeque<Step>,
}

impl Joiner {
    fn new(patience: Span) -> Joiner {
        Joiner {
            patience,
            kept: VecDeque::new(),
            steps: VecDeque::new(),
        }
    }
}

impl Middlebox for Joiner {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        if packet.kind() != Kind::Data {
            return self.steps.push_back(Step::Pass(place));
        }
        let partner = self.kept.iter().position(|(_, _, p)| p.flow == packet.flow);
        let Some((_, first, before)) = partner.and_then(|at| self.kept.remove(at)) else {
            return self.kept.push_back((now, place, *packet));
        };
        let size = before.size + packet.size;
        let both = Packet { size, ..before };
        self.steps
            .extend([Step::Absorb(first), Step::Absorb(place), Step::Send(both)]);
    }

    fn step(&mut self, now: Time) -> Step {
        if let Some(step) = self.steps.pop_front() {
            return step;
        }
        match self.kept.front() {
            Some((came, place, _)) if *came + self.patience <= now => {
                let step = Step::Pass(*place);
                self.kept.pop_front();
                step
            }
            _ => Step::Wait,
        }
    }

    fn next_wake(&self) -> Option<Time> {
        let (came, _, _) = self.kept.front()?;
        Some(*came + self.patience)
    }
}

/// Sends an auxiliary packet after every third packet of a flow; a second one at the far end
/// absorbs them.
struct Companion {
    seen: u32,
    steps: VecDeque<Step>,
    absorbs: bool,
}

impl Companion {
    fn new(absorbs: bool) -> Companion {
        Companion {
            seen: 0,
            steps: VecDeque::new(),
            absorbs,
        }
    }
}

impl Middlebox for Companion {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, _: Time, place: u32, packet: &Packet, _: &mut u32) {
        if packet.kind() == Kind::Auxiliary && self.absorbs {
            return self.steps.push_back(Step::Absorb(place));
        }
        self.steps.push_back(Step::Pass(place));
        self.seen += 1;
        if !self.absorbs && self.seen.is_multiple_of(3) {
            let flags = Kind::Auxiliary.into();
            let (seq, tag) = (self.seen, 0);
            self.steps.push_back(Step::Send(Packet {
                flags,
                seq,
                tag,
                ..*packet
            }));
        }
    }
    fn step(&mut self, _: Time) -> Step {
        self.steps.pop_front().unwrap_or(Step::Wait)
    }
}

fn joiner() -> OwnMiddlebox {
    OwnMiddlebox::new("joiner", |_| Joiner::new(Span::from_ms(2)))
}

fn companion(absorbs: bool) -> OwnMiddlebox {
    OwnMiddlebox::new("companion", move |_| Companion::new(absorbs))
}

/// The network's packets by flow, acknowledgements aside: created, ended and arrived.
#[derive(Default)]
struct Ledger {
    created: Vec<u64>,
    absorbed: Vec<u64>,
    acks_created: i64,
    deliveries: Vec<(Time, u32, u32, u32)>,
}

impl Probe for Ledger {
    fn created(&mut self, _: Time, _: MiddleboxId, packet: &Packet) {
        if packet.kind() == Kind::Ack {
            self.acks_created += 1;
            return;
        }
        self.created[packet.flow.index()] += 1;
    }
    fn absorbed(&mut self, _: Time, _: MiddleboxId, packet: &Packet) {
        if packet.kind() != Kind::Ack {
            self.absorbed[packet.flow.index()] += 1;
        }
    }
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.deliveries
            .push((now, packet.flow.0, packet.seq, packet.size));
        if packet.kind() == Kind::Auxiliary {
            self.absorbed[packet.flow.index()] += 1;
        }
    }
    fn dropped(&mut self, _: Time, _: LinkId, _: &Packet, _: DropCause) {}
}

fn watched(model: Model) -> Result<World<Ledger>, BuildError> {
    let none = vec![0; model.flows.len()];
    let ledger = Ledger {
        created: none.clone(),
        absorbed: none,
        ..Ledger::default()
    };
    World::watched(model, ledger)
}

/// Without acknowledgements, every packet in the network is in the accounts of flows.
fn check_accounts(world: &World<Ledger>) {
    let mut inside = 0;
    for i in 0..world.model().flows.len() {
        let tally = world.flow(FlowId(i as u32));
        assert_eq!(tally.created.packets, world.probe().created[i], "flow {i}");
        assert_eq!(
            tally.absorbed.packets,
            world.probe().absorbed[i],
            "flow {i}"
        );
        let came = tally.sent + tally.created;
        let gone = tally.delivered + tally.dropped + tally.lost + tally.absorbed;
        inside += came.packets - gone.packets;
    }
    assert_eq!(inside, world.in_flight());
    let kept: u64 = (0..world.model().middleboxes.len())
        .map(|i| world.middlebox(i).kept().packets)
        .sum();
    assert!(kept <= inside, "{kept:?} and {inside:?}");
}

/// Puts middleboxes at both ends of every flow and at each node in between.
fn fitted(mut model: Model) -> Model {
    let flows: Vec<FlowId> = (0..model.flows.len()).map(FlowId::from_index).collect();
    let mut paths = model.paths();
    for flow in flows {
        let (from, to) = (model.flows[flow.index()].from, model.flows[flow.index()].to);
        model.add_middlebox(from, vec![flow], companion(false));
        let path = paths.between(from, to).expect("a connected network");
        let middle = model.links[path[path.len() / 2].index()].from;
        model.add_middlebox(middle, vec![flow], joiner());
        model.add_middlebox(to, vec![flow], companion(flow.0 % 2 == 0));
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packets_created_and_absorbed_stay_in_the_accounts_at_every_instant(model in models()) {
        let model = fitted(model);
        let mut world = watched(model.clone()).expect("a connected network");
        while world.step().is_some() {
            check_accounts(&world);
        }
        check_accounts(&world);
        let mut again = World::new(model).expect("a connected network");
        again.run();
        prop_assert_eq!(again.fingerprint(), world.fingerprint());
    }

    #[test]
    fn middleboxes_that_only_pass_change_nothing(model in models()) {
        let mut plain = watched(model.clone()).expect("a connected network");
        plain.run();
        let mut passed = model;
        let flows: Vec<FlowId> = (0..passed.flows.len()).map(FlowId::from_index).collect();
        for flow in flows {
            for node in [passed.flows[flow.index()].from, passed.flows[flow.index()].to] {
                passed.add_middlebox(node, vec![flow], companion(true));
            }
        }
        let mut passed = watched(passed).expect("a connected network");
        passed.run();
        prop_assert_eq!(plain.fingerprint(), passed.fingerprint());
        prop_assert_eq!(plain.flow_rows(), passed.flow_rows());
        prop_assert_eq!(&plain.probe().deliveries, &passed.probe().deliveries);
    }
}

/// Two links with a middlebox in between, and arrivals at these milliseconds.
fn tandem(at_ms: &[u64]) -> (Model, [NodeId; 3]) {
    let mut model = Model::new("tandem", Span::from_ms(100));
    let nodes = ["a", "b", "c"].map(|name| model.add_node(name));
    for pair in nodes.windows(2) {
        model.add_link(pair[0], pair[1], Rate::from_mbps(8), Span::from_ms(1));
        model.add_link(pair[1], pair[0], Rate::from_mbps(8), Span::from_ms(1));
    }
    let arrival = |ms: &u64| Arrival {
        at: Span::from_ms(*ms),
        size: Bytes(1000),
    };
    let arrivals = at_ms.iter().map(arrival).collect();
    model.add_flow(nodes[0], nodes[2], Traffic::Recorded(arrivals));
    (model, nodes)
}

#[test]
fn two_packets_are_absorbed_and_a_third_is_sent() {
    let (mut model, [_, b, _]) = tandem(&[0, 0, 10]);
    model.add_middlebox(b, vec![FlowId(0)], joiner());
    let mut world = watched(model).expect("a good model");
    world.run();
    // Two arrive at 2 and 3 ms, and continue as one of 2 ms; the third waits 2 ms for a partner.
    let ms = |n: u64| Time::ZERO + Span::from_ms(n);
    let expected = [(ms(6), 0, 0, 2000), (ms(16), 0, 2, 1000)];
    assert_eq!(world.probe().deliveries, expected);
    let counters = world.middlebox(0);
    let packets = [
        counters.came,
        counters.absorbed,
        counters.created,
        counters.passed,
    ];
    assert_eq!(packets.map(|volume| volume.packets), [3, 2, 1, 1]);
    assert_eq!(world.flow(FlowId(0)).created.bytes, 2000);
    assert_eq!(world.in_flight(), 0);
}

#[test]
fn at_the_end_of_a_route_a_middlebox_delivers_one_packet_at_a_time() {
    let (mut model, [a, _, c]) = tandem(&[0, 1, 2, 3, 4, 5]);
    model.add_middlebox(a, vec![FlowId(0)], companion(false));
    model.add_middlebox(c, vec![FlowId(0)], companion(false));
    let mut world = watched(model).expect("a good model");
    world.run();
    // Six packets with two companions from the first middlebox, and for these eight two more from
    // the second.
    assert_eq!(world.probe().deliveries.len(), 10);
    let tally = world.flow(FlowId(0));
    assert_eq!(tally.delivered.packets, 6);
    assert_eq!((tally.created.packets, tally.absorbed.packets), (4, 4));
}

#[test]
fn acknowledgements_keep_their_blocks_through_a_middlebox_and_over_loss() {
    let run = |boxed: bool| {
        let (mut model, [_, b, _]) = tandem(&[]);
        model.duration = Span::from_secs(10);
        model.links[2].extras.loss = Some(Loss::Bernoulli { probability: 0.01 });
        let tcp = Tcp {
            config: Arc::new(Config::ns2(Variant::Sack)),
            load: Load::Endless,
            clock_phase: Some(Span::ZERO),
            transport: None,
        };
        model.flows[0].traffic = Traffic::Tcp(tcp);
        if boxed {
            model.middleboxes.push(PlacedMiddlebox {
                node: b,
                flows: vec![FlowId(0)],
                direction: Direction::Both,
                part: companion(true),
            });
        }
        let mut world = World::new(model).expect("a good model");
        world.run();
        (world.fingerprint(), world.flow_rows())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_middlebox_that_no_packet_passes_is_an_error() {
    let (mut model, [_, b, _]) = tandem(&[0]);
    let aside = model.add_node("aside");
    model.add_middlebox(aside, vec![FlowId(0)], joiner());
    let error = World::new(model.clone())
        .err()
        .expect("it is off the route");
    let text = "flow flow[0] does not pass aside, the node of the middlebox joiner";
    assert_eq!(error.to_string(), text);
    model.middleboxes[0].node = b;
    model.middleboxes[0].flows = vec![FlowId(7)];
    let error = World::new(model).err().expect("there is no such flow");
    let text = "the middlebox joiner is for flow 7, but there are only 1";
    assert_eq!(error.to_string(), text);
}

fn arrivals() -> Vec<(Span, Packet)> {
    let packet = |seq: u32| Packet {
        seq,
        flow: FlowId(seq % 3),
        size: 1000,
        hop: 7,
        ..Packet::default()
    };
    (0..200)
        .map(|seq| (Span::from_us(u64::from(seq * 37 % 1500)), packet(seq)))
        .collect()
}

/// A joiner with a fault.
struct Faulty(Joiner, &'static str);

impl Middlebox for Faulty {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        self.0.arrive(now, place, packet, header);
        if self.1 == "hands" {
            self.0.steps.push_back(Step::Pass(place));
        }
    }
    fn step(&mut self, now: Time) -> Step {
        match (self.0.step(now), self.1) {
            (Step::Send(packet), "routes") => Step::Send(Packet { hop: 1, ..packet }),
            (step, _) => step,
        }
    }
    fn next_wake(&self) -> Option<Time> {
        let wake = self.0.next_wake();
        if self.1 == "patience" {
            wake.map(|_| Time::ZERO)
        } else {
            wake
        }
    }
}

#[test]
fn the_laws_hold_and_find_every_planted_fault() {
    middlebox_laws(|| Joiner::new(Span::from_ms(2)), &arrivals()).expect("it keeps the laws");
    middlebox_laws(|| Companion::new(false), &arrivals()).expect("it keeps the laws");
    for law in ["hands", "routes", "patience"] {
        let faulty = || Faulty(Joiner::new(Span::from_ms(2)), law);
        let found = middlebox_laws(faulty, &arrivals()).expect_err(law);
        assert!(found.starts_with(law), "{found}");
    }
    let made = std::cell::Cell::new(0);
    let moody = || {
        made.set(made.get() + 1);
        Joiner::new(Span::from_ms(made.get()))
    };
    let found = middlebox_laws(moody, &arrivals()).expect_err("they differ");
    assert!(found.starts_with("repeatable"), "{found}");
}
