//! The picture of one table.

use pacesim_analytic::catalogue::{Scale, Table};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::axis::Axis;
use super::names::{Name, scaled};
use super::panels::{Curve, Panel, panels, with_unit};

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

/// Draws all curves of a table, a panel for each unit.
pub fn svg(table: &Table) -> String {
    let panels = panels(table);
    let height = match panels.len() {
        0 | 1 => HEIGHT,
        n => TITLE_HEIGHT + PANEL_HEIGHT * n as u32,
    };
    let mut text = String::new();
    draw(&mut text, height, table, &panels).expect("a text takes every drawing");
    text
}

fn draw(text: &mut String, height: u32, table: &Table, panels: &[Panel]) -> Drawn {
    let whole = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    whole.fill(&WHITE)?;
    let below = whole.titled(&capitalised(table.title), ("sans-serif", 19))?;
    let x = X::of(table);
    for (area, panel) in below
        .split_evenly((panels.len().max(1), 1))
        .iter()
        .zip(panels)
    {
        draw_panel(area, &x, panel)?;
    }
    whole.present()
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The x axis that all panels share.
struct X {
    label: String,
    values: Vec<f64>,
    axis: Axis,
    /// Whether it only numbers things, so that no line joins them.
    numbers_things: bool,
}

impl X {
    fn of(table: &Table) -> X {
        let column = &table.columns[0];
        let name = Name::read(&column.name);
        let most = column
            .values
            .iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        let (factor, symbol) = scaled(name.unit, most);
        let values: Vec<f64> = column.values.iter().map(|x| x / factor).collect();
        X {
            label: with_unit(&name.words, &symbol),
            axis: Axis::around(&values, table.x_scale == Scale::Logarithmic, true),
            values,
            numbers_things: ["class", "flow"].contains(&column.name.as_str()),
        }
    }

    /// The points of a curve that can be drawn.
    fn points<'a>(
        &'a self,
        curve: &'a Curve,
        y: &'a Axis,
    ) -> impl Iterator<Item = (f64, f64)> + 'a {
        let step = self.values.len().div_ceil(MOST_POINTS).max(1);
        let points = self.values.iter().copied().zip(curve.ys.iter().copied());
        points
            .step_by(step)
            .filter(move |(px, py)| self.axis.holds(*px) && y.holds(*py))
    }
}

fn draw_panel(area: &Area<'_>, x: &X, panel: &Panel) -> Drawn {
    let all: Vec<f64> = panel
        .curves
        .iter()
        .flat_map(|c| c.ys.iter().copied())
        .collect();
    let y = Axis::around(&all, panel.logarithmic, false);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(28)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(x.axis.clone(), y.clone())?;
    chart
        .configure_mesh()
        .x_desc(&x.label)
        .y_desc(&panel.label)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .bold_line_style(BLACK.mix(0.14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (i, curve) in panel.curves.iter().enumerate() {
        draw_curve(&mut chart, x, &y, curve, COLOURS[i % COLOURS.len()])?;
    }
    match panel.curves.len() {
        0 | 1 => Ok(()),
        _ => legend(&mut chart, emptiest_corner(x, &y, panel)),
    }
}

fn draw_curve(
    chart: &mut Chart<'_, '_>,
    x: &X,
    y: &Axis,
    curve: &Curve,
    colour: RGBColor,
) -> Drawn {
    let points = x.points(curve, y);
    let dot = |point| Circle::new(point, 2, colour.filled());
    let drawn = match x.numbers_things {
        true => chart.draw_series(points.map(dot))?,
        false => chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?,
    };
    drawn.label(&curve.label).legend(move |(px, py)| {
        PathElement::new(vec![(px, py), (px + 20, py)], colour.stroke_width(3))
    });
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
fn emptiest_corner(x: &X, y: &Axis, panel: &Panel) -> SeriesLabelPosition {
    use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    let mut corners = [
        (UpperRight, 0),
        (UpperLeft, 0),
        (LowerRight, 0),
        (LowerLeft, 0),
    ];
    // Legends are wider than high.
    const WIDE: f64 = 0.4;
    let high = 0.1 + 0.07 * panel.curves.len() as f64;
    for (px, py) in panel.curves.iter().flat_map(|curve| x.points(curve, y)) {
        let (across, up) = (x.axis.fraction(px), y.fraction(py));
        let sides = [across > 1.0 - WIDE, across < WIDE];
        let levels = [up > 1.0 - high, up < high];
        for (i, (_, hidden)) in corners.iter_mut().enumerate() {
            *hidden += u32::from(sides[i % 2] && levels[i / 2]);
        }
    }
    let emptiest = corners.into_iter().min_by_key(|(_, hidden)| *hidden);
    emptiest.map_or(UpperRight, |(corner, _)| corner)
}
