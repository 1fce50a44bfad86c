//! Execution of the missing runs: several threads make them, one stores them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::scenario::Checked;
use pacesim::{GaveUp, World};
use pacesim_probes::kinds;
use pacesim_probes::measured::measured_of;
use pacesim_runs::block_sizes::expand;
use pacesim_runs::error::RunError;
use pacesim_runs::lived::{LiveOrder, Lived, open};
use pacesim_runs::manifest::Digest;
use pacesim_runs::metrics::{GAVE_UP_AT, Metric, OF_RUN, metrics_of, note_steadiness};
use pacesim_runs::pool::in_parallel;
use pacesim_runs::run_monitor::RunMonitor;
use pacesim_runs::summary::Parts;
use pacesim_runs::windows::in_windows_of;
use pacesim_runs::workers::{BatchMonitor, Workers};
use pacesim_store::database::{Abandoned, Finished, Store, StoreError, Writer};
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::measure::Measure;

use crate::error::SweepError;

/// A run that is to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missing {
    /// Index of the run's point in the plan.
    pub place: usize,
    /// Number of the replication.
    pub replication: u64,
}

/// The number of runs that a plan needs; points with the same scenario share theirs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    pub(crate) all: u64,
    /// Number of runs that are not in the store.
    pub missing: u64,
}

impl Work {
    /// Counts the runs, and lists the missing ones: all replications of one point, then those of
    /// the next.
    pub fn of(plan: &SweepPlan, store: Option<&Store>) -> Result<(Work, Vec<Missing>), StoreError> {
        let mut reader = store.map(Store::reader).transpose()?;
        let abandoned = store.map(Store::abandoned).transpose()?.unwrap_or_default();
        let mut listed = BTreeMap::new();
        let mut missing = Vec::new();
        for (place, point) in plan.points.iter().enumerate() {
            // Runs already listed for another point with the same scenario.
            let known: &mut u64 = listed.entry((point.scenario, point.part)).or_default();
            let there = match &mut reader {
                Some(reader) if point.replications > *known => {
                    reader.replications(point.scenario, point.windows, point.replications)?
                }
                _ => Vec::new(),
            };
            let is_absent = |n: &u64| point.part.has(*n) && there.binary_search(n).is_err();
            let scenario = point.scenario.to_string();
            let is_due = |n: &u64| !abandoned.contains_key(&(scenario.clone(), point.windows, *n));
            let absent = (*known..point.replications).filter(is_absent);
            let absent = absent.filter(|n| abandoned.is_empty() || is_due(n));
            missing.extend(absent.map(|replication| Missing { place, replication }));
            *known = point.replications.max(*known);
        }
        let work = Work {
            all: listed.iter().map(|((_, part), n)| part.count(*n)).sum(),
            missing: missing.len() as u64,
        };
        Ok((work, missing))
    }
}

/// The outcome of a run.
pub(crate) type Ended = Result<Made, SweepError>;

/// A run with an outcome that does not stop the others.
pub enum Made {
    /// The run came to its end, or gave up.
    Finished(Box<Finished>),
    /// The run exceeded a machine limit.
    Abandoned(Abandoned),
}

/// Makes and stores all missing runs, unless the monitor stops the work. Returns the number of runs
/// stored, or listed as beyond the machine.
pub(crate) fn execute(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    measures: &[Measure],
    missing: Vec<Missing>,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<u64, SweepError> {
    let workers = Workers::new(monitor, sweep.jobs.get(), missing.len() as u64);
    let mut keeper = Keeper {
        store,
        writer: store.writer()?,
        kept: 0,
        failed: None,
    };
    let worker = |thread| {
        let mut maker = Maker {
            measures,
            ..Maker::new(sweep, plan)
        };
        let workers = &workers;
        move |missing| {
            let ended = maker.make(missing, &mut workers.run_monitor(thread));
            workers.finished(thread);
            ended
        }
    };
    let take = |batch: &mut dyn Iterator<Item = Ended>| {
        keeper.take(batch)?;
        workers.wants_end()
    };
    in_parallel(sweep.jobs.get(), missing.into_iter(), worker, take, || {
        workers.report()
    });
    match keeper.failed {
        Some(error) => Err(error),
        None => Ok(keeper.kept),
    }
}

/// Makes runs on one thread. Caches the last scenario, since replications of a point mostly follow
/// each other.
pub struct Maker<'a> {
    sweep: &'a Sweep<'a>,
    plan: &'a SweepPlan,
    measures: &'a [Measure],
    last: Option<(usize, Checked)>,
}

