//! Deterministic packet-level network simulation, to embed.
//!
//! A [`Model`](model::Model) describes a network and its traffic; a [`World`] runs it:
//! to the end ([`World::run`]), until a time ([`World::run_until`]) or step by step
//! ([`World::step`]). Then its counters are read ([`World::link_rows`],
//! [`World::flow_rows`]). A [`Probe`](net::Probe) sees every packet on the way. Nothing
//! is global: two worlds run side by side, on any threads.
//!
//! It knows no file format, no clock and no terminal.

mod compose;
pub mod model;
pub mod scenario;
pub mod source;
mod world;

pub use pacesim_core::net;
pub use pacesim_measure as measure;
pub use pacesim_tcp as tcp;
pub use pacesim_units as units;
pub use world::{BuildError, FlowTally, World};
