//! `sbatch` and `squeue`: submits the shards of a study, and queries the queue.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_tables::partial::write_complete;

use super::texts;
use crate::campaign::{Job, Queue, ShardState, Status, Submission};
use crate::engine::EngineCommand;
use crate::engine::error::EngineError;
use crate::engine::runner::Runner;

/// Slurm's programs, and the user's options for `sbatch`.
pub struct Slurm<'a> {
    options: &'a [String],
    runner: &'a dyn Runner,
}

/// Jobs submitted now.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Submitted {
    /// The shards.
    pub shards: Vec<u64>,
    /// The job of their array.
    pub array: Option<String>,
    /// The job of the merge.
    pub merge: Option<String>,
}

/// True if a queue can be queried.
pub fn can_be_asked(runner: &dyn Runner) -> bool {
    runner.has("squeue")
}

impl<'a> Slurm<'a> {
    /// Slurm with these options for `sbatch`, checked before anything is written. If the scripts
    /// are only printed, its programs need not be installed.
    pub fn find(
        runner: &'a dyn Runner,
        options: &'a [String],
        only_prints: bool,
    ) -> Result<Slurm<'a>, EngineError> {
        if let Some(taken) = texts::taken(options) {
            return Err(EngineError::invalid(format!(
                "pacesim gives the option {taken} of sbatch itself: leave it out (--shards N says how many \
                 shards there are)"
            )));
        }
        for program in ["sbatch", "squeue"] {
            if !only_prints && !runner.has(program) {
                return Err(EngineError::invalid(format!(
                    "there is no {program} on the path: submit where Slurm's programs are, such as on a \
                     cluster's login node, or start the shards in another way, each with \
                     `pacesim sweep FILE --shard I/N` (docs/clusters.md)"
                )));
            }
        }
        Ok(Slurm { options, runner })
    }

    /// Slurm for queries only.
    pub fn to_ask(runner: &'a dyn Runner) -> Slurm<'a> {
        let options = &[];
        Slurm { options, runner }
    }

    /// The scripts, for display.
    pub fn scripts(&self, command: &EngineCommand) -> String {
        let all: Vec<u64> = (1..=command.shards).collect();
        let line = |arguments: Vec<String>| {
            let arguments = texts::with_options(arguments, self.options);
            format!("# sbatch {}\n", arguments.join(" "))
        };
        let (shard, merge) = scripts_in(&command.folder);
        let behind = ["JOB".to_owned()];
        [
            line(texts::shard_arguments(command, &all, &shard)),
            texts::shard_script(command),
            "\n".to_owned(),
            line(texts::merge_arguments(command, &behind, &merge)),
            texts::merge_script(command),
        ]
        .concat()
    }

    /// The parts of these jobs that are in the queue.
    pub fn queue(&self, jobs: &[Job]) -> Result<Queue, EngineError> {
        if jobs.is_empty() {
            Ok(Queue::default())
        } else {
            Ok(texts::queue(
                &self.runner.run("squeue", &texts::SQUEUE)?,
                jobs,
            ))
        }
    }

    /// Submits the shards that are neither done nor queued, and the merge after everything in the
    /// queue. Every job is recorded as soon as it exists.
    pub fn submit(
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
        write(&shard_script, &texts::shard_script(command))?;
        write(&merge_script, &texts::merge_script(command))?;
        submission.keep(folder)?;
        let mut behind = queue.jobs.clone();
        let mut submitted = Submitted::default();
        if !shards.is_empty() {
            let id = self.sbatch(texts::shard_arguments(command, &shards, &shard_script))?;
            keep(submission, folder, &id, &shards)?;
            behind.push(id.clone());
            (submitted.array, submitted.shards) = (Some(id), shards);
        }
        let id = self.sbatch(texts::merge_arguments(command, &behind, &merge_script))?;
        keep(submission, folder, &id, &[])?;
        submitted.merge = Some(id);
        Ok(submitted)
    }

    /// Submits a script, and returns the number of its job.
    fn sbatch(&self, arguments: Vec<String>) -> Result<String, EngineError> {
        let arguments = texts::with_options(arguments, self.options);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = self.runner.run("sbatch", &arguments)?;
        let not_a_job = || {
            format!(
                "sbatch printed \"{}\", which is not the number of a job",
                printed.trim()
            )
        };
        texts::job_id(&printed).ok_or_else(|| EngineError::failed(not_a_job()))
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
