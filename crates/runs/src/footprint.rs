//! An estimate of a run's memory before it begins.

use std::collections::BTreeMap;

use pacesim::model::{Flow, Leg, MOST_PATHS, Model, PathRule, Paths, Spray};
use pacesim::units::{LinkId, NodeId};

/// Memory of the program with its tables, without a network.
const PROGRAM: u64 = 11_000_000;
const NODE: u64 = 250;
const LINK: u64 = 700;
/// Memory of an open-loop flow.
const SOURCE: u64 = 1_200;
/// Memory of a TCP flow with both of its ends.
const CONNECTION: u64 = 2_200;
/// Memory of a number of a route, and of a route among which packets or transfers choose besides.
const NUMBER: u64 = 4;
const ROUTE: u64 = 4;
/// Memory of a flow that has several paths, each way, and of a path in its round.
const CHOICE: u64 = 180;
const PATH_OF_ROUND: u64 = 2;
/// Memory of a path that a user's own choice sees.
const SHOWN: u64 = 60;

/// Bytes per packet that waits or is on its way.
pub const PACKET_BYTES: u64 = 100;

/// The memory of a run of this model in bytes, without packets: measured constants, good to a
/// factor of two. Excludes recordings in memory.
pub fn footprint_bytes(model: &Model) -> u64 {
    let connections = (model.flows.iter()).filter(|flow| flow.traffic.is_closed_loop());
    let connections = connections.count() as u64;
    let sources = model.flows.len() as u64 - connections;
    PROGRAM
        + model.nodes.len() as u64 * NODE
        + model.links.len() as u64 * LINK
        + sources * SOURCE
        + connections * CONNECTION
        + paths_bytes(model)
}

/// The memory of the paths among which packets or transfers choose. Each has a route up to its last
/// choice, which serves all destinations to which as many paths lead from the same node; and behind it
/// a way, which serves all nodes from which as many paths lead to the same destination.
fn paths_bytes(model: &Model) -> u64 {
    let choosing = model.flows.iter().filter(|flow| flow.takes_several());
    let mut paths = model.paths();
    let mut alike: BTreeMap<(NodeId, Listed, u32), u64> = BTreeMap::new();
    let mut of_flows = 0;
    for (flow, leg) in choosing.flat_map(|flow: &Flow| Leg::BOTH.map(|leg| (flow, leg))) {
        let count = paths.count(flow, leg).min(MOST_PATHS as u32);
        let (from, to) = leg.ends(flow);
        let keys = [(from, Listed::Routes, count), (to, Listed::Ways, count)];
        if keys.iter().any(|key| !alike.contains_key(key)) {
            let bytes = bytes_of_parts(model, &mut paths, (flow, leg));
            alike.extend(keys.into_iter().zip(bytes));
        }
        of_flows += CHOICE + u64::from(count) * bytes_of_choice(flow);
    }
    of_flows + alike.values().sum::<u64>()
}

/// A part of all paths between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Listed {
    Routes,
    Ways,
}

/// The memory of the routes and the ways of one direction of a flow: their links, and two numbers more
/// each. Before switches there is a way for each link to a junction.
fn bytes_of_parts(model: &Model, paths: &mut Paths, (flow, leg): (&Flow, Leg)) -> [u64; 2] {
    let stems = paths.stems(flow, leg);
    let count = stems.iter().len() as u64;
    let on_routes: u64 = stems.iter().map(|stem| stem.len() as u64).sum();
    let links = paths.between(leg.ends(flow).0, leg.ends(flow).1);
    let on_ways = count * links.map_or(0, |links| links.len() as u64) - on_routes;
    let last = stems.iter().next().and_then(<[LinkId]>::last);
    let junction = last.map(|last| model.links[last.index()].to);
    let inputs = match model.switches.is_empty() {
        true => 1,
        false => model
            .links
            .iter()
            .filter(|link| Some(link.to) == junction)
            .count() as u64,
    };
    let routes = (on_routes + 2 * count) * NUMBER + count * ROUTE;
    [routes, (on_ways + 2 * count) * NUMBER * inputs]
}

/// The memory that a choice takes for each of its paths.
fn bytes_of_choice(flow: &Flow) -> u64 {
    match flow.path {
        PathRule::Sprayed(Spray::Permuted) => PATH_OF_ROUND,
        PathRule::Own => SHOWN,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use pacesim::units::Span;

    use super::*;

    const TREE: &str = r#"
run = { duration = "1ms" }
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

    /// The same number as that of the tables, which `pacesim` counts in a test.
    #[test]
    fn paths_take_memory_by_hosts_not_by_their_pairs() {
        let checked = pacesim::scenario::load("tree.toml", TREE, &[], &()).expect("it is sound");
        let mut model = checked.expand(1, 0);
        let flow = model.flows.remove(0);
        let first = flow.from.0;
        for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
            if from != to {
                let ends = [from, to].map(|host| NodeId(first + host));
                let id = model.add_flow(ends[0], ends[1], flow.traffic.clone());
                model.flow_mut(id).path = PathRule::Flowlets(Span::from_us(1));
            }
        }
        // Four paths to the pods, two within the own pod, one within the rack: routes and ways of
        // each host.
        let numbers = 4 * (3 + 2) + 2 * (2 + 2) + (1 + 2);
        let of_host = 2 * numbers * NUMBER + (4 + 2 + 1) * ROUTE;
        assert_eq!(paths_bytes(&model), 16 * of_host + 240 * 2 * CHOICE);
    }
}
