//! Studies: a grid of scenarios, run in parallel, its runs in one crash-safe store.
//!
//! 1. every point of the grid is checked, and gets the key of its scenario;
//! 2. the runs that are not in the store of the study yet are made on several threads, and
//!    kept by one, a group in a transaction;
//! 3. the tables are written anew out of the store.
//!
//! The same sweep again makes only what is missing: after a kill, an edit, more replications or
//! a further value. The tables follow from study, seed and replications alone, to the byte.
//!
//! A [`Shard`] of a study is a part of its runs, in a store of its own ([`sweep_part`]); [`merge()`]
//! unites such stores and writes the tables. A [`campaign`] is a study whose shards an [`engine`] starts.

pub mod campaign;
mod columns;
mod compared;
mod curves;
mod edits;
pub mod engine;
mod execute;
mod figures;
mod forecast;
mod gallery;
mod identity;
mod judge;
mod kept;
mod key;
mod line;
mod measure;
mod measured_table;
mod merge;
mod modelled;
mod names;
mod outline;
mod part;
mod plan;
mod recordings;
mod repetition;
mod samples;
mod shard;
mod spread;
mod stopping;
mod store;
mod tabulate;
mod theory;
mod trial;
mod tune;
mod verify;
mod warmup;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use pacesim::scenario::Problem;
pub use pacesim_study::Study;

use crate::crew::Overseer;
use crate::run::RunError;
use execute::{Work, execute};
pub use figures::FOLDER as FIGURES;
pub use forecast::{Forecast, ForecastPoint, forecast};
pub use identity::{Identity, Options};
pub use kept::Kept;
pub use key::{RESULTS_VERSION, declared_metrics};
pub use merge::{Gaps, Merge, MergeError, Merged, merge};
pub use names::mistakes;
pub use outline::{
    EndedEarly, MainMean, MainNumber, Outline, OutlineAxis, OutlinePoint, OutlineValue,
};
use pacesim_plot::Figure;
pub use pacesim_study::precision;
use pacesim_tables::TableError;
pub use part::{PartSwept, expect_plan, sweep_part};
use plan::Plan;
pub use recordings::FOLDER as RECORDINGS;
use samples::Samples;
pub use shard::Shard;
pub use spread::Spread;
use stopping::Stopping;
use store::Store;
pub use store::{Damage, DamagedRun, StoreError};
pub use tune::{Broken, SearchEnd, Tuned, TunedBound, TunedCase, TunedTry, tune};
pub(crate) use verify::verify;
pub use warmup::{FoundWarmup, find_warmup};

/// The least that a study's times and replications may be multiplied by.
pub const LEAST_SCALE: f64 = 1e-4;
/// The most.
pub const MOST_SCALE: f64 = 1e3;

/// What to run, and where to keep it.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The grid.
    pub study: &'a Study,
    /// Where the files are that its scenarios name.
    pub folder: &'a Path,
    /// The seed, if not the scenarios'.
    pub seed: Option<u64>,
    /// How many replications each point has.
    pub replications: u64,
    /// How many runs are made at a time. Nothing but time follows from it.
    pub jobs: NonZeroUsize,
    /// The folder of the store and the tables.
    pub out: &'a Path,
}

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A point is no scenario that can be run.
    #[error("{} of the study's points", counted(.0.len()))]
    Problems(Vec<Problem>),
    /// An axis has the name of a column that tables have anyway.
    #[error(
        "an axis makes a column \"{0}\", and the tables have another one of that name; give the axis another name"
    )]
    Column(String),
    /// More runs than a study may take.
    #[error(
        "{runs} runs are more than the {most} that a study may take; ask for fewer replications or points"
    )]
    TooMany {
        /// How many it would take.
        runs: u64,
        /// How many it may.
        most: u64,
    },
    /// Several runs where one is cut into windows.
    #[error(
        "batches cuts one long run into {batches} windows, and {asked} asked for; leave one of the two out"
    )]
    Batches {
        /// The number of windows.
        batches: u64,
        /// What takes several runs.
        asked: String,
    },
    /// A precision of nothing.
    #[error(
        "no number is to be precise: the study has neither figures nor claims, and no list sweep.precise"
    )]
    NothingPrecise,
    /// A file cannot be read, or a file of ours not be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run failed; those that were finished are in the store.
    #[error("point {point}, replication {replication}: {source}")]
    Run {
        /// The point's number.
        point: u64,
        /// The replication.
        replication: u64,
        /// Why it failed.
        source: RunError,
    },
    /// The overseer wanted an end before there was anything to keep.
    #[error("interrupted before the first run")]
    Stopped,
    /// The overseer wanted an end.
    #[error("interrupted: {kept} of {all} runs are kept in {}; the same command goes on from there", .out.display())]
    Interrupted {
        /// How many runs are in the store.
        kept: u64,
        /// How many the study takes.
        all: u64,
        /// The folder of the store.
        out: PathBuf,
    },
    /// The overseer wanted an end of a search.
    #[error("interrupted: the {made} runs that were made are kept in {}; the same command goes on from there", .out.display())]
    SearchInterrupted {
        /// How many runs were made.
        made: u64,
        /// The folder of the store.
        out: PathBuf,
    },
    /// A table cannot be written; all runs are in the store.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The text of the study in its store cannot be read any more.
    #[error("the text of the study in {}: {problem}", .folder.display())]
    Text {
        /// The folder of the store.
        folder: PathBuf,
        /// The first problem.
        problem: String,
    },
    /// The study, its options or the program are not those that were asked for.
    #[error(
        "this is the plan {ours}, and {theirs} is asked for: the study, an option or pacesim has \
         changed since; put it back as it was, or begin anew, without --plan and in another folder"
    )]
    OtherPlan {
        /// The plan that was asked for.
        theirs: String,
        /// That of the study as it is.
        ours: String,
    },
    /// Shards that would have nothing to do.
    #[error(
        "{shards} shards are more than the study has parts that can be run apart: ask for {pieces} at most \
         (runs; points, if their warm-ups are to be found; groups of points that are compared, if they \
         are repeated until they are precise)"
    )]
    TooManyShards {
        /// How many are asked for.
        shards: u64,
        /// How many it can have.
        pieces: u64,
    },
    /// There is nothing to draw.
    #[error("there are no runs of this study in {}; make them with `pacesim sweep` (or `tune`, if it searches)", .0.display())]
    NoRuns(PathBuf),
}

