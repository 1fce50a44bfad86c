//! Merging of stores of one plan: shards of a study, or sweeps of it on several machines.
//!
//! 1. Every store is checked, and all must have the same plan; nothing is changed before that.
//! 2. Their runs go into a new store of the target, which then replaces the old one.
//! 3. Missing runs are counted by the plan, not by the number of stores. Without missing runs, the
//!    tables are written as by a sweep.

mod error;
mod gaps;
mod recordings;
mod sources;

use std::path::{Path, PathBuf};

use pacesim_runs::workers::{BatchMonitor, StepProgress};
use pacesim_store::database::{FILE, Store, StoreError};
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::error::SweepError;
use pacesim_sweep::execute::Work;
use pacesim_sweep::make::conclude;
use pacesim_sweep::outline::Outline;
use pacesim_sweep::stopping::Stopping;

pub use error::MergeError;
pub use gaps::Gaps;
use sources::Sources;

/// Stores to merge, and the folder for the whole.
#[derive(Clone, Copy, Debug)]
pub struct Merge<'a> {
    /// The folders of the stores.
    pub folders: &'a [PathBuf],
    /// The folder for the merged store and the tables.
    pub into: &'a Path,
    /// The plan that they must have, if it is known.
    pub plan: Option<&'a str>,
}

/// The outcome of a merge.
#[derive(Debug)]
pub enum Merged {
    /// All runs are present, and the tables are written.
    Whole(Box<Outline>),
    /// Runs are missing. The target has all others, and no tables.
    Incomplete(Box<Gaps>),
}

/// Merges stores, and writes the tables if all runs are present.
pub fn merge(merge: &Merge<'_>, monitor: &dyn BatchMonitor) -> Result<Merged, MergeError> {
    if merge.folders.is_empty() {
        return Err(MergeError::Nothing);
    }
    let sources = Sources::check(merge, monitor)?;
    let study = study_of(&sources)?;
    let options = sources.identity.options;
    let sweep = &Sweep {
        folder: merge.into,
        seed: options.seed,
        replications: options.replications,
        ..Sweep::new(&study, merge.into)
    };
    // Until all stores are imported, the target stays unchanged.
    let mut draft = target(sweep)?.into_draft()?;
    let store = draft.store();
    for (done, folder) in sources.folders.iter().enumerate() {
        report("united", done, sources.folders.len(), monitor)?;
        let before = &sources.folders[..done];
        store
            .unite(folder)
            .map_err(|error| name_other(error, before, merge.into))?;
    }
    let points = sources.points.values().copied().collect();
    let mut plan = SweepPlan { points };
    let is_decided = is_decided(sweep, &mut plan, store)?;
    store.keep_plan(sweep, &plan, None)?;
    refuse_other_version(sweep, store)?;
    let mut store = draft.finish()?;
    let (work, missing) = Work::of(&plan, Some(&store))?;
    let gaps = Gaps::find(sweep, &sources, &plan, &missing);
    if !is_decided || gaps.are_there() {
        return Ok(Merged::Incomplete(Box::new(gaps)));
    }
    let unrecorded = recordings::copy(sweep, &plan, &store, &sources.folders)?;
    if !unrecorded.is_empty() {
        let gaps = Gaps { unrecorded, ..gaps };
        return Ok(Merged::Incomplete(Box::new(gaps)));
    }
    let outline = conclude(sweep, &plan, &mut store, &work, monitor)?;
    Ok(Merged::Whole(Box::new(outline)))
}

/// Names the folder with the other result of a run: one of those merged before, or the target.
fn name_other(error: StoreError, before: &[PathBuf], into: &Path) -> StoreError {
    let StoreError::Conflict {
        path,
        scenario,
        replication,
        ..
    } = error
    else {
        return error;
    };
    let has_it = |folder: &&PathBuf| {
        let store = Store::reopen(folder);
        store.is_ok_and(|store| store.has_run(&scenario, replication).unwrap_or(false))
    };
    let other = before
        .iter()
        .find(has_it)
        .map(PathBuf::as_path)
        .unwrap_or(into);
    StoreError::Conflict {
        other: Some(other.join(FILE)),
        path,
        scenario,
        replication,
    }
}

/// Sets the replications of points that are repeated until they are precise. True if all of them
/// are present.
fn is_decided(sweep: &Sweep<'_>, plan: &mut SweepPlan, store: &Store) -> Result<bool, SweepError> {
    match Stopping::of(sweep, plan) {
        Some(stopping) => stopping.decide(plan, &mut store.reader()?),
        None => Ok(true),
    }
}

/// The study of the stores, parsed again from its stored text.
fn study_of(sources: &Sources) -> Result<Study, MergeError> {
    let study = StudyText::again(&sources.origin).check_tables();
    let study = study.map_err(|problems| {
        let first = problems.0.first().map(ToString::to_string);
        SweepError::Text {
            folder: sources.folders[0].clone(),
            problem: first.unwrap_or_default(),
        }
    })?;
    if study.tune.is_some() {
        return Err(MergeError::Search(sources.folders[0].clone()));
    }
    let options = sources.identity.options;
    let mut study = study.at_scale(options.scale);
    study.precision = options.precision;
    Ok(study)
}

/// The store that receives all runs; fails if it has runs of another version.
fn target(sweep: &Sweep<'_>) -> Result<Store, MergeError> {
    let name = &sweep.study.name;
    let Some(store) = Store::open(sweep.out, name)? else {
        return Ok(Store::create(sweep.out, name)?);
    };
    refuse_other_version(sweep, &store)?;
    Ok(store)
}

fn refuse_other_version(sweep: &Sweep<'_>, store: &Store) -> Result<(), MergeError> {
    match store.other_version()? {
        Some(version) => Err(MergeError::OtherVersion {
            path: sweep.out.join(FILE),
            version,
        }),
        None => Ok(()),
    }
}

fn report(
    verb: &'static str,
    done: usize,
    all: usize,
    monitor: &dyn BatchMonitor,
) -> Result<(), MergeError> {
    monitor.step(&StepProgress {
        what: "stores",
        verb,
        done: done as u64,
        all: all as u64,
    });
    if monitor.wants_end() {
        Err(MergeError::Interrupted)
    } else {
        Ok(())
    }
}
