//! Arrows at the edge of a frame, at points beyond it.

use crate::drawing::{Colour, Drawing, Paint};
use crate::figure::DataPoint;
use crate::layout::Placed;

/// The length of an arrow at the edge.
pub(crate) const ARROW: f64 = 9.0;

/// Arrows at the edge for a point, or an end of its interval, beyond the end of a logarithmic axis.
pub(crate) fn draw_arrows(
    drawing: &mut Drawing,
    placed: &Placed<'_>,
    point: &DataPoint,
    colour: Colour,
) {
    let (frame, axes) = (&placed.frame, &placed.content.axes);
    let (x, y) = frame.spot(axes, point.x, point.y);
    let low = point.interval.map_or(point.y, |(low, _)| low.min(point.y));
    if axes.y.is_beyond(low) {
        let (tip, back) = (frame.bottom, frame.bottom - ARROW);
        let corners = [(x - 0.6 * ARROW, back), (x + 0.6 * ARROW, back), (x, tip)];
        drawing.shape(corners, Paint::Filled(colour));
    }
    if axes.x.is_beyond(point.x) {
        let (tip, back) = (frame.left, frame.left + ARROW);
        let corners = [(back, y - 0.6 * ARROW), (back, y + 0.6 * ARROW), (tip, y)];
        drawing.shape(corners, Paint::Filled(colour));
    }
}
