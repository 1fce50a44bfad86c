//! The queue disciplines of a model, and how one is made for a port.
//!
//! ```
//! use pacesim::World;
//! use pacesim::model::{Buffer, Model, Queue, Sizes, Traffic};
//! use pacesim::units::{Bytes, Capacity, Rate, Span};
//!
//! let mut model = Model::new("a port with a discipline", Span::from_secs(1));
//! let (a, b) = (model.add_node("a"), model.add_node("b"));
//! let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
//! model.link_mut(port).buffer = Buffer::waiting(Capacity::Packets(8));
//! model.link_mut(port).queue = Some(Queue::DropTail);
//! let (rate, size) = (Rate::from_mbps(12), Sizes::Constant(Bytes(1000)));
//! model.add_flow(a, b, Traffic::Poisson { rate, size });
//!
//! let mut world = World::new(model)?;
//! world.run();
//! assert_eq!(world.link_rows()[0].queue_max_pkts, 8);
//! # Ok::<(), pacesim::BuildError>(())
//! ```
//!
//! A discipline of your own goes in with [`OwnQueue::new`].

use std::fmt;
use std::sync::Arc;

use pacesim_queues::{AnyQueue, DropTail};

use crate::model::Counts;
pub use crate::port::Port;

/// Which packet of a port its line sends next, and which are dropped. How many may wait
/// is said by the link's [`Buffer`](crate::model::Buffer).
#[derive(Clone, Debug)]
pub enum Queue {
    /// First come, first served: what a port without a discipline does at less cost.
    DropTail,
    /// Your own.
    Own(OwnQueue),
}

/// A discipline written elsewhere: its name, and how to make one for a port.
#[derive(Clone)]
pub struct OwnQueue {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn pacesim_queues::Queue> + Send + Sync>,
}

impl OwnQueue {
    /// A discipline of this name, made anew for each port and replication.
    pub fn new<Q: pacesim_queues::Queue + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> Q + Send + Sync + 'static,
    ) -> OwnQueue {
        OwnQueue {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }
}

impl fmt::Debug for OwnQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<OwnQueue> for Queue {
    fn from(queue: OwnQueue) -> Queue {
        Queue::Own(queue)
    }
}

impl Queue {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Queue::DropTail => "drop_tail",
            Queue::Own(own) => &own.name,
        }
    }

    /// One for this port.
    pub(crate) fn build(&self, port: Port) -> AnyQueue {
        match self {
            Queue::DropTail => {
                let counts_sending = port.buffer.counts == Counts::System;
                DropTail::new(port.buffer.capacity, counts_sending).into()
            }
            Queue::Own(own) => (own.make)(port).into(),
        }
    }
}
