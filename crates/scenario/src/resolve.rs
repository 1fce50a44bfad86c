//! Resolution of names, once, while a scenario is checked: a [`Survey`] holds the resolvable ones,
//! a [`Plan`] all of them.

mod core_map;
mod directory;
mod drafts;
mod edges;
mod events;
mod network;
mod pairs;
mod plan;
mod racks;
mod shapes;
mod survey;

pub(crate) use directory::Directory;
pub(crate) use edges::Edges;
pub(crate) use events::Events;
pub(crate) use network::{Network, Wires};
pub(crate) use pairs::{Across, Pairs};
pub(crate) use plan::Plan;
pub(crate) use racks::Racks;
pub(crate) use survey::Survey;
