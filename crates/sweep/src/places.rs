//! The points that claims and figures refer to.

use std::collections::BTreeSet;

use pacesim_study::places::{drawn, drawn_lines, drawn_values, selections_of};
use pacesim_study::{Expectation, Study};

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

/// The points that figures over time draw.
pub(crate) fn drawn_over_time(study: &Study, found: &Found) -> BTreeSet<u64> {
    let plots = study.plots.iter().filter(|plot| plot.keys.over.is_some());
    let selections = plots.flat_map(|plot| {
        let panels = drawn_values(study, plot, plot.panels).into_iter();
        panels.flat_map(move |panel| {
            let lines = drawn_lines(study, plot).into_iter();
            lines.map(move |line| drawn(plot, panel, line))
        })
    });
    let points = selections.filter_map(|at| found.point(study, &at));
    points.collect()
}

/// The points that one claim refers to.
pub(crate) fn points_of(study: &Study, claim: &Expectation, found: &Found) -> Vec<u64> {
    let all = selections_of(study, claim).into_iter();
    all.filter_map(|at| found.point(study, &at)).collect()
}
