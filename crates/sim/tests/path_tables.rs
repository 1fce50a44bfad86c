//! Routes of several paths are tables of junctions: packets cross the links of the path at the place
//! that their flow takes, in the order in which a search lists whole paths.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pacesim::World;
use pacesim::middlebox::Jitter;
use pacesim::model::change::{Change, LinkStates, TimedChange};
use pacesim::model::{Distribution, Leg, Model, OwnSwitch, PathRule, Spray, Traffic};
use pacesim::net::{Offered, Packet, Passage, Probe, Reason, Switch};
use pacesim::units::{Bytes, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;

use crate::ahead::{assert_same, looks};

/// The links over which each packet went, and the time at which it was sent.
#[derive(Default)]
struct Walks {
    of_packets: BTreeMap<(FlowId, u32), (Time, Vec<LinkId>)>,
    delivered: usize,
}

impl Probe for Walks {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, _: Passage) {
        let walk = self.of_packets.entry((packet.flow, packet.seq));
        walk.or_insert((now, Vec::new())).1.push(link);
    }

    fn delivered(&mut self, _: Time, _: &Packet) {
        self.delivered += 1;
    }
}

/// A switch that admits all packets, and tells where each came from.
struct Teller(Arc<Mutex<Told>>);

/// The input and the output of each packet at switches.
type Told = Vec<((FlowId, u32), Option<LinkId>, LinkId)>;

impl Teller {
    fn tell(&self, offered: &Offered<'_>) {
        let name = (offered.packet.flow, offered.packet.seq);
        let mut told = self.0.lock().expect("one thread");
        told.push((name, offered.from, offered.to));
    }
}

impl Switch for Teller {
    fn admit(&mut self, _: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        self.tell(offered);
        Ok(())
    }

    fn left(&mut self, _: Time, offered: &Offered<'_>) {
        self.tell(offered);
    }
}

/// The whole paths of a flow at some time.
fn listed(model: &Model, flow: FlowId, sent: Time) -> Vec<Vec<LinkId>> {
    let mut standing = LinkStates::default();
    let before = model.changes.iter().filter(|change| change.at <= sent);
    before.for_each(|change| standing.note(change));
    let flow = &model.flows[flow.index()];
    model.paths_over(&standing).all(flow, Leg::There)
}

/// Checks that the packets of a flow that takes paths in turn went over these, one after the other, and
/// returns the number that came to the end of their path.
fn in_turn(model: &Model, flow: FlowId, walks: &Walks) -> Result<usize, TestCaseError> {
    let packets = walks.of_packets.range((flow, 0)..=(flow, u32::MAX));
    let packets: Vec<_> = packets.map(|(_, walk)| walk).collect();
    let mut known: BTreeMap<usize, Vec<Vec<LinkId>>> = BTreeMap::new();
    let mut paths_at = |sent: Time| {
        let since = model.reroutes.iter().filter(|at| **at <= sent).count();
        let paths = known.entry(since);
        let all = paths.or_insert_with(|| listed(model, flow, sent));
        all.clone()
    };
    let paths: Vec<_> = packets.iter().map(|(sent, _)| paths_at(*sent)).collect();
    let Some(first) = paths.first() else {
        return Ok(0);
    };
    let fits = |from: usize| {
        let mut next = from;
        packets.iter().zip(&paths).all(|((_, links), paths)| {
            let place = next % paths.len();
            next = place + 1;
            paths[place].starts_with(links)
        })
    };
    let is_one = (0..first.len()).any(fits);
    prop_assert!(is_one, "{packets:?} of flow {flow:?} over {paths:?}");
    let whole = packets.iter().zip(&paths);
    Ok(whole
        .filter(|((_, links), paths)| paths.contains(links))
        .count())
}

fn all_in_turn(model: &Model) -> Result<(), TestCaseError> {
    let mut world = World::watched(model.clone(), Walks::default()).expect("a sound model");
    world.run();
    let walks = world.into_probe();
    let flows = (0..model.flows.len()).map(FlowId::from_index);
    let whole: Result<Vec<usize>, _> = flows.map(|flow| in_turn(model, flow, &walks)).collect();
    let whole: usize = whole?.iter().sum();
    prop_assert!(whole >= walks.delivered && whole > 0, "{whole} whole walks");
    Ok(())
}

/// Flows by turns between hosts of a random network of switches, with parallel links, hosts at two
/// switches, and packets that may wait behind wires.
fn networks() -> impl Strategy<Value = Model> {
    let switches = 3u32..7;
    let wires = prop::collection::vec((0u32..8, 0u32..8, 0u8..6), 4..14);
    let hosts = prop::collection::vec((0u32..8, 0u32..8, 0u8..4), 3..6);
    let flows = prop::collection::vec((0u32..8, 1u32..8, 1u64..4), 1..6);
    (switches, wires, hosts, flows, any::<u32>()).prop_map(
        |(switches, wires, hosts, flows, seed)| {
            let mut model = Model::new("network", Span::from_ms(40));
            model.seed = u64::from(seed);
            let count = switches + hosts.len() as u32;
            (0..count).for_each(|i| _ = model.add_node(format!("node[{i}]")));
            let ring = (0..switches).map(|i| (i, i + 1, 5));
            for (a, b, jitter) in ring.chain(wires) {
                join(&mut model, a % switches, b % switches, jitter);
            }
            for (host, (a, b, second)) in (switches..).zip(&hosts) {
                join(&mut model, host, a % switches, 5);
                if *second == 0 {
                    join(&mut model, host, b % switches, 5);
                }
            }
            let hosts = hosts.len() as u32;
            for (from, step, mbps) in flows {
                let to = (from + 1 + step % (hosts - 1)) % hosts;
                let ends = [from % hosts, to].map(|host| NodeId(switches + host));
                in_turns(&mut model, ends, Rate::from_mbps(mbps));
            }
            model
        },
    )
}

