//! The picture of a figure.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::Axis;
use super::figure::{Figure, Mark, Panel, Point, Series};

const WIDTH: u32 = 800;
const HEIGHT: u32 = 500;
/// Of each panel, if there are several.
const PANEL_HEIGHT: u32 = 320;
const TITLE_HEIGHT: u32 = 40;

/// Blue, vermilion, green, purple, orange, sky: told apart by everyone (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// More points than pixels show nothing more.
const MOST_POINTS: usize = 8_000;

type Backend<'a> = SVGBackend<'a>;
type Area<'a> = DrawingArea<Backend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Chart<'a, 'b> = ChartContext<'a, Backend<'b>, Cartesian2d<Axis, Axis>>;

/// Draws all panels, one below the other.
pub(super) fn svg(figure: &Figure) -> String {
    let height = match figure.panels.len() {
        0 | 1 => HEIGHT,
        n => TITLE_HEIGHT + PANEL_HEIGHT * n as u32,
    };
    let mut text = String::new();
    draw(&mut text, height, figure).expect("a text takes every drawing");
    text
}

fn draw(text: &mut String, height: u32, figure: &Figure) -> Drawn {
    let whole = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    whole.fill(&WHITE)?;
    let below = whole.titled(&capitalised(&figure.title), ("sans-serif", 19))?;
    for (area, panel) in below
        .split_evenly((figure.panels.len().max(1), 1))
        .iter()
        .zip(&figure.panels)
    {
        draw_panel(area, panel)?;
    }
    whole.present()
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The axes of a panel, to tell what can be drawn.
struct Axes {
    x: Axis,
    y: Axis,
}

impl Axes {
    fn of(panel: &Panel) -> Axes {
        let all = || panel.series.iter().flat_map(|s| &s.points);
        let xs: Vec<f64> = all().map(|p| p.x).collect();
        let ends = |p: &Point| {
            let (low, high) = p.interval.unwrap_or((p.y, p.y));
            [p.y, low, high]
        };
        let ys: Vec<f64> = all().flat_map(ends).collect();
        Axes {
            x: Axis::around(&xs, panel.x.logarithmic, true),
            y: Axis::around(&ys, panel.y.logarithmic, false),
        }
    }

    /// The points of a series that can be drawn.
    fn points<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        let step = series.points.len().div_ceil(MOST_POINTS).max(1);
        let holds = |p: &&Point| self.x.holds(p.x) && self.y.holds(p.y);
        series.points.iter().step_by(step).filter(holds)
    }
}

fn draw_panel(area: &Area<'_>, panel: &Panel) -> Drawn {
    let axes = Axes::of(panel);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(28)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(axes.x.clone(), axes.y.clone())?;
    chart
        .configure_mesh()
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .bold_line_style(BLACK.mix(0.14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for series in &panel.series {
        match series.mark {
            Mark::Line => draw_line(&mut chart, &axes, series)?,
            Mark::Points => draw_points(&mut chart, &axes, series)?,
        }
    }
    match panel.series.len() {
        0 | 1 => Ok(()),
        _ => legend(&mut chart, emptiest_corner(&axes, panel)),
    }
}

fn colour_of(series: &Series) -> RGBColor {
    COLOURS[series.colour % COLOURS.len()]
}

fn draw_line(chart: &mut Chart<'_, '_>, axes: &Axes, series: &Series) -> Drawn {
    let colour = colour_of(series);
    let points = axes.points(series).map(|p| (p.x, p.y));
    let drawn = chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
    drawn.label(&series.label).legend(move |(px, py)| {
        PathElement::new(vec![(px, py), (px + 20, py)], colour.stroke_width(3))
    });
    Ok(())
}

fn draw_points(chart: &mut Chart<'_, '_>, axes: &Axes, series: &Series) -> Drawn {
    let colour = colour_of(series);
    // Many points are a cloud, few are marks.
    let size = if series.points.len() > 200 { 2 } else { 4 };
    let bars = axes.points(series).filter_map(|p| {
        let (low, high) = p.interval?;
        let path = vec![(p.x, low), (p.x, high)];
        (axes.y.holds(low)).then(|| PathElement::new(path, colour.stroke_width(1)))
    });
    chart.draw_series(bars)?;
    let dots = axes.points(series).map(|p| (p.x, p.y));
    let dots = dots.map(|point| Circle::new(point, size, colour.filled()));
    let drawn = chart.draw_series(dots)?;
    drawn
        .label(&series.label)
        .legend(move |(px, py)| Circle::new((px + 10, py), 4, colour.filled()));
    Ok(())
}

fn legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, corner: SeriesLabelPosition) -> Drawn {
    chart
        .configure_series_labels()
        .position(corner)
        .margin(10)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()
}

/// Where a legend hides the fewest points.
fn emptiest_corner(axes: &Axes, panel: &Panel) -> SeriesLabelPosition {
    use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    let mut corners = [
        (UpperRight, 0),
        (UpperLeft, 0),
        (LowerRight, 0),
        (LowerLeft, 0),
    ];
    // Legends are wider than high.
    const WIDE: f64 = 0.4;
    let high = 0.1 + 0.07 * panel.series.len() as f64;
    let all = panel.series.iter();
    for (point, weight) in all.flat_map(|series| {
        // A mark stands alone, a line goes on.
        let weight = if series.mark == Mark::Points { 10 } else { 1 };
        axes.points(series).map(move |point| (point, weight))
    }) {
        let (across, up) = (axes.x.fraction(point.x), axes.y.fraction(point.y));
        let sides = [across > 1.0 - WIDE, across < WIDE];
        let levels = [up > 1.0 - high, up < high];
        for (i, (_, hidden)) in corners.iter_mut().enumerate() {
            *hidden += weight * u32::from(sides[i % 2] && levels[i / 2]);
        }
    }
    let emptiest = corners.into_iter().min_by_key(|(_, hidden)| *hidden);
    emptiest.map_or(UpperRight, |(corner, _)| corner)
}
