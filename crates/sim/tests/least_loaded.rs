//! Switches that send each packet over the least loaded of some links: against queues counted here.

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::model::{Leg, PathRule};
use pacesim::net::{Packet, Passage, Probe};
use pacesim::scenario::load;
use pacesim::units::{LinkId, Span, Time};

use crate::fabrics::{link, ran};

/// Hosts of one leaf that fill the four uplinks to the other.
const LEAVES: &str = r#"
run = { duration = "4ms", warmup = "400us", multipath = "least" }
[topology]
shape = "leaf_spine"
leaves = 2
spines = 4
hosts = 4
access = { rate = "10Gbps", delay = "30us" }
uplink = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
count = 4
from = "host[0..4]"
to = "host[4..8]"
traffic = { kind = "poisson", rate = "9Gbps", size = "1000B" }
"#;

/// The packets that wait at some ports, counted from what their lines take.
struct Watched {
    ports: Vec<LinkId>,
    per_packet: Span,
    /// The starts of transmissions of packets with 1000 bytes, for each port.
    starts: BTreeMap<LinkId, Vec<Time>>,
    choices: u32,
    wrong: Vec<String>,
}

impl Watched {
    fn waiting(&self, port: LinkId, now: Time) -> usize {
        let starts = self.starts.get(&port).into_iter().flatten();
        starts.filter(|start| **start > now).count()
    }
}

impl Probe for Watched {
    fn accepted(&mut self, now: Time, taken: LinkId, _: &Packet, passage: Passage) {
        if !self.ports.contains(&taken) {
            return;
        }
        let all: Vec<usize> = (self.ports.iter())
            .map(|port| self.waiting(*port, now))
            .collect();
        let least = all.iter().min().copied().expect("ports");
        let here = self.waiting(taken, now);
        if here > least {
            self.wrong.push(format!("{here} of {all:?} at {now}"));
        }
        self.choices += 1;
        let start = passage.departure - self.per_packet;
        self.starts.entry(taken).or_default().push(start);
    }
}

#[test]
fn a_switch_that_draws_all_links_takes_the_least_loaded() {
    let checked = load("leaves.toml", LEAVES, &[], &()).expect("it is sound");
    let mut model = checked.expand(1, 0);
    for flow in &mut model.flows {
        // One in 10^8 packets has a link of the four that is not among as many draws.
        flow.path = PathRule::LeastLoaded(64);
    }
    let ports = (0..4).map(|i| link(&model, &format!("uplink[{i}]")));
    let watched = Watched {
        ports: ports.collect(),
        per_packet: Span::from_ns(800),
        starts: BTreeMap::new(),
        choices: 0,
        wrong: Vec::new(),
    };
    let mut world = World::watched(model, watched).expect("a sound model");
    world.run();
    let found = world.probe();
    assert!(found.choices > 15_000, "{}", found.choices);
    assert_eq!(found.wrong, Vec::<String>::new());
}

/// The mean bytes that wait at all uplinks.
fn waiting(text: &str) -> f64 {
    let world = ran(text);
    let rows = world.link_rows().into_iter();
    let up = rows.filter(|row| row.link.starts_with("uplink[") && row.from == "leaf[0]");
    up.map(|row| row.queue_mean_bytes).sum()
}

/// DRILL's claim: two choices and a memory at the switch, whose hosts are far from it, leave little
/// waiting that random paths leave.
#[test]
fn two_choices_and_a_memory_leave_less_waiting_than_random_paths() {
    let least = waiting(LEAVES);
    let random = waiting(&LEAVES.replace("\"least\"", "\"packet\", spray = \"random\""));
    assert!(least < 0.5 * random, "{least} for {random}");
}

