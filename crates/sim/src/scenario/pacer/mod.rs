//! Pacers of ports: read from their keys, checked, written back.

pub(super) mod check;
pub(super) mod read;
mod spec;
pub(super) mod write;

pub use spec::{PacerKind, PacerSpec};
