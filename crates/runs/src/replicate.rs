//! Independent replications: means with confidence intervals instead of single numbers.

mod means;
mod row;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::error::RunError;
use crate::folder::{Contents, ResultsFolder};
use crate::input::Input;
use crate::manifest::SCHEMA_VERSION;
use crate::metrics::{Metric, metrics};
use crate::plan::Plan;
use crate::pool::in_parallel;
use crate::run::{Links, run_into};
use crate::run_monitor::RunMonitor;
use crate::summary::{Summary, to_json};
use crate::workers::{BatchMonitor, Workers};
use means::means;
pub use means::{CONFIDENCE, Mean};
pub use row::RunRow;

/// The results of several replications of one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replications {
    /// Title of the scenario, or the name of its file.
    pub scenario: String,
    /// The seed of all random streams; replications differ only in their number.
    pub seed: u64,
    /// Number of replications.
    pub replications: u64,
    /// The number requested, which is greater if the work was stopped early.
    pub asked: u64,
    /// Version of pacesim that made the runs.
    pub version: &'static str,
    /// One hash of the fingerprints of all replications in order; a single replication keeps its
    /// own.
    pub fingerprint: String,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Mean of every metric over replications.
    pub means: Vec<Mean>,
    /// Summaries of the individual replications.
    pub runs: Vec<Summary>,
}

/// The content of `manifest.json` in a folder with several replications.
#[derive(Serialize)]
struct Manifest<'a> {
    scenario: &'a str,
    seed: u64,
    replications: u64,
    version: &'static str,
    schema_version: u32,
    fingerprint: &'a str,
    fingerprints: Vec<&'a str>,
    command: &'a [String],
    host: crate::manifest::Host,
}

/// Runs replications 0 to `count` - 1, several at a time. A results folder has one subfolder for
/// each, and `runs.parquet`. The number of jobs affects only time.
///
/// If the monitor stops the work, the result covers the replications from 0 on without a gap; with
/// none, the work is interrupted.
pub fn replicate(
    input: &Input,
    count: u64,
    jobs: NonZeroUsize,
    plan: &Plan<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Replications, RunError> {
    let create = |out| ResultsFolder::create(out, plan.force);
    let folder = plan.out.map(create).transpose()?;
    let contents = folder.as_ref().map(ResultsFolder::contents);
    let replications = replicate_into(contents, input, count, jobs, plan, monitor)?;
    folder.map(ResultsFolder::finish).transpose()?;
    Ok(replications)
}

/// Runs the replications with results in this folder, ignoring that of the plan.
pub(crate) fn replicate_into(
    folder: Option<&Contents>,
    input: &Input,
    count: u64,
    jobs: NonZeroUsize,
    plan: &Plan<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Replications, RunError> {
    let series = Series {
        input,
        count,
        plan,
        folder,
    };
    let runs = series.run_in_parallel(jobs, monitor)?;
    if runs.is_empty() {
        Err(RunError::Interrupted)
    } else {
        series.complete(runs, monitor.host())
    }
}

/// Replications in progress.
struct Series<'a> {
    input: &'a Input,
    count: u64,
    plan: &'a Plan<'a>,
    folder: Option<&'a Contents>,
}

impl Series<'_> {
    /// The name of a replication's folder.
    fn name(&self, number: u64) -> String {
        let width = (self.count.max(1) - 1).to_string().len();
        format!("replication-{number:0width$}")
    }

    fn run(&self, number: u64, run_monitor: &mut dyn RunMonitor) -> Result<Summary, RunError> {
        let subfolder = |folder: &Contents| folder.subfolder(&self.name(number));
        let own = self.folder.map(subfolder).transpose()?;
        run_into(
            own.as_ref(),
            self.input,
            number,
            self.plan,
            Links::Notable,
            run_monitor,
        )
    }

    /// All replications or, if the monitor stops the work, those before the first unfinished one.
    fn run_in_parallel(
        &self,
        jobs: NonZeroUsize,
        monitor: &dyn BatchMonitor,
    ) -> Result<Vec<Summary>, RunError> {
        let workers = Workers::new(monitor, jobs.get(), self.count);
        let worker = |thread| {
            let workers = &workers;
            move |number| {
                let ended = self.run(number, &mut workers.run_monitor(thread));
                workers.finished(thread);
                (number, ended)
            }
        };
        let mut runs = BTreeMap::new();
        let mut failed = None;
        let take = |batch: &mut dyn Iterator<Item = (u64, Result<Summary, RunError>)>| {
            for (number, ended) in batch {
                match ended {
                    Ok(summary) => drop(runs.insert(number, summary)),
                    Err(RunError::Interrupted) => {}
                    Err(error) => drop(failed.get_or_insert(error)),
                }
            }
            match failed {
                Some(_) => ControlFlow::Break(()),
                None => workers.wants_end(),
            }
        };
        in_parallel(jobs.get(), 0..self.count, worker, take, || workers.report());
        match failed {
            Some(error) => Err(error),
            None => Ok((0..).map_while(|number| runs.remove(&number)).collect()),
        }
    }

    /// The result of these runs, stored in the folder.
    fn complete(
        &self,
        runs: Vec<Summary>,
        host: crate::manifest::Host,
    ) -> Result<Replications, RunError> {
        let all: Vec<Vec<Metric>> = runs.iter().map(metrics).collect();
        let replications = Replications {
            scenario: self.input.name.clone(),
            seed: self
                .plan
                .seed
                .unwrap_or(self.input.scenario.scenario().run.seed),
            replications: runs.len() as u64,
            asked: self.count,
            version: crate::VERSION,
            fingerprint: combined(&runs),
            confidence: CONFIDENCE,
            means: means(&all, are_identical(&runs)),
            runs,
        };
        if let Some(folder) = self.folder {
            // Runs that were stopped, or later ones.
            for number in replications.replications..self.count {
                folder.remove_subfolder(&self.name(number))?;
            }
            keep(folder, &replications, all, self.plan, host)?;
        }
        Ok(replications)
    }
}

