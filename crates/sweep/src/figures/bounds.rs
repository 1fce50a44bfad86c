//! Bounds of a search in the figure of its curve: the bounded number over the searched values.

use pacesim_plot::Panel;
use pacesim_study::Bound;

use super::Drawing;
use super::drawn_line::DrawnLine;
use super::sides::Unit;

/// A side of a bound: its words, and its limit.
type BoundSide = (&'static str, fn(&Bound) -> Option<f64>);

impl Drawing<'_> {
    /// Adds the bounds of a search on the number that is drawn, as lines.
    pub(super) fn search_bounds(
        &self,
        panel: Panel,
        lines: &[DrawnLine],
        x: &Unit,
        y: &Unit,
    ) -> Panel {
        let tune = self.study.tune.as_ref();
        let is_curve = tune.is_some_and(|tune| self.plot.axis().is_some_and(|a| tune.searches(a)));
        if !is_curve || self.plot.per.is_some() || !self.plot.relative_to.is_empty() {
            return panel;
        }
        let sides: [BoundSide; 2] = [
            ("bound: at least", |bound| bound.least),
            ("bound: at most", |bound| bound.most),
        ];
        sides.into_iter().fold(panel, |panel, (label, limit)| {
            self.bound(panel, lines, (label, limit), (x, y))
        })
    }

    /// Adds one side of a bound: a line for all, or one for each where they differ.
    fn bound(
        &self,
        mut panel: Panel,
        lines: &[DrawnLine],
        (label, limit): BoundSide,
        (x, y): (&Unit, &Unit),
    ) -> Panel {
        let of_line = |line: &DrawnLine| -> Vec<(f64, f64)> {
            let places = line.points.iter().filter_map(|place| {
                let bounds = self.study.bounds_at(place.point).ok()?;
                let own = bounds
                    .iter()
                    .find(|bound| bound.y == self.plot.y && !bound.is_ratio)?;
                let value = limit(own)? * self.plot.keys.times / y.factor;
                Some((place.x / x.factor, value))
            });
            places.collect()
        };
        let all: Vec<Vec<(f64, f64)>> = lines.iter().map(of_line).collect();
        let mut values = all.iter().flatten().map(|(_, value)| *value);
        let Some(first) = values.next() else {
            return panel;
        };
        if values.all(|value| value == first) {
            let xs = || all.iter().flatten().map(|(x, _)| *x);
            let (least, most) = (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max));
            return panel.line(label, [(least, first), (most, first)]);
        }
        for (line, bound) in lines.iter().zip(all) {
            panel = panel.line(format!("{label}, {}", line.label), bound);
        }
        panel
    }
}
