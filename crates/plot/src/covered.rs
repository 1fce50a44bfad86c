//! The part of a frame that its drawing covers, and where a legend hides none of it.

use crate::dodge::{dodge, half_width};
use crate::drawing::Spot;
use crate::figure::{DataPoint, Mark, Panel, Series};
use crate::frame::{Axes, Frame};

/// Half the size of marks, bars and lines, which reach this far around their middles.
const AROUND: f64 = 6.0;

/// Straight lines from spot to spot; a point alone is a line to itself.
pub(crate) struct Covered(Vec<[Spot; 2]>);

impl Covered {
    /// The lines, points, bars and boxes of all series in a frame.
    pub(crate) fn of(panel: &Panel, frame: &Frame, axes: &Axes) -> Covered {
        let of = |series| strokes(panel, (frame, axes), series);
        Covered(panel.series.iter().flat_map(of).collect())
    }

    /// The number of strokes that pass through or near a rectangle: left, top, right, bottom.
    pub(crate) fn within(&self, [left, top, right, bottom]: [f64; 4]) -> usize {
        let around = [left - AROUND, top - AROUND, right + AROUND, bottom + AROUND];
        let strokes = self.0.iter();
        strokes.filter(|stroke| passes(stroke, around)).count()
    }
}

fn strokes(panel: &Panel, (frame, axes): (&Frame, &Axes), series: &Series) -> Vec<[Spot; 2]> {
    let aside = dodge(panel, series);
    let spot = |x: f64, y: f64| {
        let (across, down) = frame.spot(axes, x, y);
        (across + aside, down)
    };
    let mut strokes = Vec::new();
    for run in axes.runs(series) {
        strokes.extend(run.iter().map(|p| [spot(p.x, p.y); 2]));
        if matches!(series.mark, Mark::Line | Mark::Joined) {
            let ends = |pair: &[_]| [pair[0], pair[1]].map(|p: DataPoint| spot(p.x, p.y));
            strokes.extend(run.windows(2).map(ends));
        }
        let bars = run.iter().filter_map(|p| Some((p.x, p.interval?)));
        strokes.extend(bars.map(|(x, (low, high))| [spot(x, low), spot(x, high)]));
    }
    let half = half_width(panel);
    let boxes = series.points.iter().zip(&series.quartiles);
    for (point, (lower, upper)) in boxes.filter(|(point, _)| axes.y.holds(point.y)) {
        let corners = |x: f64| [spot(x, *lower), spot(x, *upper)];
        strokes.extend([corners(point.x - half), corners(point.x + half)]);
    }
    strokes
}

/// True if a line has a spot in a rectangle (Liang and Barsky's clipping).
fn passes(&[(x, y), (u, v)]: &[Spot; 2], [left, top, right, bottom]: [f64; 4]) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (from, along, least, most) in [(x, u - x, left, right), (y, v - y, top, bottom)] {
        if along == 0.0 {
            if !(least..=most).contains(&from) {
                return false;
            }
            continue;
        }
        let (a, b) = ((least - from) / along, (most - from) / along);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first <= last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_across_a_rectangle_passes_it_though_both_ends_lie_outside() {
        let square = [1.0, 1.0, 2.0, 2.0];
        assert!(passes(&[(0.0, 0.0), (3.0, 3.0)], square));
        assert!(passes(&[(1.5, 0.0), (1.5, 3.0)], square));
        assert!(passes(&[(1.5, 1.5); 2], square));
        assert!(!passes(&[(0.0, 1.5), (1.5, 3.5)], square));
        assert!(!passes(&[(0.0, 2.5), (3.0, 2.5)], square));
        assert!(!passes(&[(0.5, 0.5); 2], square));
    }
}
