//! Drawing of a figure, from back to front: grid, lines, marks, text.

use crate::arrows::{ARROW, draw_arrows};
use crate::boxes::{draw_box, draw_boxes};
use crate::dodge::dodge;
use crate::drawing::{Anchor, Colour, Drawing, Paint, Spot, Stroke};
use crate::figure::{DataPoint, Figure, Mark, Series, Sign};
use crate::frame::Frame;
use crate::layout::{Layout, Placed};
use crate::legend::Entry;
use crate::sizes::{GAP, LABEL, LEGEND, MARGIN, NOTE, SAMPLE, TICK, TITLE};
use crate::style::Look;
use crate::text::{height, width};

const INK: Colour = Colour(0, 0, 0);
const GROUND: Colour = Colour(255, 255, 255);
const QUIET: Colour = Colour(85, 85, 85);
const GRID: Stroke = Stroke::solid(Colour(221, 221, 221), 1.0);
const BORDER: Stroke = Stroke::solid(Colour(68, 68, 68), 1.0);
/// Half the width of the caps of an interval.
const CAP: f64 = 3.5;
/// The radius of a ring around a point.
const RING: f64 = 8.0;
/// Points closer than this, in pixels, are dropped.
const APART: f64 = 0.25;
/// On a line of many points, closer marks hide the line and each other.
const MARKS_APART: f64 = 8.0;
/// From `MANY` points on, marks are smaller, and from `CLOUD` points on they are a cloud.
const MANY: usize = 40;
const CLOUD: usize = 200;

/// Draws all panels on the figure's sheet.
pub(crate) fn draw(figure: &Figure) -> Drawing {
    let layout = Layout::of(figure);
    let mut drawing = Drawing::new(layout.width, layout.height);
    drawing.scale = figure.sheet.scale();
    let middle = (layout.width / 2.0, MARGIN);
    text_block(
        &mut drawing,
        middle,
        Anchor::Middle,
        TITLE,
        INK,
        &layout.title,
    );
    for panel in &layout.panels {
        draw_panel(&mut drawing, panel);
    }
    drawing
}

/// Draws lines of text below a spot.
fn text_block(
    drawing: &mut Drawing,
    top: Spot,
    anchor: Anchor,
    size: f64,
    colour: Colour,
    lines: &[String],
) {
    for (i, line) in lines.iter().enumerate() {
        let middle = height(i, size) + height(1, size) / 2.0;
        drawing.text((top.0, top.1 + middle), anchor, size, colour, line);
    }
}

fn draw_panel(drawing: &mut Drawing, placed: &Placed<'_>) {
    draw_title(drawing, placed);
    draw_x_axis(drawing, placed);
    draw_y_axis(drawing, placed);
    draw_border(drawing, &placed.frame);
    let content = &placed.content;
    let series = || content.panel.series.iter().zip(&content.looks);
    // Theory lies below data.
    let (theory, data): (Vec<_>, Vec<_>) = series().partition(|(of, _)| of.mark == Mark::Line);
    for (series, look) in theory.into_iter().chain(data) {
        draw_lines(drawing, placed, series, look);
        draw_boxes(drawing, placed, series, look);
    }
    for (series, look) in series() {
        draw_marks(drawing, placed, series, look);
    }
    draw_legend(drawing, placed);
}

fn draw_title(drawing: &mut Drawing, placed: &Placed<'_>) {
    let title = &placed.content.title;
    let top = placed.frame.top - GAP / 2.0 - height(title.len(), LABEL);
    let at = (placed.frame.left, top);
    text_block(drawing, at, Anchor::Start, LABEL, INK, title);
}

fn draw_border(drawing: &mut Drawing, frame: &Frame) {
    let corners = [
        (frame.left, frame.top),
        (frame.left, frame.bottom),
        (frame.right, frame.bottom),
        (frame.right, frame.top),
        (frame.left, frame.top),
    ];
    drawing.line(corners, BORDER);
}

