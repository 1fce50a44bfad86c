//! Packets protected between two edges of a network.

use pacesim_fec::{Adaptation, Config, Order};
use pacesim_units::{FlowId, LinkId, NodeId};

/// The packets that go from one edge to another, protected by repair packets: an encoder stands
/// at one and a decoder at the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Protection {
    /// The name in results: "ingress\[0\]>egress\[3\]".
    pub name: String,
    /// The group of pairs that it belongs to.
    pub group: String,
    /// Where the encoder stands.
    pub encoder: NodeId,
    /// Where the decoder stands.
    pub decoder: NodeId,
    /// The links of the core between them, on their way: results are grouped by their number.
    pub core: Vec<LinkId>,
    /// The flows whose packets to their sinks are protected.
    pub data: Vec<FlowId>,
    /// The flows whose acknowledgements are.
    pub acks: Vec<FlowId>,
    /// Blocks and repair packets.
    pub config: Config,
    /// In which order packets leave the decoder.
    pub order: Order,
    /// How the size of blocks follows the loss, which the decoder reports over the way back; it
    /// stays as it is without.
    pub adaptation: Option<Adaptation>,
    /// What the block size in `config` is to follow from, and does not yet: `pacesim-lab` computes
    /// it before it builds a world.
    pub unsolved: Option<SizeModel>,
}

impl Protection {
    /// How many links of the core are on the way.
    pub fn hops(&self) -> u32 {
        self.core.len() as u32
    }
}

/// Block sizes that follow from the loads of links (zerobuf eq. 16 to 25).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeModel {
    /// How they are found.
    pub method: SizeMethod,
    /// The mean load of the core's links without repair packets, all flows alike; by the rates
    /// of the flows without it.
    pub load: Option<f64>,
}

/// How block sizes are found for loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeMethod {
    /// One for each number of links, all links alike (eq. 21 to 25).
    Heuristic,
    /// One for each pair, such that the largest loss is the least that is possible (eq. 20).
    Exact,
}
