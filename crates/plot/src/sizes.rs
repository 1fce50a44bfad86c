//! Spaces and sizes of letters in units of the layout.

use crate::sheet::UNIT_LABEL;

/// Space between the figure's edge, or the panel above, and the drawing.
pub(crate) const MARGIN: f64 = 14.0;
/// Space between text and the element it belongs to.
pub(crate) const GAP: f64 = 8.0;
/// Width of the line or mark before a legend's text.
pub(crate) const SAMPLE: f64 = 34.0;

/// Font sizes.
pub(crate) const TITLE: f64 = 17.0;
pub(crate) const LABEL: f64 = UNIT_LABEL;
pub(crate) const LEGEND: f64 = 13.0;
pub(crate) const NOTE: f64 = 11.5;
pub(crate) const TICK: f64 = 12.5;