impl SweepError {
    /// Whether the study or the command line must change.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepError::Problems(_)
            | SweepError::NoRuns(_)
            | SweepError::Text { .. }
            | SweepError::OtherPlan { .. }
            | SweepError::TooManyShards { .. }
            | SweepError::TooMany { .. }
            | SweepError::Batches { .. }
            | SweepError::NothingPrecise => true,
            SweepError::Store(error) => error.is_usage(),
            SweepError::Run { source, .. } => matches!(source, RunError::Build(_)),
            _ => false,
        }
    }

    /// Whether somebody wanted an end.
    pub fn is_interrupted(&self) -> bool {
        matches!(
            self,
            SweepError::Stopped
                | SweepError::Interrupted { .. }
                | SweepError::SearchInterrupted { .. }
        )
    }
}

fn counted(problems: usize) -> String {
    match problems {
        1 => "a problem".to_owned(),
        n => format!("{n} problems"),
    }
}

/// What can be refused before any point is looked at.
fn refuse(sweep: &Sweep<'_>) -> Result<(), SweepError> {
    if sweep.study.tune.is_some() {
        let message = "this study searches for the best of its points".to_owned();
        let help = "pacesim tune makes the search; leave [tune] out to run every point".to_owned();
        let problem = sweep.study.problem("tune", message, help);
        return Err(SweepError::Problems(vec![problem]));
    }
    refuse_plan(sweep.study, sweep.replications)
}

/// Refuses a plan that `sweep`, or of a search `tune`, cannot make; `check` asks the same.
fn refuse_plan(study: &Study, replications: u64) -> Result<(), SweepError> {
    const MOST: u64 = 1_000_000;
    if study.tune.is_some() {
        return columns::refuse_equal_names(study);
    }
    let each = match study.precision {
        Some(_) => study.most.max(replications),
        None => replications,
    };
    let points = study.points().count() as u64;
    let runs = points.saturating_mul(each);
    if runs > MOST {
        return Err(SweepError::TooMany { runs, most: MOST });
    }
    let asked = match (study.precision, replications) {
        (Some(_), _) => Some("a precision, which takes replications, is".to_owned()),
        (None, 1) => None,
        (None, replications) => Some(format!("{replications} replications are")),
    };
    if let (Some(batches), Some(asked)) = (study.batches, asked) {
        return Err(SweepError::Batches { batches, asked });
    }
    if study.precision.is_some() && study.precise_numbers().is_empty() {
        return Err(SweepError::NothingPrecise);
    }
    columns::refuse_equal_names(study)
}

/// Mistakes of a plan that `sweep` or `tune` would refuse, as the file asks for it.
pub(crate) fn plan_mistakes(study: &Study) -> Vec<Problem> {
    let name = &study.name;
    // A name that the file gives has been looked at.
    let is_of_file = *name == study.origin().stem;
    if is_of_file
        && Path::new(name)
            .file_name()
            .is_none_or(|file| *file != **name)
    {
        let message = format!("\"{name}\" cannot be the name of a folder");
        let help = "results are kept in results/NAME: choose a name without slashes".to_owned();
        return vec![study.problem("name", message, help)];
    }
    match refuse_plan(study, study.replications) {
        Ok(()) => Vec::new(),
        Err(SweepError::Problems(problems)) => problems,
        Err(error) => {
            let help = "change the table [sweep]".to_owned();
            vec![study.problem("sweep", error.to_string(), help)]
        }
    }
}

