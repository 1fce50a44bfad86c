//! A run with measures.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::measure::record::TransferRow;
use pacesim::model::Model;
use pacesim_runs::drive::{Watchers, drive};
use pacesim_runs::error::RunError;
use pacesim_runs::run_monitor::RunMonitor;
use pacesim_runs::summary::flow_rows;
use pacesim_study::measure::Measure;

use crate::measuring;
use crate::probes::Probes;
use crate::schema::{Measurement, Results};
use crate::tap::measured_time;
use crate::times::Times;

/// A world at its end, and the results of each measure.
pub(crate) type Measured = (World<(Delays, Probes)>, Vec<Measurement>);

/// Runs a model to its end with all measures.
pub fn measured(
    model: Model,
    measures: &[Measure],
    run_monitor: &mut dyn RunMonitor,
) -> Result<Measured, RunError> {
    let (from, end) = measured_time(&model);
    let delays = Delays::new(model.flows.len(), from);
    let probes = Probes::new(&model, measures);
    let times = measures
        .iter()
        .map(|measure| measuring(&measure.kind).times(&model));
    let mut times: Vec<Option<Times>> = times.collect();
    let mut hear = |row: &TransferRow| {
        let all = times.iter_mut().flatten();
        all.for_each(|times| times.add(row));
    };
    let mut watchers = Watchers {
        hear: Some(&mut hear),
        ..Watchers::default()
    };
    let mut world = World::watched(model, (delays, probes))?;
    drive(&mut world, &mut watchers, run_monitor)?;
    let probes = std::mem::take(&mut world.probe_mut().1);
    let (flows, links) = (flow_rows(&world), world.link_rows());
    let found = measures.iter().zip(probes.0).zip(&times);
    let found = found.map(|((measure, probe), times)| match probe {
        Some(probe) => probe.found(end),
        None => measuring(&measure.kind).found(&Results {
            model: world.model(),
            flows: &flows,
            links: &links,
            times: times.as_ref(),
        }),
    });
    let found: Vec<Measurement> = found.collect();
    Ok((world, found))
}
