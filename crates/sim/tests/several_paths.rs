//! Flows that take several paths of equal cost: packet by packet, in flowlets, or a path for each
//! connection.

use std::collections::{BTreeMap, BTreeSet};

use pacesim::World;
use pacesim::model::change::{Change, TimedChange};
use pacesim::model::{Buffer, Hashed, Leg, Model, PathKey, PathRule, Spray, Traffic};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;

use crate::ahead::{any_tcp, assert_same, looks};
use crate::fabrics::{link, ran};

/// Two leaves with four spines, over which one host sends to another.
const ONE: &str = r#"
run = { duration = "4ms", multipath = "packet" }
[topology]
shape = "leaf_spine"
leaves = 2
spines = 4
hosts = 2
access = { rate = "10Gbps", delay = "1us" }
uplink = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host[0]"
to = "host[2]"
traffic = { kind = "cbr", rate = "8Gbps", size = "1000B" }
"#;

/// The packets that left each of these links.
fn left(world: &World, names: impl Iterator<Item = String>) -> Vec<u64> {
    let packets = |name: String| world.link(link(world.model(), &name)).left.packets;
    names.map(packets).collect()
}

fn up(world: &World) -> Vec<u64> {
    left(world, (0..4).map(|i| format!("uplink[{i}]")))
}

#[test]
fn sprayed_packets_divide_over_all_paths() {
    for spray in ["permuted", "round"] {
        let rule = format!("multipath = \"packet\", spray = \"{spray}\"");
        let world = ran(&ONE.replace("multipath = \"packet\"", &rule));
        let up = up(&world);
        let most = up.iter().max().expect("four");
        assert!(*most > 990, "{up:?}");
        // All in a round, the last of which may not be over.
        assert!(up.iter().all(|count| most - count <= 2), "{spray}: {up:?}");
    }
    let random = ran(&ONE.replace("\"packet\"", "\"packet\", spray = \"random\""));
    let up = up(&random);
    // 4000 packets, each way with a quarter: four standard deviations.
    assert!(up.iter().all(|count| count.abs_diff(1000) < 110), "{up:?}");
    assert!(up.iter().max() != up.iter().min(), "{up:?}");
}

#[test]
fn a_line_of_equal_rate_carries_a_sprayed_permutation_without_loss() {
    // Each host sends at its full rate: flows that share an uplink lose, packets that spread do not.
    let text = ONE
        .replace("hosts = 2", "hosts = 4")
        .replace("\"host[0]\"", "\"host[0..4]\"")
        .replace("\"host[2]\"", "\"host[4..8]\"")
        .replace("8Gbps", "9.9Gbps")
        .replace("\"1us\" }\n[[", "\"1us\", buffer = \"20pkts\" }\n[[");
    let lost = |text: &str| -> f64 {
        let world = ran(text);
        let rows = world.flow_rows();
        let lost: u64 = rows.iter().map(|row| row.dropped_pkts).sum();
        let sent: u64 = rows.iter().map(|row| row.sent_pkts).sum();
        lost as f64 / sent as f64
    };
    assert_eq!(lost(&text), 0.0);
    assert!(lost(&text.replace("\"packet\"", "\"flow\"")) > 0.2);
}

#[test]
fn flowlets_keep_their_path_until_a_pause() {
    let text = ONE.replace("\"packet\"", "\"flowlet\", flowlet_gap = \"10us\"");
    let steady = ran(&text);
    let used = up(&steady).iter().filter(|count| **count > 0).count();
    assert_eq!(used, 1, "a packet each microsecond");
    let slow = ran(&text.replace("8Gbps", "400Mbps"));
    let up = up(&slow);
    assert!(up.iter().all(|count| (20..90).contains(count)), "{up:?}");
}

#[test]
fn each_connection_is_hashed_apart_there_and_back() {
    let text = ONE.replace("\"packet\"", "\"flow\"");
    let transfers = "{ kind = \"tcp\", profile = \"rfc\", transfers = { size = \"3kB\", \
        connection = \"new\", arrivals = { kind = \"periodic\", every = \"20us\" } } }";
    let cbr = "{ kind = \"cbr\", rate = \"8Gbps\", size = \"1000B\" }";
    let mut world = ran(&text.replace(cbr, transfers));
    let done = world.take_transfers().len() as u32;
    let calls = done + world.unfinished_transfers().len() as u32;
    assert!(calls > 100, "{calls}");
    let model = world.model();
    let (mut paths, flow) = (model.paths(), &model.flows[0]);
    for leg in Leg::BOTH {
        let mut expected: BTreeMap<LinkId, u32> = BTreeMap::new();
        for call in 0..calls {
            let path = paths.by(PathKey::of_call(flow, leg, call)).expect("a path");
            *expected.entry(path[1]).or_default() += 1;
        }
        assert_eq!(expected.len(), 4, "of four uplinks");
        let packets = |id: &LinkId| world.link(*id).left.packets;
        let all: u64 = expected.keys().map(packets).sum();
        for (id, count) in &expected {
            let each = all as f64 / f64::from(calls);
            let seen = packets(id) as f64 / each;
            // The last connections may not have sent all.
            assert!(
                (seen - f64::from(*count)).abs() < 3.0,
                "{id:?}: {seen} for {count}"
            );
        }
    }
}

