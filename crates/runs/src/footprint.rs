//! An estimate of a run's memory before it begins.

use pacesim::model::{Model, Traffic};

/// Memory of the program with its tables, without a network.
const PROGRAM: u64 = 11_000_000;
const NODE: u64 = 250;
const LINK: u64 = 700;
/// Memory of an open-loop flow.
const SOURCE: u64 = 1_200;
/// Memory of a TCP flow with both of its ends.
const CONNECTION: u64 = 2_200;

/// Bytes per packet that waits or is on its way.
pub const PACKET_BYTES: u64 = 100;

/// The memory of a run of this model in bytes, without packets: measured constants, good to a
/// factor of two. Excludes recordings in memory.
pub fn footprint_bytes(model: &Model) -> u64 {
    let is_tcp = |traffic: &Traffic| matches!(traffic, Traffic::Tcp(_));
    let connections = model.flows.iter().filter(|flow| is_tcp(&flow.traffic));
    let connections = connections.count() as u64;
    let sources = model.flows.len() as u64 - connections;
    PROGRAM
        + model.nodes.len() as u64 * NODE
        + model.links.len() as u64 * LINK
        + sources * SOURCE
        + connections * CONNECTION
}
