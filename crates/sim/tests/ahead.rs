//! Computing ahead changes no result, for any network and any times at which the world is
//! inspected.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::models;
use pacesim::World;
use pacesim::fec;
use pacesim::model::{
    Buffer, Carrier, Load, Loss, Model, Pause, Protection, Tcp, Traffic, TransferSizes, Transfers,
};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::tcp::{Config, Variant};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;

/// Requires packets in order of time, so that nothing is computed ahead.
struct InOrder;

impl Probe for InOrder {}

/// Accepts packets in any order, and counts them.
#[derive(Default)]
struct AnyOrder(u64, u64);

impl Probe for AnyOrder {
    fn in_order(&self) -> bool {
        false
    }

    fn dropped(&mut self, _: Time, _: LinkId, _: &Packet, _: DropCause) {
        self.0 += 1;
    }

    fn delivered(&mut self, _: Time, _: &Packet) {
        self.1 += 1;
    }
}

/// Everything that can be read from a world.
fn state<P: Probe>(world: &World<P>) -> String {
    let links = (0..world.model().links.len()).map(LinkId::from_index);
    let all = (
        (world.fingerprint(), world.packet_hops(), world.in_flight()),
        (world.link_rows(), world.flow_rows(), world.fec_rows()),
        links.map(|link| world.waiting(link)).collect::<Vec<_>>(),
    );
    format!("{all:?}")
}

/// Runs a model in order and ahead of time with inspections at these times, and the second run also
/// in slices with steps in between.
pub(crate) fn assert_same(model: &Model, looks: &[Span]) {
    let mut in_order = World::watched(model.clone(), InOrder).expect("a sound model");
    let mut ahead = World::watched(model.clone(), AnyOrder::default()).expect("a sound model");
    let mut pieces = World::new(model.clone()).expect("a sound model");
    let mut last = Time::ZERO;
    for (i, look) in looks.iter().chain([&model.duration]).enumerate() {
        let look = Time::ZERO + *look;
        in_order.run_until(look);
        ahead.run_until(look);
        for slice in 1..=3 {
            let passed = look.saturating_since(last).as_ps() / 4 * slice;
            pieces.run_towards(last + Span::from_ps(passed), look);
        }
        while i % 2 == 1 && pieces.now() < look && pieces.step().is_some_and(|now| now < look) {}
        assert_eq!(state(&in_order), state(&ahead), "at {look}");
        if i % 2 == 0 && pieces.now() <= look {
            pieces.run_until(look);
            assert_eq!(state(&in_order), state(&pieces), "in pieces at {look}");
        }
        last = look.max(pieces.now());
    }
    pieces.run();
    assert_eq!(state(&in_order), state(&pieces));
}

pub(crate) fn any_tcp() -> impl Strategy<Value = Traffic> {
    let variant = prop::sample::select(vec![
        Variant::Tahoe,
        Variant::NewReno,
        Variant::Sack,
        Variant::Fack,
    ]);
    (variant, any::<bool>(), 2u8..40, 0u8..4).prop_map(|(variant, delays, window, load)| {
        let mut config = Config::ns2(variant);
        config.window_cap = f64::from(window);
        config.payload = Bytes(1000);
        config.delayed_ack = delays.then_some(Span::from_ms(7));
        let transfers = |connection| {
            Load::from(Transfers {
                connection,
                pause: Pause::Constant(Span::from_ms(3)),
                ..Transfers::new(TransferSizes::Packets(20))
            })
        };
        Traffic::Tcp(Tcp {
            config: Arc::new(config),
            load: match load {
                0 => transfers(Carrier::Same),
                1 => transfers(Carrier::New),
                _ => Load::Endless,
            },
            clock_phase: None,
            transport: None,
        })
    })
}

