//! Verification of a study's store, with some runs repeated.

use std::path::Path;

use pacesim_runs::workers::{BatchMonitor, Workers};
use pacesim_store::database::{Damage, Finished, LastSweep, Store};
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::execute::{Made, Maker, Missing};
use pacesim_sweep::{input, written};

use crate::verified::{Again, Verified, VerifyError};

/// Verifies a store, and repeats some of its runs.
pub(crate) fn verify(
    folder: &Path,
    again: Again,
    monitor: &dyn BatchMonitor,
) -> Result<Verified, VerifyError> {
    let (store, damage) = Store::inspect(folder)?;
    let mut verified = Verified {
        folder: folder.to_path_buf(),
        kind: "study",
        files: 1,
        runs: store.runs()?,
        problems: problems(&damage),
        ..Verified::default()
    };
    let (files, altered) = written::altered(folder, &store).map_err(failed)?;
    verified.files += files;
    verified.problems.extend(altered);
    if again.runs > 0 && !damage.plan {
        make_again(&store, again, folder, monitor, &mut verified)?;
    }
    Ok(verified)
}

fn problems(damage: &Damage) -> Vec<String> {
    let rest = damage.but_runs();
    let runs = damage
        .runs
        .iter()
        .map(|run| format!("{run} has changed since it was stored"));
    let rest = (!rest.is_none()).then(|| rest.to_string());
    runs.chain(rest).collect()
}

/// Repeats runs, and compares their digests with the stored ones.
fn make_again(
    store: &Store,
    again: Again,
    folder: &Path,
    monitor: &dyn BatchMonitor,
    verified: &mut Verified,
) -> Result<(), VerifyError> {
    let LastSweep {
        mut plan,
        origin,
        scale,
    } = store.last_sweep()?;
    let warmups = store.found_warmups()?;
    for point in &mut plan.points {
        point.warmup = warmups.get(&point.number).copied();
    }
    let sets: Vec<String> = origin.sets.clone();
    let read = input::study_from_file(Path::new(&origin.file), &sets).map_err(|rejected| {
        let first = rejected.problems.first().map(ToString::to_string);
        VerifyError::Unreadable(first.unwrap_or_default())
    })?;
    if read.study.origin().text != origin.text {
        let why = format!("{} was edited since the sweep", origin.file);
        return Err(VerifyError::Unreadable(why));
    }
    let study = read.study.at_scale(scale);
    let sweep = Sweep {
        folder: &read.folder,
        replications: 1,
        ..Sweep::new(&study, folder)
    };
    let kept = kept(store, &plan)?;
    let picked = again.picked(kept.len());
    let workers = Workers::new(monitor, 1, picked.len() as u64);
    let mut maker = Maker::new(&sweep, &plan);
    for place in picked {
        let missing = kept[place];
        let made = maker
            .make(missing, &mut workers.run_monitor(0))
            .map_err(failed)?;
        let problem = match made {
            Made::Finished(made) if is_kept(store, &made)? => None,
            Made::Finished(_) => Some("a repetition gives another result".to_owned()),
            Made::Abandoned(run) => Some(format!("it was stopped: {}", run.why)),
        };
        let point = plan.points[missing.place].number;
        let named = |what| format!("point {point}, replication {}: {what}", missing.replication);
        verified.problems.extend(problem.map(named));
        verified.again += 1;
        workers.finished(0);
        workers.report();
    }
    Ok(())
}

fn failed(error: SweepError) -> VerifyError {
    match error {
        SweepError::Stopped => VerifyError::Interrupted,
        SweepError::Run { source, .. } => VerifyError::Run(source),
        error => VerifyError::Unreadable(error.to_string()),
    }
}

/// The runs of the plan that are in the store.
fn kept(store: &Store, plan: &SweepPlan) -> Result<Vec<Missing>, VerifyError> {
    let mut reader = store.reader()?;
    let mut kept = Vec::new();
    for (place, point) in plan.points.iter().enumerate() {
        let there = reader.replications(point.scenario, point.windows, point.replications)?;
        kept.extend(
            there
                .into_iter()
                .map(|replication| Missing { place, replication }),
        );
    }
    Ok(kept)
}

/// True if the store has every window of a run that was just repeated.
fn is_kept(store: &Store, made: &Finished) -> Result<bool, VerifyError> {
    let seals = made.seals();
    let kept = store.seals(made)?;
    Ok(seals == kept)
}