/// Adds a link each way; packets wait for random times behind that there, if `jitter` is zero.
fn join(model: &mut Model, a: u32, b: u32, jitter: u8) {
    if a == b {
        return;
    }
    let (rate, delay) = (Rate::from_mbps(20), Span::from_us(100));
    let there = model.add_link(NodeId(a), NodeId(b), rate, delay);
    model.add_link(NodeId(b), NodeId(a), rate, delay);
    if jitter == 0 {
        model.link_mut(there).extras.jitter = Some(Jitter {
            delay: Distribution::Exponential { mean: 1e8 },
            reorders: true,
        });
    }
}

fn in_turns(model: &mut Model, [from, to]: [NodeId; 2], rate: Rate) {
    let size = Bytes(1000);
    let flow = model.add_flow(from, to, Traffic::Cbr { rate, size });
    model.flow_mut(flow).path = PathRule::Sprayed(Spray::Round);
}

/// Takes a wire down and brings it up, each with rerouting.
fn fail(model: &mut Model, (link, at, later): (usize, u64, u64)) {
    let first = (link % model.links.len()) & !1;
    let at = Time::ZERO + Span::from_us(at);
    for (at, change) in [(at, Change::Down), (at + Span::from_us(later), Change::Up)] {
        let links = [first, first + 1].map(LinkId::from_index);
        let changes = links.map(|link| TimedChange { at, link, change });
        model.changes.extend(changes);
        model.reroutes.push(at);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn packets_cross_the_links_of_listed_paths(model in networks()) {
        all_in_turn(&model)?;
    }

    #[test]
    fn after_changes_packets_cross_the_links_of_paths_listed_then(
        mut model in networks(), failure in (0usize..40, 1000u64..30_000, 1u64..9000),
    ) {
        // Packets behind a wire with jitter may be lost with it, so that a walk ends early.
        fail(&mut model, failure);
        let hosts = model.flows.iter().flat_map(|flow| [flow.from, flow.to]);
        let (hosts, link) = (hosts.collect::<Vec<_>>(), &model.links[model.changes[0].link.index()]);
        // A host that is cut off keeps the paths from before.
        prop_assume!(!hosts.contains(&link.from) && !hosts.contains(&link.to));
        all_in_turn(&model)?;
    }

    #[test]
    fn tables_are_the_same_ahead_of_time(model in networks(), looks in looks(40)) {
        assert_same(&model, &looks);
    }

    /// Junctions do not hide from switches the links over which packets come.
    #[test]
    fn switches_know_the_inputs_of_packets(mut model in networks()) {
        let told: Arc<Mutex<Told>> = Arc::default();
        let teller = told.clone();
        for node in 0..model.nodes.len() as u32 {
            let teller = teller.clone();
            let switch = OwnSwitch::new("teller", move |_, _| Teller(teller.clone()));
            model.add_switch(NodeId(node), switch);
        }
        let mut world = World::watched(model, Walks::default()).expect("a sound model");
        world.run();
        let walks = world.into_probe();
        let told = told.lock().expect("one thread");
        prop_assert!(!told.is_empty());
        for (name, from, to) in &*told {
            // A packet that waits at the end of the run has told, and has not been taken.
            let Some((_, links)) = walks.of_packets.get(name) else {
                prop_assert_eq!(*from, None);
                continue;
            };
            match links.iter().position(|link| link == to) {
                Some(place) => prop_assert_eq!(*from, place.checked_sub(1).map(|i| links[i])),
                None => prop_assert_eq!(*from, links.last().copied()),
            }
        }
    }
}

/// All flows of a small fat tree between all its hosts.
#[test]
fn packets_cross_the_links_of_listed_paths_in_a_fat_tree() {
    let text = r#"
run = { duration = "100us" }
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host[0]"
to = "host[1]"
traffic = { kind = "cbr", rate = "1Mbps", size = "1000B" }
"#;
    let checked = pacesim::scenario::load("tree.toml", text, &[], &()).expect("it is sound");
    let mut model = checked.expand(1, 0);
    model.flows.clear();
    let hosts: Vec<NodeId> = (0..model.nodes.len())
        .map(NodeId::from_index)
        .filter(|node| {
            model.nodes[node.index()]
                .name
                .to_string()
                .starts_with("host")
        })
        .collect();
    assert_eq!(hosts.len(), 16);
    for from in &hosts {
        for to in hosts.iter().filter(|to| *to != from) {
            in_turns(&mut model, [*from, *to], Rate::from_mbps(400));
        }
    }
    all_in_turn(&model).expect("packets in turn");
}
