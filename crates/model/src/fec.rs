//! Packets protected between two edges of a network.

use pacesim_fec::{Config, Order};
use pacesim_units::{FlowId, NodeId};

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
    /// The links of the core between them, on their way: what results are grouped by.
    pub hops: u32,
    /// The flows whose packets to their sinks are protected.
    pub data: Vec<FlowId>,
    /// The flows whose acknowledgements are.
    pub acks: Vec<FlowId>,
    /// Blocks and repair packets.
    pub config: Config,
    /// In which order packets leave the decoder.
    pub order: Order,
}
