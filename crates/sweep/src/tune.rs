//! Searches for the best values of some axes of a study, at every combination of the others.
//!
//! A search runs points of the study's grid, with a few replications each and more if the intervals
//! leave a decision open. The runs are kept in the study's store, so repeating the search makes
//! none. `search.rs` decides where to look, `evaluator.rs` runs and compares.

mod evaluator;
mod table;
mod tuned;

use std::collections::BTreeSet;

use pacesim_runs::replicate::CONFIDENCE;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::search::{Answer, Places, first_that_holds, golden, walk};
use pacesim_study::{Goal, Sense, Study, Tune};

use crate::error::SweepError;
use crate::execute::Work;
use crate::found::Found;
use crate::make::try_again_if_asked;
use crate::outline::{OutlineAxis, OutlineValue};
use crate::places::{drawn_over_time, points};
use crate::refuse::{refuse_plan, refuse_seed};
use crate::samples::Samples;
use crate::{courses, figures, gallery, judge, tabulate};
use evaluator::{Evaluator, Kept, kept};
use pacesim_store::database::Store;
use pacesim_store::plan::Plan;
use pacesim_store::sweep::Sweep;
pub use tuned::{Broken, SearchEnd, Tuned, TunedBound, TunedCase, TunedTry};
use tuned::{spread, value, values, word};

/// Fewer replications cannot distinguish points.
const LEAST_REPLICATIONS: u64 = 3;

