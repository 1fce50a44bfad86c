//! The points that claims and figures refer to.

use pacesim_study::{Against, Axis, Expectation, Plot, Selection, Study};

use crate::found::Found;

/// The points that claims refer to, except those along a searched axis.
pub(crate) fn points(study: &Study, found: &Found) -> Vec<u64> {
    let mut points: Vec<u64> = Vec::new();
    for claim in &study.expectations {
        points.extend(points_of(study, claim, found));
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// The points that one claim refers to.
pub(crate) fn points_of(study: &Study, claim: &Expectation, found: &Found) -> Vec<u64> {
    let all = selections_of(study, claim).into_iter();
    all.filter_map(|at| found.point(study, &at)).collect()
}

/// The selections that one claim refers to, including those that it compares with.
pub(crate) fn selections_of(study: &Study, claim: &Expectation) -> Vec<Selection> {
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
pub(crate) fn replaced(at: &Selection, other: &Selection) -> Selection {
    let is_other = |axis: usize| other.iter().any(|(known, _)| *known == axis);
    let kept = at.iter().filter(|(axis, _)| !is_other(*axis)).cloned();
    kept.chain(other.iter().cloned()).collect()
}

/// The selection that this point is drawn relative to.
pub(crate) fn baseline(study: &Study, plot: &Plot, number: u64) -> Option<Selection> {
    if plot.relative_to.is_empty() {
        return None;
    }
    let all = study.point(number)?;
    let place = |(i, axis): (usize, &Axis)| {
        let place = axis.values.iter().position(|value| value == all.values[i]);
        Some((i, vec![place?]))
    };
    let here = study.axes.iter().enumerate().map(place);
    let here = here.collect::<Option<Vec<_>>>()?;
    Some(replaced(&here, &plot.relative_to))
}

/// The combination of the numbers of two points.
pub(crate) type Combine = fn(f64, f64) -> f64;

/// The comparison of a number with the one at another point.
pub(crate) fn comparison(against: &Against) -> Option<(&Selection, Combine)> {
    match against {
        Against::Nothing => None,
        Against::Over(other) => Some((other, |a, b| a / b)),
        Against::Minus(other) => Some((other, |a, b| a - b)),
    }
}
