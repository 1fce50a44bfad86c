//! Layout of a figure on its sheet: panels in rows, their frames aligned, with the legends beside, below or
//! inside them.

use crate::axis::Ends;
use crate::covered::Covered;
use crate::figure::{Figure, Mark, Panel};
use crate::frame::{Axes, Frame};
use crate::legend::{Legend, Spots};
use crate::sheet::LegendPlace;
use crate::sizes::{GAP, LABEL, MARGIN, NOTE, TICK, TITLE};
use crate::style::{Look, looks};
use crate::text::{height, lines, width};

/// The heights of the frame of a single panel, and of one among several.
const FRAME_HEIGHTS: (f64, f64) = (400.0, 250.0);
/// A panel narrower than this has a frame whose height is at most this share of its width.
const NARROW: f64 = 700.0;
const SHARE_OF_WIDTH: f64 = 0.62;
/// The height of a frame with two ticks.
const LOWEST: f64 = 60.0;

/// A figure with the places of its parts.
pub(crate) struct Layout<'a> {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: Vec<String>,
    pub(crate) panels: Vec<Placed<'a>>,
}

/// A panel with its place.
pub(crate) struct Placed<'a> {
    pub(crate) content: Content<'a>,
    /// The left edge of the panel, with its labels.
    pub(crate) edge: f64,
    /// The legend of this panel, unless another's stands for it.
    pub(crate) legend: Option<Spots>,
    pub(crate) frame: Frame,
    /// The values along x, each with its label.
    pub(crate) x_ticks: Vec<(f64, Vec<String>)>,
    pub(crate) x_label: Vec<String>,
}

/// Contents of a panel, before it has a place.
pub(crate) struct Content<'a> {
    pub(crate) panel: &'a Panel,
    pub(crate) title: Vec<String>,
    pub(crate) axes: Axes,
    pub(crate) looks: Vec<Look>,
    pub(crate) y_label: Vec<String>,
    pub(crate) legend: Legend,
    frame_height: f64,
}

/// The columns of panels between two edges of the sheet.
struct Columns {
    left: f64,
    right: f64,
    number: usize,
}

impl Columns {
    fn of(figure: &Figure, wide: f64) -> Columns {
        Columns {
            left: MARGIN,
            right: wide - MARGIN,
            number: figure.sheet.columns.clamp(1, figure.panels.len().max(1)),
        }
    }

    /// Left and right edge of the panel in a column.
    fn edges(&self, column: usize) -> (f64, f64) {
        let cell = self.cell();
        let left = self.left + column as f64 * (cell + 2.0 * GAP);
        (left, left + cell)
    }

    fn cell(&self) -> f64 {
        let gaps = (self.number - 1) as f64 * 2.0 * GAP;
        (self.right - self.left - gaps) / self.number as f64
    }
}

