//! Queue disciplines of a model, and their construction for a port.
//!
//! A custom discipline is added with [`OwnQueue::new`]: set
//! [`LinkExtras::queue`](crate::LinkExtras::queue).

use std::fmt;
use std::sync::Arc;

use pacesim_queues::{self as queues, AnyQueue, BuiltIn, Ecn, Queue, Site};

use crate::Counts;
pub use crate::port::Port;

/// A user's discipline: its name, and its constructor for a port.
#[derive(Clone)]
pub struct OwnQueue {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn Queue> + Send + Sync>,
}

impl OwnQueue {
    /// A discipline of this name, constructed for each port and replication.
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

/// Disciplines are equal only if they are copies of the same one.
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

/// The discipline of a port from the list of those built in.
macro_rules! port_queue {
    (
        plain { $( $(#[$of_plain:meta])+ $plain:ident, )+ }
        with parameters { $( $(#[$of_other:meta])+ $other:ident, )+ }
    ) => {
        /// The rule for a port's next packet, and for drops. The number of waiting packets is limited by
        /// the link's [`Buffer`](crate::Buffer).
        #[derive(Clone, Debug, PartialEq)]
        pub enum PortQueue {
            $( $(#[$of_plain])+ $plain, )+
            $( $(#[$of_other])+ $other(<queues::$other as BuiltIn>::Config), )+
            /// A user's own queue discipline.
            Own(OwnQueue),
        }

        impl PortQueue {
            /// Name of the discipline in scenarios and results.
            pub fn name(&self) -> &str {
                match self {
                    $( PortQueue::$plain => queues::$plain::NAME, )+
                    $( PortQueue::$other(_) => queues::$other::NAME, )+
                    PortQueue::Own(own) => &own.name,
                }
            }

            /// True if it marks packets that may be marked.
            pub fn marks(&self) -> bool {
                match self {
                    $( PortQueue::$plain => queues::$plain::marks(&()), )+
                    $( PortQueue::$other(config) => queues::$other::marks(config), )+
                    PortQueue::Own(_) => false,
                }
            }

            /// The class, of at most four, in which it keeps a packet of this class and field, if
            /// it keeps classes apart: for classes of flows, the last includes all above; for fq
            /// its bands; for DualPI2 0 for the classic queue and 1 for the L4S queue.
            pub fn class_of(&self, class: u16, ecn: Ecn) -> Option<usize> {
                match self {
                    $( PortQueue::$plain => queues::$plain::class_of(&(), class, ecn), )+
                    $( PortQueue::$other(config) => queues::$other::class_of(config, class, ecn), )+
                    PortQueue::Own(_) => None,
                }
            }

            /// Builds the queue for this port, limited by the port's buffer.
            pub fn build(&self, port: Port) -> AnyQueue {
                match self {
                    $( PortQueue::$plain => queues::$plain::at(site(port), &()).into(), )+
                    $( PortQueue::$other(config) => queues::$other::at(site(port), config).into(), )+
                    PortQueue::Own(own) => (own.make)(port).into(),
                }
            }
        }
    };
}

queues::built_in!(port_queue);

/// A port as disciplines see it.
fn site(port: Port) -> Site {
    Site {
        capacity: port.buffer.capacity,
        counts_sending: port.buffer.counts == Counts::System,
        rate: port.rate,
        chance: port.stream.into(),
    }
}