/// Makes all searches of a study, with tables, figures and claims at the values found.
pub fn tune(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Tuned, SweepError> {
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
    let searched = search_all(sweep, tune, &store, true, monitor)?;
    let plan = &searched.plan;
    store.keep_plan(sweep, plan, None)?;
    let (mut work, _) = Work::of(plan, Some(&store))?;
    let drawn = over_time(sweep, &searched, &store, monitor)?;
    work.all += drawn.all;
    let outline = tabulate::tabulate(sweep, plan, &store, &work, monitor)?;
    let samples = samples(study, plan, searched.found, &store)?;
    let tuned = Tuned {
        study: study.name.clone(),
        version: pacesim_runs::VERSION,
        folder: sweep.out.display().to_string(),
        sense: word(tune.sense),
        goal: match &tune.goal {
            Goal::Axis(axis) => study.axes[*axis].name.clone(),
            Goal::Number(name, _) => name.to_string(),
        },
        conditions: tune.bounds.iter().map(ToString::to_string).collect(),
        confidence: CONFIDENCE,
        axes: axes(study, |axis| !tune.searches(axis)),
        searched: axes(study, |axis| tune.searches(axis)),
        cases: searched.cases,
        runs: work.all,
        made: searched.made + drawn.missing,
        fingerprint: outline.fingerprint,
        wall_s: outline.wall_s,
        gave_up: outline.gave_up,
        abandoned: outline.abandoned,
        claims: judge::judge(study, &samples, study.scale()),
    };
    table::keep(sweep, tune, &tuned)?;
    gallery::keep(
        sweep.out,
        &figures::all(study, &samples),
        &mut store,
        monitor,
    )?;
    Ok(tuned)
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
    plan: Plan,
    made: u64,
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
    for case in cases(study, tune) {
        all.push(one(&mut bench, study, tune, case, &mut found)?);
    }
    bench.ensure(&points(study, &found), sweep.replications)?;
    let (made, mut plan) = (bench.made, bench.plan);
    plan.points.sort_by_key(|point| point.number);
    Ok(Searched {
        cases: all,
        found,
        plan,
        made,
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
    let plan = Plan {
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

fn samples(study: &Study, plan: &Plan, found: Found, store: &Store) -> Result<Samples, SweepError> {
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

/// Makes one search.
fn one(
    bench: &mut Evaluator<'_>,
    study: &Study,
    tune: &Tune,
    case: Vec<usize>,
    found: &mut Found,
) -> Result<TunedCase, SweepError> {
    bench.begin(case.clone());
    let lengths: Vec<usize> = tune
        .search
        .iter()
        .map(|axis| study.axes[*axis].values.len())
        .collect();
    let is_first = matches!(tune.goal, Goal::Axis(_)) && lengths.len() == 1;
    let backwards = is_first && is_backwards(study, tune);
    let answer = match lengths[..] {
        [length] if is_first => first_that_holds(bench, length, backwards)?,
        [length] => golden(bench, length)?,
        _ => walk(bench, &lengths, tune.start.clone())?,
    };
    let (mut ended, places) = match answer {
        Answer::Best(places) => (SearchEnd::Found, places),
        Answer::OutOfTries(places) => (SearchEnd::OutOfTries, places),
        Answer::Nowhere(places) => (SearchEnd::Nowhere, places),
    };
    let point = bench.point(&places);
    let bounds: Vec<TunedBound> = match point {
        Some(point) => bench.bounded(point).map(TunedBound::of).collect(),
        // It is left out of the grid.
        None => tune.bounds.iter().map(TunedBound::without_point).collect(),
    };
    if ended == SearchEnd::Found && bounds.iter().any(|bound| !bound.holds) {
        ended = SearchEnd::Nowhere;
    }
    let tuned = TunedCase {
        values: listed_values(study, tune, point, &case),
        ended,
        tried: bench.tried(),
        point,
        found: values(study, point, &tune.search, &places),
        at_end: at_end(study, tune, &places),
        goal: point.and_then(|point| bench.goal(point)).map(spread),
        bounds,
        broken: match is_first && ended == SearchEnd::Found {
            true => broken(bench, study, tune, &places, backwards),
            false => None,
        },
        tries: match ended {
            SearchEnd::Nowhere => tries(bench, study, tune),
            _ => Vec::new(),
        },
    };
    // Figures and claims of a search without a result would be meaningless.
    if ended != SearchEnd::Nowhere {
        found.add(tune, &case, places);
    }
    Ok(tuned)
}

/// The points that the search tried, with their bounded numbers.
fn tries(bench: &Evaluator<'_>, study: &Study, tune: &Tune) -> Vec<TunedTry> {
    let one = |point| {
        let choice = study.choice(point)?;
        let places: Places = tune.search.iter().map(|axis| choice[*axis]).collect();
        Some(TunedTry {
            values: values(study, Some(point), &tune.search, &places),
            bounds: bench.bounded(point).map(TunedBound::of).collect(),
        })
    };
    bench.points_tried().filter_map(one).collect()
}

/// True if the goal lies at the last value of the axis: the least of falling values, or the
/// greatest of rising ones.
fn is_backwards(study: &Study, tune: &Tune) -> bool {
    let values = &study.axes[tune.search[0]].values;
    let rises = values.first().and_then(|v| v.number) <= values.last().and_then(|v| v.number);
    rises == (tune.sense == Sense::Greatest)
}

fn listed_values(
    study: &Study,
    tune: &Tune,
    point: Option<u64>,
    case: &[usize],
) -> Vec<OutlineValue> {
    let all = case.iter().enumerate();
    all.filter(|(axis, _)| !tune.searches(*axis))
        .map(|(axis, place)| value(study, point, axis, *place))
        .collect()
}

/// The names of the axes whose first or last value was found.
fn at_end(study: &Study, tune: &Tune, places: &Places) -> Vec<String> {
    let all = tune.search.iter().zip(places);
    let at_end = all.filter(|(axis, place)| {
        let values = study.axes[**axis].values.len();
        values > 1 && (**place == 0 || **place == values - 1)
    });
    at_end
        .map(|(axis, _)| study.axes[*axis].name.clone())
        .collect()
}

/// The nearest value before the first one within the bounds that was shown to break them.
fn broken(
    bench: &Evaluator<'_>,
    study: &Study,
    tune: &Tune,
    places: &Places,
    backwards: bool,
) -> Option<Broken> {
    let axis = tune.search[0];
    let before: Vec<usize> = match backwards {
        true => (places[0] + 1..study.axes[axis].values.len()).collect(),
        false => (0..places[0]).rev().collect(),
    };
    let is_broken = |place: &&usize| {
        let point = bench
            .point(&vec![**place])
            .filter(|point| bench.knows(*point));
        point.is_some_and(|point| {
            let mut all = bench.bounded(point);
            all.any(|(bound, numbers)| kept(bound, numbers) == Kept::No)
        })
    };
    let place = *before.iter().find(is_broken)?;
    Some(Broken {
        value: value(study, bench.point(&vec![place]), axis, place),
        is_next: before[0] == place,
    })
}
