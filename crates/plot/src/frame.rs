//! The frame of a panel, and the axes that map values into it.

use crate::axis::{Axis, Ends};
use crate::drawing::Spot;
use crate::figure::{DataPoint, Mark, Panel, Series};
use crate::sizes::{GAP, TICK};
use crate::text::lines;

/// The rectangle between the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// The axes of a panel, which determine the values that can be drawn.
pub(crate) struct Axes {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

impl Frame {
    /// Place of a point within the frame.
    pub(crate) fn spot(&self, axes: &Axes, x: f64, y: f64) -> Spot {
        let (across, up) = (axes.x.fraction(x), axes.y.fraction(y));
        (
            self.left + across.clamp(0.0, 1.0) * (self.right - self.left),
            self.bottom - up.clamp(0.0, 1.0) * (self.bottom - self.top),
        )
    }
}

impl Axes {
    /// The axes of a panel, which hold the values of all panels beside it on the same axes.
    pub(crate) fn of(panel: &Panel, beside: &[Panel], across: Ends) -> Axes {
        let on_x = || beside.iter().filter(|other| other.x == panel.x);
        let xs: Vec<f64> = on_x().flat_map(Panel::all_points).map(|p| p.x).collect();
        let on_y = || beside.iter().filter(|other| other.y == panel.y);
        let all = || on_y().flat_map(Panel::all_points);
        // Data that are never below zero need no room there: an interval that reaches below ends at
        // zero.
        let least = if all().all(|p| p.y >= 0.0) {
            0.0
        } else {
            f64::NEG_INFINITY
        };
        let ys: Vec<f64> = all().flat_map(ends).map(|y| y.max(least)).collect();
        Axes {
            x: match panel.x.names.as_slice() {
                [] => Axis::around(&xs, panel.x.logarithmic, across).at_values(of_data(on_x())),
                names => Axis::of_places(names),
            },
            y: Axis::around(&ys, panel.y.logarithmic, Ends::Round),
        }
    }

    /// The ticks along an x axis of this width; names of places are broken into lines that fit.
    pub(crate) fn x_ticks(&self, wide: f64) -> Vec<(f64, Vec<String>)> {
        let text = |text: String| match self.x.places() {
            None => vec![text],
            Some(places) => lines(&text, TICK, wide / places as f64 - GAP),
        };
        let ticks = self.x.ticks();
        ticks.map(|(value, name)| (value, text(name))).collect()
    }

    /// True if a point lies beyond the end of a logarithmic axis, or an end of its interval or box.
    pub(crate) fn is_beyond(&self, point: &DataPoint) -> bool {
        let low = point.interval.map_or(point.y, |(low, _)| low.min(point.y));
        self.x.is_beyond(point.x) || self.y.is_beyond(low)
    }

    pub(crate) fn has_beyond(&self, series: &Series) -> bool {
        series.points.iter().any(|point| self.is_beyond(point))
    }

    /// The points of a series in runs of those that can be drawn.
    pub(crate) fn runs<'a>(&self, series: &'a Series) -> impl Iterator<Item = &'a [DataPoint]> {
        let drawn = |p: &DataPoint| self.x.holds(p.x) && self.y.holds(p.y);
        let runs = series
            .points
            .chunk_by(move |a, b| drawn(a) == drawn(b))
            .filter(move |run| drawn(&run[0]));
        runs.collect::<Vec<_>>().into_iter()
    }
}

/// The x values of all points that are data: those of lines are too many to be ticks.
fn of_data<'a>(panels: impl Iterator<Item = &'a Panel>) -> Vec<f64> {
    let series = panels.flat_map(|panel| &panel.series);
    let data = series.filter(|series| series.mark != Mark::Line);
    let points = data.flat_map(|series| &series.points);
    points
        .map(|point| point.x)
        .filter(|x| x.is_finite())
        .collect()
}

/// The y values of a point that the axis must include. An interval that reaches far below its
/// estimate would squeeze the others on a logarithmic axis.
fn ends(point: &DataPoint) -> [f64; 3] {
    let (low, high) = point.interval.unwrap_or((point.y, point.y));
    let low = if low > 0.0 {
        low.max(0.1 * point.y)
    } else {
        low
    };
    [point.y, low, high]
}
