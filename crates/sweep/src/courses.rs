//! Runs for figures over time: the drawn replications once more, with their series. They have the
//! numbers of the runs without, which a new figure leaves as they are.

use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{Reader, Store, StoreError, StoredRun};
use pacesim_store::key::with_courses;
use pacesim_store::plan::{Plan, Planned};
use pacesim_store::repetition::Repetition;
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;

use crate::error::SweepError;
use crate::execute::{Missing, execute};

/// Makes those that are missing; the store has all runs of the plan.
pub(crate) fn make(
    sweep: &Sweep<'_>,
    plan: &Plan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    let mut reader = store.reader()?;
    let (mut drawn, mut missing) = (Plan::default(), Vec::new());
    for point in &plan.points {
        let with = with_series(sweep.study, point);
        for replication in replications(sweep.study, point) {
            // A run that gave up or was stopped has no course either.
            let run = reader.run(point.scenario, whole(replication))?;
            let is_sound = run.is_some_and(|run| run.gave_up.is_none());
            let is_there = reader.run(with.scenario, whole(replication))?.is_some();
            let is_listed = |other: &Missing| {
                let known: &Planned = &drawn.points[other.place];
                known.scenario == with.scenario && other.replication == replication
            };
            if is_sound && !is_there && !missing.iter().any(is_listed) {
                let place = drawn.points.len();
                missing.push(Missing { place, replication });
                drawn.points.push(with);
            }
        }
    }
    drop(reader);
    let all = missing.len() as u64;
    let courses = &sweep.study.courses;
    match execute(sweep, &drawn, courses, missing, store, monitor)? {
        kept if kept < all => Err(SweepError::Stopped),
        _ => Ok(()),
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
