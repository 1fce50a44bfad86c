//! Loads of open loops: the rates that transfers at their own times ask for.

use std::collections::BTreeMap;

use pacesim::model::{Distribution, Flow, Load, Model, Pause, PauseFrom, Traffic};
use pacesim::units::Time;

const PS_PER_SECOND: f64 = 1e12;

/// The rate on the wire in bit/s of each group whose transfers all come at their own times, for all of
/// the measured time.
pub(super) fn asked_bps(model: &Model) -> BTreeMap<&str, f64> {
    let mut groups: BTreeMap<&str, Option<f64>> = BTreeMap::new();
    for flow in &model.flows {
        let sum = groups.entry(&flow.group).or_insert(Some(0.0));
        *sum = sum.and_then(|sum| Some(sum + of_flow(model, flow)?));
    }
    let known = groups.into_iter();
    known.filter_map(|(name, bps)| Some((name, bps?))).collect()
}

fn of_flow(model: &Model, flow: &Flow) -> Option<f64> {
    let Traffic::Tcp(tcp) = &flow.traffic else {
        return None;
    };
    let Load::Transfers(transfers) = &tcp.load else {
        return None;
    };
    let is_open = transfers.pause_from == PauseFrom::Start && transfers.count.is_none();
    let is_there = flow.start <= Time::ZERO + model.warmup && flow.stop.is_none();
    let gap_ps = match &transfers.pause {
        Pause::Constant(gap) => gap.as_ps() as f64,
        Pause::Drawn(Distribution::Exponential { mean }) => *mean,
        Pause::Drawn(_) => return None,
    };
    let is_known = is_open && is_there && gap_ps > 0.0;
    is_known.then(|| tcp.mean_wire_bytes() * 8.0 / (gap_ps / PS_PER_SECOND))
}
