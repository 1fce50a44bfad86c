//! Points that the study leaves out, in claims and figures.

use std::ops::RangeInclusive;

use pacesim_language::problem::Faults;

use crate::expectation::Expectation;
use crate::places::{comparison, replaced};
use crate::plot::Plot;
use crate::selection::Selection;
use crate::study::Study;

impl Expectation {
    /// Refuses a claim if `except` leaves out some of its points.
    pub(super) fn has_its_points(&self, study: &Study, faults: &mut Faults) {
        let points = self.points(study);
        let is_there = |at: &Selection| !study.grid.leaves_out(at);
        if let Some(at) = points.iter().find(|at| !is_there(at)) {
            let (key, help) = match self.along() {
                None => ("at", "claim another point".to_owned()),
                Some(axis) => {
                    let there: Vec<bool> = points.iter().map(is_there).collect();
                    let first = *self.stretch(&study.axes[axis]).start();
                    let text = |place: usize| &study.axes[axis].values[first + place].text;
                    match longest(&there) {
                        Some(all) => (
                            "along",
                            format!(
                                "write between = [\"{}\", \"{}\"], which are there",
                                text(*all.start()),
                                text(*all.end())
                            ),
                        ),
                        None => ("along", "claim a single point, with at".to_owned()),
                    }
                }
            };
            let message = format!("sweep.except leaves out {}", named(study, at));
            faults
                .add(format!("{}.{key}", self.path), message)
                .help(help);
            return;
        }
        let Some((other, _)) = comparison(&self.against) else {
            return;
        };
        let mut others = points.iter().map(|at| replaced(at, other));
        if let Some(at) = others.find(|at| !is_there(at)) {
            let message = format!(
                "it is compared with {}, which sweep.except leaves out",
                named(study, &at)
            );
            let help = "compare it with another point";
            faults.add(self.path.clone(), message).help(help);
        }
    }
}

impl Plot {
    /// Refuses a figure if `except` leaves out all of its points, or the baseline of all.
    pub(super) fn has_some_points(&self, study: &Study, faults: &mut Faults) {
        // Values of a faulty axis cannot be selected.
        let is_selected = self.only.iter().all(|(_, values)| !values.is_empty());
        if !is_selected || !study.has_points() || study.tune.is_some() {
            return;
        }
        let is_drawn = |point: &u64| study.grid.meets(*point, &self.only);
        let mut drawn = study.points().filter(is_drawn).peekable();
        let mut refuse = |key: &str, message: &str, help: &str| {
            faults
                .add(format!("{}.{key}", self.path), message)
                .help(help);
        };
        if drawn.peek().is_none() {
            let message = "sweep.except leaves out all of these points";
            return refuse(
                "only",
                message,
                "`pacesim sweep --dry-run` lists the points",
            );
        }
        if self.relative_to.is_empty() {
            return;
        }
        let has_baseline = |point: u64| {
            let baseline = crate::places::baseline(study, self, point);
            baseline.is_some_and(|at| !study.grid.leaves_out(&at))
        };
        if !drawn.any(has_baseline) {
            let message = "sweep.except leaves out the points that these are drawn relative to";
            refuse(
                "relative_to",
                message,
                "give values of points that are there",
            );
        }
    }
}

/// The longest run of two or more consecutive points that exist.
fn longest(there: &[bool]) -> Option<RangeInclusive<usize>> {
    let mut best: Option<RangeInclusive<usize>> = None;
    let mut start = None;
    for (place, is_there) in there.iter().chain([&false]).enumerate() {
        match (is_there, start) {
            (true, None) => start = Some(place),
            (false, Some(first)) => {
                let length = |of: &RangeInclusive<usize>| of.end() - of.start();
                let run = first..=place - 1;
                if length(&run) > best.as_ref().map_or(0, length) {
                    best = Some(run);
                }
                start = None;
            }
            _ => (),
        }
    }
    best
}

/// A point by the values of a selection.
fn named(study: &Study, at: &Selection) -> String {
    let one = |(axis, values): &(usize, Vec<usize>)| {
        let axis = &study.axes[*axis];
        format!("{} = {}", axis.name, axis.values[values[0]].text)
    };
    at.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_two_points_or_more() {
        assert_eq!(longest(&[true, false, true, true]), Some(2..=3));
        assert_eq!(longest(&[true, true, true]), Some(0..=2));
        assert_eq!(longest(&[true, false, true]), None);
        assert_eq!(longest(&[]), None);
    }
}
