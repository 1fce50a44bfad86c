//! Protection of packets between two edges of a network.

use pacesim_fec::{Adaptation, Config, Order};
use pacesim_units::{FlowId, LinkId, NodeId};

/// The protection of packets between two edges by repair packets: an encoder at one and a decoder
/// at the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Protection {
    /// Name of the pair in results: "ingress\[0\]>egress\[3\]".
    pub name: String,
    /// Name of the group of the pair.
    pub group: String,
    /// Node of the encoder.
    pub encoder: NodeId,
    /// Node of the decoder.
    pub decoder: NodeId,
    /// The links of the core on the path between them: results are grouped by their number.
    pub core: Vec<LinkId>,
    /// The flows whose packets to their sinks are protected.
    pub data: Vec<FlowId>,
    /// The flows whose acknowledgements are protected.
    pub acks: Vec<FlowId>,
    /// Configuration of blocks and repair packets.
    pub config: Config,
    /// Order in which packets leave the decoder.
    pub order: Order,
    /// Rule by which the size of blocks follows the loss, which the decoder reports over the
    /// reverse path; the size is fixed by default.
    pub adaptation: Option<Adaptation>,
    /// Basis of the block size in `config` if that is still to be computed: `pacesim-lab` does it
    /// before it builds a world.
    pub unsolved: Option<SizeModel>,
}

impl Protection {
    /// Number of core links on the path.
    pub fn hops(&self) -> u32 {
        self.core.len() as u32
    }
}

/// Block sizes that follow from the loads of links (zerobuf eq. 16 to 25).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeModel {
    /// Method of computing the block sizes.
    pub method: SizeMethod,
    /// Mean load of the core's links without repair packets, equal flows assumed; by default from
    /// the rates of the flows.
    pub load: Option<f64>,
}

/// A method of computing block sizes from loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeMethod {
    /// One size for each number of links, all links alike (eq. 21 to 25).
    Heuristic,
    /// One size for each pair, such that the largest loss is minimal (eq. 20).
    Exact,
}
