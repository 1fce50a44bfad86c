//! The points that claims and figures refer to.

use pacesim_study::places::selections_of;
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

/// The points that one claim refers to.
pub(crate) fn points_of(study: &Study, claim: &Expectation, found: &Found) -> Vec<u64> {
    let all = selections_of(study, claim).into_iter();
    all.filter_map(|at| found.point(study, &at)).collect()
}
