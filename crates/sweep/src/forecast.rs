//! Forecast of a sweep: its runs, and their time.

use pacesim_runs::summary::to_json;
use pacesim_runs::workers::{BatchMonitor, Workers};
use pacesim_store::database::{Reader, Store, StoreError};
use pacesim_store::plan::{Outcome, Planned, SweepPlan};
use pacesim_store::repetition::Repetition;
use pacesim_store::sweep::Sweep;
use serde::Serialize;

use crate::courses::DrawnRuns;
use crate::error::SweepError;
use crate::execute::{Maker, Missing, Work};
use crate::outline::{OutlineAxis, OutlineValue};
use crate::trial::Trial;

/// A forecast of the runs that a sweep would make.
#[derive(Debug, Serialize)]
pub struct Forecast {
    /// Name of the study.
    pub study: String,
    /// Folder with the store and the tables.
    pub folder: String,
    /// Number of replications of each point.
    pub replications: u64,
    /// All runs behind the tables; points with the same scenario share theirs.
    pub runs: u64,
    /// Number of runs that are not in the store.
    pub missing: u64,
    /// The number of missing pilots: one run for each point whose warm-up is to be found.
    pub pilots: u64,
    /// The number of missing runs for figures over time: drawn replications, once more with their
    /// series.
    pub series: u64,
    /// True if points that are not yet precise may need more runs.
    pub may_grow: bool,
    /// The total time of the missing runs in sequence; null if unknown. Estimated from stored runs
    /// it is real time; from trial runs it is processor time, if the system reports that, as on an
    /// otherwise idle machine.
    pub missing_s: Option<f64>,
    /// Number of runs behind this estimate.
    pub judged_by: u64,
    /// True if these were trial runs, which are not stored; otherwise they are in the store.
    pub tried: bool,
    /// Axes of the study.
    pub axes: Vec<OutlineAxis>,
    /// Points in the order of their numbers.
    pub points: Vec<ForecastPoint>,
}

/// A point of a forecast.
#[derive(Debug, PartialEq, Serialize)]
pub struct ForecastPoint {
    /// Number of the point in the full grid.
    pub point: u64,
    /// Value of the point on each axis.
    pub values: Vec<OutlineValue>,
    /// The number of runs that it needs; with a target precision, up to the next check.
    pub replications: u64,
    /// Number of its runs in the store.
    pub done: u64,
}

/// Forecasts the runs of a sweep, and stores nothing. If the store has no runs to estimate from, a
/// few missing ones are tried, and stopped if they take long.
pub fn forecast(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Forecast, SweepError> {
    crate::refuse::refuse(sweep)?;
    let store = Store::open(sweep.out, &sweep.study.name)?;
    let (plan, pilots) = crate::known::as_known(sweep, store.as_ref(), monitor)?;
    let (work, missing) = Work::of(&plan, store.as_ref())?;
    let drawn = DrawnRuns::of(sweep.study, &plan, store.as_ref(), false)?;
    let done = times(&plan, store.as_ref())?;
    let mut judge = done
        .iter()
        .fold(RunTimes::default(), |all, of| all.and(*of));
    let tried = judge.runs == 0 && !missing.is_empty();
    if tried {
        judge = try_some(sweep, &plan, &missing, monitor)?;
    }
    // A point is judged by its own runs, or by those of all points if it has none.
    let cost = |missing: &Missing| done[missing.place].mean().or(judge.mean());
    let point = |(planned, times): (&Planned, &RunTimes)| ForecastPoint {
        point: planned.number,
        values: OutlineValue::all(&planned.at(sweep.study)),
        replications: planned.replications,
        done: times.runs,
    };
    Ok(Forecast {
        study: sweep.study.name.clone(),
        folder: sweep.out.display().to_string(),
        replications: sweep.replications,
        runs: work.all,
        missing: work.missing,
        pilots,
        series: drawn.missing(),
        may_grow: plan
            .points
            .iter()
            .any(|point| point.outcome == Outcome::Open),
        missing_s: missing
            .iter()
            .map(cost)
            .sum::<Option<f64>>()
            .map(|seconds| {
                let of_series = judge.mean().unwrap_or(0.0) * drawn.missing() as f64;
                seconds + of_series
            }),
        judged_by: judge.runs,
        tried,
        axes: OutlineAxis::all(sweep.study),
        points: plan.points.iter().zip(&done).map(point).collect(),
    })
}

/// The times of several runs.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunTimes {
    pub(crate) runs: u64,
    seconds: f64,
}

impl RunTimes {
    pub(crate) fn and(self, other: RunTimes) -> RunTimes {
        RunTimes {
            runs: self.runs + other.runs,
            seconds: self.seconds + other.seconds,
        }
    }

    pub(crate) fn mean(self) -> Option<f64> {
        (self.runs > 0).then(|| self.seconds / self.runs as f64)
    }
}

/// The times of the runs in the store, for each point.
pub(crate) fn times(plan: &SweepPlan, store: Option<&Store>) -> Result<Vec<RunTimes>, StoreError> {
    let Some(store) = store else {
        return Ok(vec![RunTimes::default(); plan.points.len()]);
    };
    let mut reader = store.reader()?;
    let of_point = |reader: &mut Reader<'_>, point: &Planned| {
        let mut times = RunTimes::default();
        let windows = point.windows;
        for replication in reader.replications(point.scenario, windows, point.replications)? {
            let first = Repetition {
                replication,
                windows,
                window: 0,
            };
            if let Some(run) = reader.run(point.scenario, first)? {
                let (runs, seconds) = (1, run.wall_s * windows as f64);
                times = times.and(RunTimes { runs, seconds });
            }
        }
        Ok(times)
    };
    let points = plan.points.iter();
    points.map(|point| of_point(&mut reader, point)).collect()
}

/// Runs the first, the middle and the last of the missing runs, each only until its pace is known.
pub(crate) fn try_some(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    missing: &[Missing],
    monitor: &dyn BatchMonitor,
) -> Result<RunTimes, SweepError> {
    let mut places = vec![0, missing.len() / 2, missing.len() - 1];
    places.dedup();
    let workers = Workers::new(monitor, 1, places.len() as u64);
    let mut maker = Maker::new(sweep, plan);
    let mut times = RunTimes::default();
    for place in places {
        let mut trial = Trial::new(workers.run_monitor(0), monitor);
        let made = maker.make(missing[place], &mut trial);
        let seconds = match made {
            Ok(_) => trial.passed().as_secs_f64(),
            Err(error) if error.is_interrupted() && !monitor.wants_end() => trial.whole_run(),
            Err(error) => return Err(error),
        };
        times = times.and(RunTimes { runs: 1, seconds });
    }
    Ok(times)
}

impl Forecast {
    /// The forecast as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
