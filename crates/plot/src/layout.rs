//! Layout of a figure: panels one below the other, their frames aligned, and a column for the
//! legends beside them.

use crate::axis::{Axis, Ends};
use crate::drawing::Spot;
use crate::figure::{DataPoint, Figure, Intervals, Mark, Panel, Series};
use crate::style::{Look, looks};
use crate::text::{height, lines, plain, width};

pub(crate) const WIDTH: f64 = 840.0;
/// The heights of the frame of a single panel, and of one among several.
const FRAME_HEIGHTS: (f64, f64) = (400.0, 250.0);
/// Space between the figure's edge, or the panel above, and the drawing.
pub(crate) const MARGIN: f64 = 14.0;
/// Space between text and the element it belongs to.
pub(crate) const GAP: f64 = 8.0;
/// Width of the line or mark before a legend's text.
pub(crate) const SAMPLE: f64 = 34.0;
const WIDEST_LEGEND: f64 = 190.0;

/// Font sizes.
pub(crate) const TITLE: f64 = 17.0;
pub(crate) const LABEL: f64 = 14.0;
pub(crate) const LEGEND: f64 = 13.0;
pub(crate) const NOTE: f64 = 11.5;
pub(crate) const TICK: f64 = 12.5;

/// A figure with the places of its parts.
pub(crate) struct Layout<'a> {
    pub(crate) height: f64,
    pub(crate) title: Vec<String>,
    pub(crate) panels: Vec<Placed<'a>>,
}

/// A panel with its place.
pub(crate) struct Placed<'a> {
    pub(crate) content: Content<'a>,
    pub(crate) frame: Frame,
    /// The values along x, each with its label.
    pub(crate) x_ticks: Vec<(f64, Vec<String>)>,
    pub(crate) x_label: Vec<String>,
}

/// The rectangle between the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// Contents of a panel, before it has a place.
pub(crate) struct Content<'a> {
    pub(crate) panel: &'a Panel,
    pub(crate) title: Vec<String>,
    pub(crate) axes: Axes,
    pub(crate) looks: Vec<Look>,
    pub(crate) y_label: Vec<String>,
    /// One for each series, or none at all.
    pub(crate) legend: Vec<Entry>,
    /// The note that all entries share.
    pub(crate) legend_note: Vec<String>,
    frame_height: f64,
}

