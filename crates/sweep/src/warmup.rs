//! The end of each point's warm-up, found by a pilot: replication 0 recorded from the start, with
//! its time series truncated by MSER-5.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use pacesim::measure::mser5;
use pacesim::model::Model;
use pacesim::scenario::Checked;
use pacesim::units::Span;
use pacesim_runs::block_sizes::expand;
use pacesim_runs::borders::border;
use pacesim_runs::error::RunError;
use pacesim_runs::manifest::Digest;
use pacesim_runs::metrics::{Metric, metrics_of};
use pacesim_runs::pool::in_parallel;
use pacesim_runs::run_monitor::RunMonitor;
use pacesim_runs::summary::Parts;
use pacesim_runs::windows::in_windows;
use pacesim_runs::workers::{BatchMonitor, Workers};
use pacesim_store::database::Store;
use pacesim_store::plan::{FoundWarmup, Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::{NumberName, Study};

use crate::error::SweepError;
use crate::planning::plan_with_warmups;

/// Number of equal windows of a pilot.
const WINDOWS: u64 = 1000;

/// Warm-ups found, and pilots that are missing.
pub(crate) struct Warmups {
    found: BTreeMap<Digest, FoundWarmup>,
    /// Indices in the plan of points whose pilots are not in the store.
    missing: Vec<usize>,
}

impl Warmups {
    /// The warm-ups stored for the points of a plan, before others are found.
    pub(crate) fn known(
        study: &Study,
        plan: &SweepPlan,
        store: Option<&Store>,
    ) -> Result<Warmups, SweepError> {
        let mut warmups = Warmups {
            found: match store {
                Some(store) => store.warmups(&recorded_numbers(study))?,
                None => BTreeMap::new(),
            },
            missing: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for (place, point) in plan.points.iter().enumerate() {
            if !warmups.found.contains_key(&point.scenario) && seen.insert(point.scenario) {
                warmups.missing.push(place);
            }
        }
        Ok(warmups)
    }

    /// The number of missing pilots.
    pub(crate) fn missing(&self) -> u64 {
        self.missing.len() as u64
    }

    /// The plan with the warm-ups found; other points stay as they were.
    pub(crate) fn into_plan(
        self,
        sweep: &Sweep<'_>,
        plan: &SweepPlan,
        monitor: &dyn BatchMonitor,
    ) -> Result<SweepPlan, SweepError> {
        let of_point = |point: &Planned| Some((point.number, *self.found.get(&point.scenario)?));
        let found: BTreeMap<u64, FoundWarmup> = plan.points.iter().filter_map(of_point).collect();
        let numbers = plan.points.iter().map(|point| point.number);
        plan_with_warmups(
            sweep,
            numbers,
            |number| found.get(&number).copied(),
            monitor,
        )
    }
}

/// The plan with the warm-ups of its points, if they are to be found. Missing pilots are run and
/// stored.
pub(crate) fn find(
    sweep: &Sweep<'_>,
    plan: SweepPlan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<SweepPlan, SweepError> {
    if sweep.study.find_warmup.is_empty() {
        return Ok(plan);
    }
    let mut warmups = Warmups::known(sweep.study, &plan, Some(store))?;
    warmups.make_missing(sweep, &plan, store, monitor)?;
    warmups.into_plan(sweep, &plan, monitor)
}

/// The plan with the warm-ups in the store.
pub(crate) fn recall(
    sweep: &Sweep<'_>,
    plan: SweepPlan,
    store: Option<&Store>,
    monitor: &dyn BatchMonitor,
) -> Result<(SweepPlan, u64), SweepError> {
    if sweep.study.find_warmup.is_empty() {
        return Ok((plan, 0));
    }
    let warmups = Warmups::known(sweep.study, &plan, store)?;
    let missing = warmups.missing();
    Ok((warmups.into_plan(sweep, &plan, monitor)?, missing))
}

/// The warm-up of one scenario, found with these numbers as in a sweep.
pub fn find_warmup(
    numbers: &[NumberName],
    scenario: &Checked,
    seed: Option<u64>,
    run_monitor: &mut dyn RunMonitor,
) -> Result<FoundWarmup, RunError> {
    let seed = seed.unwrap_or(scenario.scenario().run.seed);
    pilot(numbers, expand(scenario, seed, 0), run_monitor)
}

/// The numbers that pilots record; warm-ups found with others are not reused.
fn recorded_numbers(study: &Study) -> String {
    let names: Vec<String> = study
        .find_warmup
        .iter()
        .map(NumberName::to_string)
        .collect();
    names.join(" ")
}

type Piloted = Result<(Digest, FoundWarmup), SweepError>;

impl Warmups {
    fn make_missing(
        &mut self,
        sweep: &Sweep<'_>,
        plan: &SweepPlan,
        store: &Store,
        monitor: &dyn BatchMonitor,
    ) -> Result<(), SweepError> {
        let missing = std::mem::take(&mut self.missing);
        let all = missing.len() as u64;
        let workers = Workers::new(monitor, sweep.jobs.get(), all);
        let worker = |thread| {
            let workers = &workers;
            move |place: usize| {
                let made = pilot_of(sweep, plan.points[place], &mut workers.run_monitor(thread));
                workers.finished(thread);
                made
            }
        };
        let (mut failed, mut kept) = (None, 0);
        let what = recorded_numbers(sweep.study);
        let take = |batch: &mut dyn Iterator<Item = Piloted>| {
            let mut made = Vec::new();
            for ended in batch {
                match ended {
                    Ok(found) => made.push(found),
                    Err(error) => drop(failed.get_or_insert(error)),
                }
            }
            match store.keep_warmups(&what, &made) {
                Ok(()) => kept += made.len() as u64,
                Err(error) => failed = Some(error.into()),
            }
            self.found.extend(made);
            match &failed {
                Some(error) if !error.is_interrupted() => ControlFlow::Break(()),
                _ => workers.wants_end(),
            }
        };
        in_parallel(sweep.jobs.get(), missing.into_iter(), worker, take, || {
            workers.report()
        });
        match failed {
            Some(error) if !error.is_interrupted() => Err(error),
            _ if kept < all => Err(SweepError::Stopped),
            _ => Ok(()),
        }
    }
}

fn pilot_of(sweep: &Sweep<'_>, point: Planned, run_monitor: &mut dyn RunMonitor) -> Piloted {
    let scenario = sweep.study.scenario(point.number);
    let scenario = scenario.map_err(|problems| SweepError::Problems(problems.0))?;
    let model = expand(&scenario, point.seed, 0);
    let found = pilot(&sweep.study.find_warmup, model, run_monitor);
    match found {
        Ok(found) => Ok((point.scenario, found)),
        // Its runs will report the reason.
        Err(RunError::GaveUp(_) | RunError::Exhausted { .. }) => {
            let is_settled = false;
            let none = FoundWarmup {
                is_settled,
                ..FoundWarmup::NONE
            };
            Ok((point.scenario, none))
        }
        Err(RunError::Interrupted) => Err(SweepError::Stopped),
        Err(source) => Err(SweepError::Run {
            point: point.number,
            replication: 0,
            source,
        }),
    }
}

/// Runs a model from the start, and truncates the course of these numbers.
fn pilot(
    names: &[NumberName],
    mut model: Model,
    run_monitor: &mut dyn RunMonitor,
) -> Result<FoundWarmup, RunError> {
    model.warmup = Span::ZERO;
    let mut courses: Vec<Vec<Option<f64>>> = vec![Vec::new(); names.len()];
    let (world, _) = in_windows(model, WINDOWS, run_monitor, &mut |world| {
        let numbers = metrics_of(&Parts::of(world));
        for (name, course) in names.iter().zip(&mut courses) {
            let number = numbers.iter().find(|number| is_metric_of(number, name));
            course.push(number.and_then(|number| number.value));
        }
    })?;
    let cuts: Vec<_> = courses
        .iter()
        .filter_map(|course| truncation_point(course))
        .collect();
    let warmup = cuts.iter().map(|cut| cut.warmup as u64).max();
    let end = border(world.model(), warmup.unwrap_or(0), WINDOWS);
    Ok(FoundWarmup {
        warmup: Span::from_ps(end.as_ps()),
        is_settled: warmup.is_some() && !cuts.iter().any(|cut| cut.takes_more_than_half()),
    })
}

fn is_metric_of(number: &Metric, name: &NumberName) -> bool {
    (&*number.entity, &*number.metric, number.of) == (&*name.entity, &*name.metric, &*name.of)
}

/// The truncation point of a course. A window without a number repeats the one before it; those
/// before the first number repeat that one.
fn truncation_point(course: &[Option<f64>]) -> Option<pacesim::measure::Cut> {
    let mut last = *course.iter().flatten().next()?;
    let filled = course.iter().map(|number| {
        last = number.unwrap_or(last);
        last
    });
    mser5(&filled.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_without_a_number_are_as_the_one_before() {
        let mut course = vec![None; 50];
        course.extend((0..150).map(|i| Some(f64::from(9 - (i / 5).min(9)))));
        let whole: Vec<f64> = course.iter().map(|number| number.unwrap_or(9.0)).collect();
        let expected = mser5(&whole).expect("long enough");
        assert_eq!(truncation_point(&course), Some(expected));
        assert!(expected.warmup >= 90, "{expected:?}");
        assert_eq!(truncation_point(&[None; 200]), None);
    }
}
