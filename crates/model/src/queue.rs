//! The queue disciplines of a model, and how one is made for a port.
//!
//! A discipline of your own goes in with [`OwnQueue::new`]: set [`LinkExtras::queue`](crate::LinkExtras::queue).

use std::fmt;
use std::sync::Arc;

use pacesim_queues::{AnyQueue, DropTail, Queue, StepMark, WholeBulks};
use pacesim_units::Capacity;

use crate::Counts;
pub use crate::port::Port;

/// Which packet of a port its line sends next, and which are dropped. How many may wait
/// is said by the link's [`Buffer`](crate::Buffer).
#[derive(Clone, Debug, PartialEq)]
pub enum PortQueue {
    /// First come, first served: what a port without a discipline does at less cost.
    DropTail,
    /// The same, but the packets of a bulk are taken all or none.
    WholeBulks,
    /// First come, first served, with marks for packets that find so much waiting.
    StepMark(Capacity),
    /// A queue discipline of your own.
    Own(OwnQueue),
}

/// A discipline written elsewhere: its name, and how to make one for a port.
#[derive(Clone)]
pub struct OwnQueue {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn Queue> + Send + Sync>,
}

impl OwnQueue {
    /// A discipline of this name, made anew for each port and replication.
    pub fn new<Q: Queue + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> Q + Send + Sync + 'static,
    ) -> OwnQueue {
        OwnQueue {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }
}

/// Equal are only copies of one and the same.
impl PartialEq for OwnQueue {
    fn eq(&self, other: &OwnQueue) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<OwnQueue> for PortQueue {
    fn from(queue: OwnQueue) -> PortQueue {
        PortQueue::Own(queue)
    }
}

impl PortQueue {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            PortQueue::DropTail => "drop_tail",
            PortQueue::WholeBulks => "whole_bulks",
            PortQueue::StepMark(_) => "step_mark",
            PortQueue::Own(own) => &own.name,
        }
    }

    /// The queue for this port.
    pub fn build(&self, port: Port) -> AnyQueue {
        let counts_sending = port.buffer.counts == Counts::System;
        match self {
            PortQueue::DropTail => DropTail::new(port.buffer.capacity, counts_sending).into(),
            PortQueue::WholeBulks => WholeBulks::new(port.buffer.capacity, counts_sending).into(),
            PortQueue::StepMark(threshold) => {
                StepMark::new(port.buffer.capacity, counts_sending, *threshold).into()
            }
            PortQueue::Own(own) => (own.make)(port).into(),
        }
    }
}