/// Hosts on both sides of a core, most flows from left to right, over links of a few rates and
/// delays so that event times coincide.
pub(crate) fn trees() -> impl Strategy<Value = Model> {
    let link = (
        0usize..3,
        0u64..4,
        prop::option::weighted(0.5, 1u64..6),
        0u8..12,
    );
    let links = prop::collection::vec(link, 18);
    let flows = prop::collection::vec((0u32..4, 0u32..4, any_tcp(), 0u64..20, 0u8..6), 1..8);
    (links, flows, any::<u32>()).prop_map(|(links, flows, seed)| {
        let mut model = Model::new("tree", Span::from_ms(400));
        model.seed = u64::from(seed);
        for i in 0..10 {
            model.add_node(format!("node[{i}]"));
        }
        // 0 and 1 are the core; 2 to 5 are hosts of 0, 6 to 9 of 1.
        let pairs = (2..10).map(|host| (host, u32::from(host > 5)));
        let pairs = pairs.chain([(0, 1)]).map(|(a, b)| (NodeId(a), NodeId(b)));
        for ((from, to), two) in pairs.zip(links.chunks(2)) {
            for ((from, to), (rate, ms, packets, loss)) in
                [(from, to), (to, from)].into_iter().zip(two)
            {
                let rate = Rate::from_mbps([2, 4, 13][*rate]);
                let id = model.add_link(from, to, rate, Span::from_ms(*ms));
                let link = model.link_mut(id);
                if let Some(packets) = packets {
                    link.buffer = Buffer::waiting(Capacity::Packets(*packets));
                }
                if *loss == 0 {
                    link.extras.loss = Some(Loss::Bernoulli { probability: 0.05 });
                }
            }
        }
        for (left, right, traffic, ms, back) in flows {
            let (from, to) = (NodeId(2 + left), NodeId(6 + right));
            let (from, to) = if back == 0 { (to, from) } else { (from, to) };
            let flow: FlowId = model.add_flow(from, to, traffic);
            model.flow_mut(flow).start = Time::ZERO + Span::from_ms(ms);
        }
        model
    })
}

/// Protects the flows of a tree from left to right, from their hosts' router or from the hosts.
fn protect(model: &mut Model, block: u16, from_hosts: bool, hold: bool) {
    let flows: Vec<FlowId> = (0..model.flows.len()).map(FlowId::from_index).collect();
    let mut pairs: BTreeMap<NodeId, Vec<FlowId>> = BTreeMap::new();
    for flow in flows {
        let from = model.flows[flow.index()].from;
        if from.0 < 6 {
            let encoder = if from_hosts { from } else { NodeId(0) };
            pairs.entry(encoder).or_default().push(flow);
        }
    }
    for (encoder, data) in pairs {
        model.protections.push(Protection {
            name: format!("from {}", encoder.0),
            group: "fec".to_owned(),
            encoder,
            decoder: NodeId(1),
            core: Vec::new(),
            data,
            acks: Vec::new(),
            config: fec::Config::block(block),
            order: if hold {
                fec::Order::Hold(Span::from_ms(3))
            } else {
                fec::Order::Late
            },
            adaptation: None,
            unsolved: None,
        });
    }
}