#[test]
fn connections_between_two_hosts_share_a_path_each_way() {
    let text = ONE
        .replace("\"packet\"", "\"hosts\"")
        .replace("hosts = 2", "hosts = 16")
        .replace("\"host[0]\"", "\"host[0..16]\"\ncount = 64")
        .replace("\"host[2]\"", "\"host[16..32]\"");
    let transfers = "{ kind = \"tcp\", profile = \"rfc\", transfers = { size = \"3kB\", \
        connection = \"new\", arrivals = { kind = \"periodic\", every = \"20us\" } } }";
    let cbr = "{ kind = \"cbr\", rate = \"8Gbps\", size = \"1000B\" }";
    let mut world = ran(&text.replace(cbr, transfers));
    let mut transfers = world.take_transfers();
    transfers.extend(world.unfinished_transfers());
    let model = world.model();
    let mut paths = model.paths();
    let mut of_hosts: BTreeMap<(NodeId, NodeId), Vec<LinkId>> = BTreeMap::new();
    for (flow, leg) in (model.flows.iter()).flat_map(|flow| Leg::BOTH.map(|leg| (flow, leg))) {
        for call in 0..9 {
            let path = paths.by(PathKey::of_call(flow, leg, call)).expect("a path");
            let known = of_hosts.entry(leg.ends(flow)).or_insert(path.clone());
            assert_eq!(*known, path, "call {call}");
        }
    }
    assert_eq!(of_hosts.len(), 32, "16 pairs of hosts, there and back");
    // The way back has the same spine by chance alone, as have those of other hosts.
    let spine = |path: &[LinkId]| model.links[path[1].index()].to;
    let is_same = |((from, to), path): (&(NodeId, NodeId), &Vec<LinkId>)| {
        spine(path) == spine(&of_hosts[&(*to, *from)])
    };
    let same = of_hosts.iter().filter(|pair| is_same(*pair)).count();
    assert!(same < of_hosts.len(), "each direction has its own hash");
    let spines: BTreeSet<NodeId> = of_hosts.values().map(|path| spine(path)).collect();
    assert_eq!(spines.len(), 4, "of four spines");
    // Packets are on links of these paths, and on no others.
    for (id, link) in (0..).map(LinkId).zip(&model.links) {
        let is_used = of_hosts.values().any(|path| path.contains(&id));
        let packets = world.link(id).left.packets;
        assert_eq!(packets > 0, is_used, "{}: {packets}", link.name);
    }
    assert!(transfers.len() > 100, "{}", transfers.len());
    for row in &transfers {
        let flow = &model.flows[row.flow_id as usize];
        let expected = paths.place_of(flow, Leg::There, &of_hosts[&(flow.from, flow.to)]);
        assert_eq!(row.path, expected);
    }
}

#[test]
fn a_sender_may_choose_a_path_of_its_own() {
    for place in 0..4 {
        let flow = format!("path = {place}\ntraffic");
        let text = ONE.replace(", multipath = \"packet\"", "");
        let world = ran(&text.replace("traffic", &flow));
        let up = up(&world);
        let used: Vec<usize> = (0..4).filter(|i| up[*i] > 0).collect();
        assert_eq!(used, [place], "{up:?}");
    }
}

#[test]
fn after_a_failure_packets_take_the_paths_that_are_left() {
    let event = "[[event]]\nat = \"2ms\"\nlinks = [\"uplink[2]\", \"uplink.back[2]\"]\nup = false\n\
        reroute = true\n";
    for rule in [
        "packet",
        "packet\", spray = \"random",
        "packet\", spray = \"round",
        "least",
    ] {
        let world = ran(&(ONE.replace("packet", rule) + event));
        let up = up(&world);
        assert!(up[2].abs_diff(500) < 80, "{up:?}");
        for i in [0, 1, 3] {
            assert!(up[i].abs_diff(500 + 667) < 120, "{rule}: {up:?}");
        }
        let row = &world.flow_rows()[0];
        assert!(row.dropped_pkts + row.lost_pkts < 10, "{row:?}");
    }
}

