//! The threads of a run.

use pacesim::delays::Delays;
use pacesim::model::Model;
use pacesim::{BuildError, Cut, Uncut, World};

use crate::plan::Plan;
use crate::run_monitor::RunMonitor;

/// The division of a run, if it may have several threads and gains by them.
pub(crate) fn cut(model: &Model, plan: &Plan<'_>, run_monitor: &mut dyn RunMonitor) -> Option<Cut> {
    let most = run_monitor.threads().unwrap_or(model.division.most());
    if most < 2 {
        return None;
    }
    let cut = match plan.lived {
        Some(_) => Err(Uncut::because("packets of a live run enter it")),
        None => Cut::of(model, most),
    };
    run_monitor.divided(&cut, most);
    let is_counting = run_monitor.counts_rounds();
    cut.ok()
        .map(|cut| if is_counting { cut.counting() } else { cut })
}

/// The world of a run without a log of packets.
pub(crate) fn world(model: Model, cut: Option<&Cut>) -> Result<World<(Delays, ())>, BuildError> {
    let probe = (Delays::of_model(&model), ());
    match cut {
        None => World::watched(model, probe),
        Some(cut) => World::on_threads(model, probe, cut),
    }
}
