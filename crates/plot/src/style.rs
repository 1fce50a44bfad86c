//! Styles of series: distinct in colour, in grey and to the colour-blind.

use crate::drawing::{Colour, Drawing, Paint, Spot, Stroke};
use crate::figure::{Mark, Panel, Series};

/// Blue, vermilion, green, black, purple, orange, sky: distinct for all viewers (Okabe and Ito,
/// *Color Universal Design*, 2008). Their yellow is too light for lines on white.
const COLOURS: [Colour; 7] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(0, 0, 0),
    Colour(204, 121, 167),
    Colour(230, 159, 0),
    Colour(86, 180, 233),
];

/// Alternating lengths of dashes and gaps, in line widths.
const DASHES: [&[f64]; 6] = [
    &[],
    &[5.0, 2.5],
    &[1.2, 1.8],
    &[8.0, 2.0, 1.2, 2.0],
    &[11.0, 3.0],
    &[5.0, 1.5, 1.2, 1.5, 1.2, 1.5],
];

/// Filled and hollow alternately: a hollow mark around a filled one shows both.
const MARKERS: [Marker; 12] = [
    Marker::new(Outline::Circle, true),
    Marker::new(Outline::Square, false),
    Marker::new(Outline::Triangle, true),
    Marker::new(Outline::Diamond, false),
    Marker::new(Outline::TriangleDown, true),
    Marker::new(Outline::Circle, false),
    Marker::new(Outline::Square, true),
    Marker::new(Outline::Triangle, false),
    Marker::new(Outline::Diamond, true),
    Marker::new(Outline::TriangleDown, false),
    Marker::new(Outline::Plus, false),
    Marker::new(Outline::Cross, false),
];

const LINE: f64 = 2.0;
/// A line beside data is theory, which is not to hide them.
const THEORY: f64 = 1.2;
const JOINING_LINE: f64 = 1.6;
/// Lines of more points than this are finer, so that their turns show.
const MANY: usize = 250;
const FINE_LINE: f64 = 1.2;

/// Outline of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outline {
    Circle,
    Square,
    Triangle,
    TriangleDown,
    Diamond,
    Plus,
    Cross,
}

/// Mark of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    outline: Outline,
    filled: bool,
}

/// Style of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    pub(crate) colour: Colour,
    pub(crate) line: Option<Stroke>,
    pub(crate) marker: Option<Marker>,
}

/// One look for each series of a panel, never two alike: series of one colour differ in their
/// dashes or marks, and as far as these suffice, so do series of different colours.
pub(crate) fn looks(panel: &Panel) -> Vec<Look> {
    let mut looks: Vec<Look> = Vec::new();
    let has_data = panel.series.iter().any(|series| series.mark != Mark::Line);
    for series in &panel.series {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let drawn = |of: fn(&Look) -> bool| looks.iter().filter(|look| of(look)).count();
        let (lines, marks) = (
            drawn(|look| look.line.is_some()),
            drawn(|look| look.marker.is_some()),
        );
        let (lines, marks) = series.dash.map_or((lines, marks), |dash| (dash, dash));
        let look = (0..).map(|more| Look {
            colour,
            line: stroke(series, colour, lines + more, has_data),
            marker: marker(series.mark, marks + more),
        });
        // A panel with more series than looks repeats some.
        let most = looks.len() + 1;
        let different = look.clone().take(most).find(|look| !looks.contains(look));
        looks.extend(different.or_else(|| look.clone().next()));
    }
    looks
}

fn stroke(series: &Series, colour: Colour, number: usize, has_data: bool) -> Option<Stroke> {
    let round = number / (DASHES.len() * COLOURS.len());
    let is_fine = series.points.len() > MANY && series.intervals.is_none();
    let width = match series.mark {
        Mark::Line if is_fine => FINE_LINE,
        Mark::Line if has_data => THEORY,
        Mark::Line => LINE,
        Mark::Joined => JOINING_LINE,
        Mark::Points | Mark::Measured | Mark::Boxes => return None,
    };
    Some(Stroke {
        colour,
        width: width + round as f64,
        dashes: DASHES[number % DASHES.len()],
    })
}

fn marker(mark: Mark, number: usize) -> Option<Marker> {
    // The last two are crosses.
    let first = match mark {
        Mark::Line | Mark::Boxes => return None,
        Mark::Measured => MARKERS.len() - 2,
        Mark::Points | Mark::Joined => 0,
    };
    Some(MARKERS[(first + number) % MARKERS.len()])
}

impl Marker {
    const fn new(outline: Outline, filled: bool) -> Marker {
        Marker { outline, filled }
    }

    /// Its name in pgfplots.
    pub(crate) fn pgf(self) -> String {
        let name = match (self.outline, self.filled) {
            (Outline::Circle, true) => return "*".to_owned(),
            (Outline::Circle, false) => return "o".to_owned(),
            (Outline::Plus, _) => return "+".to_owned(),
            (Outline::Cross, _) => return "x".to_owned(),
            (Outline::Square, _) => "square",
            (Outline::Triangle | Outline::TriangleDown, _) => "triangle",
            (Outline::Diamond, _) => "diamond",
        };
        format!("{name}{}", if self.filled { "*" } else { "" })
    }

