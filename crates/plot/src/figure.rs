//! A figure as data: panels of lines and points, to be drawn or kept as a table.

/// Panels under one title.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The title, which says what the figure shows.
    pub title: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
}

/// Two axes and what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What sets it apart from the other panels, if they share their axes' labels.
    pub title: Option<String>,
    /// The axis across.
    pub x: Side,
    /// The axis up.
    pub y: Side,
    /// The series, in the order of drawing.
    pub series: Vec<Series>,
}

/// How an axis is labelled and divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The label with the unit: "buffer (KB)".
    pub label: String,
    /// Whether it has equal ratios instead of equal steps.
    pub logarithmic: bool,
    /// What has a place of its own instead of numbers: the first at 0, the next at 1.
    pub names: Vec<String>,
}

/// What belongs together, under one name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Which colour, counted from 0; equal ones show what belongs together.
    pub colour: usize,
    /// What the intervals of its points are, if they have some.
    pub intervals: Option<Intervals>,
    /// The points, from left to right.
    pub points: Vec<DataPoint>,
}

/// Theory is a line, what was simulated or printed is points, what was measured is crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line through the points; their intervals are a band around it.
    Line,
    /// Each by itself, with its interval as a bar.
    Points,
    /// Each by itself as a cross, with its spread as a bar.
    Measured,
    /// Points with bars, and a thin line from each to the next.
    Joined,
}

/// What the intervals of a series mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    /// How often they hold the truth, such as 0.95.
    pub level: f64,
    /// The fewest and the most values that a point is the mean of.
    pub samples: (u64, u64),
}

/// A point, with its interval of confidence if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// Its place along the axis across.
    pub x: f64,
    /// Its place along the axis up.
    pub y: f64,
    /// The ends of the interval around y.
    pub interval: Option<(f64, f64)>,
}

impl DataPoint {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> DataPoint {
        DataPoint {
            x,
            y,
            interval: None,
        }
    }
}

impl From<(f64, f64)> for DataPoint {
    fn from((x, y): (f64, f64)) -> DataPoint {
        DataPoint::new(x, y)
    }
}

impl Figure {
    /// A figure of no panels yet.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure {
            title: title.into(),
            panels: Vec::new(),
        }
    }

    /// Adds a panel below.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}

impl Panel {
    /// A panel whose axes have these labels, both linear.
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

    /// The panel with a title of its own.
    pub fn titled(mut self, title: impl Into<String>) -> Panel {
        self.title = Some(title.into());
        self
    }

    /// The panel with places of these names across, the first at 0, the next at 1. What has the
    /// same colour stands at the same side of each place; nothing is joined, for there is nothing between.
    pub fn across(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Panel {
        // What part of a place its points take.
        const WIDE: f64 = 0.7;
        self.x.names = names.into_iter().map(Into::into).collect();
        let colours = self.next_colour().max(1) as f64;
        for series in &mut self.series {
            let aside = WIDE * ((series.colour as f64 + 0.5) / colours - 0.5);
            if series.mark != Mark::Measured {
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

    /// Adds points with a line through them in a new colour: few values of a curve.
    pub fn joined<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.next_colour();
        self.with(label, Mark::Joined, colour, points)
    }

    /// Adds a line in the colour of what was added last: theory beside simulation.
    pub fn line_beside<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.series.last().map_or(0, |series| series.colour);
        self.with(label, Mark::Line, colour, points)
    }

    /// Adds points in the colour of what was added last: simulation beside theory.
    pub fn points_beside<P: Into<DataPoint>>(
        self,
        label: impl Into<String>,
        points: impl IntoIterator<Item = P>,
    ) -> Panel {
        let colour = self.series.last().map_or(0, |series| series.colour);
        self.with(label, Mark::Points, colour, points)
    }

    /// Adds points in the colour of the first series of this name, or a new one without it.
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

    /// Adds what was measured elsewhere, in the colour of the first series of this name, or a new one without it.
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

    /// Says what the intervals of the series that was added last are: their level, and
    /// of how many values each point is the mean. One value has no interval, and the
    /// legend says so.
    pub fn intervals(self, level: f64, samples: u64) -> Panel {
        self.intervals_of_several(level, (samples, samples))
    }

    /// The same where points are means of different numbers of values: the least and the greatest.
    pub fn intervals_of_several(mut self, level: f64, samples: (u64, u64)) -> Panel {
        if let Some(series) = self.series.last_mut() {
            series.intervals = Some(Intervals { level, samples });
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
        self.series.push(Series {
            label: label.into(),
            mark,
            colour,
            intervals: None,
            points: points.into_iter().map(Into::into).collect(),
        });
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
