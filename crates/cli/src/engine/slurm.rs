//! Slurm: `sbatch` and `squeue`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use pacesim_lab::study::campaign::{Job, Queue, ShardState, Status, Submission};
pub(crate) use pacesim_lab::study::engine::slurm::NAME;
use pacesim_lab::study::engine::{EngineCommand, slurm};
use pacesim_lab::write_complete;

use super::EngineError;
use crate::args::CampaignArgs;

/// Slurm's programs, and the user's options for one of them.
pub(crate) struct Slurm<'a> {
    options: &'a [String],
}

/// What was submitted now.
#[derive(Debug, Default)]
pub(crate) struct Submitted {
    /// The shards.
    pub(crate) shards: Vec<u64>,
    /// The job of their array.
    pub(crate) array: Option<String>,
    /// The job of the merge.
    pub(crate) merge: Option<String>,
}

/// Whether there is a queue to be asked for.
pub(crate) fn can_be_asked() -> bool {
    is_on_path("squeue")
}

fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl<'a> Slurm<'a> {
    /// Slurm on this machine, before anything is written. Only to print, its programs need not
    /// be here.
    pub(crate) fn find(
        args: &'a CampaignArgs,
        only_prints: bool,
    ) -> Result<Slurm<'a>, EngineError> {
        let options = &args.engine_options;
        if let Some(taken) = slurm::taken(options) {
            return Err(EngineError::invalid(format!(
                "pacesim gives the option {taken} of sbatch itself: leave it out (--shards N says how many \
                 shards there are)"
            )));
        }
        for program in ["sbatch", "squeue"] {
            if !only_prints && !is_on_path(program) {
                return Err(EngineError::invalid(format!(
                    "there is no {program} on the path: submit where Slurm's programs are, such as on a \
                     cluster's login node, or start the shards in another way, each with \
                     `pacesim sweep FILE --shard I/N` (docs/clusters.md)"
                )));
            }
        }
        Ok(Slurm { options })
    }

    /// To ask for the queue only.
    pub(crate) fn to_ask() -> Slurm<'static> {
        Slurm { options: &[] }
    }

    /// The scripts, for people.
    pub(crate) fn scripts(&self, command: &EngineCommand) -> String {
        let all: Vec<u64> = (1..=command.shards).collect();
        let line = |arguments: Vec<String>| {
            let arguments = slurm::with_options(arguments, self.options);
            format!("# sbatch {}\n", arguments.join(" "))
        };
        let (shard, merge) = scripts_in(&command.folder);
        let behind = ["JOB".to_owned()];
        [
            line(slurm::shard_arguments(command, &all, &shard)),
            slurm::shard_script(command),
            "\n".to_owned(),
            line(slurm::merge_arguments(command, &behind, &merge)),
            slurm::merge_script(command),
        ]
        .concat()
    }

    /// What is in the queue of these jobs.
    pub(crate) fn queue(&self, jobs: &[Job]) -> Result<Queue, EngineError> {
        match jobs.is_empty() {
            true => Ok(Queue::default()),
            false => Ok(slurm::queue(&run("squeue", &slurm::SQUEUE)?, jobs)),
        }
    }

    /// Submits the shards that nobody makes and that are not done, and the merge behind all that
    /// is in the queue. Every job is kept in the record as soon as there is one.
    pub(crate) fn submit(
        &self,
        command: &EngineCommand,
        submission: &mut Submission,
        status: &Status,
        queue: &Queue,
    ) -> Result<Submitted, EngineError> {
        let shards = status.to_submit();
        let is_merged = !matches!(status.merge, ShardState::Failed | ShardState::Missing);
        if shards.is_empty() && is_merged {
            return Ok(Submitted::default());
        }
        let folder = &command.folder;
        let (shard_script, merge_script) = scripts_in(folder);
        let logs = folder.join("logs");
        fs::create_dir_all(&logs).map_err(|error| of_file(&logs, &error))?;
        write(&shard_script, &slurm::shard_script(command))?;
        write(&merge_script, &slurm::merge_script(command))?;
        submission.keep(folder)?;
        let mut behind = queue.jobs.clone();
        let mut submitted = Submitted::default();
        if !shards.is_empty() {
            let id = self.sbatch(slurm::shard_arguments(command, &shards, &shard_script))?;
            keep(submission, folder, &id, &shards)?;
            behind.push(id.clone());
            (submitted.array, submitted.shards) = (Some(id), shards);
        }
        let id = self.sbatch(slurm::merge_arguments(command, &behind, &merge_script))?;
        keep(submission, folder, &id, &[])?;
        submitted.merge = Some(id);
        Ok(submitted)
    }

    /// Submits a script, and gives the number of its job.
    fn sbatch(&self, arguments: Vec<String>) -> Result<String, EngineError> {
        let arguments = slurm::with_options(arguments, self.options);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = run("sbatch", &arguments)?;
        let not_a_job = || {
            format!(
                "sbatch printed \"{}\", which is no number of a job",
                printed.trim()
            )
        };
        slurm::job_id(&printed).ok_or_else(|| EngineError::failed(not_a_job()))
    }
}

fn scripts_in(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("shard.sh"), folder.join("merge.sh"))
}

fn write(path: &Path, text: &str) -> Result<(), EngineError> {
    write_complete(path, text.as_bytes()).map_err(|error| of_file(path, &error))
}

fn of_file(path: &Path, error: &io::Error) -> EngineError {
    EngineError::failed(format!("{}: {error}", path.display()))
}

fn keep(
    submission: &mut Submission,
    folder: &Path,
    id: &str,
    shards: &[u64],
) -> Result<(), EngineError> {
    submission.jobs.push(Job {
        id: id.to_owned(),
        shards: shards.to_vec(),
    });
    Ok(submission.keep(folder)?)
}

/// What a program of Slurm prints.
fn run(program: &'static str, arguments: &[&str]) -> Result<String, EngineError> {
    let ran = Command::new(program).args(arguments).output();
    let failed = |error: &str| EngineError::failed(format!("{program} failed: {}", error.trim()));
    let ran = ran.map_err(|error| failed(&error.to_string()))?;
    match ran.status.success() {
        true => Ok(String::from_utf8_lossy(&ran.stdout).into_owned()),
        false => Err(failed(&String::from_utf8_lossy(&ran.stderr))),
    }
}
