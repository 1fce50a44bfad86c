//! Bars of several series at the same place, moved apart so that none hides another.

use crate::figure::{Mark, Panel, Series, WIDE};

/// The distance between two series, and the most that all together may take.
const STEP: f64 = 4.0;
const MOST: f64 = 16.0;
/// Series with more points than this are curves, whose bars are seldom at one place.
const FEW: usize = 24;
/// The share of a series' width at a place that its box fills.
const FILLED: f64 = 0.7;

/// The shift of a series to the right of its place.
pub(crate) fn dodge(panel: &Panel, series: &Series) -> f64 {
    // At named places each series has a side of its own.
    if !panel.x.names.is_empty() {
        return 0.0;
    }
    let with_bars = || panel.series.iter().filter(|series| has_bars(series));
    let Some(place) = with_bars().position(|other| std::ptr::eq(other, series)) else {
        return 0.0;
    };
    let others = (with_bars().count() - 1) as f64;
    let step = STEP.min(MOST / others.max(1.0));
    step * (place as f64 - others / 2.0)
}

/// Half the width of a panel's boxes, along its x axis.
pub(crate) fn half_width(panel: &Panel) -> f64 {
    let colours = panel.series.iter().map(|series| series.colour + 1);
    0.5 * FILLED * WIDE / colours.max().unwrap_or(1) as f64
}

fn has_bars(series: &Series) -> bool {
    let is_data = matches!(series.mark, Mark::Joined | Mark::Points | Mark::Measured);
    is_data
        && series.points.len() <= FEW
        && series.points.iter().any(|point| point.interval.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataPoint;

    #[test]
    fn bars_at_one_place_lie_apart_around_it() {
        let bar = DataPoint {
            interval: Some((1.0, 3.0)),
            ..DataPoint::new(1.0, 2.0)
        };
        let panel = Panel::new("x", "y")
            .joined("a", [bar])
            .joined("b", [bar])
            .points("c", [bar])
            .points("no bar", [(1.0, 2.0)]);
        let shifts: Vec<f64> = panel.series.iter().map(|s| dodge(&panel, s)).collect();
        assert_eq!(shifts, [-4.0, 0.0, 4.0, 0.0]);
        let alone = Panel::new("x", "y").joined("a", [bar]);
        assert_eq!(dodge(&alone, &alone.series[0]), 0.0);
    }
}
