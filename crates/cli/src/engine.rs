//! Engines that start shards on many machines, as requested on the command line.

pub(crate) mod kubernetes;

use pacesim_lab::study::campaign::{Queue, Submission};
use pacesim_lab::study::engine::error::EngineError;
use pacesim_lab::study::engine::runner::OnPath;
use pacesim_lab::study::engine::slurm::{self, Slurm};

use crate::args::SweepArgs;

/// The queue of a submission's engine; `None` if it cannot be queried from here.
pub(crate) fn queue(submission: &Submission) -> Result<Option<Queue>, EngineError> {
    if submission.engine == slurm::NAME && slurm::can_be_asked(&OnPath) {
        Slurm::to_ask(&OnPath).queue(&submission.jobs).map(Some)
    } else {
        Ok(None)
    }
}

/// The options that affect the runs of a sweep, for an engine to repeat.
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
    give("--seed", args.work.seed.map(|seed| seed.to_string()));
    give("--replications", args.replications.map(|n| n.to_string()));
    give("--precision", args.precision.map(|share| share.to_string()));
    give(
        "--scale",
        (args.work.scale != 1.0).then(|| args.work.scale.to_string()),
    );
    options
}
