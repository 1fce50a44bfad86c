//! A sweep from its plan to its tables: the runs that are missing are made, and everything is judged.

use pacesim_runs::workers::BatchMonitor;

use crate::error::SweepError;
use crate::execute::{Work, execute};
use crate::outline::Outline;
use crate::plan::Plan;
use crate::refuse::refuse;
use crate::samples::Samples;
use crate::stopping::Stopping;
use crate::store::Store;
use crate::sweep::Sweep;
use crate::{edits, figures, gallery, judge, recordings, tabulate, warmup};

/// Makes the runs that are missing, and all tables.
pub fn sweep(sweep: &Sweep<'_>, monitor: &dyn BatchMonitor) -> Result<Outline, SweepError> {
    refuse(sweep)?;
    let name = &sweep.study.name;
    // A store that is there is looked at before the work of planning, and a new one made after it.
    let store = Store::open_mended(sweep.out, name, monitor)?;
    let plan = Plan::of(sweep, monitor)?;
    let mut store = match store {
        Some(store) => store,
        None => Store::create(sweep.out, name)?,
    };
    try_again_if_asked(&store, monitor)?;
    let mut plan = warmup::find(sweep, plan, &store, monitor)?;
    edits::explain(sweep, &plan, &store, monitor)?;
    store.keep_plan(sweep, &plan, None)?;
    let work = make_missing(sweep, &mut plan, &store, monitor)?;
    if sweep.study.precision.is_some() {
        // Now it is known how many replications count.
        store.keep_plan(sweep, &plan, None)?;
    }
    recordings::make(sweep, &plan, &store, monitor).map_err(|error| match error {
        SweepError::Stopped => SweepError::interrupted(sweep, work.all, work.all),
        error => error,
    })?;
    conclude(sweep, &plan, &mut store, &work, monitor)
}

/// Runs that took too much of a machine are missing again, if that is asked.
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
    plan: &Plan,
    store: &mut Store,
    work: &Work,
    monitor: &dyn BatchMonitor,
) -> Result<Outline, SweepError> {
    let mut outline = tabulate::tabulate(sweep, plan, store, work, monitor)?;
    let samples = Samples::read(sweep.study, plan, &mut store.reader()?)?;
    outline.claims = judge::judge(sweep.study, &samples, sweep.study.scale());
    gallery::keep(
        sweep.out,
        &figures::all(sweep.study, &samples),
        store,
        monitor,
    )?;
    store.keep_complete()?;
    Ok(outline)
}

/// Makes and keeps all runs that are missing: in rounds, if their results say how many there are.
pub(crate) fn make_missing(
    sweep: &Sweep<'_>,
    plan: &mut Plan,
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
        let kept = execute(sweep, plan, missing, store, monitor)?;
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