/// Combines the fingerprints: the first, with the others mixed in.
fn combined(runs: &[Summary]) -> String {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let number = |run: &Summary| u64::from_str_radix(&run.fingerprint, 16);
    let numbers = runs
        .iter()
        .map(|run| number(run).expect("written in hexadecimal"));
    let mix = |all: u64, next: u64| (all.rotate_left(5) ^ next).wrapping_mul(ODD);
    format!("{:016x}", numbers.reduce(mix).unwrap_or(0))
}

/// True if several replications are the same to the packet.
fn are_identical(runs: &[Summary]) -> bool {
    let same = |pair: &[Summary]| pair[0].fingerprint == pair[1].fingerprint;
    runs.len() > 1 && runs.windows(2).all(same)
}

fn keep(
    folder: &Contents,
    replications: &Replications,
    metrics: Vec<Vec<Metric>>,
    plan: &Plan<'_>,
    host: crate::manifest::Host,
) -> Result<(), RunError> {
    let seed = replications.seed;
    let notes = [
        ("seed", seed.to_string()),
        ("version", crate::VERSION.to_owned()),
    ];
    let mut table = folder.table(&notes)?;
    for (replication, metrics) in (0..).zip(metrics) {
        for metric in metrics {
            let Metric {
                of,
                entity,
                metric,
                value,
            } = metric;
            table.push(RunRow {
                replication,
                seed,
                of,
                entity,
                metric,
                value,
            })?;
        }
    }
    table.finish()?;
    folder.write("summary.json", &to_json(replications))?;
    let manifest = Manifest {
        scenario: &replications.scenario,
        seed,
        replications: replications.replications,
        version: crate::VERSION,
        schema_version: SCHEMA_VERSION,
        fingerprint: &replications.fingerprint,
        fingerprints: replications
            .runs
            .iter()
            .map(|run| run.fingerprint.as_str())
            .collect(),
        command: plan.command,
        host,
    };
    Ok(folder.write_manifest(&manifest)?)
}

impl Replications {
    /// The summary as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
