//! Middleboxes of a model, which stand at a node on the routes of some flows, or behind a link's wire.

mod ack_aggregation;
mod ack_thinning;
mod jitter;

use std::fmt;
use std::sync::Arc;

use pacesim_core::net::Middlebox;
use pacesim_core::random::Stream;
use pacesim_units::{FlowId, NodeId};

use crate::Payload;

pub use ack_aggregation::{AckAggregation, AggregationClock, Aggregator};
pub use ack_thinning::{AckThinning, Thinner};
pub use jitter::{Jitter, JitterBox};

/// A middlebox at a node. It takes the packets of some flows that pass there.
#[derive(Clone, Debug)]
pub struct PlacedMiddlebox {
    /// Node at which the middlebox stands.
    pub node: NodeId,
    /// Flows whose packets the middlebox takes.
    pub flows: Vec<FlowId>,
    /// Direction of these packets.
    pub direction: Direction,
    /// The middlebox itself.
    pub part: OwnMiddlebox,
}

/// Direction of the packets that a middlebox takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// Only packets from source to sink.
    #[default]
    Forward,
    /// Only packets from sink to source: acknowledgements.
    Back,
    /// The packets of both directions.
    Both,
}

/// The place for which a middlebox is built.
#[derive(Clone, Debug)]
pub struct Site {
    /// The node's name; behind a wire that of the node to which the link leads.
    pub node: String,
    /// Stream of random numbers used nowhere else in the world.
    pub stream: Stream,
}

type Make = dyn Fn(Site) -> Box<dyn Middlebox<Payload = Payload> + Send> + Send + Sync;

/// A user's middlebox: its name, and its constructor.
#[derive(Clone)]
pub struct OwnMiddlebox {
    name: String,
    make: Arc<Make>,
}

impl OwnMiddlebox {
    /// A middlebox of this name, constructed for each replication.
    pub fn new<M: Middlebox<Payload = Payload> + Send + 'static>(
        name: impl Into<String>,
        make: impl Fn(Site) -> M + Send + Sync + 'static,
    ) -> OwnMiddlebox {
        OwnMiddlebox {
            name: name.into(),
            make: Arc::new(move |site| Box::new(make(site))),
        }
    }

    /// Name of the middlebox.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the middlebox for this site.
    pub fn build(&self, site: Site) -> Box<dyn Middlebox<Payload = Payload> + Send> {
        (self.make)(site)
    }
}

/// Middleboxes are equal only if they are copies of the same one.
impl PartialEq for OwnMiddlebox {
    fn eq(&self, other: &OwnMiddlebox) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnMiddlebox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
