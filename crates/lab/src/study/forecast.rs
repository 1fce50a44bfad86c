//! What a sweep would run, and what it would take.

use serde::Serialize;

use super::execute::Work;
use super::outline::{OutlineAxis, OutlineValue};
use super::plan::Plan;
use super::store::{Reader, Store, StoreError};
use super::{Sweep, SweepError, columns};
use crate::crew::Overseer;
use crate::summary::to_json;

/// What a sweep would run.
#[derive(Debug, Serialize)]
pub struct Forecast {
    /// The study's name.
    pub study: String,
    /// The folder with the store and the tables.
    pub folder: String,
    /// How many replications each point has.
    pub replications: u64,
    /// All runs that the tables would be of; points with the same scenario share theirs.
    pub runs: u64,
    /// Those that are not in the store.
    pub missing: u64,
    /// How much real time the missing runs take one after the other, by what those in the store
    /// took; null if there are none.
    pub missing_s: Option<f64>,
    /// How many runs that is judged by.
    pub judged_by: u64,
    /// What varies.
    pub axes: Vec<OutlineAxis>,
    /// The points in the order of their numbers.
    pub points: Vec<ForecastPoint>,
}

/// A point of a forecast.
#[derive(Debug, PartialEq, Serialize)]
pub struct ForecastPoint {
    /// Its number in the full grid.
    pub point: u64,
    /// Its value on each axis.
    pub values: Vec<OutlineValue>,
    /// How many of its runs are in the store.
    pub done: u64,
}

/// Real time of the runs of one point that are in the store.
#[derive(Clone, Copy, Default)]
struct Times {
    done: u64,
    seconds: f64,
}

impl Times {
    fn mean(self) -> Option<f64> {
        (self.done > 0).then(|| self.seconds / self.done as f64)
    }
}

/// Says what a sweep would run. Makes no run, no store and no folder.
pub fn forecast(sweep: &Sweep<'_>, overseer: &dyn Overseer) -> Result<Forecast, SweepError> {
    let store = Store::open(sweep.out, &sweep.study.name)?;
    let plan = Plan::of(sweep, overseer)?;
    columns::refuse_equal_names(sweep.study, &plan.numeric)?;
    let (work, missing) = Work::of(&plan, sweep.replications, store.as_ref())?;
    let times = times(sweep, &plan, store.as_ref())?;
    let total = times.iter().fold(Times::default(), |all, of| Times {
        done: all.done + of.done,
        seconds: all.seconds + of.seconds,
    });
    // A point is judged by its own runs, and without any by those of all points.
    let cost = |place: usize| times[place].mean().or(total.mean());
    let missing_s: Option<f64> = missing.iter().map(|missing| cost(missing.place)).sum();
    Ok(Forecast {
        study: sweep.study.name.clone(),
        folder: sweep.out.display().to_string(),
        replications: sweep.replications,
        runs: work.all,
        missing: work.missing,
        missing_s,
        judged_by: total.done,
        axes: OutlineAxis::all(sweep.study),
        points: points(sweep, &plan, &times),
    })
}

fn times(sweep: &Sweep<'_>, plan: &Plan, store: Option<&Store>) -> Result<Vec<Times>, StoreError> {
    let Some(store) = store else {
        return Ok(vec![Times::default(); plan.points.len()]);
    };
    let mut reader = store.reader()?;
    let of_point = |reader: &mut Reader<'_>, scenario| {
        let mut times = Times::default();
        for replication in reader.replications(scenario, sweep.replications)? {
            if let Some(run) = reader.run(scenario, replication)? {
                times.done += 1;
                times.seconds += run.wall_s;
            }
        }
        Ok(times)
    };
    let points = plan.points.iter();
    points
        .map(|point| of_point(&mut reader, point.scenario))
        .collect()
}

fn points(sweep: &Sweep<'_>, plan: &Plan, times: &[Times]) -> Vec<ForecastPoint> {
    let point = |(planned, times): (&super::plan::Planned, &Times)| {
        let found = sweep.study.point(planned.number);
        let values = found.expect("a planned point is in the study").values;
        ForecastPoint {
            point: planned.number,
            values: values.into_iter().map(OutlineValue::from).collect(),
            done: times.done,
        }
    };
    plan.points.iter().zip(times).map(point).collect()
}

impl Forecast {
    /// The forecast as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