pub(crate) fn looks(ms: u64) -> impl Strategy<Value = Vec<Span>> {
    let us = prop_oneof![0..1000 * ms, (0..ms).prop_map(|ms| 1000 * ms)];
    let times = prop::collection::btree_set(us, 0..6);
    times.prop_map(|times| times.into_iter().map(Span::from_us).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn tcp_over_trees_is_the_same_ahead_of_time(
        model in trees(), warmup in 0u64..300, looks in looks(400),
    ) {
        let warmup = Span::from_ms(warmup);
        assert_same(&Model { warmup, ..model }, &looks);
    }

    #[test]
    fn protected_flows_over_trees_are_the_same_ahead_of_time(
        model in trees(), warmup in 0u64..300, looks in looks(400),
        block in 1u16..6, from_hosts: bool, hold in prop::bool::weighted(0.2),
    ) {
        let warmup = Span::from_ms(warmup);
        let mut model = Model { warmup, ..model };
        protect(&mut model, block, from_hosts, hold);
        assert_same(&model, &looks);
    }

    #[test]
    fn any_network_is_the_same_ahead_of_time(
        model in models(), warmup in 0u64..20, looks in looks(20),
        more in prop::collection::vec((0u32..6, 1u32..6, any_tcp()), 0..4),
    ) {
        let mut model = Model { warmup: Span::from_ms(warmup), ..model };
        for (from, step, traffic) in more {
            model.add_flow(NodeId(from), NodeId((from + step) % 6), traffic);
        }
        assert_same(&model, &looks);
    }
}

/// Number of packets that reach a core after later packets have left it: a probe that accepts any
/// order sees the work done ahead.
#[derive(Default)]
struct Jumps {
    behind: Time,
    count: u32,
}

/// The core of [`two_flows`], and the links behind it.
const CORE: LinkId = LinkId(4);
const BEHIND: [LinkId; 2] = [LinkId(6), LinkId(8)];

impl Probe for Jumps {
    fn in_order(&self) -> bool {
        false
    }

    fn accepted(&mut self, now: Time, link: LinkId, _: &Packet, _: Passage) {
        if BEHIND.contains(&link) {
            self.behind = self.behind.max(now);
        }
        self.count += u32::from(link == CORE && now < self.behind);
    }
}

/// Two flows over a core.
fn two_flows() -> Model {
    let mut model = Model::new("two", Span::from_ms(500));
    let nodes: Vec<NodeId> = (0..6).map(|i| model.add_node(format!("{i}"))).collect();
    let mut config = Config::ns2(Variant::Reno);
    config.window_cap = 64.0;
    for (a, b, ms) in [(0, 2, 1), (1, 2, 2), (2, 3, 5), (3, 4, 1), (3, 5, 30)] {
        for (a, b) in [(a, b), (b, a)] {
            model.add_link(nodes[a], nodes[b], Rate::from_mbps(10), Span::from_ms(ms));
        }
    }
    for (a, b) in [(0, 4), (1, 5)] {
        let tcp = Tcp {
            config: Arc::new(config.clone()),
            load: Load::Endless,
            clock_phase: None,
            transport: None,
        };
        model.add_flow(nodes[a], nodes[b], Traffic::Tcp(tcp));
    }
    model
}

/// The tree must be computed ahead; otherwise the tests above compare nothing.
#[test]
fn packets_behind_a_core_are_worked_out_ahead() {
    let mut world = World::watched(two_flows(), Jumps::default()).expect("a sound model");
    // An inspection in the middle, with packets on all wires; work put off until then is caught up.
    world.run_until(Time::ZERO + Span::from_ms(250));
    let before = world.probe().count;
    assert!(before > 20, "{before} jumps");
    world.run();
    let after = world.probe().count - before;
    assert!(
        2 * after > before,
        "{before} jumps, then {after} behind the look"
    );
}

/// The same holds for packets that pass a decoder behind the core, and for repairs there.
#[test]
fn packets_behind_a_decoder_are_worked_out_ahead() {
    let mut model = two_flows();
    model.duration = Span::from_secs(5);
    model.link_mut(CORE).buffer = Buffer::waiting(Capacity::Packets(1));
    let flows = vec![FlowId(0), FlowId(1)];
    let pair = |order| Protection {
        name: "2>3".to_owned(),
        group: "fec".to_owned(),
        encoder: NodeId(2),
        decoder: NodeId(3),
        core: Vec::new(),
        data: flows.clone(),
        acks: Vec::new(),
        config: fec::Config::block(3),
        order,
        adaptation: None,
        unsolved: None,
    };
    let jumps = |order| {
        let mut model = model.clone();
        model.protections.push(pair(order));
        let mut world = World::watched(model, Jumps::default()).expect("a sound model");
        world.run();
        assert!(
            world.fec_rows()[0].repaired_pkts > 0,
            "{:?}",
            world.fec_rows()[0].repaired_pkts
        );
        world.probe().count
    };
    let late = jumps(fec::Order::Late);
    assert!(late > 20, "{late} jumps");
    // A packet that waits for its repair has its own timing.
    assert_eq!(jumps(fec::Order::Hold(Span::from_ms(5))), 0);
}