fn draw_x_axis(drawing: &mut Drawing, placed: &Placed<'_>) {
    let frame = &placed.frame;
    let axis = &placed.content.axes.x;
    let place = |value| frame.left + axis.fraction(value) * (frame.right - frame.left);
    let below = frame.bottom + GAP / 2.0 + 2.0;
    let mut free_from = f64::NEG_INFINITY;
    for (value, text) in &placed.x_ticks {
        let x = place(*value);
        // Places are separated, numbers are marked.
        match axis.places() {
            Some(_) => {
                let end = place(value + 0.5);
                drawing.line([(end, frame.top), (end, frame.bottom)], GRID);
            }
            None => {
                drawing.line([(x, frame.top), (x, frame.bottom)], GRID);
                drawing.line([(x, frame.bottom), (x, frame.bottom + 4.0)], BORDER);
            }
        }
        let half = text
            .iter()
            .map(|line| width(line, TICK))
            .fold(0.0, f64::max)
            / 2.0;
        if x - half >= free_from {
            text_block(drawing, (x, below), Anchor::Middle, TICK, INK, text);
            free_from = x + half + if axis.places().is_some() { 0.0 } else { GAP };
        }
    }
    let at = ((frame.left + frame.right) / 2.0, placed.x_label_top());
    text_block(drawing, at, Anchor::Middle, LABEL, INK, &placed.x_label);
}

fn draw_y_axis(drawing: &mut Drawing, placed: &Placed<'_>) {
    let frame = &placed.frame;
    let axis = &placed.content.axes.y;
    for (value, text) in axis.ticks() {
        let y = frame.bottom - axis.fraction(value) * (frame.bottom - frame.top);
        drawing.line([(frame.left, y), (frame.right, y)], GRID);
        drawing.line([(frame.left - 4.0, y), (frame.left, y)], BORDER);
        drawing.text((frame.left - GAP, y), Anchor::End, TICK, INK, &text);
    }
    let middle = (frame.top + frame.bottom) / 2.0;
    for (i, line) in placed.content.y_label.iter().enumerate() {
        let x = placed.edge + height(i, LABEL) + height(1, LABEL) / 2.0;
        drawing.text((x, middle), Anchor::Upwards, LABEL, INK, line);
    }
}

/// The line of a series and the band around it.
fn draw_lines(drawing: &mut Drawing, placed: &Placed<'_>, series: &Series, look: &Look) {
    let Some(stroke) = look.line else {
        return;
    };
    let (frame, axes) = (&placed.frame, &placed.content.axes);
    let aside = dodge(placed.content.panel, series);
    for run in axes.runs(series) {
        if series.mark == Mark::Line {
            draw_band(drawing, placed, run, look);
        }
        let spots = run.iter().map(|p| frame.spot(axes, p.x, p.y));
        let spots = spots.map(|(x, y)| (x + aside, y));
        let spots = thinned(spots, APART, |spot| *spot);
        match spots.as_slice() {
            [only] if series.mark == Mark::Line => {
                drawing.circle(*only, 1.5, Paint::Filled(look.colour));
            }
            spots => drawing.line(spots, stroke),
        }
        if series.mark == Mark::Line {
            let spot = |point: &&DataPoint| frame.spot(axes, point.x, point.y);
            let beyond = run.iter().filter(|point| axes.is_beyond(point));
            for point in thinned(beyond, MARKS_APART, spot) {
                draw_arrows(drawing, placed, point, look.colour);
            }
        }
    }
}

fn draw_band(drawing: &mut Drawing, placed: &Placed<'_>, run: &[DataPoint], look: &Look) {
    let spot = |x, y| placed.frame.spot(&placed.content.axes, x, y);
    let with = run
        .iter()
        .filter_map(|p| Some((p.x, p.interval?)))
        .collect::<Vec<_>>();
    if with.len() < 2 {
        return;
    }
    let upper = with.iter().map(|(x, (_, high))| spot(*x, *high));
    let lower = with.iter().rev().map(|(x, (low, _))| spot(*x, *low));
    let around: Vec<Spot> = upper.chain(lower).collect();
    drawing.shape(around, Paint::Tinted(look.colour));
}

