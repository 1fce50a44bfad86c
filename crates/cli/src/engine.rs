//! Engines that start shards on many machines: how their programs are called, and how that fails.

pub(crate) mod kubernetes;
pub(crate) mod slurm;

use std::fmt::Display;

use pacesim_lab::study::campaign::{Queue, Submission, SubmissionError};
use pacesim_lab::study::{StoreError, SweepError};

use crate::args::SweepArgs;
use crate::exit::Outcome;
use slurm::Slurm;

/// Why an engine has not got a study, or nothing is known of it.
pub(crate) enum EngineError {
    /// The study cannot be swept.
    Sweep(SweepError),
    /// What is wrong beside it, and how the program ends.
    Said { outcome: Outcome, text: String },
}

impl EngineError {
    /// Something that another command line or another machine would mend.
    pub(crate) fn invalid(text: impl Display) -> EngineError {
        let (outcome, text) = (Outcome::Invalid, text.to_string());
        EngineError::Said { outcome, text }
    }

    /// Something that went wrong on the way.
    pub(crate) fn failed(text: impl Display) -> EngineError {
        let (outcome, text) = (Outcome::Failed, text.to_string());
        EngineError::Said { outcome, text }
    }
}

impl From<SweepError> for EngineError {
    fn from(error: SweepError) -> EngineError {
        EngineError::Sweep(error)
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> EngineError {
        EngineError::Sweep(error.into())
    }
}

impl From<SubmissionError> for EngineError {
    fn from(error: SubmissionError) -> EngineError {
        match error.is_usage() {
            true => EngineError::invalid(error),
            false => EngineError::failed(error),
        }
    }
}

/// What the engine of a submission has in its queue; `None` if it cannot be asked from here.
pub(crate) fn queue(submission: &Submission) -> Result<Option<Queue>, EngineError> {
    match submission.engine == slurm::NAME && slurm::can_be_asked() {
        true => Slurm::to_ask().queue(&submission.jobs).map(Some),
        false => Ok(None),
    }
}

/// The options that the runs of a sweep depend on, as an engine repeats them.
pub(crate) fn options(args: &SweepArgs) -> Vec<String> {
    let mut options = Vec::new();
    let mut give = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            options.extend([name.to_owned(), value]);
        }
    };
    for set in &args.scenario.sets {
        give("--set", Some(set.clone()));
    }
    give("--seed", args.seed.map(|seed| seed.to_string()));
    give("--replications", args.replications.map(|n| n.to_string()));
    give("--precision", args.precision.map(|share| share.to_string()));
    give(
        "--scale",
        (args.scale != 1.0).then(|| args.scale.to_string()),
    );
    options
}
