//! `pacesim sweep --on ENGINE` and `--status`: all shards of a study run by an engine.

use std::path::{Path, PathBuf};

use pacesim_lab::study::campaign::{Queue, Status, Submission, shards_folder};
use pacesim_lab::study::engine::error::EngineError;
use pacesim_lab::study::engine::runner::OnPath;
use pacesim_lab::study::engine::{EngineCommand, slurm};
use pacesim_lab::study::{Identity, StoreError, Sweep, campaign as study};

use crate::args::{Engine, SweepArgs};
use crate::engine::kubernetes;
use crate::invocation::program;
use crate::monitor::TerminalMonitor;
use crate::{campaign, engine};

/// Submits shards that are neither done nor queued, or prints the submission.
pub(super) fn submit(
    args: &SweepArgs,
    engine: Engine,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Result<String, EngineError> {
    if args.scenario.file == Path::new("-") {
        return Err(EngineError::invalid(
            "an engine reads the study's file when it starts a shard: give a file instead of -",
        ));
    }
    match engine {
        Engine::Slurm => to_slurm(args, sweep, watch),
        Engine::Kubernetes => kubernetes::manifest(args, sweep, watch),
    }
}

fn to_slurm(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Result<String, EngineError> {
    let slurm = slurm::Slurm::find(&OnPath, &args.campaign.engine_options, args.campaign.print)?;
    let folder = absolute(&shards_folder(sweep.out))?;
    let shards = args.campaign.shards.map(u64::from);
    let name = slurm::NAME;
    let mut submission = Submission::again_or_first(&folder, name, sweep, shards)?;
    study::check_campaign(sweep, submission.shards, watch)?;
    let command = command(args, sweep, &submission, folder)?;
    if args.campaign.print {
        return Ok(slurm.scripts(&command));
    }
    let queue = slurm.queue(&submission.jobs)?;
    let status = status(&command, &queue)?;
    let submitted = slurm.submit(&command, &mut submission, &status, &queue)?;
    watch.clear();
    Ok(if args.json {
        campaign::submitted_json(&submission, &submitted)
    } else {
        campaign::submitted(&command, &status, &submitted)
    })
}

/// Reports the progress of the shards.
pub(super) fn look(args: &SweepArgs, sweep: &Sweep<'_>) -> Result<String, EngineError> {
    let folder = absolute(&shards_folder(sweep.out))?;
    let submission = Submission::read(&folder)?;
    let (shards, queue) = match &submission {
        Some(submission) => {
            submission.refuse_changes(&folder, sweep)?;
            (Some(submission.shards), engine::queue(submission)?)
        }
        None => (number_of(args, &folder), Some(Queue::default())),
    };
    let Some(shards) = shards else {
        return Err(EngineError::invalid(format!(
            "nothing of this study was submitted: there is no {}; --on slurm --shards N submits it, or sweep \
             its shards one by one with --shard I/N",
            folder.display()
        )));
    };
    let plan = Identity::of(sweep).digest().to_string();
    let is_known = queue.is_some();
    let queue = queue.unwrap_or_default();
    let status = study::status(&folder, sweep.out, shards, &plan, &queue)?;
    Ok(if args.json {
        status.to_json()
    } else {
        campaign::status(&sweep.study.name, &status, is_known)
    })
}

/// The number of shards, if they were swept without an engine known to pacesim.
fn number_of(args: &SweepArgs, folder: &Path) -> Option<u64> {
    let asked = args.campaign.shards.map(u64::from);
    asked.or_else(|| study::number_of_shards(folder))
}

fn status(command: &EngineCommand, queue: &Queue) -> Result<Status, StoreError> {
    let EngineCommand {
        folder, out, plan, ..
    } = command;
    study::status(folder, out, command.shards, plan, queue)
}

/// The command for an engine to repeat, with absolute paths.
fn command(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    submission: &Submission,
    folder: PathBuf,
) -> Result<EngineCommand, EngineError> {
    let program = program().map_err(|error| EngineError::failed(format!("pacesim: {error}")))?;
    Ok(EngineCommand {
        study: sweep.study.name.clone(),
        program,
        file: absolute(&args.scenario.file)?,
        options: engine::options(args),
        plan: submission.plan.digest().to_string(),
        shards: submission.shards,
        jobs: args.work.jobs.map(usize::from),
        folder,
        out: absolute(sweep.out)?,
    })
}

fn absolute(path: &Path) -> Result<PathBuf, EngineError> {
    std::path::absolute(path)
        .map_err(|error| EngineError::failed(format!("{}: {error}", path.display())))
}