fn draw_marks(drawing: &mut Drawing, placed: &Placed<'_>, series: &Series, look: &Look) {
    let Some(marker) = look.marker else {
        return;
    };
    let (frame, axes) = (&placed.frame, &placed.content.axes);
    let size = match series.points.len() {
        0..MANY => 1.0,
        MANY..CLOUD => 0.7,
        _ => 0.45,
    };
    let apart = match look.line {
        Some(_) if series.points.len() >= MANY => MARKS_APART,
        _ => APART,
    };
    let aside = dodge(placed.content.panel, series);
    let spot = |point: &&DataPoint| {
        let (x, y) = frame.spot(axes, point.x, point.y);
        (x + aside, y)
    };
    let shown = thinned(axes.runs(series).flatten(), apart, spot);
    for point in &shown {
        draw_bar(drawing, placed, point, aside, look.colour);
    }
    for point in &shown {
        let is_at_edge = axes.x.is_beyond(point.x) || axes.y.is_beyond(point.y);
        if !is_at_edge && point.sign != Sign::Beyond {
            marker.draw(drawing, spot(point), size, look.colour);
        }
        if axes.is_beyond(point) {
            draw_arrows(drawing, placed, point, look.colour);
        }
        match point.sign {
            Sign::None => (),
            Sign::Ring => drawing.circle(spot(point), RING, Paint::Outlined(look.colour)),
            Sign::Beyond => {
                let (x, y) = spot(point);
                let corners = [(x - 0.6 * ARROW, y), (x + 0.6 * ARROW, y), (x, y - ARROW)];
                drawing.shape(corners, Paint::Outlined(look.colour));
            }
        }
    }
}

fn draw_bar(
    drawing: &mut Drawing,
    placed: &Placed<'_>,
    point: &DataPoint,
    aside: f64,
    colour: Colour,
) {
    let Some((low, high)) = point.interval else {
        return;
    };
    let spot = |y| {
        let (x, y) = placed.frame.spot(&placed.content.axes, point.x, y);
        (x + aside, y)
    };
    let stroke = Stroke::solid(colour, 1.2);
    drawing.line([spot(low), spot(high)], stroke);
    // An end beyond the frame, as of zero on a logarithmic axis, has no cap.
    let is_shown = |y: &&f64| (0.0..=1.0).contains(&placed.content.axes.y.fraction(**y));
    for (x, y) in [low, high].iter().filter(is_shown).map(|y| spot(*y)) {
        drawing.line([(x - CAP, y), (x + CAP, y)], stroke);
    }
}

/// Drops items closer than this to the previous one; the last stays.
fn thinned<T>(all: impl Iterator<Item = T>, apart: f64, spot: impl Fn(&T) -> Spot) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    let mut left_out = None;
    for one in all {
        let near = |last: &T| {
            let ((x, y), (last_x, last_y)) = (spot(&one), spot(last));
            let (dx, dy) = (x - last_x, y - last_y);
            dx * dx + dy * dy < apart * apart
        };
        if kept.last().is_some_and(near) {
            left_out = Some(one);
        } else {
            kept.push(one);
            left_out = None;
        }
    }
    kept.extend(left_out);
    kept
}

/// Draws the legend at its place; on the drawing, it has a white ground.
fn draw_legend(drawing: &mut Drawing, placed: &Placed<'_>) {
    let Some(spots) = &placed.legend else {
        return;
    };
    if let Some([left, top, right, bottom]) = spots.cover {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        drawing.shape(corners, Paint::Filled(GROUND));
    }
    let content = &placed.content;
    let series = content.panel.series.iter().zip(&content.looks);
    let entries = content.legend.entries.iter().zip(&spots.entries);
    for ((entry, at), (series, look)) in entries.zip(series) {
        draw_entry(drawing, *at, entry, series, look);
    }
    let note = &content.legend.note;
    text_block(drawing, spots.note, Anchor::Start, NOTE, QUIET, note);
}

