//! An estimate of a run's memory before it begins.

use std::collections::BTreeMap;

use pacesim::model::{Flow, Leg, Model};
use pacesim::units::NodeId;

/// Memory of the program with its tables, without a network.
const PROGRAM: u64 = 11_000_000;
const NODE: u64 = 250;
const LINK: u64 = 700;
/// Memory of an open-loop flow.
const SOURCE: u64 = 1_200;
/// Memory of a TCP flow with both of its ends.
const CONNECTION: u64 = 2_200;
/// Memory of a link on one of the paths among which packets or transfers choose.
const LINK_OF_PATH: u64 = 5;
/// Memory of such a path besides, and of a flow that has several, each way.
const PATH: u64 = 8;
const CHOICE: u64 = 300;

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

/// The memory of the paths among which packets or transfers choose: all between each two nodes.
fn paths_bytes(model: &Model) -> u64 {
    let choosing = model.flows.iter().filter(|flow| flow.takes_several());
    let mut paths = model.paths();
    let mut between: BTreeMap<(NodeId, NodeId), u64> = BTreeMap::new();
    let mut flows = 0;
    for (flow, leg) in choosing.flat_map(|flow: &Flow| Leg::BOTH.map(|leg| (flow, leg))) {
        flows += 1;
        between.entry(leg.ends(flow)).or_insert_with(|| {
            let links = match leg {
                Leg::There => paths.there(flow),
                Leg::Back => paths.back(flow),
            };
            let links = links.map_or(0, |links| links.len() as u64);
            u64::from(paths.count(flow, leg)) * (links * LINK_OF_PATH + PATH)
        });
    }
    flows * CHOICE + between.values().sum::<u64>()
}
