//! Slurm: a study as a job array, followed by a job for the merge.

mod programs;
mod texts;

pub use programs::{Slurm, Submitted, can_be_asked};

/// The name on command lines.
pub const NAME: &str = "slurm";