impl<'a> Maker<'a> {
    /// A maker of this plan's runs.
    pub fn new(sweep: &'a Sweep<'a>, plan: &'a SweepPlan) -> Maker<'a> {
        Maker {
            sweep,
            plan,
            measures: &sweep.study.measures,
            last: None,
        }
    }

    /// Makes a run.
    pub fn make(&mut self, missing: Missing, run_monitor: &mut dyn RunMonitor) -> Ended {
        let point = self.plan.points[missing.place];
        let scenario = match self.last.take() {
            Some((place, scenario)) if place == missing.place => scenario,
            _ => self
                .sweep
                .study
                .scenario(point.number)
                .map_err(|problems| SweepError::Problems(problems.0))?,
        };
        let (_, scenario) = self.last.insert((missing.place, scenario));
        let run = run(
            scenario,
            self.measures,
            point,
            missing.replication,
            run_monitor,
        );
        match run {
            Ok(finished) => Ok(Made::Finished(Box::new(finished))),
            Err(RunError::Interrupted) => Err(SweepError::Stopped),
            Err(RunError::Exhausted { limit, at }) => Ok(Made::Abandoned(Abandoned {
                scenario: point.scenario,
                replication: missing.replication,
                windows: point.windows,
                why: format!("stopped at {at}: {limit}"),
            })),
            Err(source) => Err(SweepError::Run {
                point: point.number,
                replication: missing.replication,
                source,
            }),
        }
    }
}

/// Makes one run, with the results to be stored.
fn run(
    scenario: &Checked,
    measures: &[Measure],
    point: Planned,
    replication: u64,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Finished, RunError> {
    let mut model = expand(scenario, point.seed, replication);
    if let Some(found) = point.warmup {
        model.warmup = found.warmup;
    }
    let lived = live_run(scenario, &mut model, point, run_monitor)?;
    let of = (model, lived.as_ref());
    let finished = match measures {
        [] => run_in_windows(of, point, run_monitor),
        measures => run_measured(of, measures, point, run_monitor),
    };
    if let (Some(lived), Ok(finished)) = (&lived, &finished) {
        lived.expect(&finished.fingerprint)?;
    }
    let mut finished = match finished {
        Err(RunError::GaveUp(gave_up)) => given_up(&gave_up, point, run_monitor),
        finished => finished?,
    };
    if let (Some(lived), Some(numbers)) = (&lived, finished.windows.first_mut()) {
        numbers.extend(lived.metrics());
    }
    Ok(Finished {
        replication,
        ..finished
    })
}

/// Makes a live run, if the scenario is live, and opens its model.
fn live_run(
    scenario: &Checked,
    model: &mut Model,
    point: Planned,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Option<Lived>, RunError> {
    if scenario.live_parts(model).is_empty() {
        return Ok(None);
    }
    if point.windows > 1 {
        let text =
            "a live run is not divided into windows: its receivers count its goodput as a whole";
        return Err(RunError::Live(text.to_owned()));
    }
    let lived = run_monitor.live(&LiveOrder { scenario, model })?;
    open(scenario, model);
    Ok(Some(lived))
}

/// Stores a run that gave up like any other; its only results are the time, place and reason.
fn given_up(gave_up: &GaveUp, point: Planned, run_monitor: &dyn RunMonitor) -> Finished {
    let text = gave_up.to_string();
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    let when = Metric {
        of: OF_RUN,
        entity: OF_RUN.to_owned(),
        metric: GAVE_UP_AT.into(),
        value: Some(gave_up.at.as_secs_f64()),
    };
    let first = u64::from_le_bytes(digest.to_bytes()[..8].try_into().expect("eight bytes"));
    Finished {
        scenario: point.scenario,
        replication: 0,
        seed: point.seed,
        windows: vec![vec![when]; point.windows as usize],
        tables: Vec::new(),
        packet_hops: 0,
        wall_s: run_monitor.elapsed().as_secs_f64(),
        peak_rss_bytes: run_monitor.peak_rss_bytes(),
        gave_up: Some(text),
        fingerprint: format!("{first:016x}"),
    }
}

/// Makes a run without measures, only with counters.
fn run_in_windows(
    of: (Model, Option<&Lived>),
    point: Planned,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Finished, RunError> {
    let mut windows = Vec::new();
    let (world, steadiness) = in_windows_of(of, point.windows, run_monitor, &mut |world| {
        windows.push(metrics_of(&Parts::of(world)));
    })?;
    for numbers in &mut windows {
        note_steadiness(numbers, &steadiness);
    }
    Ok(finished(&world, point, windows, run_monitor))
}

/// A run with the probes of measures, as one window.
fn run_measured(
    of: (Model, Option<&Lived>),
    measures: &[Measure],
    point: Planned,
    run_monitor: &mut dyn RunMonitor,
) -> Result<Finished, RunError> {
    let (world, found, steadiness) = measured_of(of, measures, run_monitor)?;
    let mut numbers = metrics_of(&Parts::of(&world));
    note_steadiness(&mut numbers, &steadiness);
    let mut tables = Vec::new();
    for (measure, found) in measures.iter().zip(found) {
        numbers.extend(kinds::metrics(&found, measure));
        tables.push((measure.name.clone(), kinds::table(found, measure)));
    }
    let finished = finished(&world, point, vec![numbers], run_monitor);
    Ok(Finished { tables, ..finished })
}

fn finished<P: Probe>(
    world: &World<P>,
    point: Planned,
    windows: Vec<Vec<Metric>>,
    run_monitor: &dyn RunMonitor,
) -> Finished {
    Finished {
        scenario: point.scenario,
        replication: 0,
        seed: point.seed,
        windows,
        tables: Vec::new(),
        packet_hops: world.packet_hops(),
        wall_s: run_monitor.elapsed().as_secs_f64(),
        peak_rss_bytes: run_monitor.peak_rss_bytes(),
        gave_up: None,
        fingerprint: format!("{:016x}", world.fingerprint()),
    }
}

/// Stores runs, on the thread that owns the store.
struct Keeper<'s> {
    store: &'s Store,
    writer: Writer<'s>,
    kept: u64,
    /// The error that stops further work, unless it was an interruption.
    failed: Option<SweepError>,
}

impl Keeper<'_> {
    /// Stores all runs that came in since the last call in one transaction; more runs come in while
    /// it commits.
    fn take(&mut self, batch: &mut dyn Iterator<Item = Ended>) -> ControlFlow<()> {
        let (mut kept, mut failed) = (0, None);
        let mut abandoned = Vec::new();
        let finished = batch.filter_map(|ended| match ended {
            Ok(Made::Finished(finished)) => {
                kept += 1;
                Some(*finished)
            }
            Ok(Made::Abandoned(run)) => {
                kept += 1;
                abandoned.push(run);
                None
            }
            Err(error) => {
                if !error.is_interrupted() {
                    failed.get_or_insert(error);
                }
                None
            }
        });
        let written = self.writer.keep(finished);
        let written = written.and_then(|()| {
            if abandoned.is_empty() {
                Ok(())
            } else {
                self.store.keep_abandoned(&abandoned)
            }
        });
        match written {
            Ok(()) => self.kept += kept,
            Err(error) => failed = Some(error.into()),
        }
        if self.failed.is_none() {
            self.failed = failed;
        }
        match self.failed {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