/// Makes the runs that are missing, and all tables.
pub fn sweep(sweep: &Sweep<'_>, overseer: &dyn Overseer) -> Result<Outline, SweepError> {
    refuse(sweep)?;
    let name = &sweep.study.name;
    // What is there is looked at before the work of planning, and made after it.
    let store = Store::open_mended(sweep.out, name, overseer)?;
    let plan = Plan::of(sweep, overseer)?;
    let mut store = match store {
        Some(store) => store,
        None => Store::create(sweep.out, name)?,
    };
    try_again_if_asked(&store, overseer)?;
    let mut plan = warmup::find(sweep, plan, &store, overseer)?;
    edits::explain(sweep, &plan, &store, overseer)?;
    store.keep_plan(sweep, &plan, None)?;
    let work = make_missing(sweep, &mut plan, &store, overseer)?;
    if sweep.study.precision.is_some() {
        // Now it is known how many replications count.
        store.keep_plan(sweep, &plan, None)?;
    }
    recordings::make(sweep, &plan, &store, overseer).map_err(|error| match error {
        SweepError::Stopped => sweep.interrupted(&work, work.all),
        error => error,
    })?;
    conclude(sweep, &plan, &mut store, &work, overseer)
}

/// Runs that took too much of a machine are missing again, if that is asked.
fn try_again_if_asked(store: &Store, overseer: &dyn Overseer) -> Result<(), SweepError> {
    if overseer.limits().again {
        store.forget_abandoned()?;
    }
    Ok(())
}

/// Writes tables and figures and judges the claims; the store has all runs.
fn conclude(
    sweep: &Sweep<'_>,
    plan: &Plan,
    store: &mut Store,
    work: &Work,
    overseer: &dyn Overseer,
) -> Result<Outline, SweepError> {
    let mut outline = tabulate::tabulate(sweep, plan, store, work, overseer)?;
    let samples = Samples::read(sweep.study, plan, &mut store.reader()?)?;
    outline.claims = judge::judge(sweep.study, &samples, sweep.study.scale());
    gallery::keep(
        sweep.out,
        &figures::all(sweep.study, &samples),
        store,
        overseer,
    )?;
    store.keep_complete()?;
    Ok(outline)
}

/// Makes and keeps all runs that are missing: in rounds, if their results say how many there are.
fn make_missing(
    sweep: &Sweep<'_>,
    plan: &mut Plan,
    store: &Store,
    overseer: &dyn Overseer,
) -> Result<Work, SweepError> {
    let stopping = Stopping::of(sweep, plan);
    let mut made = 0;
    loop {
        let is_last = match &stopping {
            Some(stopping) => stopping.decide(plan, &mut store.reader()?)?,
            None => true,
        };
        let (work, missing) = Work::of(plan, Some(store))?;
        let kept = execute(sweep, plan, missing, store, overseer)?;
        if kept < work.missing {
            return Err(sweep.interrupted(&work, work.all - work.missing + kept));
        }
        made += kept;
        if is_last {
            return Ok(Work {
                missing: made,
                ..work
            });
        }
    }
}

/// A plan as far as the store tells, with the number of pilots that it lacks.
fn as_known(
    sweep: &Sweep<'_>,
    store: Option<&Store>,
    overseer: &dyn Overseer,
) -> Result<(Plan, u64), SweepError> {
    let plan = Plan::of(sweep, overseer)?;
    let (mut plan, pilots) = warmup::recall(sweep, plan, store, overseer)?;
    let stopping = Stopping::of(sweep, &plan);
    match (stopping, store) {
        (Some(stopping), Some(store)) => drop(stopping.decide(&mut plan, &mut store.reader()?)?),
        (Some(stopping), None) => stopping.begin(&mut plan),
        (None, _) => (),
    }
    Ok((plan, pilots))
}

/// The figures of a study by name, out of the runs that are in its store.
pub fn draw(
    sweep: &Sweep<'_>,
    overseer: &dyn Overseer,
) -> Result<Vec<(String, Figure)>, SweepError> {
    let Some(store) = Store::open(sweep.out, &sweep.study.name)? else {
        return Err(SweepError::NoRuns(sweep.out.to_path_buf()));
    };
    let samples = match &sweep.study.tune {
        Some(tune) => tune::found_before(sweep, tune, &store, overseer)?,
        None => {
            let (plan, _) = as_known(sweep, Some(&store), overseer)?;
            Samples::read(sweep.study, &plan, &mut store.reader()?)?
        }
    };
    if samples.are_missing() {
        return Err(SweepError::NoRuns(sweep.out.to_path_buf()));
    }
    Ok(figures::all(sweep.study, &samples))
}

impl Sweep<'_> {
    fn interrupted(&self, work: &Work, kept: u64) -> SweepError {
        SweepError::Interrupted {
            kept,
            all: work.all,
            out: self.out.to_path_buf(),
        }
    }
}
