//! The results of the searches of a study.

use std::collections::BTreeMap;

use pacesim_study::search::Places;
use pacesim_study::{Axis, Selection, Study, Tune};

/// The entity of values found by searches: "tune.buffer.found_pkts".
pub(crate) const FOUND: &str = "tune";

/// Maps each combination of values of the other axes to the places found on the searched ones.
/// Empty in a study without a search.
#[derive(Debug, Default)]
pub(crate) struct Found {
    places: BTreeMap<Vec<usize>, Places>,
    /// The numbers between which an answer lies: the last value that violates the bounds, and the
    /// first that holds.
    spans: BTreeMap<Vec<usize>, (f64, f64)>,
    /// The last value that was tried, as a number and as written, for searches without a result.
    none: BTreeMap<Vec<usize>, (f64, String)>,
}

impl Found {
    pub(crate) fn add(
        &mut self,
        tune: &Tune,
        case: &[usize],
        places: Places,
        span: Option<(f64, f64)>,
    ) {
        let case = key_of_case(tune, case);
        self.spans.extend(span.map(|span| (case.clone(), span)));
        self.places.insert(case, places);
    }

    /// Adds a search without a result.
    pub(crate) fn add_none(&mut self, study: &Study, tune: &Tune, case: &[usize], backwards: bool) {
        let [axis] = tune.search[..] else { return };
        let values = &study.axes[axis].values;
        let last = if backwards {
            values.first()
        } else {
            values.last()
        };
        let none = last.and_then(|value| Some((value.number?, value.text.clone())));
        let case = key_of_case(tune, case);
        self.none.extend(none.map(|none| (case, none)));
    }

    /// The numbers between which the answer lies for the case of this point.
    pub(crate) fn span(&self, study: &Study, point: u64) -> Option<(f64, f64)> {
        let tune = study.tune.as_ref()?;
        self.spans
            .get(&key_of_case(tune, &study.choice(point)?))
            .copied()
    }

    /// The last value tried, if the search of these values of the other axes has no result.
    pub(crate) fn none(&self, study: &Study, at: &Selection) -> Option<&(f64, String)> {
        let tune = study.tune.as_ref()?;
        let choice = self.choice(study, at);
        let case: Option<Vec<usize>> = choice
            .into_iter()
            .enumerate()
            .map(|(axis, place)| place.or(tune.searches(axis).then_some(0)))
            .collect();
        self.none.get(&key_of_case(tune, &case?))
    }

    /// The point at which these axes have these values, searched ones the values found, and all
    /// others their only value.
    pub(crate) fn point(&self, study: &Study, at: &Selection) -> Option<u64> {
        let mut choice = self.choice(study, at);
        if let Some(tune) = &study.tune {
            self.fill(tune, &mut choice);
        }
        study.number(&choice.into_iter().collect::<Option<Vec<usize>>>()?)
    }

    /// The places on all axes of these values, and of axes with one value.
    fn choice(&self, study: &Study, at: &Selection) -> Vec<Option<usize>> {
        let mut choice: Vec<Option<usize>> = vec![None; study.axes.len()];
        for (axis, values) in at {
            for (other, place) in choice.iter_mut().enumerate() {
                // Axes that vary together share one choice.
                if study.vary_together(*axis, other) {
                    *place = values.first().copied();
                }
            }
        }
        for (place, axis) in choice.iter_mut().zip(&study.axes) {
            if place.is_none() && axis.values.len() == 1 {
                *place = Some(0);
            }
        }
        choice
    }

    /// Gives searched axes without a value the one that was found.
    fn fill(&self, tune: &Tune, choice: &mut [Option<usize>]) {
        let case: Vec<usize> = choice.iter().map(|place| place.unwrap_or(0)).collect();
        let Some(found) = self.places.get(&key_of_case(tune, &case)) else {
            return;
        };
        for (axis, place) in tune.search.iter().zip(found) {
            choice[*axis].get_or_insert(*place);
        }
    }

    /// The value found on an axis, as a number, for the case of this point.
    pub(crate) fn number(&self, study: &Study, axis: usize, point: u64) -> Option<f64> {
        let tune = study.tune.as_ref()?;
        let found = self.places.get(&key_of_case(tune, &study.choice(point)?))?;
        let mut choice = study.choice(point)?;
        for (searched, place) in tune.search.iter().zip(found) {
            choice[*searched] = *place;
        }
        study
            .value_at(study.number(&choice), axis, choice[axis])
            .number
    }
}

/// The key of a case: its choice, ignoring searched axes.
fn key_of_case(tune: &Tune, choice: &[usize]) -> Vec<usize> {
    let place = |(axis, place): (usize, &usize)| if tune.searches(axis) { 0 } else { *place };
    choice.iter().enumerate().map(place).collect()
}

/// The metric of the value found on an axis: "tune.buffer.found_pkts".
pub(crate) fn metric_of(axis: &Axis) -> &'static str {
    match axis.unit {
        Some("s") => "found_s",
        Some("bps") => "found_bps",
        Some("bytes") => "found_bytes",
        Some("pkts") => "found_pkts",
        Some("m") => "found_m",
        _ => "found",
    }
}
