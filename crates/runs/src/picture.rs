//! The figure of a metric of one run, or of replications together: its course in time if the run
//! recorded it, and otherwise a point for each group, link or pair.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_plot::names::{Name, scaled, with_unit};
use pacesim_plot::{DataPoint, Figure, Panel};
use pacesim_tables::{Cell, TableError, TableReader};

use crate::replicate::CONFIDENCE;

/// A metric of an entity, as a mean over replications.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// Kind of the entity: "flows", "link" or "fec".
    pub of: &'a str,
    /// Name of the group, link or pair.
    pub entity: &'a str,
    /// Name of the metric, with its unit.
    pub metric: &'a str,
    /// Number of replications with a value.
    pub n: u64,
    /// Mean of these values.
    pub mean: f64,
    /// The ends of its interval, if it has one.
    pub interval: Option<(f64, f64)>,
}

/// True if the wanted name means this metric: "goodput_bps", or without its unit, "goodput".
fn is_meant(metric: &str, wanted: &str) -> bool {
    metric == wanted || Name::read(metric).words == wanted.replace('_', " ")
}

/// A metric's values, with a panel for each kind of entity that has it; `None` if none has it.
pub fn of_values(subject: &str, values: &[Value<'_>], wanted: &str) -> Option<Figure> {
    let meant = |value: &&Value<'_>| is_meant(value.metric, wanted) && !value.mean.is_nan();
    let mut kinds: Vec<(&str, Vec<&Value<'_>>)> = Vec::new();
    for value in values.iter().filter(meant) {
        match kinds.iter_mut().find(|(of, _)| *of == value.of) {
            Some((_, known)) => known.push(value),
            None => kinds.push((value.of, vec![value])),
        }
    }
    let metric = kinds.first()?.1.first()?.metric;
    let panels = kinds.iter().map(|(of, values)| points(of, values));
    let figure = Figure::new(title(subject, metric));
    Some(panels.fold(figure, Figure::panel))
}

fn title(subject: &str, metric: &str) -> String {
    format!("{subject}: {}", Name::read(metric).words)
}

fn points(of: &str, values: &[&Value<'_>]) -> Panel {
    let most = (values.iter()).fold(0.0, |most: f64, value| most.max(value.mean.abs()));
    let (factor, label) = y_axis(values[0].metric, most);
    let point = |(place, value): (usize, &&Value<'_>)| {
        let ends = |(low, high): (f64, f64)| (low / factor, high / factor);
        DataPoint {
            interval: value.interval.map(ends),
            ..DataPoint::new(place as f64, value.mean / factor)
        }
    };
    let (least, most) = (values.iter().map(|value| value.n))
        .fold((u64::MAX, 0), |(least, most), n| {
            (least.min(n), most.max(n))
        });
    let name = if most > 1 { "mean" } else { "run" };
    let mut panel = Panel::new(of, label).points(name, values.iter().enumerate().map(point));
    if most > 1 {
        panel = panel.intervals_of_several(CONFIDENCE, (least, most));
    }
    panel.across(values.iter().map(|value| value.entity))
}

/// The scale of a metric's axis, and its label.
fn y_axis(metric: &str, most: f64) -> (f64, String) {
    let name = Name::read(metric);
    let (factor, symbol) = scaled(name.unit, most);
    (factor, with_unit(&name.words, &symbol))
}

/// A metric's course in time, from the series table of a run: a line for each link, and for each
/// group or, without groups, each flow. `None` if the table does not have it.
pub fn of_series(subject: &str, table: &Path, wanted: &str) -> Result<Option<Figure>, TableError> {
    let mut curves: BTreeMap<(String, String), Vec<(f64, f64)>> = BTreeMap::new();
    let mut metric = None;
    TableReader::open(table)?.for_each_row(|row| {
        let Some(row) = Row::of(row).filter(|row| is_meant(row.metric, wanted)) else {
            return;
        };
        metric.get_or_insert_with(|| row.metric.to_owned());
        let curve = curves.entry((row.of.to_owned(), row.entity.to_owned()));
        curve.or_default().push((row.t_s, row.value));
    })?;
    let Some(metric) = metric else {
        return Ok(None);
    };
    if curves.keys().any(|(of, _)| of == "group") {
        curves.retain(|(of, _), _| of != "flow");
    }
    let all = curves.values().flatten();
    let most = all.fold(0.0, |most: f64, (_, y)| most.max(y.abs()));
    let (factor, label) = y_axis(&metric, most);
    let line = |panel: Panel, ((_, entity), curve): (&(String, String), &Vec<(f64, f64)>)| {
        panel.line(entity, curve.iter().map(|(t, y)| (*t, y / factor)))
    };
    let panel = curves.iter().fold(Panel::new("time (s)", label), line);
    Ok(Some(Figure::new(title(subject, &metric)).panel(panel)))
}

/// A row of the table of series.
struct Row<'a> {
    of: &'a str,
    entity: &'a str,
    metric: &'a str,
    t_s: f64,
    value: f64,
}

impl<'a> Row<'a> {
    fn of(row: &'a [(&str, Cell)]) -> Option<Row<'a>> {
        const PS_PER_S: f64 = 1e12;
        let cell = |name: &str| row.iter().find(|(known, _)| *known == name);
        let text = |name: &str| match cell(name) {
            Some((_, Cell::Text(text))) => Some(text.as_str()),
            _ => None,
        };
        let number = |name: &str| match cell(name) {
            Some((_, Cell::Integer(number))) => Some(*number as f64),
            Some((_, Cell::Real(number))) => Some(*number),
            _ => None,
        };
        Some(Row {
            of: text("of")?,
            entity: text("entity")?,
            metric: text("metric")?,
            t_s: number("t_ps")? / PS_PER_S,
            value: number("value")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goodput<'a>(of: &'a str, entity: &'a str, mean: f64) -> Value<'a> {
        Value {
            of,
            entity,
            metric: "goodput_bps",
            n: 3,
            mean,
            interval: Some((mean - 1e6, mean + 1e6)),
        }
    }

    #[test]
    fn each_kind_of_entity_has_a_panel_and_each_entity_a_point() {
        let values = [
            goodput("flows", "a", 4e6),
            goodput("flows", "b", 8e6),
            goodput("link", "core", 9e6),
            Value {
                metric: "delay_mean_s",
                ..goodput("flows", "a", 0.1)
            },
        ];
        let figure = of_values("Two", &values, "goodput").expect("there is goodput");
        assert_eq!(figure.title, "Two: goodput");
        let [flows, link] = &figure.panels[..] else {
            panic!("a panel of flows and one of links: {figure:?}");
        };
        assert_eq!(flows.x.names, ["a", "b"]);
        assert_eq!(link.x.names, ["core"]);
        let second = flows.series[0].points[1];
        assert_eq!((second.y, second.interval), (8.0, Some((7.0, 9.0))));
        assert_eq!(flows.y.label, "goodput (Mbps)");
        assert!(of_values("Two", &values, "goodput_bps").is_some());
        assert!(of_values("Two", &values, "good").is_none());
    }
}