/// The axes of a panel, which determine the values that can be drawn.
pub(crate) struct Axes {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

/// Legend entry of a series.
pub(crate) struct Entry {
    pub(crate) label: Vec<String>,
    pub(crate) note: Vec<String>,
    /// Lines that are never shared with other entries.
    pub(crate) remarks: Vec<String>,
}

impl<'a> Layout<'a> {
    pub(crate) fn of(figure: &'a Figure) -> Layout<'a> {
        let title = lines(&capitalised(&figure.title), TITLE, WIDTH - 2.0 * MARGIN);
        let contents: Vec<Content> = Content::all(figure);
        let lefts = contents.iter().map(Content::left_width);
        let left = MARGIN + lefts.fold(0.0, f64::max);
        let legends = contents.iter().map(Content::legend_width);
        let legend = legends.fold(0.0, f64::max);
        // Half of the last tick's number extends beyond the frame if there is no legend.
        let right = WIDTH - MARGIN - legend.max(2.0 * GAP);
        let mut below = MARGIN + height(title.len(), TITLE);
        let mut panels = Vec::new();
        for content in contents {
            let placed = content.place(left, right, below);
            below = placed.bottom();
            panels.push(placed);
        }
        Layout {
            height: below + MARGIN,
            title,
            panels,
        }
    }
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

impl<'a> Content<'a> {
    fn all(figure: &'a Figure) -> Vec<Content<'a>> {
        let one = figure.panels.len() == 1;
        let (alone, among) = FRAME_HEIGHTS;
        let title = |number: usize, panel: &Panel| match (one, &panel.title) {
            (true, None) => String::new(),
            (true, Some(title)) => title.clone(),
            (false, None) => format!("({})", letters(number)),
            (false, Some(title)) => format!("({}) {title}", letters(number)),
        };
        // Panels one below the other have the same ends.
        let mut series = figure.panels.iter().flat_map(|panel| &panel.series);
        let across = if series.any(|series| series.mark != Mark::Line) {
            Ends::Beyond
        } else {
            Ends::AtValues
        };
        let panels = figure.panels.iter().enumerate();
        let content = |(i, panel)| {
            let least = if one { alone } else { among };
            let beside = if figure.shares_axes {
                &figure.panels
            } else {
                std::slice::from_ref(panel)
            };
            let axes = Axes::of(panel, beside, across);
            Content::of(panel, &title(i, panel), axes, least)
        };
        panels.map(content).collect()
    }

    fn of(panel: &'a Panel, title: &str, axes: Axes, least_height: f64) -> Content<'a> {
        let mut legend = legend(panel, &axes);
        let legend_note = shared_note(&mut legend);
        let legend_height: f64 = legend.iter().map(Entry::height).sum();
        let legend_height = legend_height + height(legend_note.len(), NOTE) + 0.5 * GAP;
        let frame_height = legend_height.max(least_height);
        Content {
            panel,
            title: match title {
                "" => Vec::new(),
                title => lines(title, LABEL, WIDTH - 2.0 * MARGIN),
            },
            axes,
            looks: looks(panel),
            y_label: lines(&panel.y.label, LABEL, frame_height),
            legend,
            legend_note,
            frame_height,
        }
    }

    /// Width of the label and the numbers left of the frame.
    fn left_width(&self) -> f64 {
        let numbers = self.axes.y.ticks().map(|(_, text)| width(&text, TICK));
        height(self.y_label.len(), LABEL) + 2.0 * GAP + numbers.fold(0.0, f64::max)
    }

    /// Width of the legend and the space between it and the frame.
    fn legend_width(&self) -> f64 {
        let note = self.legend_note.iter().map(|line| width(line, NOTE));
        let entries = self.legend.iter().map(Entry::width);
        let widest = entries.chain(note).fold(0.0, f64::max);
        if self.legend.is_empty() {
            0.0
        } else {
            2.0 * GAP + SAMPLE + widest
        }
    }

    fn place(self, left: f64, right: f64, above: f64) -> Placed<'a> {
        let top = above + MARGIN + height(self.title.len(), LABEL);
        let frame = Frame {
            left,
            right,
            top,
            bottom: top + self.frame_height,
        };
        Placed {
            x_ticks: self.axes.x_ticks(right - left),
            x_label: lines(&self.panel.x.label, LABEL, right - left),
            frame,
            content: self,
        }
    }
}

impl Placed<'_> {
    /// Height below the label of the x axis.
    fn bottom(&self) -> f64 {
        self.x_label_top() + height(self.x_label.len(), LABEL)
    }

    pub(crate) fn x_label_top(&self) -> f64 {
        let ticks = self.x_ticks.iter().map(|(_, text)| text.len());
        self.frame.bottom + 1.5 * GAP + height(ticks.max().unwrap_or(1).max(1), TICK)
    }
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
    fn of(panel: &Panel, beside: &[Panel], across: Ends) -> Axes {
        let on_x = beside.iter().filter(|other| other.x == panel.x);
        let xs: Vec<f64> = on_x.flat_map(Panel::all_points).map(|p| p.x).collect();
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
                [] => Axis::around(&xs, panel.x.logarithmic, across),
                names => Axis::of_places(names),
            },
            y: Axis::around(&ys, panel.y.logarithmic, Ends::Round),
        }
    }

