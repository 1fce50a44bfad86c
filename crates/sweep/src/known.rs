//! A plan completed from a store.

use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::Store;
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;

use crate::error::SweepError;
use crate::planning::plan_all;
use crate::stopping::Stopping;
use crate::warmup;

/// A plan completed from the store as far as possible, with the number of missing pilots.
pub(crate) fn as_known(
    sweep: &Sweep<'_>,
    store: Option<&Store>,
    monitor: &dyn BatchMonitor,
) -> Result<(SweepPlan, u64), SweepError> {
    let plan = plan_all(sweep, monitor)?;
    let (mut plan, pilots) = warmup::recall(sweep, plan, store, monitor)?;
    let stopping = Stopping::of(sweep, &plan);
    match (stopping, store) {
        (Some(stopping), Some(store)) => drop(stopping.decide(&mut plan, &mut store.reader()?)?),
        (Some(stopping), None) => stopping.begin(&mut plan),
        (None, _) => (),
    }
    Ok((plan, pilots))
}
