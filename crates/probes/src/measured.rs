//! One run that is measured.

use pacesim::World;
use pacesim::delays::Delays;
use pacesim::measure::record::TransferRow;
use pacesim::model::Model;
use pacesim_runs::drive::{Watchers, drive};
use pacesim_runs::error::RunError;
use pacesim_runs::run_monitor::RunMonitor;
use pacesim_runs::summary::flow_rows;
use pacesim_study::measure::{Measure, MeasureKind};

use crate::completions::Times;
use crate::probes::Probes;
use crate::schema::Measurement;
use crate::tap::measured_time;
use crate::{fairness, loads, losses};

/// A world that has come to its end, and what each measure has found in it.
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
    let mut times = all_times(&model, measures);
    let groups = fairness::all_members(&model, measures);
    let mut hear = |row: &TransferRow| times.iter_mut().for_each(|times| times.add(row));
    let mut watchers = Watchers {
        hear: Some(&mut hear),
        ..Watchers::none()
    };
    let mut world = World::watched(model, (delays, probes))?;
    drive(&mut world, &mut watchers, run_monitor)?;
    let probes = std::mem::take(&mut world.probe_mut().1);
    let flows = flow_rows(&world);
    let (mut times, mut groups) = (times.iter(), groups.iter());
    let found = probes.found(end).zip(measures);
    let found = found.map(|(found, measure)| match &measure.kind {
        MeasureKind::Completions(_) => times.next().map_or(found, Times::found),
        MeasureKind::Fairness(_) => match groups.next() {
            Some(groups) => fairness::found(groups, &flows),
            None => found,
        },
        MeasureKind::Losses(asked) => losses::found(asked, world.model(), &flows),
        MeasureKind::Loads(asked) => loads::found(asked, &world.link_rows()),
        _ => found,
    });
    let found: Vec<Measurement> = found.collect();
    Ok((world, found))
}

fn all_times(model: &Model, measures: &[Measure]) -> Vec<Times> {
    let times = |measure: &Measure| match &measure.kind {
        MeasureKind::Completions(asked) => Some(Times::new(model, asked)),
        _ => None,
    };
    measures.iter().filter_map(times).collect()
}