impl<'a> Layout<'a> {
    pub(crate) fn of(figure: &'a Figure) -> Layout<'a> {
        let usual = Layout::with(figure, 0.0);
        let Some(wanted) = figure.sheet.height() else {
            return usual;
        };
        // Labels break elsewhere beside other frames, so one step may miss the height.
        let rows = figure
            .panels
            .len()
            .max(1)
            .div_ceil(Columns::of(figure, usual.width).number);
        let step = |(layout, taller): (Layout<'a>, f64)| {
            let taller = taller + (wanted - layout.height) / rows as f64;
            (Layout::with(figure, taller), taller)
        };
        step(step((usual, 0.0))).0
    }

    /// The layout with each frame taller than usual by this, or lower.
    fn with(figure: &'a Figure, taller: f64) -> Layout<'a> {
        let sheet = &figure.sheet;
        let wide = sheet.width();
        let columns = Columns::of(figure, wide);
        let title = if sheet.titled {
            lines(
                &capitalised(&figure.title),
                TITLE,
                columns.right - columns.left,
            )
        } else {
            Vec::new()
        };
        let mut contents: Vec<Content> = Content::all(figure, columns.cell(), taller);
        let shared = shared_legend(sheet.legend, &mut contents);
        let lefts = contents.iter().map(Content::left_width);
        let labels = lefts.fold(0.0, f64::max);
        let legend = match sheet.legend {
            LegendPlace::Beside => contents
                .iter()
                .map(Content::legend_width)
                .fold(0.0, f64::max),
            _ => 0.0,
        };
        let mut below = if title.is_empty() {
            0.0
        } else {
            MARGIN + height(title.len(), TITLE)
        };
        let mut panels: Vec<Placed<'_>> = Vec::new();
        let mut rest = contents.into_iter();
        loop {
            let in_row: Vec<Content<'_>> = rest.by_ref().take(columns.number).collect();
            if in_row.is_empty() {
                break;
            }
            let titles = in_row.iter().map(|content| content.title.len());
            let top = below + MARGIN + height(titles.max().unwrap_or(0), LABEL);
            for (column, content) in in_row.into_iter().enumerate() {
                let (edge, end) = columns.edges(column);
                // Half of the last tick's number extends beyond the frame if there is no legend.
                let across = (edge + labels, end - legend.max(2.0 * GAP));
                let placed = content.place(edge, across, top, sheet.legend);
                below = below.max(placed.bottom());
                panels.push(placed);
            }
        }
        if let (Some(legend), Some(last)) = (shared, panels.last_mut()) {
            let (spots, end) = legend.in_rows((columns.left, columns.right), below + GAP);
            last.legend = Some(spots);
            last.content.legend = legend;
            below = end;
        }
        Layout {
            width: wide,
            height: below + MARGIN,
            title,
            panels,
        }
    }
}

impl Figure {
    /// Requests of the sheet that the layout could not meet.
    pub fn notes(&self) -> Vec<String> {
        let is_below = |placed: &&Placed<'_>| {
            let spots = placed.legend.as_ref();
            spots.is_some_and(|spots| spots.cover.is_none())
        };
        let layout = Layout::of(self);
        let below = match self.sheet.legend {
            LegendPlace::Inside => layout.panels.iter().filter(is_below).count(),
            _ => 0,
        };
        let legends = match (below, layout.panels.len()) {
            (0, _) => None,
            (1, 1) => Some("no corner of the frame is free, so the legend is below".to_owned()),
            (n, all) => Some(format!(
                "no corner is free in {n} of {all} panels, so their legends are below them"
            )),
        };
        let inches = |height: f64| self.sheet.width_in * height / layout.width;
        let wanted = self.sheet.height_in;
        let misses = |wanted: &f64| (inches(layout.height) - wanted).abs() > 0.005 * wanted;
        let height = wanted.filter(misses).map(|wanted| {
            let height = inches(layout.height);
            format!("its text and legends need a height of {height:.2} in, not {wanted:.2} in")
        });
        legends.into_iter().chain(height).collect()
    }
}

/// The legend that all of several panels have, taken out of them, if it is to stand below.
fn shared_legend(place: LegendPlace, contents: &mut [Content<'_>]) -> Option<Legend> {
    let [first, others @ ..] = &*contents else {
        return None;
    };
    let is_same = |other: &Content<'_>| other.legend == first.legend && other.looks == first.looks;
    let is_shared = place == LegendPlace::Below && !others.is_empty() && others.iter().all(is_same);
    if !is_shared || first.legend.is_empty() {
        return None;
    }
    let taken = contents
        .iter_mut()
        .map(|content| std::mem::replace(&mut content.legend, Legend::NONE));
    taken.last()
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

impl<'a> Content<'a> {
    /// The panels of a figure, each of this width, with frames taller than usual.
    fn all(figure: &'a Figure, wide: f64, taller: f64) -> Vec<Content<'a>> {
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
            let usual = if one { alone } else { among };
            let least = if wide < NARROW {
                usual.min(SHARE_OF_WIDTH * wide)
            } else {
                usual
            };
            let least = (least + taller).max(LOWEST);
            let beside = if figure.shares_axes {
                &figure.panels
            } else {
                std::slice::from_ref(panel)
            };
            let axes = Axes::of(panel, beside, across);
            Content::of(
                panel,
                &title(i, panel),
                axes,
                (wide, least),
                figure.sheet.legend,
            )
        };
        panels.map(content).collect()
    }

    fn of(
        panel: &'a Panel,
        title: &str,
        axes: Axes,
        (wide, least_height): (f64, f64),
        place: LegendPlace,
    ) -> Content<'a> {
        let legend = match place {
            LegendPlace::Nowhere => Legend::NONE,
            _ => Legend::of(panel, &axes),
        };
        let frame_height = match place {
            LegendPlace::Beside => legend.height().max(least_height),
            _ => least_height,
        };
        Content {
            panel,
            title: match title {
                "" => Vec::new(),
                title => lines(title, LABEL, wide),
            },
            axes,
            looks: looks(panel),
            y_label: lines(&panel.y.label, LABEL, frame_height),
            legend,
            frame_height,
        }
    }

    /// Width of the label and the numbers left of the frame.
    fn left_width(&self) -> f64 {
        let numbers = self.axes.y.ticks().map(|(_, text)| width(&text, TICK));
        height(self.y_label.len(), LABEL) + 2.0 * GAP + numbers.fold(0.0, f64::max)
    }

    /// Width of the legend beside the frame, and the space between them.
    fn legend_width(&self) -> f64 {
        if self.legend.is_empty() {
            0.0
        } else {
            2.0 * GAP + self.legend.width()
        }
    }

    fn place(
        self,
        edge: f64,
        (left, right): (f64, f64),
        top: f64,
        legend: LegendPlace,
    ) -> Placed<'a> {
        let frame = Frame {
            left,
            right,
            top,
            bottom: top + self.frame_height,
        };
        let mut placed = Placed {
            edge,
            legend: None,
            x_ticks: self.axes.x_ticks(right - left),
            x_label: lines(&self.panel.x.label, LABEL, right - left),
            frame,
            content: self,
        };
        if !placed.content.legend.is_empty() {
            placed.legend = Some(placed.legend_spots(legend));
        }
        placed
    }
}

impl Placed<'_> {
    /// The places of the legend's parts.
    fn legend_spots(&self, place: LegendPlace) -> Spots {
        let (frame, legend) = (&self.frame, &self.content.legend);
        let covered = || Covered::of(self.content.panel, frame, &self.content.axes);
        let inside = match place {
            LegendPlace::Inside => legend.in_corner(frame, &covered()),
            _ => None,
        };
        match (place, inside) {
            (_, Some(spots)) => spots,
            (LegendPlace::Beside, None) => legend.in_column((frame.right + 2.0 * GAP, frame.top)),
            (_, None) => {
                legend
                    .in_rows((self.edge, frame.right), self.x_label_end() + GAP)
                    .0
            }
        }
    }

