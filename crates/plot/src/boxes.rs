//! Boxes: quartiles, medians and whiskers.

use crate::arrows::draw_arrows;
use crate::dodge::half_width;
use crate::drawing::{Colour, Drawing, Paint, Spot, Stroke};
use crate::figure::Series;
use crate::layout::Placed;
use crate::style::Look;

const WHISKER: f64 = 1.2;
const MEDIAN: f64 = 2.4;

/// Draws the boxes of a series; values beyond the frame end at it.
pub(crate) fn draw_boxes(drawing: &mut Drawing, placed: &Placed<'_>, series: &Series, look: &Look) {
    let (frame, axes) = (&placed.frame, &placed.content.axes);
    let half = half_width(placed.content.panel);
    for (point, (lower, upper)) in series.points.iter().zip(&series.quartiles) {
        let whiskers = point.interval.unwrap_or((*lower, *upper));
        let values = [whiskers.0, *lower, point.y, *upper, whiskers.1];
        if !axes.y.holds(point.y) {
            continue;
        }
        let at = |aside: f64, y: f64| frame.spot(axes, point.x + aside, y);
        let heights = values.map(|y| at(0.0, y).1);
        let [left, middle, right] = [-half, 0.0, half].map(|aside| at(aside, point.y).0);
        draw_box(drawing, [left, middle, right], heights, look.colour);
        if axes.is_beyond(point) {
            draw_arrows(drawing, placed, point, look.colour);
        }
    }
}

/// Draws a box at these places across, and at the heights of its five values.
pub(crate) fn draw_box(
    drawing: &mut Drawing,
    [left, middle, right]: [f64; 3],
    [low, lower, median, upper, high]: [f64; 5],
    colour: Colour,
) {
    let around: [Spot; 4] = [(left, lower), (right, lower), (right, upper), (left, upper)];
    drawing.shape(around, Paint::Tinted(colour));
    drawing.shape(around, Paint::Outlined(colour));
    let thin = Stroke::solid(colour, WHISKER);
    let cap = 0.25 * (right - left);
    for (end, side) in [(low, lower), (high, upper)] {
        drawing.line([(middle, side), (middle, end)], thin);
        drawing.line([(middle - cap, end), (middle + cap, end)], thin);
    }
    drawing.line(
        [(left, median), (right, median)],
        Stroke::solid(colour, MEDIAN),
    );
}

#[cfg(test)]
mod tests {
    use crate::draw::draw;
    use crate::drawing::Element;
    use crate::{BoxPoint, Figure, Panel};

    fn spread(x: f64) -> BoxPoint {
        BoxPoint {
            x,
            median: 3.0,
            quartiles: (2.0, 5.0),
            whiskers: (1.0, 9.0),
        }
    }

    #[test]
    fn boxes_of_several_series_stand_side_by_side_at_their_place() {
        let names = ["drop tail", "codel"];
        let panel = Panel::new("queue", "delay (ms)")
            .boxes("reno", "least and greatest of 20", [0.0, 1.0].map(spread))
            .boxes("cubic", "least and greatest of 20", [0.0, 1.0].map(spread))
            .across(names);
        let drawing = draw(&Figure::new("delays").panel(panel));
        let corners = drawing.elements.iter().filter_map(|element| match element {
            Element::Shape { spots, .. } if spots.len() == 4 => Some(spots),
            _ => None,
        });
        // A fill and an outline for each box, and both in the legend.
        let corners: Vec<_> = corners.collect();
        assert_eq!(corners.len(), 12);
        let mut sides: Vec<_> = corners[..8].iter().map(|c| (c[0].0, c[1].0)).collect();
        sides.sort_by(|a, b| a.0.total_cmp(&b.0));
        sides.dedup();
        assert_eq!(sides.len(), 4);
        assert!(
            sides.windows(2).all(|pair| pair[0].1 < pair[1].0),
            "{sides:?}"
        );
    }
}
