//! A run with the measures of its study.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::measure::record::TransferRow;
use pacesim::model::Model;
use pacesim_runs::drive::{Watchers, drive};
use pacesim_runs::error::RunError;
use pacesim_runs::lived::Lived;
use pacesim_runs::run_monitor::RunMonitor;
use pacesim_runs::series::Series;
use pacesim_runs::steadiness::Steadiness;
use pacesim_runs::summary::flow_rows;
use pacesim_study::measure::Measure;

use crate::measuring;
use crate::probes::Probes;
use crate::schema::{Measurement, Results};
use crate::tap::measured_time;
use crate::times::CompletionTimes;

/// A world at its end, the results of each measure, and the tallies of its halves.
pub(crate) type Measured = (World<(Delays, Probes)>, Vec<Measurement>, Steadiness);

/// Runs a model to its end with all measures.
pub fn measured(
    model: Model,
    measures: &[Measure],
    run_monitor: &mut dyn RunMonitor,
) -> Result<Measured, RunError> {
    measured_of((model, None), measures, run_monitor)
}

/// The same for a model, or for a live run of it.
pub fn measured_of(
    (model, lived): (Model, Option<&Lived>),
    measures: &[Measure],
    run_monitor: &mut dyn RunMonitor,
) -> Result<Measured, RunError> {
    let (from, end) = measured_time(&model);
    let delays = Delays::new(model.flows.len(), from);
    let probes = Probes::new(&model, measures);
    let probes_bytes = probes.kept_bytes();
    let times = measures
        .iter()
        .map(|measure| measuring(&measure.kind).times(&model));
    let mut times: Vec<Option<CompletionTimes>> = times.collect();
    let series = measures
        .iter()
        .map(|measure| measuring(&measure.kind).series(&model));
    let (asked, series): (Vec<bool>, Vec<Option<Series>>) =
        series.map(|series| (series.is_some(), series)).unzip();
    let mut hear = |row: &TransferRow| {
        let all = times.iter_mut().flatten();
        all.for_each(|times| times.add(row));
    };
    let mut watchers = Watchers {
        hear: Some(&mut hear),
        series: series.into_iter().flatten().collect(),
        probes_bytes,
        steadiness: Some(Steadiness::of(&model)),
        lived,
        ..Watchers::default()
    };
    let mut world = World::watched(model, (delays, probes))?;
    drive(&mut world, &mut watchers, run_monitor)?;
    let steadiness = watchers.steadiness.take();
    let mut series = std::mem::take(&mut watchers.series).into_iter();
    let series: Vec<Option<Series>> = asked
        .into_iter()
        .map(|is_asked| is_asked.then(|| series.next()).flatten())
        .collect();
    let probes = std::mem::take(&mut world.probe_mut().1);
    let (flows, links) = (flow_rows(&world), world.link_rows());
    let found = measures.iter().zip(probes.0).zip(times.iter().zip(&series));
    let found = found.map(
        |((measure, probe), (times, series))| match (probe, series) {
            (Some(probe), _) => probe.found(end),
            (None, Some(series)) => measuring(&measure.kind).found_over_time(series),
            (None, None) => measuring(&measure.kind).found(&Results {
                model: world.model(),
                flows: &flows,
                links: &links,
                times: times.as_ref(),
            }),
        },
    );
    let found: Vec<Measurement> = found.collect();
    let steadiness = steadiness.expect("it watches every run with measures");
    Ok((world, found, steadiness))
}
