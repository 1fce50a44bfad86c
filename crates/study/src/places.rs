//! Selections of points that claims and figures refer to.

use crate::expectation::{Against, Expectation};
use crate::plot::Plot;
use crate::selection::Selection;
use crate::study::Study;

/// The selections that one claim refers to, including those that it compares with.
pub fn selections_of(study: &Study, claim: &Expectation) -> Vec<Selection> {
    let of_place = |at: Selection| {
        let other = comparison(&claim.against).map(|(other, _)| replaced(&at, other));
        [Some(at), other].into_iter().flatten()
    };
    places(study, claim)
        .into_iter()
        .flat_map(of_place)
        .collect()
}

/// The selections of a claim: one, or one for each value of the axis that it runs along.
fn places(study: &Study, claim: &Expectation) -> Vec<Selection> {
    match claim.along() {
        None => vec![claim.at.clone()],
        Some(axis) if study.searches(axis) => Vec::new(),
        Some(axis) => claim
            .stretch(&study.axes[axis])
            .map(|value| {
                let mut at = claim.at.clone();
                at.push((axis, vec![value]));
                at
            })
            .collect(),
    }
}

/// A selection with some axes replaced.
pub fn replaced(at: &Selection, other: &Selection) -> Selection {
    let is_other = |axis: usize| other.iter().any(|(known, _)| *known == axis);
    let kept = at.iter().filter(|(axis, _)| !is_other(*axis)).cloned();
    kept.chain(other.iter().cloned()).collect()
}

/// The selection that this point is drawn relative to.
pub fn baseline(study: &Study, plot: &Plot, number: u64) -> Option<Selection> {
    if plot.relative_to.is_empty() {
        return None;
    }
    let here = study.choice(number)?.into_iter().enumerate();
    let here = here.map(|(axis, place)| (axis, vec![place])).collect();
    Some(replaced(&here, &plot.relative_to))
}

/// The values by which a line of a figure differs from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneLine {
    /// The value of the axis of lines.
    pub value: Option<usize>,
    /// The value of the axis of dashes.
    pub dash: Option<usize>,
}

/// The lines in each panel of a figure.
pub fn drawn_lines(study: &Study, plot: &Plot) -> Vec<OneLine> {
    let values = drawn_values(study, plot, plot.lines).into_iter();
    let dashes = drawn_values(study, plot, plot.dash);
    let of_value = |value| {
        dashes
            .iter()
            .map(move |dash| OneLine { value, dash: *dash })
    };
    values.flat_map(of_value).collect()
}

/// The values of the axes that are fixed in a line of a panel.
pub fn drawn(plot: &Plot, in_panel: Option<usize>, in_line: OneLine) -> Selection {
    let fixed = [
        (plot.panels, in_panel),
        (plot.lines, in_line.value),
        (plot.dash, in_line.dash),
    ];
    let fixed = fixed
        .into_iter()
        .filter_map(|(axis, value)| Some((axis?, vec![value?])));
    plot.only.iter().cloned().chain(fixed).collect()
}

/// The values of an axis that a figure draws; one `None` without an axis.
pub fn drawn_values(study: &Study, plot: &Plot, axis: Option<usize>) -> Vec<Option<usize>> {
    let Some(axis) = axis else { return vec![None] };
    let only = plot.only.iter().find(|(known, _)| *known == axis);
    match only {
        Some((_, values)) => values.iter().map(|value| Some(*value)).collect(),
        None => (0..study.axes[axis].values.len()).map(Some).collect(),
    }
}

/// The combination of the numbers of two points.
pub type Combine = fn(f64, f64) -> f64;

/// The comparison of a number with the one at another point.
pub fn comparison(against: &Against) -> Option<(&Selection, Combine)> {
    match against {
        Against::Nothing => None,
        Against::Over(other) => Some((other, |a, b| a / b)),
        Against::Minus(other) => Some((other, |a, b| a - b)),
    }
}
