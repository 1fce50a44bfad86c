//! Searches for the best values of some axes of a study, at every combination of the others.
//!
//! A search runs points of the study's grid, with a few replications each and more if the intervals
//! leave a decision open. The runs are kept in the study's store, so repeating the search makes
//! none. `search.rs` of studies decides where to look, `case.rs` makes one
//! search, `evaluator.rs` runs and compares.

mod case;
mod evaluator;
pub mod forecast;
mod table;
mod tuned;

use std::collections::BTreeSet;

use pacesim_claims::judge::judge;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::{Goal, Study, Tune};

use crate::error::SweepError;
use crate::execute::Work;
use crate::found::Found;
use crate::make::try_again_if_asked;
use crate::outline::OutlineAxis;
use crate::places::{drawn_over_time, points};
use crate::refuse::{refuse_plan, refuse_seed};
use crate::samples::Samples;
use crate::{courses, figures, gallery, tabulate, written};
use evaluator::Evaluator;
use pacesim_store::database::Store;
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use tuned::word;
pub use tuned::{Broken, NotMonotone, SearchEnd, Tuned, TunedBound, TunedCase, TunedTry};

/// Number of replications below which points cannot be distinguished.
const LEAST_REPLICATIONS: u64 = 3;

/// Makes all searches of a study, with tables, figures and claims at the values found.
pub fn tune(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Tuned, SweepError> {
    match tune_as_far(sweep, monitor)? {
        Tuned {
            interrupted: true,
            made,
            ..
        } => Err(SweepError::SearchInterrupted {
            made,
            out: sweep.out.to_path_buf(),
        }),
        tuned => Ok(tuned),
    }
}

/// The same; if the monitor stops the work, the results have the searches that ended, and the one
/// that was stopped, without tables, figures and claims.
pub fn tune_as_far(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Tuned, SweepError> {
    let study = sweep.study;
    let Some(tune) = &study.tune else {
        return Err(no_search(study));
    };
    refuse_seed(sweep)?;
    refuse_plan(study, sweep.replications)?;
    let sweep = &with_replications(sweep, tune);
    let mut store = match Store::open_mended(sweep.out, &study.name, monitor)? {
        Some(store) => store,
        None => Store::create(sweep.out, &study.name)?,
    };
    try_again_if_asked(&store, monitor)?;
    let mut searched = search_all(sweep, tune, &store, true, monitor)?;
    let mut tuned = found_so_far(sweep, tune, &mut searched);
    if tuned.interrupted {
        return Ok(tuned);
    }
    let plan = &searched.plan;
    store.keep_plan(sweep, plan, None)?;
    let (mut work, _) = Work::of(plan, Some(&store))?;
    let drawn = over_time(sweep, &searched, &store, monitor)?;
    work.all += drawn.all;
    let outline = tabulate::tabulate(sweep, plan, &store, &work, monitor)?;
    let samples = samples(study, plan, searched.found, &store)?;
    tuned.runs = work.all;
    tuned.warnings = outline.warned();
    tuned.made += drawn.missing;
    tuned.fingerprint = outline.fingerprint;
    tuned.wall_s = outline.wall_s;
    tuned.gave_up = outline.gave_up;
    tuned.abandoned = outline.abandoned;
    tuned.claims = judge(study, &samples, study.scale());
    table::keep(sweep, tune, &tuned)?;
    let mut tables = tabulate::files(study);
    tables.push(table::TUNED.into());
    written::keep(sweep.out, &tables, &mut store)?;
    gallery::keep(
        sweep.out,
        &figures::all(study, &samples),
        &mut store,
        monitor,
    )?;
    Ok(tuned)
}

/// The results of searches, without what follows from their tables.
fn found_so_far(sweep: &Sweep<'_>, tune: &Tune, searched: &mut Searched) -> Tuned {
    let study = sweep.study;
    Tuned {
        study: study.name.clone(),
        version: pacesim_runs::VERSION,
        folder: sweep.out.display().to_string(),
        sense: word(tune.sense),
        goal: match &tune.goal {
            Goal::Axis(axis) => study.axes[*axis].name.clone(),
            Goal::Number(name, _) => name.to_string(),
        },
        conditions: tune.bounds.iter().map(ToString::to_string).collect(),
        bisects: case::bisects(tune),
        confidence: CONFIDENCE,
        axes: axes(study, |axis| !tune.searches(axis)),
        searched: axes(study, |axis| tune.searches(axis)),
        searches: searched.searches,
        interrupted: searched.is_interrupted,
        cases: std::mem::take(&mut searched.cases),
        runs: searched.made,
        made: searched.made,
        fingerprint: String::new(),
        wall_s: 0.0,
        gave_up: Vec::new(),
        abandoned: Vec::new(),
        warnings: Vec::new(),
        claims: Vec::new(),
    }
}

/// The numbers of all points that the searches of a study evaluated, from its store.
pub(crate) fn found_before(
    sweep: &Sweep<'_>,
    tune: &Tune,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<Samples, SweepError> {
    let sweep = &with_replications(sweep, tune);
    let searched = search_all(sweep, tune, store, false, monitor)?;
    samples(sweep.study, &searched.plan, searched.found, store)
}

fn with_replications<'a>(sweep: &Sweep<'a>, tune: &Tune) -> Sweep<'a> {
    Sweep {
        replications: sweep.replications.max(LEAST_REPLICATIONS).min(tune.most),
        ..*sweep
    }
}

/// The results of all searches.
struct Searched {
    cases: Vec<TunedCase>,
    found: Found,
    /// The points evaluated, and those that claims compare them with.
    plan: SweepPlan,
    made: u64,
    /// Number of searches, ended or not.
    searches: usize,
    /// True if the monitor stopped the work; the last case is then that of the search it was in.
    is_interrupted: bool,
}

/// Makes all searches; runs missing in the store are made or refused.
fn search_all(
    sweep: &Sweep<'_>,
    tune: &Tune,
    store: &Store,
    may_run: bool,
    monitor: &dyn BatchMonitor,
) -> Result<Searched, SweepError> {
    let study = sweep.study;
    let mut bench = Evaluator::new(sweep, tune, store, may_run, monitor);
    let (mut all, mut found) = (Vec::new(), Found::default());
    let cases = cases(study, tune);
    let searches = cases.len();
    let mut is_interrupted = false;
    for case in cases {
        match case::search(&mut bench, study, tune, &case, &mut found) {
            Ok(tuned) => all.push(tuned),
            Err(error) if may_run && error.is_interrupted() => {
                all.push(case::interrupted(&bench, study, tune, &case));
                is_interrupted = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    if !is_interrupted {
        bench.ensure(&points(study, &found), sweep.replications)?;
    }
    let (made, mut plan) = (bench.made, bench.plan);
    plan.points.sort_by_key(|point| point.number);
    Ok(Searched {
        cases: all,
        found,
        plan,
        made,
        searches,
        is_interrupted,
    })
}

/// Repeats the runs that figures over time draw, at the values found.
fn over_time(
    sweep: &Sweep<'_>,
    searched: &Searched,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<Work, SweepError> {
    let drawn = drawn_over_time(sweep.study, &searched.found);
    let points = searched.plan.points.iter();
    let points = points
        .filter(|point| drawn.contains(&point.number))
        .copied();
    let plan = SweepPlan {
        points: points.collect(),
    };
    courses::make(sweep, &plan, store, monitor).map_err(|error| match error {
        SweepError::Stopped => SweepError::SearchInterrupted {
            made: searched.made,
            out: sweep.out.to_path_buf(),
        },
        error => error,
    })
}

fn samples(
    study: &Study,
    plan: &SweepPlan,
    found: Found,
    store: &Store,
) -> Result<Samples, SweepError> {
    let mut samples = Samples::read(study, plan, &mut store.reader()?)?;
    samples.stand_at(study, plan, found);
    Ok(samples)
}

fn no_search(study: &Study) -> SweepError {
    let message = "there is nothing to search".to_owned();
    let help = "write a table [tune], which docs/study.md explains; pacesim sweep runs every point";
    SweepError::Problems(vec![study.problem("sweep", message, help.to_owned())])
}

/// Every combination of the values of the axes that are not searched.
fn cases(study: &Study, tune: &Tune) -> BTreeSet<Vec<usize>> {
    let case = |point| {
        let mut choice = study.choice(point)?;
        tune.search.iter().for_each(|axis| choice[*axis] = 0);
        Some(choice)
    };
    study.points().filter_map(case).collect()
}

fn axes(study: &Study, is_one: impl Fn(usize) -> bool) -> Vec<OutlineAxis> {
    let all = OutlineAxis::all(study).into_iter().enumerate();
    all.filter(|(axis, _)| is_one(*axis))
        .map(|(_, axis)| axis)
        .collect()
}
