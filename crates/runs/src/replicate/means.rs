//! Means of metrics over replications.

use std::borrow::Cow;

use pacesim::measure::mean_interval;
use serde::Serialize;

use crate::metrics::{Metric, trials_of};
use crate::rare::Counts;

/// The confidence level of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A metric's mean over replications.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The kind of entity: "flows", "link" or "fec".
    pub of: &'static str,
    /// The name of the group, the link or the entry.
    pub entity: String,
    /// The metric, with its unit.
    pub metric: Cow<'static, str>,
    /// The number of replications with a value.
    pub n: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// The distance from the mean to the farther end of its interval: Student's, or that of the
    /// counts behind a share of few events; null with fewer than two values.
    pub half_width: Option<f64>,
}

/// The means of metrics, which are mostly in the same order in every run: runs may lack some if
/// pairs of edges are drawn.
pub(super) fn means(runs: &[Vec<Metric>]) -> Vec<Mean> {
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
    let rare = |place: usize, metric: &Metric, shares: &[Option<f64>]| {
        let trials = trials_of(metric.of, &metric.metric)?;
        let before = first[..place].iter().rev().position(|m| m.metric == trials);
        let packets = numbers(
            place - before.map_or(0, |before| before + 1),
            metric,
            trials,
        );
        Counts::rare(shares, &packets)?.interval(CONFIDENCE)
    };
    let mean = |(place, metric): (usize, &Metric)| {
        let all = numbers(place, metric, &metric.metric);
        let values: Vec<f64> = all.iter().copied().flatten().collect();
        let sum: f64 = values.iter().sum();
        let mean = (!values.is_empty()).then(|| sum / values.len() as f64);
        let student = || Some(mean_interval(&values, CONFIDENCE)?.half_width());
        let farther = |(low, high): (f64, f64)| Some((high - mean?).max(mean? - low));
        Mean {
            of: metric.of,
            entity: metric.entity.clone(),
            metric: metric.metric.clone(),
            n: values.len() as u64,
            mean,
            half_width: rare(place, metric, &all).map_or_else(student, farther),
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
        let means = means(&[run(Some(1.0)), run(None), run(Some(3.0))]);
        assert_eq!((means[0].n, means[0].mean), (2, Some(2.0)));
        // Student's 97.5 % quantile with one degree of freedom, 12.706, times sd / sqrt 2.
        let half_width = means[0].half_width.expect("two numbers");
        assert!((half_width - 12.7062).abs() < 1e-4, "{half_width}");
    }

    #[test]
    fn one_number_has_no_interval_and_none_no_mean() {
        let one = means(&[run(Some(1.0))]);
        assert_eq!((one[0].mean, one[0].half_width), (Some(1.0), None));
        assert_eq!(means(&[run(None)])[0].mean, None);
    }
}
