//! Results looked at afterwards: compared with others, and verified against what was written.

pub mod compare;
pub mod verified;
pub mod verify;
