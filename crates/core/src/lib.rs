//! The engine of pacesim: packets, links, routes, the order of events, and the randomness that a
//! model may use.
//!
//! * [`engine`]: the order of events.
//! * [`memory`]: large arrays in huge pages.
//! * [`net`]: packets, links with their queues, and the network that forwards.
//! * [`random`]: named, independent streams of random numbers and portable
//!   samplers over them.
//! * [`routing`]: shortest paths on a graph of nodes and unidirectional links, with a
//!   stated rule for ties.
//!
//! The crate knows no TCP, no pacer and no scenario file, and reads neither the clock nor the
//! entropy of the machine: everything is a function of its arguments.
//!
//! ```
//! use pacesim_core::random::samplers::Exponential;
//! use pacesim_core::random::{Distribution, Streams};
//! use pacesim_core::routing::{Edge, Routes};
//! use pacesim_units::{LinkId, NodeId};
//!
//! let mut stream = Streams { seed: 1, replication: 0 }.stream("source/7", "gap");
//! let gap: f64 = Exponential::with_mean(2.5)?.sample(&mut stream);
//! assert!(gap >= 0.0);
//!
//! let link = |from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1 };
//! let mut routes = Routes::new(3, &[link(0, 1), link(1, 2)])?;
//! assert_eq!(routes.path(NodeId(0), NodeId(2)), Some(vec![LinkId(0), LinkId(1)]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod engine;
pub mod memory;
pub mod net;
pub mod random;
pub mod routing;
