//! Deterministic packet-level network simulation.

pub mod model;
pub mod scenario;
