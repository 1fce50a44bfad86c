//! The list of all kinds of measures.

use std::iter::repeat;

use pacesim_runs::metrics::Metric;
use pacesim_study::measure::{Measure, MeasureKind};

use crate::measuring;
use crate::schema::{MeasureSchema, Measurement, OF};
use crate::table::MeasureTable;

/// The numbers of a measurement, with their names.
pub fn metrics(found: &Measurement, measure: &Measure) -> impl Iterator<Item = Metric> {
    let names = asked(&measure.kind).names().into_iter();
    // A measure that could not watch has no results.
    let numbers = found.numbers.iter().copied().chain(repeat(None));
    names.zip(numbers).map(|(metric, value)| Metric {
        of: OF,
        entity: measure.name.clone(),
        metric: metric.into(),
        value,
    })
}

/// The table of a measurement.
pub fn table(found: Measurement, measure: &Measure) -> MeasureTable {
    let columns = asked(&measure.kind).columns().iter();
    MeasureTable::new(columns.map(|column| column.name), found.rows)
}

/// The kind of measure with its names and columns.
pub fn asked(kind: &MeasureKind) -> &dyn MeasureSchema {
    measuring(kind)
}

/// All properties of measures that affect runs: runs with other measures are different runs.
pub fn written(measures: &[Measure]) -> String {
    let written = |measure: &Measure| {
        let own = measure.own_part();
        let version = own.map(|part| format!("version = \"{}\"\n", part.version));
        measure.to_toml() + &version.unwrap_or_default()
    };
    measures.iter().map(written).collect()
}
