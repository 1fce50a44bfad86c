//! The points of a figure as tidy rows.

use pacesim_plot::{Figure, Panel, Series};

pacesim::measure::row! {
    /// One point of a figure, a row of `data.parquet`.
    PointRow<'a> in "data" {
        panel: u64, "", "The panel, from the top, from 0.";
        x_label: &'a str, "", "What x is, with its unit.";
        y_label: &'a str, "", "What y is, with its unit.";
        series: &'a str, "", "The line or the points, by the name in the legend.";
        x: Option<f64>, "", "Across.";
        y: Option<f64>, "", "Up.";
        low: Option<f64>, "", "Lower end of y's confidence interval, if y is an estimate.";
        high: Option<f64>, "", "Its upper end.";
    }
}

/// All points of a figure, in the order of drawing.
pub(super) fn rows(figure: &Figure) -> impl Iterator<Item = PointRow<'_>> {
    let panels = (0..).zip(&figure.panels);
    let series = panels.flat_map(|(number, panel)| {
        panel
            .series
            .iter()
            .map(move |series| (number, panel, series))
    });
    series.flat_map(|(number, panel, series)| points(number, panel, series))
}

fn points<'a>(
    number: u64,
    panel: &'a Panel,
    series: &'a Series,
) -> impl Iterator<Item = PointRow<'a>> {
    series.points.iter().map(move |point| PointRow {
        panel: number,
        x_label: &panel.x.label,
        y_label: &panel.y.label,
        series: &series.label,
        x: Some(point.x),
        y: Some(point.y),
        low: point.interval.map(|(low, _)| low),
        high: point.interval.map(|(_, high)| high),
    })
}
