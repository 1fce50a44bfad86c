//! Measure of the completion times of transfers, by their size.

use pacesim::measure::Completions;
use pacesim::model::Model;
use pacesim::units::Bytes;
use pacesim_runs::marks::quantile_in;
use pacesim_study::measure as study;

use crate::schema::{Cell, Column, MeasureSchema, Measurement, Measuring, Results, columns};
use crate::tap::members;
use crate::times::CompletionTimes;
use crate::words;

/// Names of the numbers of each class, and of all together.
const NUMBERS: [&str; 14] = [
    "finished",
    "unfinished",
    "mean_s",
    "p50_s",
    "p95_s",
    "p99_s",
    "p999_s",
    "max_s",
    "slowdown_mean",
    "slowdown_p50",
    "slowdown_p95",
    "slowdown_p99",
    "slowdown_p999",
    "slowdown_max",
];

impl MeasureSchema for study::Completions {
    /// The names for all transfers and, if there are several classes, for each class.
    fn names(&self) -> Vec<String> {
        let all = NUMBERS.map(str::to_owned).into_iter();
        let of_class = |label: String| {
            NUMBERS.map(|number| match number.strip_suffix("_s") {
                Some(time) => format!("{time}_{label}_s"),
                None => format!("{number}_{label}"),
            })
        };
        let of_classes = labels(&self.classes).into_iter().flat_map(of_class);
        all.chain(of_classes).collect()
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "from_bytes": "The least size of the class.";
            "to_bytes": "Where the next class begins; null of the last.";
            "finished": "How many transfers ended within the run.";
            "unfinished": "How many did not, and count for none of these times.";
            "mean_s": "The mean time from start to end.";
            "p50_s": "The median.";
            "p95_s": "The 95th percentile.";
            "p99_s": "The 99th percentile.";
            "p999_s": "The time that 99.9 % did not exceed.";
            "max_s": "The longest time.";
            "slowdown_mean": "The mean of the times over the ideal ones.";
            "slowdown_p50": "The median of these.";
            "slowdown_p95": "The 95th percentile of these.";
            "slowdown_p99": "The 99th percentile of these.";
            "slowdown_p999": "The slowdown that 99.9 % did not exceed.";
            "slowdown_max": "The greatest slowdown.";
        }
    }

    fn among(&self, number: &str) -> Option<String> {
        transfers_behind(number)
    }
}

/// The number of transfers behind a quantile of all, or of a class.
fn transfers_behind(number: &str) -> Option<String> {
    quantile_in(number)?;
    let of_slowdowns = number.strip_prefix("slowdown_");
    let quantile = of_slowdowns.or_else(|| number.strip_suffix("_s"))?;
    // Behind "p50" or "p999" follows the class, if it is of one.
    let class = quantile.split_once('_').map(|(_, class)| class);
    Some(class.map_or("finished".to_owned(), |class| format!("finished_{class}")))
}

impl Measuring for study::Completions {
    fn times(&self, model: &Model) -> Option<CompletionTimes> {
        let flows = members(model, &self.flows);
        Some(CompletionTimes::new(flows, self.classes.clone()))
    }

    fn found(&self, results: &Results<'_>) -> Measurement {
        results.times.map(measurement_of).unwrap_or_default()
    }
}

/// Labels of the classes, such as "below_10KB", "10KB_to_100KB", "from_100KB".
fn labels(classes: &[Bytes]) -> Vec<String> {
    let (Some(first), Some(last)) = (classes.first(), classes.last()) else {
        return Vec::new();
    };
    let between = classes
        .windows(2)
        .map(|pair| format!("{}_to_{}", words::bytes(pair[0]), words::bytes(pair[1])));
    let below = format!("below_{}", words::bytes(*first));
    let beyond = format!("from_{}", words::bytes(*last));
    std::iter::once(below)
        .chain(between)
        .chain([beyond])
        .collect()
}

fn measurement_of(times: &CompletionTimes) -> Measurement {
    let several = times.classes.iter().filter(|_| times.classes.len() > 1);
    let shown = std::iter::once(&times.all).chain(several);
    let row = |(i, class): (usize, &Completions)| {
        let edge = |i: usize| times.edges.get(i).map(|edge| edge.get() as f64);
        let from = i.checked_sub(1).map_or(Some(0.0), edge);
        [from, edge(i)].into_iter().chain(numbers(class)).collect()
    };
    Measurement {
        numbers: shown.flat_map(numbers).collect(),
        rows: times.classes.iter().enumerate().map(row).collect(),
    }
}

fn numbers(class: &Completions) -> [Cell; 14] {
    [
        Some(class.finished() as f64),
        Some(class.unfinished as f64),
        class.mean_s(),
        class.quantile_s(0.5),
        class.quantile_s(0.95),
        class.quantile_s(0.99),
        class.quantile_s(0.999),
        class.quantile_s(1.0),
        class.slowdown_mean(),
        class.slowdown_quantile(0.5),
        class.slowdown_quantile(0.95),
        class.slowdown_quantile(0.99),
        class.slowdown_quantile(0.999),
        class.slowdown_quantile(1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_class_lie_among_its_transfers() {
        let classes = vec![Bytes(10_000), Bytes(100_000)];
        let names: Vec<String> = {
            let of_class = |label: String| {
                NUMBERS.map(|number| match number.strip_suffix("_s") {
                    Some(time) => format!("{time}_{label}_s"),
                    None => format!("{number}_{label}"),
                })
            };
            let all = NUMBERS.map(str::to_owned).into_iter();
            all.chain(labels(&classes).into_iter().flat_map(of_class))
                .collect()
        };
        for name in &names {
            let counted = transfers_behind(name);
            assert_eq!(counted.is_some(), quantile_in(name).is_some(), "{name}");
            assert!(counted.is_none_or(|of| names.contains(&of)), "{name}");
        }
        assert_eq!(
            transfers_behind("p99_below_10KB_s"),
            Some("finished_below_10KB".to_owned())
        );
        assert_eq!(
            transfers_behind("slowdown_p99"),
            Some("finished".to_owned())
        );
    }
}
