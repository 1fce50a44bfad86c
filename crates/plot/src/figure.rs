//! Figures as data: panels of lines and points, to be drawn or stored as a table.

use crate::sheet::Sheet;

/// Share of a place's width used by its points.
pub(crate) const WIDE: f64 = 0.7;

/// Panels under one title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title: the subject of the figure.
    pub title: String,
    /// The panels, from top to bottom; side by side if the sheet has columns.
    pub panels: Vec<Panel>,
    /// True if axes with the same label have the same ends in all panels.
    pub shares_axes: bool,
    /// Its size and arrangement.
    pub sheet: Sheet,
}

/// Two axes and the series between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title that distinguishes it from other panels, if they share their axes' labels.
    pub title: Option<String>,
    /// The x axis.
    pub x: Side,
    /// The y axis.
    pub y: Side,
    /// The series, in the order of drawing.
    pub series: Vec<Series>,
}

/// Label and scale of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The label with the unit: "buffer (KB)".
    pub label: String,
    /// True for a logarithmic scale.
    pub logarithmic: bool,
    /// Names of places instead of numbers: the first at 0, the next at 1.
    pub names: Vec<String>,
}

/// Data under one name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Style of drawing.
    pub mark: Mark,
    /// Colour number, from 0; equal ones mark related series.
    pub colour: usize,
    /// Number of its dash and marker, from 0, which series of other colours share; by default one
    /// that no other series has.
    pub dash: Option<usize>,
    /// Meaning of its points' intervals, if they have some.
    pub intervals: Option<Intervals>,
    /// Points, from left to right; of a box the median, with the whiskers as its interval.
    pub points: Vec<DataPoint>,
    /// The first and the third quartile at each point, if they are boxes.
    pub quartiles: Vec<(f64, f64)>,
    /// The meaning of the whiskers, if they are boxes.
    pub whiskers: String,
    /// Further lines in the legend, such as the meaning of rings around points.
    pub remarks: Vec<String>,
}

/// Style of drawing: a line for theory, points for measured or printed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line through the points; their intervals are a band around it.
    Line,
    /// Separate points, with their intervals as bars.
    Points,
    /// Separate crosses, each with its spread as a bar.
    Measured,
    /// Points with bars, and a thin line from each to the next.
    Joined,
    /// Boxes from quartile to quartile, with a bar at the median and whiskers.
    Boxes,
}

/// The spread of values at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxPoint {
    /// Value on the x axis.
    pub x: f64,
    /// The median.
    pub median: f64,
    /// The first and the third quartile.
    pub quartiles: (f64, f64),
    /// The ends of the whiskers.
    pub whiskers: (f64, f64),
}

/// Meaning of the intervals of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    /// Confidence level, such as 0.95.
    pub level: f64,
    /// Least and greatest number of values averaged in a point.
    pub samples: (u64, u64),
}

/// A point, with its confidence interval if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// Value on the x axis.
    pub x: f64,
    /// Value on the y axis.
    pub y: f64,
    /// Ends of the interval around y.
    pub interval: Option<(f64, f64)>,
    /// A sign on the point, whose meaning the series' remarks give.
    pub sign: Sign,
}

/// A sign on a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// None.
    #[default]
    None,
    /// A ring: it needs care.
    Ring,
    /// An arrow upwards in place of the point: the value is above.
    Beyond,
}

impl Series {
    /// A series without intervals and boxes.
    pub fn new(
        label: impl Into<String>,
        mark: Mark,
        colour: usize,
        points: Vec<DataPoint>,
    ) -> Series {
        Series {
            label: label.into(),
            mark,
            colour,
            dash: None,
            intervals: None,
            points,
            quartiles: Vec::new(),
            whiskers: String::new(),
            remarks: Vec::new(),
        }
    }
}

impl DataPoint {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> DataPoint {
        DataPoint {
            x,
            y,
            interval: None,
            sign: Sign::None,
        }
    }
}

impl From<(f64, f64)> for DataPoint {
    fn from((x, y): (f64, f64)) -> DataPoint {
        DataPoint::new(x, y)
    }
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure {
            title: title.into(),
            panels: Vec::new(),
            shares_axes: false,
            sheet: Sheet::default(),
        }
    }

    /// True if it has no point anywhere.
    pub fn is_blank(&self) -> bool {
        let mut series = self.panels.iter().flat_map(|panel| &panel.series);
        series.all(|series| series.points.is_empty())
    }

    /// The figure on this sheet.
    pub fn on(self, sheet: Sheet) -> Figure {
        Figure { sheet, ..self }
    }

    /// The figure with the same ends of axes with the same label, so that panels can be compared.
    pub fn sharing_axes(self) -> Figure {
        Figure {
            shares_axes: true,
            ..self
        }
    }

    /// Adds a panel below.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}

impl Panel {
    /// The points of all series.
    pub(crate) fn all_points(&self) -> impl Iterator<Item = &DataPoint> {
        self.series.iter().flat_map(|series| &series.points)
    }

    /// A panel with these axis labels, both axes linear.
    pub fn new(x: impl Into<String>, y: impl Into<String>) -> Panel {
        let side = |label| Side {
            label,
            logarithmic: false,
            names: Vec::new(),
        };
        Panel {
            title: None,
            x: side(x.into()),
            y: side(y.into()),
            series: Vec::new(),
        }
    }

