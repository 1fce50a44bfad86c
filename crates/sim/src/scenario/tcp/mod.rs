//! TCP traffic: read from its keys, checked, written back.

pub(super) mod check;
pub(super) mod read;
pub(super) mod write;