/// Hosts on both sides of three ways of equal cost, of which one may fail and return.
fn ladders() -> impl Strategy<Value = Model> {
    let rule = prop_oneof![
        (0u32..9).prop_map(|number| PathRule::Hashed(Hashed::Connection(number))),
        Just(PathRule::Hashed(Hashed::Hosts)),
        Just(PathRule::Sprayed(Spray::Permuted)),
        Just(PathRule::Sprayed(Spray::Random)),
        Just(PathRule::Sprayed(Spray::Round)),
        (1u64..5000).prop_map(|us| PathRule::Flowlets(Span::from_us(us))),
        (1u32..4).prop_map(PathRule::LeastLoaded),
        (0u32..3).prop_map(PathRule::Nth),
        Just(PathRule::First),
    ];
    let source = (1u64..4).prop_map(|mbps| Traffic::Cbr {
        rate: Rate::from_mbps(mbps),
        size: Bytes(1000),
    });
    let traffic = prop_oneof![4 => any_tcp(), 1 => source];
    let flows = prop::collection::vec((0u32..2, 0u32..2, traffic, rule, 0u64..20), 1..6);
    let links = prop::collection::vec((0usize..3, 0u64..4, 1u64..9), 20);
    let fails = prop::option::of((1u64..200, 1u64..200));
    (flows, links, fails, any::<u32>()).prop_map(|(flows, links, fails, seed)| {
        let mut model = Model::new("ladder", Span::from_ms(400));
        model.seed = u64::from(seed);
        for i in 0..9 {
            model.add_node(format!("node[{i}]"));
        }
        // 0 and 1 are the sides, 2 to 4 between them; 5 and 6 hosts of 0, 7 and 8 of 1.
        let middle = (2..5).flat_map(|way| [(0, way), (way, 1)]);
        let pairs = middle.chain([(5, 0), (6, 0), (7, 1), (8, 1)]);
        for ((a, b), two) in pairs.zip(links.chunks(2)) {
            let ends = [(a, b), (b, a)].map(|(a, b)| (NodeId(a), NodeId(b)));
            for ((from, to), (rate, ms, packets)) in ends.into_iter().zip(two) {
                let rate = Rate::from_mbps([2, 4, 13][*rate]);
                let id = model.add_link(from, to, rate, Span::from_ms(*ms));
                model.link_mut(id).buffer = Buffer::waiting(Capacity::Packets(*packets));
            }
        }
        for (left, right, traffic, rule, ms) in flows {
            let id = model.add_flow(NodeId(5 + left), NodeId(7 + right), traffic);
            let flow = model.flow_mut(id);
            flow.start = Time::ZERO + Span::from_ms(ms);
            flow.path = rule;
        }
        if let Some((at, later)) = fails {
            let first = Time::ZERO + Span::from_ms(at);
            let back = first + Span::from_ms(later);
            for (at, change) in [(first, Change::Down), (back, Change::Up)] {
                let changes = [0, 1].map(|id| TimedChange {
                    at,
                    link: LinkId(id),
                    change,
                });
                model.changes.extend(changes);
                model.reroutes.push(at);
            }
        }
        model
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn packets_on_several_paths_are_the_same_ahead_of_time_and_conserved(
        model in ladders(), warmup in 0u64..300, looks in looks(400),
    ) {
        let warmup = Span::from_ms(warmup);
        let model = Model { warmup, ..model };
        assert_same(&model, &looks);
        let mut world = World::new(model).expect("a sound model");
        world.run();
        let flows = (0..world.model().flows.len()).map(FlowId::from_index);
        let (mut sent, mut gone) = (0, 0);
        for tally in flows.map(|flow| world.flow(flow)) {
            sent += tally.sent.packets;
            gone += tally.delivered.packets + tally.dropped.packets + tally.lost.packets;
        }
        prop_assert!(gone <= sent && sent - gone <= world.in_flight(), "{} {}", sent, gone);
    }
}

#[test]
fn packets_of_a_few_bytes_see_every_path_of_a_fat_tree() {
    let text = r#"
run = { duration = "2ms", multipath = "packet" }
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host[0]"
to = "host[15]"
traffic = { kind = "cbr", rate = "8Gbps", size = "1000B" }
"#;
    let world = ran(text);
    let model = world.model();
    let paths = model.paths().all(&model.flows[0], Leg::There);
    assert_eq!(paths.len(), 4, "(k/2)^2");
    for path in &paths {
        let third = world.link(path[2]).left.packets;
        assert!(third.abs_diff(500) <= 3, "{third} over a core");
    }
}
