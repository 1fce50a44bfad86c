//! Measure of the loads of the links of a group.

use pacesim::measure::record::LinkRow;
use pacesim_study::measure as study;

use crate::schema::{Cell, Column, MeasureSchema, Measurement, Measuring, Results, columns, named};

impl MeasureSchema for study::Loads {
    fn names(&self) -> Vec<String> {
        named(["utilisation_mean", "utilisation_min", "utilisation_max"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "link_id": "The link's number, as in links.parquet.";
            "utilisation": "How much of its line is in use.";
        }
    }
}

/// True if a name refers to a link: its own name or that of its group, for one direction or both.
pub(crate) fn is_meant(link: &str, name: &str) -> bool {
    let group = link.split_once('[').map_or(link, |(group, _)| group);
    let there = group.strip_suffix(".back").unwrap_or(group);
    [link, group, there].contains(&name)
}

impl Measuring for study::Loads {
    fn found(&self, results: &Results<'_>) -> Measurement {
        let ours = || {
            let all = results.links.iter();
            all.filter(|row| is_meant(&row.link, &self.links))
        };
        let loads: Vec<f64> = ours().map(|row| row.utilisation).collect();
        let sum: f64 = loads.iter().sum();
        let mean = (!loads.is_empty()).then(|| sum / loads.len() as f64);
        let row = |row: &LinkRow| -> Vec<Cell> {
            vec![Some(f64::from(row.link_id)), Some(row.utilisation)]
        };
        Measurement {
            numbers: vec![
                mean,
                loads.iter().copied().reduce(f64::min),
                loads.iter().copied().reduce(f64::max),
            ],
            rows: ours().map(row).collect(),
        }
    }
}
