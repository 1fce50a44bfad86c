//! Static routes: which links lead from one node to another.
//!
//! Every link has a cost, and the cheapest path wins. The metric is the caller's
//! column of costs: 1 for hops, picoseconds for delay, metres for length.
//!
//! **Ties.** Among paths of equal cost the one with fewer links is taken; among
//! those, the one whose sequence of link ids comes first in dictionary order.
//! So a route is a function of the graph alone: of the links with their ids, but
//! not of how nodes are numbered, what else was asked, or in which order.
//!
//! A rest of a route is itself a route: where `path(a, c)` passes `b`, it goes on
//! as `path(b, c)`. Forwarding by destination therefore takes the same path.
//!
//! [`Routes`] answers for many pairs; [`shortest_paths`] is the search below it,
//! on a [`Graph`].

mod graph;
mod joined;
mod routes;
mod tree;

pub use graph::{Edge, Graph, UnknownNode};
pub use joined::Joined;
pub use routes::Routes;
pub use tree::{Tree, shortest_paths};