    /// Height below all parts of the panel.
    fn bottom(&self) -> f64 {
        let end = self.x_label_end();
        match &self.legend {
            Some(spots) if spots.cover.is_none() && spots.note.1 > end => {
                let legend = &self.content.legend;
                spots.note.1 + height(legend.note.len(), NOTE)
            }
            _ => end,
        }
    }

    /// Height below the label of the x axis.
    fn x_label_end(&self) -> f64 {
        self.x_label_top() + height(self.x_label.len(), LABEL)
    }

    pub(crate) fn x_label_top(&self) -> f64 {
        let ticks = self.x_ticks.iter().map(|(_, text)| text.len());
        self.frame.bottom + 1.5 * GAP + height(ticks.max().unwrap_or(1).max(1), TICK)
    }
}

/// (a), (b), and after (z) come (aa), (ab).
fn letters(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8).to_string();
    match number / 26 {
        0 => letter,
        more => letters(more - 1) + &letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sheet;

    #[test]
    fn a_height_is_met_whatever_the_panels_and_the_legend() {
        let panel = |y: &str| {
            let spots = [(0.0, 0.0), (1.0, 10.0)];
            Panel::new("time (s)", y)
                .line("with a pacer", spots)
                .line("without", spots)
        };
        let all = [
            "queue",
            "goodput of the flows that start late (Mbit/s)",
            "loss",
        ];
        let places = [LegendPlace::Beside, LegendPlace::Below, LegendPlace::Inside];
        for (panels, columns) in [(1, 1), (2, 2), (3, 2), (3, 1)] {
            for legend in places {
                for height_in in [2.5 * f64::from(panels), 9.0] {
                    let sheet = Sheet {
                        height_in: Some(height_in),
                        width_in: 7.0,
                        legend,
                        columns,
                        ..Sheet::IEEE
                    };
                    let chosen = all[..panels as usize].iter().map(|y| panel(y));
                    let figure = chosen.fold(Figure::new("x"), Figure::panel).on(sheet);
                    let layout = Layout::of(&figure);
                    let height = layout.height / layout.width * 7.0;
                    assert!((height - height_in).abs() < 0.01, "{sheet:?}: {height}");
                    assert!(
                        figure.tex().contains(&format!("(7in,{height_in}in);")),
                        "{sheet:?}"
                    );
                }
            }
        }
        let low = Sheet {
            height_in: Some(0.5),
            ..Sheet::IEEE
        };
        let notes = Figure::new("x").panel(panel("queue")).on(low).notes();
        assert!(
            notes[0].contains("need a height of 1.") && notes[0].ends_with("not 0.50 in"),
            "{notes:?}"
        );
    }

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
