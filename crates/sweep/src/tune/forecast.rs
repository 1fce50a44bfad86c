//! Forecast of the searches of a study: the points that they may try, and their time.

use pacesim_runs::summary::to_json;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::Store;
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::search::PROBES;
use pacesim_study::{Goal, Tune};
use serde::Serialize;

use super::case::bisects;
use super::{axes, cases, no_search, with_replications};
use crate::error::SweepError;
use crate::execute::Work;
use crate::forecast::{RunTimes, times, try_some};
use crate::outline::OutlineAxis;
use crate::planning::plan_points;
use crate::refuse::refuse_plan;

/// The work of searches that have not been made.
#[derive(Debug, Serialize)]
pub struct SearchForecast {
    /// Name of the study.
    pub study: String,
    /// Folder with the store and the tables.
    pub folder: String,
    /// The number of searches, one for each combination of the values of the other axes.
    pub searches: usize,
    /// The number of points that each of them may choose from.
    pub points: usize,
    /// Least number of points that a search tries.
    pub tries_least: usize,
    /// Greatest number of points that a search tries.
    pub tries_most: usize,
    /// Number of replications of a point at first.
    pub replications: u64,
    /// The most replications of a point, where a decision stays open.
    pub replications_most: u64,
    /// Least number of runs of all searches.
    pub runs_least: u64,
    /// Greatest number of runs of all searches.
    pub runs_most: u64,
    /// The number of runs of first tries in the store.
    pub done: u64,
    /// The time of one run in seconds; null if unknown. From stored runs it is real time; from
    /// trial runs it is processor time, if the system reports that.
    pub run_s: Option<f64>,
    /// Number of runs behind this estimate.
    pub judged_by: u64,
    /// True if these were trial runs, which are not stored; otherwise they are in the store.
    pub tried: bool,
    /// Axes that are not searched.
    pub axes: Vec<OutlineAxis>,
    /// Axes that are searched.
    pub searched: Vec<OutlineAxis>,
}

/// Forecasts the searches of a study, and stores nothing. If the store has no runs to estimate from,
/// a few are tried, and stopped if they take long.
pub fn forecast(
    sweep: &Sweep<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<SearchForecast, SweepError> {
    let study = sweep.study;
    let Some(tune) = &study.tune else {
        return Err(no_search(study));
    };
    refuse_plan(study, sweep.replications)?;
    let sweep = &with_replications(sweep, tune);
    let store = Store::open(sweep.out, &study.name)?;
    let lengths = tune
        .search
        .iter()
        .map(|axis| study.axes[*axis].values.len());
    let (searches, points) = (cases(study, tune).len(), lengths.product());
    let (tries_least, tries_most) = tries(tune, points);
    let plan = first_and_last_points(sweep, tune, monitor)?;
    let (work, missing) = Work::of(&plan, store.as_ref())?;
    let done = times(&plan, store.as_ref())?;
    let mut judge = done
        .iter()
        .fold(RunTimes::default(), |all, of| all.and(*of));
    let tried = judge.runs == 0 && !missing.is_empty();
    if tried {
        judge = try_some(sweep, &plan, &missing, monitor)?;
    }
    let runs = |tries: usize, each: u64| searches as u64 * tries as u64 * each;
    // Each point may need one to compare with for every such bound.
    let ratios = tune.bounds.iter().filter(|bound| !bound.over.is_empty());
    let points_each = 1 + ratios.count() as u64;
    Ok(SearchForecast {
        study: study.name.clone(),
        folder: sweep.out.display().to_string(),
        searches,
        points,
        tries_least,
        tries_most,
        replications: sweep.replications,
        replications_most: tune.most.max(sweep.replications),
        runs_least: runs(tries_least, sweep.replications),
        runs_most: points_each * runs(tries_most, tune.most.max(sweep.replications)),
        done: work.all - work.missing,
        run_s: judge.mean(),
        judged_by: judge.runs,
        tried,
        axes: axes(study, |axis| !tune.searches(axis)),
        searched: axes(study, |axis| tune.searches(axis)),
    })
}

/// The first and the last point of each search.
fn first_and_last_points(
    sweep: &Sweep<'_>,
    tune: &Tune,
    monitor: &dyn BatchMonitor,
) -> Result<SweepPlan, SweepError> {
    let study = sweep.study;
    let at = |case: &Vec<usize>, last: bool| {
        let mut choice = case.clone();
        for axis in &tune.search {
            choice[*axis] = if last {
                study.axes[*axis].values.len() - 1
            } else {
                0
            };
        }
        study.number(&choice)
    };
    let both = |case: Vec<usize>| [at(&case, false), at(&case, true)];
    let mut points: Vec<u64> = cases(study, tune)
        .into_iter()
        .flat_map(both)
        .flatten()
        .collect();
    points.sort_unstable();
    points.dedup();
    let plan = plan_points(sweep, points.into_iter(), monitor)?;
    let replications = sweep.replications;
    let first = plan.points.into_iter().map(|planned| Planned {
        replications,
        ..planned
    });
    Ok(SweepPlan {
        points: first.collect(),
    })
}

/// The fewest and the most points that a search among these tries.
fn tries(tune: &Tune, points: usize) -> (usize, usize) {
    let halvings = |n: usize| libm::ceil(libm::log2(n.max(2) as f64)) as usize;
    // Golden section looks at two places, divides by 1.618, and ends with three.
    let golden = |n: usize| 2 * halvings(n) * 3 / 2 + 3;
    let (least, most) = match (&tune.goal, tune.search.len()) {
        // Both ends, the eighths, two bisections and the probes.
        _ if bisects(tune) => (2, 2 + 7 + 2 * halvings(points) + PROBES),
        (Goal::Number(..), 1) => (3, golden(points)),
        _ => (2 * tune.search.len() + 1, points),
    };
    let most = most.min(points).min(tune.tries.max(2));
    (least.min(most), most)
}

impl SearchForecast {
    /// The forecast as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
