//! Means of metrics over replications.

use std::borrow::Cow;

use pacesim::measure::nonnegative_mean_interval;
use serde::Serialize;

use crate::marks::{Marks, has_enough, quantile_in};
use crate::metrics::{Metric, trials_of, values_of};
use crate::rare::Counts;

/// The confidence level of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A metric's mean over replications.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// Kind of the entity: "flows", "link" or "fec".
    pub of: &'static str,
    /// The name of the group, the link or the entry.
    pub entity: String,
    /// Name of the metric, with its unit.
    pub metric: Cow<'static, str>,
    /// Number of replications with a value.
    pub n: u64,
    /// Mean of these values.
    pub mean: Option<f64>,
    /// The distance from the mean to the farther end of its interval: Student's (above 0 on a
    /// logarithmic scale where that would reach below), or that of the counts behind a share of few
    /// events; null with fewer than two values, and if all replications are identical.
    pub half_width: Option<f64>,
    /// Lower end of the confidence interval.
    pub low: Option<f64>,
    /// Upper end of the confidence interval.
    pub high: Option<f64>,
    /// Reasons to read the mean with care.
    #[serde(flatten)]
    pub marks: Marks,
}

/// The means of metrics, which are mostly in the same order in every run: runs may lack some if
/// pairs of edges are drawn.
///
/// Replications that are identical to the packet have no interval.
pub(super) fn means(runs: &[Vec<Metric>], identical: bool) -> Vec<Mean> {
    let Some(first) = runs.first() else {
        return Vec::new();
    };
    // The value in each run; those of one entity are adjacent.
    let numbers = |place: usize, metric: &Metric, name: &str| -> Vec<Option<f64>> {
        let is_it =
            |m: &&Metric| (m.of, &m.entity, &*m.metric) == (metric.of, &metric.entity, name);
        let of_run = |run: &Vec<Metric>| {
            let here = run.get(place).filter(is_it);
            here.or_else(|| run.iter().find(is_it))?.value
        };
        runs.iter().map(of_run).collect()
    };
    // A number declared before this one of the same entity.
    let before = |place: usize, metric: &Metric, name: &str| {
        let before = first[..place].iter().rev().position(|m| m.metric == name);
        numbers(place - before.map_or(0, |before| before + 1), metric, name)
    };
    let rare = |place: usize, metric: &Metric, shares: &[Option<f64>]| {
        let packets = before(place, metric, trials_of(metric.of, &metric.metric)?);
        Counts::rare(shares, &packets)?.interval(CONFIDENCE)
    };
    let few = |place: usize, metric: &Metric| {
        let quantile = quantile_in(&metric.metric)?;
        let counted = values_of(metric.of, &metric.metric)?;
        let is_few = |n: &f64| !has_enough(quantile, *n);
        Some(before(place, metric, counted).iter().flatten().any(is_few))
    };
    let mean = |(place, metric): (usize, &Metric)| {
        let all = numbers(place, metric, &metric.metric);
        let values: Vec<f64> = all.iter().copied().flatten().collect();
        let sum: f64 = values.iter().sum();
        let mean = (!values.is_empty()).then(|| sum / values.len() as f64);
        let rare = rare(place, metric, &all);
        let student = || {
            let interval = nonnegative_mean_interval(&values, CONFIDENCE)?;
            Some((interval.low, interval.high))
        };
        // The share of all packets together; the mean weighs replications alike.
        let rare = rare.zip(mean);
        let rare = rare.map(|((low, high), mean)| (low.min(mean), high.max(mean)));
        let interval = rare.or_else(student).filter(|_| !identical);
        let marks = Marks {
            few_values: few(place, metric).unwrap_or(false),
            identical,
            clusters: None,
        };
        Mean {
            of: metric.of,
            entity: metric.entity.clone(),
            metric: metric.metric.clone(),
            n: values.len() as u64,
            mean,
            half_width: interval.and_then(|(low, high)| Some((high - mean?).max(mean? - low))),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            marks: match rare {
                Some(_) => marks,
                None => marks.with_clusters(&values),
            },
        }
    };
    first.iter().enumerate().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(value: Option<f64>) -> Vec<Metric> {
        let (of, entity, metric) = ("link", "core".to_owned(), "utilisation".into());
        vec![Metric {
            of,
            entity,
            metric,
            value,
        }]
    }

    #[test]
    fn means_count_the_numbers_that_are_there() {
        let means = means(&[run(Some(1.0)), run(None), run(Some(3.0))], false);
        assert_eq!((means[0].n, means[0].mean), (2, Some(2.0)));
        // Student's 97.5 % quantile with one degree of freedom, 12.706, times sd / sqrt 2, reaches
        // below 0: with u, its ratio to the mean, the ends are 2 exp(-u) and 2 (1 + u + u²/2).
        let (low, high) = (means[0].low.expect("two"), means[0].high.expect("two"));
        assert!((low - 2.0 * libm::exp(-6.3531)).abs() < 1e-6, "{low}");
        assert!(
            (high - 2.0 * (1.0 + 6.3531 + 20.181)).abs() < 1e-3,
            "{high}"
        );
        assert_eq!(means[0].half_width, Some(high - 2.0));
    }

    #[test]
    fn identical_replications_have_no_interval() {
        let runs = [run(Some(1.0)), run(Some(1.0))];
        let same = &means(&runs, true)[0];
        assert_eq!(
            (same.half_width, same.low, same.mean),
            (None, None, Some(1.0))
        );
        assert!(same.marks.identical);
        // Others may agree by chance.
        let equal = &means(&runs, false)[0];
        assert_eq!(
            (equal.half_width, equal.marks.identical),
            (Some(0.0), false)
        );
    }

    #[test]
    fn quantiles_of_few_values_are_marked() {
        let run = |finished: f64| {
            let of = |metric: &'static str, value| Metric {
                of: "flows",
                entity: "f".to_owned(),
                metric: metric.into(),
                value: Some(value),
            };
            vec![of("finished", finished), of("completion_p99_s", 1.0)]
        };
        let is_marked = |counts: [f64; 2]| means(&counts.map(run), false)[1].marks.few_values;
        assert!(!is_marked([500.0, 600.0]));
        assert!(is_marked([500.0, 499.0]), "one of them has too few");
    }

    #[test]
    fn one_number_has_no_interval_and_none_no_mean() {
        let one = means(&[run(Some(1.0))], false);
        assert_eq!((one[0].mean, one[0].half_width), (Some(1.0), None));
        assert_eq!(means(&[run(None)], false)[0].mean, None);
    }
}