    /// The angle in degrees by which pgfplots turns that mark.
    pub(crate) fn pgf_angle(self) -> u32 {
        if self.outline == Outline::TriangleDown {
            180
        } else {
            0
        }
    }

    /// Draws it at a spot, `size` times as large as usual.
    pub(crate) fn draw(self, drawing: &mut Drawing, at: Spot, size: f64, colour: Colour) {
        // Hollow marks are larger, so as to show around filled ones.
        let r = size * if self.filled { 3.6 } else { 5.2 };
        let around = |corners: &[Spot]| -> Vec<Spot> {
            let place = |(x, y): &Spot| (at.0 + r * x, at.1 + r * y);
            corners.iter().map(place).collect()
        };
        let crossed = |drawing: &mut Drawing, arms: [[Spot; 2]; 2]| {
            for arm in arms {
                drawing.line(around(&arm), Stroke::solid(colour, 1.6));
            }
        };
        let paint = Paint::of(colour, self.filled);
        match self.outline {
            Outline::Circle => drawing.circle(at, r, paint),
            Outline::Plus => crossed(drawing, PLUS),
            Outline::Cross => crossed(drawing, CROSS),
            Outline::Square => drawing.shape(around(&SQUARE), paint),
            Outline::Triangle => drawing.shape(around(&TRIANGLE), paint),
            Outline::TriangleDown => drawing.shape(around(&TRIANGLE_DOWN), paint),
            Outline::Diamond => drawing.shape(around(&DIAMOND), paint),
        }
    }
}

const PLUS: [[Spot; 2]; 2] = [[(-1.0, 0.0), (1.0, 0.0)], [(0.0, -1.0), (0.0, 1.0)]];
const CROSS: [[Spot; 2]; 2] = [[(-0.8, -0.8), (0.8, 0.8)], [(-0.8, 0.8), (0.8, -0.8)]];
const SQUARE: [Spot; 4] = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)];
const TRIANGLE: [Spot; 3] = [(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)];
const TRIANGLE_DOWN: [Spot; 3] = [(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)];
const DIAMOND: [Spot; 4] = [(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)];

#[cfg(test)]
mod tests {
    use super::*;

    fn different(panel: &Panel) -> bool {
        let looks = looks(panel);
        let alike = |(i, look): (usize, &Look)| looks[..i].contains(look);
        !looks.iter().enumerate().any(alike)
    }

    #[test]
    fn forty_series_of_any_kind_all_differ() {
        let point = || [(0.0, 1.0)];
        let mut panels = [(); 4].map(|()| Panel::new("x", "y"));
        for i in 0..40 {
            let [lines, points, joined, pairs] = panels;
            let pairs = pairs.line(i.to_string(), point());
            panels = [
                lines.line(i.to_string(), point()),
                points.points(i.to_string(), point()),
                joined.joined(i.to_string(), point()),
                pairs.points_beside(i.to_string(), point()),
            ];
        }
        assert!(panels.iter().all(different));
    }

    #[test]
    fn two_axes_are_colours_and_dashes() {
        let mut panel = Panel::new("x", "y");
        for (colour, dash) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            panel = panel
                .joined("a", [(0.0, 1.0), (1.0, 2.0)])
                .coloured(colour, dash);
        }
        let looks = looks(&panel);
        let dashes = |place: usize| looks[place].line.map(|line| line.dashes);
        assert_eq!(
            (looks[0].colour, looks[2].colour),
            (looks[1].colour, looks[3].colour)
        );
        assert_eq!((dashes(0), dashes(1)), (dashes(2), dashes(3)));
        assert_eq!(looks[1].marker, looks[3].marker);
        assert_ne!((dashes(0), looks[0].marker), (dashes(1), looks[1].marker));
        assert!(different(&panel));
    }

    #[test]
    fn what_shares_a_colour_has_another_mark() {
        // Two sets of points beside one line: a paper's table and a simulation.
        let panel = Panel::new("x", "y")
            .line("closed form", [(0.0, 1.0)])
            .points_beside("printed", [(0.0, 1.0)])
            .points_beside("simulated", [(0.0, 1.0)]);
        let looks = looks(&panel);
        assert_eq!(looks[1].colour, looks[2].colour);
        assert_ne!(looks[1].marker, looks[2].marker);
    }

    #[test]
    fn colours_are_not_needed_to_tell_a_few_series_apart() {
        let mut panel = Panel::new("x", "y");
        for i in 0..6 {
            panel = panel.line(i.to_string(), [(0.0, 1.0)]);
            panel = panel.points(i.to_string(), [(0.0, 1.0)]);
        }
        let grey = |look: &Look| (look.line.map(|line| line.dashes), look.marker);
        let greys: Vec<_> = looks(&panel).iter().map(grey).collect();
        let alike = |(i, look): (usize, &_)| greys[..i].contains(look);
        assert!(!greys.iter().enumerate().any(alike));
    }
}