fn draw_entry(drawing: &mut Drawing, at: Spot, entry: &Entry, series: &Series, look: &Look) {
    let (left, top) = at;
    let (right, middle) = (left + SAMPLE - GAP, top + height(1, LEGEND) / 2.0);
    if series.mark == Mark::Line && series.points.iter().any(|p| p.interval.is_some()) {
        let (above, below) = (middle - 6.0, middle + 6.0);
        let around = [(left, above), (right, above), (right, below), (left, below)];
        drawing.shape(around, Paint::Tinted(look.colour));
    }
    if let Some(stroke) = look.line {
        drawing.line([(left, middle), (right, middle)], stroke);
    }
    if let Some(marker) = look.marker {
        let centre = ((left + right) / 2.0, middle);
        marker.draw(drawing, centre, 1.0, look.colour);
    }
    if series.mark == Mark::Boxes {
        let across = [left, (left + right) / 2.0, right];
        let heights = [8.0, 4.5, 1.0, -4.5, -8.0].map(|below| middle + below);
        draw_box(drawing, across, heights, look.colour);
    }
    let text = left + SAMPLE;
    text_block(
        drawing,
        (text, top),
        Anchor::Start,
        LEGEND,
        INK,
        &entry.label,
    );
    let below = top + height(entry.label.len(), LEGEND);
    text_block(
        drawing,
        (text, below),
        Anchor::Start,
        NOTE,
        QUIET,
        &entry.notes().cloned().collect::<Vec<_>>(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Panel;
    use crate::drawing::{Element, Text};
    use crate::{LegendPlace, Sheet};

    /// Long labels, wide numbers, several series, several panels.
    fn crowded() -> Figure {
        let long = "goodput of the flows that were started in the first second, relative to \
                    that of those without a pacer";
        let unbroken = "anUnbrokenNameOfALinkThatIsLongerThanAnyLegendIsWide";
        let panel = || {
            Panel::new(long, long)
                .titled(long)
                .log_y()
                .joined(long, [(1e-9, 1e-12), (1e7, 123_456.0)])
                .points(unbroken, [(0.5, 3.0)])
                .intervals(0.95, 20)
                .line("γ ≤ β²·µ", [(0.0, 1.0), (1e7, 2.0)])
        };
        Figure::new(format!("{long}: {long}"))
            .panel(panel())
            .panel(panel().log_x())
    }

    fn texts(drawing: &Drawing) -> impl Iterator<Item = &Text> {
        drawing.elements.iter().filter_map(|element| match element {
            Element::Text(text) => Some(text),
            _ => None,
        })
    }

    /// Left, top, right, bottom of the letters.
    fn place(text: &Text) -> [f64; 4] {
        let long = width(&text.text, text.size);
        let (x, y) = text.at;
        let (above, below) = (0.75 * text.size, 0.22 * text.size);
        let left = match text.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - long / 2.0,
            Anchor::End => x - long,
            Anchor::Upwards => return [x - above, y - long / 2.0, x + below, y + long / 2.0],
        };
        [left, y - above, left + long, y + below]
    }

    fn assert_readable(drawing: &Drawing, of: &str) {
        let places: Vec<_> = texts(drawing)
            .map(|text| (&text.text, place(text)))
            .collect();
        for (i, (text, [left, top, right, bottom])) in places.iter().enumerate() {
            let across = *left >= 0.0 && *right <= drawing.width;
            let is_on_page = across && *top >= 0.0 && *bottom <= drawing.height;
            assert!(is_on_page, "{of}: {text}");
            for (other, [l, t, r, b]) in &places[..i] {
                let apart = right <= l || r <= left || bottom <= t || b <= top;
                assert!(apart, "{of}: {text:?} on {other:?}");
            }
        }
    }

    #[test]
    fn no_text_is_clipped_or_lies_on_another() {
        let drawing = draw(&crowded());
        assert!(texts(&drawing).count() > 30);
        assert_readable(&drawing, "crowded");
    }

    #[test]
    fn every_sheet_is_readable() {
        let places = [
            LegendPlace::Beside,
            LegendPlace::Below,
            LegendPlace::Inside,
            LegendPlace::Nowhere,
        ];
        let panel = |label: &str| {
            Panel::new("core buffer (packets)", label)
                .joined("paced", [(1.0, 0.5), (40.0, 0.9)])
                .points("not paced", [(1.0, 0.4), (40.0, 0.8)])
                .intervals(0.95, 20)
        };
        for sheet in [Sheet::SCREEN, Sheet::IEEE, Sheet::ACM, Sheet::TALK] {
            for legend in places {
                for columns in [1, 2] {
                    let wide = sheet.width_in * columns as f64;
                    let sheet = Sheet {
                        legend,
                        columns,
                        width_in: wide,
                        ..sheet
                    };
                    let panels = ["utilisation", "loss (%)", "utilisation"].map(panel);
                    let figure = panels
                        .into_iter()
                        .fold(Figure::new("Buffers"), Figure::panel);
                    assert_readable(&draw(&figure.on(sheet)), &format!("{sheet:?}"));
                }
            }
        }
    }

    #[test]
    fn a_legend_that_all_panels_have_stands_once_below_them() {
        let panel = |y: &str| {
            let lines = Panel::new("x", y).line("one", [(0.0, 1.0), (1.0, 2.0)]);
            lines.line("other", [(0.0, 1.0), (1.0, 3.0)])
        };
        let figure = Figure::new("x").panel(panel("a")).panel(panel("b"));
        let count = |sheet: Sheet| {
            let drawing = draw(&figure.clone().on(sheet));
            texts(&drawing).filter(|text| text.text == "other").count()
        };
        assert_eq!(count(Sheet::SCREEN), 2);
        assert_eq!(count(Sheet::IEEE), 1);
    }

    /// The rectangle of the legend inside the frame of a figure with one panel.
    fn inside(panel: Panel) -> (Frame, Option<[f64; 4]>, Vec<String>) {
        let sheet = Sheet {
            legend: LegendPlace::Inside,
            ..Sheet::SCREEN
        };
        let figure = Figure::new("x").panel(panel).on(sheet);
        assert_readable(&draw(&figure), "inside");
        let layout = Layout::of(&figure);
        let placed = &layout.panels[0];
        let cover = placed.legend.as_ref().expect("a legend").cover;
        (placed.frame, cover, figure.notes())
    }

    #[test]
    fn a_legend_inside_has_a_corner_that_is_free() {
        // The curve fills the upper right corner and the lower left one, a line without points there
        // passes through them.
        let rising = (0..=50).map(|i| (f64::from(i), f64::from(i)));
        let panel = Panel::new("x", "y").line("one", rising);
        let panel = panel.line("two", [(0.0, 0.0), (50.0, 50.0)]);
        let (frame, cover, notes) = inside(panel);
        let [left, top, ..] = cover.expect("inside");
        let middle = |a: f64, b: f64| (a + b) / 2.0;
        assert!(left < middle(frame.left, frame.right) && top < middle(frame.top, frame.bottom));
        assert_eq!(notes, [""; 0]);
    }

    #[test]
    fn without_a_free_corner_the_legend_is_below_and_a_note_says_so() {
        let crossing = || {
            let panel = Panel::new("x", "y").line("up", [(0.0, 0.0), (50.0, 50.0)]);
            panel.line("down", [(0.0, 50.0), (50.0, 0.0)])
        };
        let (_, cover, notes) = inside(crossing());
        assert_eq!(cover, None);
        assert_eq!(
            notes,
            ["no corner of the frame is free, so the legend is below"]
        );
        // Bars cover as well: without them, the upper corners are free.
        let bar = |x: f64| DataPoint {
            interval: Some((0.0, 50.0)),
            ..DataPoint::new(x, 1.0)
        };
        let plain = |x: f64| DataPoint::new(x, 1.0);
        let panel = |bars: [DataPoint; 2]| {
            let panel = Panel::new("x", "y").points("a", bars);
            panel.points("b", [(25.0, 50.0), (26.0, 0.0)])
        };
        assert!(inside(panel([0.0, 50.0].map(plain))).1.is_some());
        assert_eq!(inside(panel([0.0, 50.0].map(bar))).1, None);
    }

    #[test]
    fn legends_are_beside_the_frames() {
        let figure = crowded();
        let drawing = draw(&figure);
        let right = Layout::of(&figure).panels[0].frame.right;
        let of_legend = |text: &&Text| text.text.starts_with('γ') || text.text.contains("n = 20");
        let legends: Vec<&Text> = texts(&drawing).filter(of_legend).collect();
        assert_eq!(legends.len(), 4);
        assert!(legends.iter().all(|text| place(text)[0] > right));
    }

    #[test]
    fn a_line_is_broken_where_it_has_no_value() {
        let ys = [1.0, 2.0, f64::NAN, 3.0, 0.0, 2.0];
        let points = (0u32..).map(f64::from).zip(ys);
        let figure = Figure::new("x").panel(Panel::new("x", "y").log_y().line("y", points));
        let drawing = draw(&figure);
        let of_series = |element: &&Element| match element {
            Element::Line { stroke, .. } => stroke.width == 2.0,
            Element::Circle { .. } => true,
            _ => false,
        };
        // A line of two points, one of three that reaches the lower edge at 0, and the legend's.
        let drawn = drawing.elements.iter().filter(of_series);
        let lengths: Vec<usize> = drawn
            .map(|element| match element {
                Element::Line { spots, .. } => spots.len(),
                _ => 1,
            })
            .collect();
        assert_eq!(lengths, [2, 3, 2]);
    }

    #[test]
    fn a_bar_down_to_zero_reaches_the_end_of_a_logarithmic_axis() {
        let point = |low| DataPoint {
            x: 1.0,
            y: 1e-3,
            interval: Some((low, 1e-2)),
            sign: Sign::None,
        };
        for low in [0.0, -1e-3] {
            let panel = Panel::new("x", "y").log_y();
            let panel = panel.points("measured", [point(low), DataPoint::new(2.0, 1e-4)]);
            let figure = Figure::new("x").panel(panel);
            let bottom = Layout::of(&figure).panels[0].frame.bottom;
            let drawing = draw(&figure);
            let bars = drawing.elements.iter().filter_map(|element| match element {
                Element::Line { spots, stroke } if stroke.width == 1.2 => Some(spots),
                _ => None,
            });
            let bars: Vec<_> = bars.collect();
            // The bar, and the stroke at its upper end.
            assert_eq!(bars.len(), 2, "{bars:?}");
            assert_eq!(bars[0][0].1, bottom);
        }
    }

    #[test]
    fn zeros_on_logarithmic_axes_are_arrows_at_the_edge_that_the_legend_explains() {
        let interval = |y, low| DataPoint {
            interval: Some((low, 0.1)),
            ..DataPoint::new(2.0, y)
        };
        let points = [
            DataPoint::new(1.0, 0.1),
            interval(0.0, 0.0),
            DataPoint::new(3.0, -1.0),
            DataPoint::new(0.0, 0.1),
        ];
        let panel = || Panel::new("x", "y").log_x().log_y();
        for panel in [
            panel().points("y", points),
            panel().joined("y", points),
            panel().line("y", points),
        ] {
            let figure = Figure::new("x").panel(panel);
            let drawing = draw(&figure);
            let frame = Layout::of(&figure).panels[0].frame;
            let tips = drawing.elements.iter().filter_map(|element| match element {
                Element::Shape { spots, .. } if spots.len() == 3 => Some(spots[2]),
                _ => None,
            });
            let tips: Vec<Spot> = tips.collect();
            let at_bottom = tips.iter().filter(|tip| tip.1 == frame.bottom).count();
            assert_eq!((at_bottom, tips.len()), (2, 3), "{tips:?}");
            assert!(tips.iter().any(|tip| tip.0 == frame.left), "{tips:?}");
            let is_said = |text: &Text| text.text.contains("arrow at the edge");
            assert!(texts(&drawing).any(is_said));
        }
    }

    #[test]
    fn rings_have_their_meaning_in_the_legend() {
        let ringed = DataPoint {
            sign: Sign::Ring,
            ..DataPoint::new(1.0, 2.0)
        };
        let panel = Panel::new("x", "y").joined("y", [DataPoint::new(0.0, 1.0), ringed]);
        let panel = panel.remarks(["ringed: 13 of 20".to_owned()]);
        let drawing = draw(&Figure::new("x").panel(panel));
        let is_ring = |element: &&Element| matches!(element, Element::Circle { radius, .. } if *radius == RING);
        assert_eq!(drawing.elements.iter().filter(is_ring).count(), 1);
        assert!(texts(&drawing).any(|text| text.text == "ringed: 13 of 20"));
    }

    #[test]
    fn curves_have_no_stairs() {
        // A slope of a tenth of a pixel per pixel has no two points at the same height.
        let points = (0..=100).map(|i| (f64::from(i), 1e-3 * f64::from(i)));
        let panel = Panel::new("x", "y")
            .line("slow", points)
            .line("to one", [(0.0, 1.0)]);
        let drawing = draw(&Figure::new("x").panel(panel));
        let curve = drawing.elements.iter().find_map(|element| match element {
            Element::Line { spots, stroke } if stroke.width == 2.0 => Some(spots),
            _ => None,
        });
        let curve = curve.expect("a line");
        assert!(curve.len() > 90, "{:?}", curve.len());
        assert!(curve.windows(2).all(|pair| pair[1].1 < pair[0].1));
    }

    #[test]
    fn marks_of_a_long_line_do_not_lie_on_each_other() {
        let parabola = (0..4000).map(|i| (f64::from(i), f64::from(i * i)));
        let long = Panel::new("x", "y").joined("parabola", parabola);
        let drawing = draw(&Figure::new("long").panel(long));
        let circle = |element: &Element| match element {
            Element::Circle { centre, .. } => Some(*centre),
            _ => None,
        };
        let marks: Vec<Spot> = drawing.elements.iter().filter_map(circle).collect();
        assert!((20..200).contains(&marks.len()), "{}", marks.len());
    }

    #[test]
    fn what_is_never_negative_has_no_room_below_zero() {
        let mut shares = Panel::new("x", "share")
            .joined("shares", [(0.0, 0.0), (1.0, 0.5)])
            .intervals(0.95, 5);
        for point in &mut shares.series[0].points {
            point.interval = Some((point.y - 0.1, point.y + 0.1));
        }
        let figure = Figure::new("shares").panel(shares);
        let of_zero = |figure: &Figure| Layout::of(figure).panels[0].content.axes.y.fraction(0.0);
        assert!(
            of_zero(&figure).abs() < 1e-9,
            "{:?} and {:?}",
            of_zero(&figure).abs(),
            1e-9
        );
        let mut lower = figure.clone();
        lower.panels[0].series[0].points[0].y = -0.05;
        assert!(of_zero(&lower) > 0.1, "{:?}", of_zero(&lower));
    }

    #[test]
    fn the_end_of_a_thinned_curve_stays() {
        let spots = [0.0, 0.1, 0.2, 1.0, 1.1].map(|x| (x, 0.0));
        let spots = thinned(spots.into_iter(), APART, |spot| *spot);
        assert_eq!(spots, [(0.0, 0.0), (1.0, 0.0), (1.1, 0.0)]);
    }

    #[cfg(feature = "pictures")]
    #[test]
    fn files_are_what_their_names_say_and_the_same_each_time() {
        let figure = crowded();
        let png = figure.png(300);
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{:?}", &png[..8]);
        let across = png[16..20].try_into().expect("four bytes");
        assert_eq!(u32::from_be_bytes(across), 300);
        assert_eq!(png, figure.png(300));
        assert!(
            figure.pdf().starts_with(b"%PDF-1."),
            "{:?}",
            &figure.pdf()[..7]
        );
        assert_eq!(figure.pdf(), figure.pdf());
    }
}
