//! Measure of the links of a group, such as a tier of a fabric: loads, queues and losses.

use pacesim::measure::record::LinkRow;
use pacesim_study::measure as study;

use crate::schema::{Cell, Column, MeasureSchema, Measurement, Measuring, Results, columns, named};

impl MeasureSchema for study::Loads {
    fn names(&self) -> Vec<String> {
        named([
            "utilisation_mean",
            "utilisation_min",
            "utilisation_max",
            "imbalance",
            "queue_mean_bytes",
            "queue_max_bytes",
            "loss_ratio",
        ])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "link_id": "The link's number, as in links.parquet.";
            "utilisation": "How much of its line is in use.";
            "queue_mean_bytes": "Time average of the bytes waiting at its port.";
            "queue_max_bytes": "The most bytes waiting.";
        }
    }
}

/// True if a name refers to a link: its own name, or that of its group, which stands for both directions,
/// with `.there` or `.back` for one.
pub(crate) fn is_meant(link: &str, name: &str) -> bool {
    let group = link.split_once('[').map_or(link, |(group, _)| group);
    match group.strip_suffix(".back") {
        Some(both) => [link, group, both].contains(&name),
        None => [link, group].contains(&name) || name.strip_suffix(".there") == Some(group),
    }
}

impl Measuring for study::Loads {
    fn found(&self, results: &Results<'_>) -> Measurement {
        let all = results.links.iter();
        let ours: Vec<&LinkRow> = all.filter(|row| is_meant(&row.link, &self.links)).collect();
        let mean = |of: fn(&LinkRow) -> f64| {
            let sum: f64 = ours.iter().map(|row| of(row)).sum();
            (!ours.is_empty()).then(|| sum / ours.len() as f64)
        };
        let loads = || ours.iter().map(|row| row.utilisation);
        let (average, most) = (mean(|row| row.utilisation), loads().reduce(f64::max));
        let over_mean = |mean: f64| (mean > 0.0).then(|| most.map(|most| most / mean))?;
        let count = |of: fn(&LinkRow) -> u64| ours.iter().map(|row| of(row)).sum::<u64>();
        let (missed, arrived) = (
            count(|row| row.dropped_pkts + row.lost_pkts),
            count(|row| row.arrived_pkts),
        );
        let row = |row: &&LinkRow| -> Vec<Cell> {
            let numbers = [
                f64::from(row.link_id),
                row.utilisation,
                row.queue_mean_bytes,
                row.queue_max_bytes as f64,
            ];
            numbers.map(Some).to_vec()
        };
        Measurement {
            numbers: vec![
                average,
                loads().reduce(f64::min),
                most,
                average.and_then(over_mean),
                mean(|row| row.queue_mean_bytes),
                ours.iter()
                    .map(|row| row.queue_max_bytes as f64)
                    .reduce(f64::max),
                (arrived > 0).then(|| missed as f64 / arrived as f64),
            ],
            rows: ours.iter().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn a_group_is_both_directions_or_one() {
        let links = ["up[3]", "up.back[3]", "uplink[3]"];
        let meant = |name: &str| links.map(|link| is_meant(link, name));
        assert_eq!(meant("up"), [true, true, false]);
        assert_eq!(meant("up.there"), [true, false, false]);
        assert_eq!(meant("up.back"), [false, true, false]);
        assert_eq!(meant("up.back[3]"), [false, true, false]);
        assert_eq!(meant("up[3]"), [true, false, false]);
    }
}
