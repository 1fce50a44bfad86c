//! The recordings of points selected by `keep`: results folders of replication 0, as `run --point`
//! writes them.
//!
//! A run is repeated for its recording once all runs are in the store. An existing folder is kept
//! if it has the same scenario and the fingerprint of the stored run.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use pacesim_runs::error::RunError;
use pacesim_runs::folder::CheckedFolder;
use pacesim_runs::limits::Exhausted;
use pacesim_runs::plan::Plan;
use pacesim_runs::pool::in_parallel;
use pacesim_runs::run_monitor::{Progress, RunMonitor};
use pacesim_runs::workers::{BatchMonitor, OneOfMany, Workers};
use pacesim_runs::{copies, input, run};
use pacesim_store::database::Store;
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_tables::partial::PARTIAL;

use crate::error::SweepError;

/// The subfolder for recordings in the folder of a study.
pub const FOLDER: &str = "recordings";

/// A recording that is missing or does not match.
struct Missing {
    point: Planned,
    folder: PathBuf,
}

/// Makes the missing recordings; the store has all runs of the plan.
pub fn make(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    let around = sweep.out.join(FOLDER);
    remove_leftovers(&around).map_err(|source| SweepError::File {
        path: around.clone(),
        source,
    })?;
    let missing = missing(sweep, plan, store, &around)?;
    if missing.is_empty() {
        return Ok(());
    }
    let workers = Workers::new(monitor, sweep.jobs.get(), missing.len() as u64);
    let (mut failed, mut left) = (None, missing.len());
    let worker = |thread| {
        let workers = &workers;
        move |missing: Missing| {
            let made = record(sweep, &missing, workers.run_monitor(thread));
            workers.finished(thread);
            made
        }
    };
    let take = |batch: &mut dyn Iterator<Item = Result<(), SweepError>>| {
        for made in batch {
            match made {
                Ok(()) => left -= 1,
                Err(error) => failed = failed.take().or(Some(error)),
            }
        }
        match failed {
            Some(_) => ControlFlow::Break(()),
            None => workers.wants_end(),
        }
    };
    in_parallel(sweep.jobs.get(), missing.into_iter(), worker, take, || {
        workers.report()
    });
    match failed {
        Some(error) => Err(error),
        None if left > 0 => Err(SweepError::Stopped),
        None => Ok(()),
    }
}

/// The folder of a point's recording.
pub fn folder_of(point: u64) -> String {
    format!("point-{point}")
}

/// Removes leftovers of killed sweeps. The store is locked, so none of them is in use.
pub fn remove_leftovers(around: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(around) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().ends_with(PARTIAL) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?
        } else {
            fs::remove_file(entry.path())?
        }
    }
    Ok(())
}

fn missing(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    around: &Path,
) -> Result<Vec<Missing>, SweepError> {
    let mut reader = store.reader()?;
    let mut missing = Vec::new();
    let kept = |point: &&Planned| sweep.study.keeps(point.number) && point.part.has(0);
    for point in plan.points.iter().filter(kept) {
        let folder = around.join(folder_of(point.number));
        let first = point.repetitions().next();
        let first = first.expect("a point has a replication");
        let run = reader.run(point.scenario, first)?;
        // A run that gave up or was stopped has nothing to record.
        let Some(run) = run.filter(|run| run.gave_up.is_none()) else {
            continue;
        };
        if !is_of(sweep, point, &folder, &run.fingerprint)? {
            let point = *point;
            missing.push(Missing { point, folder });
        }
    }
    Ok(missing)
}

/// True if the folder holds the recording of this run.
fn is_of(
    sweep: &Sweep<'_>,
    point: &Planned,
    folder: &Path,
    fingerprint: &str,
) -> Result<bool, SweepError> {
    // A damaged one is made again, if nothing in it would be lost.
    let Ok(kept) = CheckedFolder::open(folder) else {
        return Ok(false);
    };
    let manifest = kept.manifest();
    let input = input::point(sweep.study, sweep.folder, point.number);
    let input = input.map_err(|problems| SweepError::Problems(problems.0))?;
    let digest = copies::digest(&input, point.seed).map_err(|source| SweepError::Run {
        point: point.number,
        replication: 0,
        source: source.into(),
    })?;
    Ok(manifest["scenario_digest"] == digest
        && manifest["fingerprint"] == fingerprint
        && manifest["replication"] == 0)
}

fn record(
    sweep: &Sweep<'_>,
    missing: &Missing,
    run_monitor: OneOfMany<'_>,
) -> Result<(), SweepError> {
    let point = missing.point;
    let input = input::point(sweep.study, sweep.folder, point.number);
    let input = input.map_err(|problems| SweepError::Problems(problems.0))?;
    let plan = Plan {
        seed: Some(point.seed),
        out: Some(&missing.folder),
        force: true,
        command: &[],
        equip: None,
        lived: None,
    };
    let made = run::run(&input, 0, &plan, &mut Timeless(run_monitor));
    made.map(drop).map_err(|source| match source {
        RunError::Interrupted => SweepError::Stopped,
        source => SweepError::Run {
            point: point.number,
            replication: 0,
            source,
        },
    })
}

/// Hides the clock and the machine, so that recordings are the same to the byte.
struct Timeless<'a>(OneOfMany<'a>);

impl RunMonitor for Timeless<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0.progress(progress)
    }

    fn exhausted(&mut self, progress: &Progress) -> Option<Exhausted> {
        self.0.exhausted(progress)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
