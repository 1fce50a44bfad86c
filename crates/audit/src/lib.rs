//! Audit of results: comparison with others, and verification against their digests.

pub mod compare;
pub mod verified;
pub mod verify;