    /// The ticks along an x axis of this width; names of places are broken into lines that fit.
    fn x_ticks(&self, wide: f64) -> Vec<(f64, Vec<String>)> {
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

    fn has_beyond(&self, series: &Series) -> bool {
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

/// (a), (b), and after (z) come (aa), (ab).
fn letters(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8).to_string();
    match number / 26 {
        0 => letter,
        more => letters(more - 1) + &letter,
    }
}

/// A single series that is named by its axis needs no legend.
fn legend(panel: &Panel, axes: &Axes) -> Vec<Entry> {
    let said_by_axis = |series: &Series| {
        let is_plain = series.intervals.is_none() && series.mark != Mark::Boxes;
        let has_remarks = !series.remarks.is_empty() || axes.has_beyond(series);
        is_plain && !has_remarks && panel.y.label.starts_with(&series.label)
    };
    match panel.series.as_slice() {
        [only] if said_by_axis(only) => Vec::new(),
        all => all.iter().map(|series| Entry::of(series, axes)).collect(),
    }
}

/// The meaning of arrows at the ends of logarithmic axes.
const BEYOND: &str = "arrow at the edge: 0 or less, or far below";

/// Removes the note from all entries that have one, if it is the same in several.
fn shared_note(legend: &mut [Entry]) -> Vec<String> {
    let mut noted = legend.iter().filter(|entry| !entry.note.is_empty());
    let Some(first) = noted.next() else {
        return Vec::new();
    };
    let note = first.note.clone();
    let others: Vec<&Entry> = noted.collect();
    if others.is_empty() || others.iter().any(|entry| entry.note != note) {
        return Vec::new();
    }
    legend.iter_mut().for_each(|entry| entry.note.clear());
    note
}

/// Note on its intervals: "95 % intervals, n = 5".
fn note(intervals: &Intervals) -> String {
    let level = format!("{:.2}", 100.0 * intervals.level);
    match intervals.samples {
        (_, 1) => "n = 1, no interval".to_owned(),
        (least, most) if least == most => format!("{} % intervals, n = {most}", plain(&level)),
        (least, most) => format!("{} % intervals, n = {least} to {most}", plain(&level)),
    }
}

impl Entry {
    fn of(series: &Series, axes: &Axes) -> Entry {
        let boxed = (series.mark == Mark::Boxes).then(|| format!("quartiles; {}", series.whiskers));
        let note = series.intervals.as_ref().map(note).or(boxed);
        Entry {
            label: lines(&series.label, LEGEND, WIDEST_LEGEND),
            note: note.map_or_else(Vec::new, |note| lines(&note, NOTE, WIDEST_LEGEND)),
            remarks: {
                let beyond = axes.has_beyond(series).then_some(BEYOND);
                let all = series.remarks.iter().map(String::as_str).chain(beyond);
                all.flat_map(|text| lines(text, NOTE, WIDEST_LEGEND))
                    .collect()
            },
        }
    }

    /// The lines below its label.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &String> {
        self.note.iter().chain(&self.remarks)
    }

    fn width(&self) -> f64 {
        let label = self.label.iter().map(|line| width(line, LEGEND));
        let note = self.notes().map(|line| width(line, NOTE));
        label.chain(note).fold(0.0, f64::max)
    }

    /// Height, including the space to the next panel.
    pub(crate) fn height(&self) -> f64 {
        height(self.label.len(), LEGEND) + height(self.notes().count(), NOTE) + 0.5 * GAP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_that_share_axes_have_the_ends_of_all_values() {
        let panel = |y: &str, last: f64| {
            let spots = [(0.0, 0.0), (last, 10.0 * last)];
            Panel::new("time (s)", y).line("one", spots)
        };
        let figure = || {
            let panels = [
                panel("queue", 1.0),
                panel("queue", 4.0),
                panel("window", 2.0),
            ];
            panels.into_iter().fold(Figure::new("x"), Figure::panel)
        };
        let (apart, shared) = (figure(), figure().sharing_axes());
        let ends = |figure: &Figure| {
            let layout = Layout::of(figure);
            let axes = layout.panels.iter().map(|placed| {
                let axes = &placed.content.axes;
                (axes.x.fraction(1.0), axes.y.fraction(10.0))
            });
            axes.collect::<Vec<_>>()
        };
        let apart = ends(&apart);
        assert_eq!(apart[0].0, 1.0);
        assert_eq!(apart[1].0, 0.25);
        let shared = ends(&shared);
        assert_eq!(
            shared.iter().map(|ends| ends.0).collect::<Vec<_>>(),
            [0.25; 3]
        );
        assert_eq!((shared[0].1, shared[1].1), (apart[1].1, apart[1].1));
        assert_eq!(shared[2].1, apart[2].1, "another label, another axis");
    }
}
