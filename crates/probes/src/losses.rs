//! Measure of the losses of individual flows.

use pacesim::measure::record::FlowRow;
use pacesim_runs::marks::quantile_in;
use pacesim_study::measure as study;

use crate::schema::{Cell, Column, MeasureSchema, Measurement, Measuring, Results, columns, named};
use crate::tap::members;

impl MeasureSchema for study::Losses {
    fn names(&self) -> Vec<String> {
        named([
            "loss_mean_ratio",
            "loss_p05_ratio",
            "loss_p50_ratio",
            "loss_p95_ratio",
            "within_ratio",
            "flows",
        ])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "loss_ratio": "The middle of a bin of losses.";
            shares "flows": "How many flows lose that much.";
            shares "flows_ratio": "Which share of all flows.";
        }
    }

    fn among(&self, number: &str) -> Option<String> {
        quantile_in(number).map(|_| "flows".to_owned())
    }
}

impl Measuring for study::Losses {
    /// Losses of the flows with any delivered or lost data.
    fn found(&self, results: &Results<'_>) -> Measurement {
        let members = members(results.model, &self.flows);
        let ours = results
            .flows
            .iter()
            .filter(|row| members[row.flow_id as usize]);
        let mut losses: Vec<f64> = ours.filter_map(loss).collect();
        losses.sort_by(f64::total_cmp);
        let within = |loss: &&f64| (self.least..=self.most).contains(*loss);
        let share = |count: usize| (!losses.is_empty()).then(|| count as f64 / losses.len() as f64);
        let sum: f64 = losses.iter().sum();
        Measurement {
            numbers: vec![
                share(1).map(|each| sum * each),
                quantile(&losses, 0.05),
                quantile(&losses, 0.5),
                quantile(&losses, 0.95),
                share(losses.iter().filter(within).count()),
                Some(losses.len() as f64),
            ],
            rows: rows(&losses, self.bin, share),
        }
    }
}

/// Loss ratio as for a group of flows: dropped or lost and not repaired, divided by that and the
/// delivered.
fn loss(row: &FlowRow) -> Option<f64> {
    let gone = (row.dropped_pkts + row.lost_pkts).saturating_sub(row.repaired_pkts);
    let all = gone + row.delivered_pkts;
    (all > 0).then(|| gone as f64 / all as f64)
}

/// The least of the sorted losses that is not exceeded by this share of them.
fn quantile(losses: &[f64], share: f64) -> Cell {
    let rank = (share * losses.len() as f64).ceil() as usize;
    losses.get(rank.saturating_sub(1)).copied()
}

/// A row per bin, from no loss up to the last bin that has a flow.
fn rows(losses: &[f64], width: f64, share: impl Fn(usize) -> Cell) -> Vec<Vec<Cell>> {
    let bin = |loss: f64| (loss / width) as usize;
    let mut counts = vec![0; losses.last().map_or(0, |most| bin(*most) + 1)];
    losses.iter().for_each(|loss| counts[bin(*loss)] += 1);
    let row = |(i, count): (usize, usize)| {
        let middle = (i as f64 + 0.5) * width;
        vec![Some(middle), Some(count as f64), share(count)]
    };
    counts.into_iter().enumerate().map(row).collect()
}
