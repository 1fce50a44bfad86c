//! Runs for figures over time: the drawn replications once more, with their series. Their numbers
//! equal those of the runs without series, which a new figure leaves unchanged.

use std::collections::BTreeSet;

use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{Reader, Store, StoreError, StoredRun};
use pacesim_store::key::with_courses;
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::repetition::Repetition;
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;

use crate::error::SweepError;
use crate::execute::{Missing, Work, execute};

/// The runs with series that figures over time draw.
pub(crate) struct DrawnRuns {
    /// A point for each run that is missing.
    plan: SweepPlan,
    missing: Vec<Missing>,
    /// The number of all these runs; points with the same scenario share theirs.
    all: u64,
}

impl DrawnRuns {
    /// The runs with series of a plan. Those of the plan that are not in the store are made before,
    /// unless `is_complete`: then they were stopped, and have no course either.
    pub(crate) fn of(
        study: &Study,
        plan: &SweepPlan,
        store: Option<&Store>,
        is_complete: bool,
    ) -> Result<DrawnRuns, StoreError> {
        let mut reader = store.map(Store::reader).transpose()?;
        let mut find = |planned: &Planned, replication| match &mut reader {
            Some(reader) => reader.run(planned.scenario, whole(replication)),
            None => Ok(None),
        };
        let (mut points, mut missing, mut listed) = (Vec::new(), Vec::new(), BTreeSet::new());
        for point in &plan.points {
            let with = with_series(study, point);
            for replication in replications(study, point) {
                let run = find(point, replication)?;
                let is_sound = run.map_or(!is_complete, |run| run.gave_up.is_none());
                if !is_sound || !listed.insert((with.scenario.to_string(), replication)) {
                    continue;
                }
                if find(&with, replication)?.is_none() {
                    let place = points.len();
                    missing.push(Missing { place, replication });
                    points.push(with);
                }
            }
        }
        Ok(DrawnRuns {
            plan: SweepPlan { points },
            missing,
            all: listed.len() as u64,
        })
    }

    /// The number of these runs that are not in the store.
    pub(crate) fn missing(&self) -> u64 {
        self.missing.len() as u64
    }
}

/// Makes the missing runs, which count as work of the sweep; the store has all runs of the plan.
pub(crate) fn make(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<Work, SweepError> {
    let drawn = DrawnRuns::of(sweep.study, plan, Some(store), true)?;
    let work = Work {
        all: drawn.all,
        missing: drawn.missing(),
    };
    let courses = &sweep.study.courses;
    match execute(sweep, &drawn.plan, courses, drawn.missing, store, monitor)? {
        kept if kept < work.missing => Err(SweepError::Stopped),
        _ => Ok(work),
    }
}

/// The stored runs with series of a point.
pub(crate) fn stored(
    study: &Study,
    point: &Planned,
    reader: &mut Reader<'_>,
) -> Result<Vec<StoredRun>, StoreError> {
    let mut runs = Vec::new();
    for replication in replications(study, point) {
        let run = reader.run(with_series(study, point).scenario, whole(replication))?;
        runs.extend(run.filter(|run| run.gave_up.is_none()));
    }
    Ok(runs)
}

/// The drawn replications of a point in its part.
fn replications(study: &Study, point: &Planned) -> impl Iterator<Item = u64> + use<> {
    let (part, most) = (point.part, point.replications);
    let all = study.drawn_over_time(point.number).into_iter();
    all.filter(move |replication| part.has(*replication) && *replication < most)
}

fn with_series(study: &Study, point: &Planned) -> Planned {
    Planned {
        scenario: with_courses(point.scenario, &study.courses),
        ..*point
    }
}

fn whole(replication: u64) -> Repetition {
    Repetition {
        replication,
        windows: 1,
        window: 0,
    }
}
