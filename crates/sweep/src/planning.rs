//! Planning: checks every point of a study, and computes the key of its scenario.

use std::io;
use std::path::PathBuf;

use pacesim::scenario::Checked;
use pacesim_runs::workers::{BatchMonitor, StepProgress};
use pacesim_store::key::Keys;
use pacesim_store::plan::{FoundWarmup, Outcome, Planned, SweepPlan};
use pacesim_store::shard::{Part, Shard};
use pacesim_store::sweep::Sweep;

use crate::division::Division;
use crate::error::SweepError;
use crate::points::{Unsound, of_points};

/// Plans all points.
pub fn plan_all(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<SweepPlan, SweepError> {
    plan_points(sweep, sweep.study.points(), monitor)
}

/// Plans the points that a shard has runs of.
pub(crate) fn plan_shard(
    sweep: &Sweep<'_>,
    shard: Shard,
    monitor: &dyn BatchMonitor,
) -> Result<SweepPlan, SweepError> {
    let division = Division::new(sweep.study, sweep.replications, shard.of());
    let points = (0..).zip(sweep.study.points());
    let points = points.filter_map(|(place, number)| {
        let part = division.part(shard, place, number)?;
        Some((number, part))
    });
    let (numbers, parts): (Vec<u64>, Vec<Part>) = points.unzip();
    let mut plan = plan_points(sweep, numbers.into_iter(), monitor)?;
    for (planned, part) in plan.points.iter_mut().zip(parts) {
        planned.part = part;
    }
    Ok(plan)
}

/// Plans these points. Warm-ups to be found are still missing.
pub(crate) fn plan_points(
    sweep: &Sweep<'_>,
    numbers: impl Iterator<Item = u64>,
    monitor: &dyn BatchMonitor,
) -> Result<SweepPlan, SweepError> {
    let is_given = sweep.study.find_warmup.is_empty();
    let warmup = (!is_given).then_some(FoundWarmup::NONE);
    plan_with_warmups(sweep, numbers, |_| warmup, monitor)
}

/// Plans these points, some with warm-ups other than their scenarios'.
pub(crate) fn plan_with_warmups(
    sweep: &Sweep<'_>,
    numbers: impl Iterator<Item = u64>,
    warmup: impl Fn(u64) -> Option<FoundWarmup> + Sync,
    monitor: &dyn BatchMonitor,
) -> Result<SweepPlan, SweepError> {
    let keys = Keys::new(sweep.folder, &sweep.study.measures);
    let plan = |number, scenario| planned(sweep, &keys, number, &scenario, warmup(number));
    let numbers: Vec<u64> = numbers.collect();
    let all = numbers.len() as u64;
    let wants_end = |done| {
        let verb = "checked";
        let what = "points";
        monitor.step(&StepProgress {
            what,
            verb,
            done,
            all,
        });
        monitor.wants_end()
    };
    let numbers = numbers.into_iter();
    let points = of_points(sweep.study, numbers, sweep.jobs, plan, wants_end);
    let points = points.map_err(|unsound| match unsound {
        Unsound::Problems(problems) => SweepError::Problems(problems),
        Unsound::Stopped => SweepError::Stopped,
    })?;
    let points: Result<Vec<Planned>, _> = points.into_iter().collect();
    let points = points.map_err(|(path, source)| SweepError::File { path, source })?;
    Ok(SweepPlan { points })
}

fn planned(
    sweep: &Sweep<'_>,
    keys: &Keys<'_>,
    number: u64,
    scenario: &Checked,
    warmup: Option<FoundWarmup>,
) -> Result<Planned, (PathBuf, io::Error)> {
    let seed = sweep.seed.unwrap_or(scenario.scenario().run.seed);
    let scenario = keys.of(scenario, seed, warmup.map(|found| found.warmup))?;
    Ok(Planned {
        number,
        scenario,
        seed,
        replications: sweep.study.replications_of(number, sweep.replications),
        outcome: Outcome::Given,
        warmup,
        windows: sweep.study.batches.unwrap_or(1),
        part: Part::WHOLE,
    })
}
