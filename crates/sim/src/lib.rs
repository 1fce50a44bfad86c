//! Deterministic packet-level network simulation.

pub mod model;
pub mod source;
mod world;

pub use world::{BuildError, FlowTally, World};
