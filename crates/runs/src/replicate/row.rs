//! One row a run and metric.

use pacesim::measure::record::{Column, ColumnType, Row, Schema, Value};

use crate::metrics::Metric;

/// A row of `runs.parquet`.
pub struct RunRow {
    /// The replication.
    pub replication: u64,
    /// The seed.
    pub seed: u64,
    /// A number of the run.
    pub metric: Metric,
}

const fn column(name: &'static str, kind: ColumnType, doc: &'static str) -> Column {
    Column {
        name,
        kind,
        nullable: false,
        unit: "",
        doc,
    }
}

impl Row for RunRow {
    const SCHEMA: Schema = Schema {
        table: "runs",
        columns: &[
            column(
                "replication",
                ColumnType::U64,
                "Which independent repetition, from 0.",
            ),
            column("seed", ColumnType::U64, "The seed of all random streams."),
            column(
                "of",
                ColumnType::Text,
                "What it is about: flows (a group), link, fec (protected pairs) or measure.",
            ),
            column(
                "entity",
                ColumnType::Text,
                "The group, link, entry of [[fec]] or measure by name.",
            ),
            column(
                "metric",
                ColumnType::Text,
                "The metric's name, with its unit.",
            ),
            Column {
                nullable: true,
                ..column("value", ColumnType::F64, "The value, in the metric's unit.")
            },
        ],
    };

    fn for_each_value<'a>(&'a self, visit: impl FnMut(Value<'a>)) {
        let value = self.metric.value.map_or(Value::Null, Value::F64);
        [
            Value::U64(self.replication),
            Value::U64(self.seed),
            Value::Text(self.metric.of),
            Value::Text(&self.metric.entity),
            Value::Text(&self.metric.metric),
            value,
        ]
        .into_iter()
        .for_each(visit);
    }
}
