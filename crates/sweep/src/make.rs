//! A sweep from plan to tables: makes the missing runs, and judges the claims.

use pacesim_claims::judge::judge;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::Store;
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;

use crate::error::SweepError;
use crate::execute::{Work, execute};
use crate::outline::Outline;
use crate::planning::plan_all;
use crate::refuse::refuse;
use crate::samples::Samples;
use crate::stopping::Stopping;
use crate::{courses, edits, figures, gallery, recordings, tabulate, warmup, written};

/// Makes the missing runs, and all tables.
pub fn sweep(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Outline, SweepError> {
    refuse(sweep)?;
    let name = &sweep.study.name;
    // An existing store is opened before the costly planning, a new one created after it.
    let store = Store::open_mended(sweep.out, name, monitor)?;
    let plan = plan_all(sweep, monitor)?;
    let mut store = match store {
        Some(store) => store,
        None => Store::create(sweep.out, name)?,
    };
    try_again_if_asked(&store, monitor)?;
    let mut plan = warmup::find(sweep, plan, &store, monitor)?;
    edits::explain(sweep, &plan, &store, monitor)?;
    store.keep_plan(sweep, &plan, None)?;
    let mut work = make_missing(sweep, &mut plan, &store, monitor)?;
    if sweep.study.precision.is_some() {
        // The replications that count are known only now.
        store.keep_plan(sweep, &plan, None)?;
    }
    repeat_recorded(sweep, &plan, &store, &mut work, monitor)?;
    conclude(sweep, &plan, &mut store, &work, monitor)
}

/// Repeats runs that are recorded, and runs whose series figures over time draw, which count as
/// work; the store has all runs of the plan.
pub(crate) fn repeat_recorded(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &Store,
    work: &mut Work,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    let stopped = |error: SweepError| match error {
        SweepError::Stopped => SweepError::interrupted(sweep, work.all, work.all),
        error => error,
    };
    let drawn = courses::make(sweep, plan, store, monitor).map_err(stopped)?;
    recordings::make(sweep, plan, store, monitor).map_err(stopped)?;
    work.all += drawn.all;
    work.missing += drawn.missing;
    Ok(())
}

/// Marks runs that exceeded machine limits as missing again, if asked to.
pub(crate) fn try_again_if_asked(
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    if monitor.limits().again {
        store.forget_abandoned()?;
    }
    Ok(())
}

/// Writes tables and figures and judges the claims; the store has all runs.
pub fn conclude(
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    store: &mut Store,
    work: &Work,
    monitor: &dyn BatchMonitor,
) -> Result<Outline, SweepError> {
    let mut outline = tabulate::tabulate(sweep, plan, store, work, monitor)?;
    outline.note_idle(sweep.study);
    written::keep(sweep.out, &tabulate::files(sweep.study), store)?;
    let samples = Samples::read(sweep.study, plan, &mut store.reader()?)?;
    outline.claims = judge(sweep.study, &samples, sweep.study.scale());
    let figures = figures::all(sweep.study, &samples);
    outline.note_blank(&figures);
    gallery::keep(sweep.out, &figures, store, monitor)?;
    store.keep_complete()?;
    Ok(outline)
}

/// Makes and stores all missing runs, in rounds if the number of replications depends on results.
pub(crate) fn make_missing(
    sweep: &Sweep<'_>,
    plan: &mut SweepPlan,
    store: &Store,
    monitor: &dyn BatchMonitor,
) -> Result<Work, SweepError> {
    let stopping = Stopping::of(sweep, plan);
    let mut made = 0;
    loop {
        let is_last = match &stopping {
            Some(stopping) => stopping.decide(plan, &mut store.reader()?)?,
            None => true,
        };
        let (work, missing) = Work::of(plan, Some(store))?;
        let kept = execute(sweep, plan, &sweep.study.measures, missing, store, monitor)?;
        if kept < work.missing {
            return Err(SweepError::interrupted(
                sweep,
                work.all - work.missing + kept,
                work.all,
            ));
        }
        made += kept;
        if is_last {
            return Ok(Work {
                missing: made,
                ..work
            });
        }
    }
}
