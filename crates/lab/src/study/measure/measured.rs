//! One run that is measured.

use pacesim::measure::record::TransferRow;
use pacesim::model::Model;
use pacesim_study::measure::{Measure, MeasureKind};

use super::completions::Times;
use super::probes::Probes;
use super::{Found, fairness};
use crate::run::{RunError, Supervisor, watch};
use crate::summary::Summary;

/// A run's summary, and what each measure has found in it.
pub(in crate::study) fn measured(
    name: &str,
    model: Model,
    measures: &[Measure],
    supervisor: &mut dyn Supervisor,
) -> Result<(Summary, Vec<Found>), RunError> {
    let probes = Probes::new(&model, measures);
    let end = pacesim::units::Time::ZERO + model.duration;
    let mut times = all_times(&model, measures);
    let groups: Vec<Vec<Vec<bool>>> = fairness::all_members(&model, measures);
    let mut hear = |row: &TransferRow| times.iter_mut().for_each(|times| times.add(row));
    let watched = watch(name, model, probes, Some(&mut hear), supervisor)?;
    let (mut times, mut groups) = (times.iter(), groups.iter());
    let found = watched.probe.found(end).zip(measures);
    let found = found.map(|(found, measure)| match &measure.kind {
        MeasureKind::Completions(_) => times.next().map_or(found, Times::found),
        MeasureKind::Fairness(_) => match groups.next() {
            Some(groups) => fairness::found(groups, &watched.flows),
            None => found,
        },
        _ => found,
    });
    let found = found.collect();
    Ok((watched.summary, found))
}

fn all_times(model: &Model, measures: &[Measure]) -> Vec<Times> {
    let times = |measure: &Measure| match &measure.kind {
        MeasureKind::Completions(asked) => Some(Times::new(model, asked)),
        _ => None,
    };
    measures.iter().filter_map(times).collect()
}
