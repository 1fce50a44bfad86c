//! Points of a study that are compared with each other, repetition by repetition, and therefore
//! stop together.

use std::collections::BTreeMap;

use pacesim_study::Study;
use pacesim_study::places::baseline;

use crate::found::Found;
use crate::places::points_of;

/// Points in groups; a point that is compared with no other is alone.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// For some points, another one of the same group with a smaller number.
    smaller: BTreeMap<u64, u64>,
}

impl Groups {
    /// Groups the points that claims combine, and those that figures draw relative to another.
    pub(crate) fn of(study: &Study) -> Groups {
        let found = Found::default();
        let mut groups = Groups::default();
        for claim in &study.expectations {
            groups.unite(&points_of(study, claim, &found));
        }
        let relative = study.plots.iter();
        for plot in relative.filter(|plot| !plot.relative_to.is_empty()) {
            for number in study.points() {
                let base = baseline(study, plot, number);
                let base = base.and_then(|base| found.point(study, &base));
                base.into_iter()
                    .for_each(|base| groups.unite(&[number, base]));
            }
        }
        groups
    }

    /// The group of a point, by the smallest of its numbers.
    pub(crate) fn first(&self, mut point: u64) -> u64 {
        while let Some(smaller) = self.smaller.get(&point) {
            point = *smaller;
        }
        point
    }

    fn unite(&mut self, points: &[u64]) {
        let firsts: Vec<u64> = points.iter().map(|point| self.first(*point)).collect();
        let Some(least) = firsts.iter().min() else {
            return;
        };
        let others = firsts.iter().filter(|first| *first != least);
        self.smaller.extend(others.map(|first| (*first, *least)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_share_a_point_are_one() {
        let mut groups = Groups::default();
        groups.unite(&[5, 7]);
        groups.unite(&[1, 2]);
        groups.unite(&[7, 2]);
        groups.unite(&[]);
        let firsts = [1, 2, 3, 5, 7].map(|point| groups.first(point));
        assert_eq!(firsts, [1, 1, 3, 1, 1]);
    }
}
