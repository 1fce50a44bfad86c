//! Claims, such as papers make: what was expected, what came out, and the verdict; and the folder that keeps the
//! findings of an experiment.

pub mod claims;
pub mod findings;
