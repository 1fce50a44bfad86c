//! Chapters of a page: claims with their verdicts, figures and tables of a study or an experiment.

use std::path::Path;

use crate::trace::TraceError;
use pacesim_claims::claims::Claim;
use pacesim_plot::{DataPoint, Figure, Mark, Panel, Series, Side, Sign};
use pacesim_tables::{Cell, TableReader};
use serde_json::{Value, json};

/// A part of a page under one title.
#[derive(Clone, Debug, Default)]
pub struct Chapter {
    /// The title.
    pub title: String,
    /// Paragraphs below it.
    pub about: Vec<String>,
    /// Claims, judged.
    pub claims: Vec<Claim>,
    /// Figures by name.
    pub figures: Vec<(String, Figure)>,
    /// Tables of numbers.
    pub tables: Vec<Table>,
    /// The network, as [`network`](super::network()) describes it.
    pub network: Option<Value>,
    /// The text of the study or scenario.
    pub text: Option<String>,
}

/// A table of strings and numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The title.
    pub title: String,
    /// Names of the columns, with their units at the end.
    pub columns: Vec<String>,
    /// Rows of strings, numbers and nulls.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// The selected columns of a Parquet file, in its order.
    pub fn of(
        path: &Path,
        title: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Table, TraceError> {
        let reader = TableReader::open(path)?;
        let names = reader.column_names();
        let columns: Vec<String> = names.into_iter().filter(|name| is_wanted(name)).collect();
        let mut rows = Vec::new();
        reader.for_each_row(|cells| {
            let value = |name: &String| {
                let cell = cells.iter().find(|(of, _)| of == name);
                cell.map_or(Value::Null, |(_, cell)| value(cell))
            };
            rows.push(columns.iter().map(value).collect());
        })?;
        let title = title.to_owned();
        Ok(Table {
            title,
            columns,
            rows,
        })
    }

    fn json(&self) -> Value {
        json!({ "title": self.title, "columns": self.columns, "rows": self.rows })
    }
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Integer(number) => json!(number),
        Cell::Real(number) => json!(number),
        _ => Value::Null,
    }
}

impl Chapter {
    pub(super) fn json(&self) -> Value {
        let figures = self.figures.iter();
        let figures = figures.map(|(name, figure)| drawn(name, figure));
        json!({
            "title": self.title,
            "about": self.about,
            "claims": self.claims.iter().map(claim).collect::<Value>(),
            "figures": figures.collect::<Value>(),
            "tables": self.tables.iter().map(Table::json).collect::<Value>(),
            "network": self.network,
            "text": self.text,
        })
    }
}

/// A claim, with texts of its numbers if they have a unit.
fn claim(claim: &Claim) -> Value {
    let mut json = json!(claim);
    if claim.unit.is_some() || claim.in_percent {
        json["shown"] = json!({
            "paper": claim.paper.as_ref().map(|paper| claim.shown().value(Some(paper))),
            "ours": claim.ours.as_ref().map(|_| claim.ours()),
            "ns2": claim.number_of_ns2(),
        });
    }
    json
}

fn drawn(name: &str, figure: &Figure) -> Value {
    let panels = figure.panels.iter().map(|panel: &Panel| {
        json!({
            "title": panel.title,
            "x": side(&panel.x),
            "y": side(&panel.y),
            "series": panel.series.iter().map(series).collect::<Value>(),
        })
    });
    json!({ "name": name, "title": figure.title, "panels": panels.collect::<Value>() })
}

fn side(side: &Side) -> Value {
    json!({ "label": side.label, "log": side.logarithmic, "names": side.names })
}

fn series(series: &Series) -> Value {
    let mark = match series.mark {
        Mark::Line => "line",
        Mark::Points => "points",
        Mark::Measured => "measured",
        Mark::Joined => "joined",
        Mark::Boxes => "boxes",
    };
    let points = series.points.iter().enumerate().map(|(i, point)| {
        let (low, high) = point.interval.unzip();
        match series.quartiles.get(i) {
            None => json!([point.x, point.y, low, high]),
            Some((lower, upper)) => json!([point.x, point.y, low, high, lower, upper]),
        }
    });
    json!({
        "label": series.label,
        "mark": mark,
        "colour": series.colour,
        "dash": series.dash,
        "level": series.intervals.map(|of| of.level),
        "samples": series.intervals.map(|of| [of.samples.0, of.samples.1]),
        "points": points.collect::<Value>(),
    })
}

/// The figure whose points are the rows of a `data.parquet`; the table records neither the kind of
/// a series nor the use of logarithms, so its points are joined.
pub fn figure_of(title: &str, table: &Table) -> Figure {
    let mut figure = Figure::new(title);
    let place = |name: &str| table.columns.iter().position(|column| column == name);
    let cell = |row: &[Value], name: &str| place(name).map_or(Value::Null, |at| row[at].clone());
    let text = |row: &[Value], name: &str| cell(row, name).as_str().unwrap_or("").to_owned();
    let mut last = None;
    for row in &table.rows {
        let number = |name: &str| cell(row, name).as_f64();
        if last != number("panel") {
            last = number("panel");
            figure = figure.panel(Panel::new(text(row, "x_label"), text(row, "y_label")));
        }
        let (Some(x), Some(y)) = (number("x"), number("y")) else {
            continue;
        };
        let interval = number("low").zip(number("high"));
        if let Some(panel) = figure.panels.last_mut() {
            add(
                panel,
                text(row, "series"),
                DataPoint {
                    x,
                    y,
                    interval,
                    sign: Sign::None,
                },
            );
        }
    }
    figure
}

fn add(panel: &mut Panel, label: String, point: DataPoint) {
    match panel.series.iter_mut().find(|series| series.label == label) {
        Some(series) => series.points.push(point),
        None => {
            let colour = panel.series.len();
            let series = Series::new(label, Mark::Joined, colour, vec![point]);
            panel.series.push(series);
        }
    }
}
