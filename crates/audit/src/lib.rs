//! Results looked at afterwards: compared with others, verified against what was written, and kept as the findings
//! of an experiment.

pub mod compare;
pub mod findings;
pub mod verified;
pub mod verify;
