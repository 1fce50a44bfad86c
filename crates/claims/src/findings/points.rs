//! A figure's points as tidy rows.

use pacesim::measure::record::{Column, ColumnType, Row, Schema, Value};
use pacesim_plot::{DataPoint, Figure, Panel, Series};

/// One point of a figure, a row of `data.parquet`.
pub(super) struct PointRow<'a> {
    panel: u64,
    x_label: &'a str,
    y_label: &'a str,
    series: &'a str,
    point: &'a DataPoint,
}

/// All points, in the order of drawing.
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
        point,
    })
}

const fn column(name: &'static str, kind: ColumnType, doc: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: matches!(kind, ColumnType::F64),
        unit: "",
        doc,
    }
}

impl Row for PointRow<'_> {
    const SCHEMA: Schema = Schema {
        table: "data",
        columns: &[
            column("panel", ColumnType::U64, "The panel, from the top, from 0."),
            column("x_label", ColumnType::Text, "What x is, with its unit."),
            column("y_label", ColumnType::Text, "What y is, with its unit."),
            column(
                "series",
                ColumnType::Text,
                "The line or the points, by the name in the legend.",
            ),
            column("x", ColumnType::F64, "Across."),
            column("y", ColumnType::F64, "Up."),
            column(
                "low",
                ColumnType::F64,
                "Lower end of y's confidence interval, if y is an estimate.",
            ),
            column("high", ColumnType::F64, "Its upper end."),
        ],
    };

    fn for_each_value<'a>(&'a self, visit: impl FnMut(Value<'a>)) {
        let end = |end: Option<f64>| end.map_or(Value::Null, Value::F64);
        let interval = self.point.interval;
        [
            Value::U64(self.panel),
            Value::Text(self.x_label),
            Value::Text(self.y_label),
            Value::Text(self.series),
            Value::F64(self.point.x),
            Value::F64(self.point.y),
            end(interval.map(|(low, _)| low)),
            end(interval.map(|(_, high)| high)),
        ]
        .into_iter()
        .for_each(visit);
    }
}