#[test]
fn forks_of_two_tiers_lead_over_all_cores_and_back() {
    let text = r#"
run = { duration = "2ms", multipath = "least" }
accept = [{ warning = "reordering", because = "a test" }]
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host"
to = "host"
pair = "permutation"
traffic = { kind = "tcp", profile = "linux" }
"#;
    let world = ran(text);
    for i in 0..16 {
        let name = format!("core_up[{i}]");
        let sent = world.link(link(world.model(), &name)).left.packets;
        assert!(sent > 300, "{sent} over {name}");
    }
    let rows = world.flow_rows();
    assert!(rows.iter().all(|row| row.delivered_pkts > 300), "{rows:?}");
    let again = ran(text);
    assert_eq!(again.fingerprint(), world.fingerprint());
}

/// Lossless switches count packets at their inputs, which they know by the link before a fork.
#[test]
fn lossless_switches_know_the_inputs_of_packets_behind_forks() {
    let text = r#"
run = { duration = "1ms", multipath = "least" }
[topology]
shape = "leaf_spine"
leaves = 2
spines = 2
hosts = 4
access = { rate = "25Gbps", delay = "1us" }
uplink = { rate = "25Gbps", delay = "1us" }
[[switch]]
nodes = ["leaf", "spine"]
memory = "300KB"
pfc = {}
[[flow]]
name = "f"
count = 4
from = "host[0..4]"
to = "host[4]"
traffic = { kind = "rdma", control = { kind = "line" }, transfer = "1MB" }
"#;
    let world = ran(text);
    let rows = world.link_rows();
    assert!(rows.iter().all(|row| row.dropped_pkts == 0), "{rows:?}");
    let of_hosts = rows.iter().filter(|row| row.link.starts_with("access["));
    let pauses: u64 = of_hosts.filter_map(|row| row.pauses).sum();
    assert!(pauses > 0, "the senders are paused, not the spines alone");
}

/// The column is the place among all paths, whose links packets then cross.
#[test]
fn the_path_of_a_flow_is_a_column() {
    let text = r#"
run = { duration = "1ms", multipath = "flow" }
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host"
to = "host"
pair = "permutation"
traffic = { kind = "cbr", rate = "1Gbps", size = "1000B" }
"#;
    let world = ran(text);
    let model = world.model();
    let mut paths = model.paths();
    let mut crossing: BTreeMap<LinkId, u64> = BTreeMap::new();
    for (row, flow) in world.flow_rows().iter().zip(&model.flows) {
        let all = paths.all(flow, Leg::There);
        assert_eq!(row.paths, Some(all.len() as u32));
        let place = row.path.expect("a path of its own") as usize;
        for link in &all[place] {
            *crossing.entry(*link).or_default() += 1;
        }
    }
    for (place, row) in world.link_rows().iter().enumerate() {
        let flows = crossing.get(&LinkId::from_index(place)).copied();
        let packets = 125.0 * flows.unwrap_or_default() as f64;
        let left = row.left_pkts as f64;
        assert!(
            (left - packets).abs() <= 0.05 * packets,
            "{}: {left}",
            row.link
        );
    }
}

/// Each transfer's connection is hashed by itself, and the column has its path: its packets are those
/// of the links that only this path has.
#[test]
fn the_path_of_a_transfer_is_a_column() {
    let text = r#"
run = { duration = "20ms", multipath = "flow" }
[topology]
shape = "fat_tree"
k = 4
access = { rate = "10Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host[0]"
to = "host[15]"
traffic = { kind = "tcp", profile = "rfc", syn = false, delayed_ack = false, payload = "1000B", transfers = { size = "10KB", connection = "new", arrivals = { kind = "poisson", every = "100us" } } }
"#;
    let mut world = ran(text);
    let flow = world.model().flows[0].clone();
    let all = world.model().paths().all(&flow, Leg::There);
    assert_eq!(all.len(), 4);
    let open = world.unfinished_transfers().len() as u64;
    let mut counts = vec![0_u64; all.len()];
    for row in world.take_transfers() {
        counts[row.path.expect("a path of its own") as usize] += 1;
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    let links = world.link_rows();
    let cores = all.iter().map(|path| links[path[2].index()].left_pkts);
    for (left, count) in cores.zip(counts) {
        // Transfers that have not ended have sent a part of their ten packets.
        let range = 10 * count..=10 * (count + open);
        assert!(range.contains(&left), "{left} packets of {count} transfers");
    }
}
