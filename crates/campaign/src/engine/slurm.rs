//! Slurm: a study as a job array, and the merge as a job behind it.

mod programs;
mod texts;

pub use programs::{Slurm, Submitted, can_be_asked};

/// The name on command lines.
pub const NAME: &str = "slurm";