    /// The panel with its own title.
    pub fn titled(mut self, title: impl Into<String>) -> Panel {
        self.title = Some(title.into());
        self
    }

    /// The panel with named places on the x axis, the first at 0, the next at 1. Series of one
    /// colour are on the same side of each place; points are not joined, since nothing lies between
    /// them.
    pub fn across(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Panel {
        self.x.names = names.into_iter().map(Into::into).collect();
        let colours = self.next_colour().max(1) as f64;
        for series in &mut self.series {
            let aside = WIDE * ((series.colour as f64 + 0.5) / colours - 0.5);
            if ![Mark::Measured, Mark::Boxes].contains(&series.mark) {
                series.mark = Mark::Points;
            }
            series.points.iter_mut().for_each(|point| point.x += aside);
        }
        self
    }

    /// The panel with a logarithmic x axis.
    pub fn log_x(mut self) -> Panel {
        self.x.logarithmic = true;
        self
    }

    /// The panel with a logarithmic y axis.
    pub fn log_y(mut self) -> Panel {
        self.y.logarithmic = true;
        self
    }

    /// Adds a line in a new colour.
    pub fn line<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.next_colour();
        self.with(label, Mark::Line, colour, points)
    }

    /// Adds points in a new colour.
    pub fn points<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.next_colour();
        self.with(label, Mark::Points, colour, points)
    }

    /// Adds points joined by a line, in a new colour: few values of a curve.
    pub fn joined<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.next_colour();
        self.with(label, Mark::Joined, colour, points)
    }

    /// Adds a line in the colour of the last series: theory beside simulation.
    pub fn line_beside<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.series.last().map_or(0, |series| series.colour);
        self.with(label, Mark::Line, colour, points)
    }

    /// Adds points in the colour of the last series: simulation beside theory.
    pub fn points_beside<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.series.last().map_or(0, |series| series.colour);
        self.with(label, Mark::Points, colour, points)
    }

    /// Adds points in the colour of the first series of this name, or in a new one if there is
    /// none.
    pub fn points_like<P: Into<DataPoint>>(
        self,
        like: &str,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let known = self.series.iter().find(|series| series.label == like);
        let colour = known.map_or(self.next_colour(), |series| series.colour);
        self.with(label, Mark::Points, colour, points)
    }

    /// Adds values measured elsewhere, in the colour of the first series of this name, or a new one
    /// without it.
    pub fn measured_like<P: Into<DataPoint>>(
        self,
        like: &str,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let known = self.series.iter().find(|series| series.label == like);
        let colour = known.map_or(self.next_colour(), |series| series.colour);
        self.with(label, Mark::Measured, colour, points)
    }

    /// Adds boxes in a new colour, with the meaning of their whiskers.
    pub fn boxes(
        self,
        label: impl Into<String>,
        whiskers: impl Into<String>,
        boxes: impl IntoIterator<Item = BoxPoint>,
    ) -> Panel {
        let boxes: Vec<BoxPoint> = boxes.into_iter().collect();
        let points = boxes.iter().map(|of| DataPoint {
            x: of.x,
            y: of.median,
            interval: Some(of.whiskers),
            sign: Sign::None,
        });
        let colour = self.next_colour();
        let mut panel = self.with(label, Mark::Boxes, colour, points.collect::<Vec<_>>());
        if let Some(series) = panel.series.last_mut() {
            series.quartiles = boxes.iter().map(|of| of.quartiles).collect();
            series.whiskers = whiskers.into();
        }
        panel
    }

    /// Gives the last series a colour and a dash by number: lines that differ in two ways.
    pub fn coloured(mut self, colour: usize, dash: usize) -> Panel {
        if let Some(series) = self.series.last_mut() {
            series.colour = colour;
            series.dash = Some(dash);
        }
        self
    }

    /// Sets the meaning of the intervals of the last series: their level, and the number of values
    /// averaged in each point. One value has no interval, and the legend says so.
    pub fn intervals(self, level: f64, samples: u64) -> Panel {
        self.intervals_of_several(level, (samples, samples))
    }

    /// Sets the meaning of intervals for points that are means of different numbers of values:
    /// least and greatest.
    pub fn intervals_of_several(mut self, level: f64, samples: (u64, u64)) -> Panel {
        if let Some(series) = self.series.last_mut() {
            series.intervals = Some(Intervals { level, samples });
        }
        self
    }

    /// Adds lines to the legend of the last series.
    pub fn remarks(mut self, remarks: impl IntoIterator<Item = String>) -> Panel {
        if let Some(series) = self.series.last_mut() {
            series.remarks.extend(remarks);
        }
        self
    }

    fn next_colour(&self) -> usize {
        let used = self.series.iter().map(|series| series.colour + 1);
        used.max().unwrap_or(0)
    }

    fn with<P: Into<DataPoint>>(
        mut self,
        label: impl Into<String>,
        mark: Mark,
        colour: usize,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let points = points.into_iter().map(Into::into).collect();
        self.series.push(Series::new(label, mark, colour, points));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beside_a_line_share_its_colour() {
        let panel = Panel::new("x", "y")
            .line("theory", [(0.0, 1.0)])
            .points_beside("simulated", [(0.0, 1.1)])
            .line("other theory", [(0.0, 2.0)]);
        let colours: Vec<usize> = panel.series.iter().map(|s| s.colour).collect();
        assert_eq!(colours, [0, 0, 1]);
    }
}
