//! Static routes: the links from one node to another.
//!
//! Every link has a cost, and the cheapest path wins. The metric is the caller's
//! column of costs: 1 for hops, picoseconds for delay, metres for length.
//!
//! **Ties.** Among paths of equal cost the one with fewer links is taken; among those, the one
//! whose sequence of link ids comes first in lexicographic order. A route is therefore a function
//! of the links and their ids alone, independent of the numbering of nodes and of other queries and
//! their order. [`Routes::path_by`] leaves the choice among paths of the same cost and number of
//! links to its caller.
//!
//! A suffix of a route is itself a route: where `path(a, c)` passes `b`, it continues as `path(b,
//! c)`. Forwarding by destination therefore takes the same path.
//!
//! [`Routes`] answers for many pairs; [`shortest_paths`] is the search below it,
//! on a [`Graph`].

mod counts;
mod crossed;
mod graph;
mod joined;
mod routes;
mod stems;
mod tree;

pub use crossed::Crossed;
pub use graph::{Edge, Graph, UnknownNode};
pub use joined::Joined;
pub use routes::Routes;
pub use stems::Stems;
pub use tree::{Tree, shortest_paths};
