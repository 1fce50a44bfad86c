//! The spread of a number over several replications.

use pacesim::measure::{Interval, Running, student_quantile};
use pacesim_runs::marks::Marks;
use pacesim_runs::replicate::CONFIDENCE;
use serde::Serialize;

/// The spread of a number over replications.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Number of replications with a value.
    pub n: u64,
    /// The number of replications made, with a value or without.
    pub replications: u64,
    /// Mean of these values.
    pub mean: Option<f64>,
    /// Standard deviation of these values; null with fewer than two.
    pub std_dev: Option<f64>,
    /// The lower end of the 95 % interval, Student's or of counts; null with fewer than two, and if
    /// all replications are identical.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// Reasons to read the number with care.
    #[serde(flatten)]
    pub marks: Marks,
}

impl Spread {
    /// Half the width of the interval or, if it is not symmetric, the distance from the mean to its
    /// farther end.
    pub fn half_width(&self) -> Option<f64> {
        let (mean, low, high) = (self.mean?, self.low?, self.high?);
        Some((high - mean).max(mean - low))
    }

    /// The spread of a quantity that cannot be negative, whose interval does not reach below 0.
    pub fn of_nonnegative(self) -> Spread {
        let (Some(mean), Some(low), Some(high)) = (self.mean, self.low, self.high) else {
            return self;
        };
        let interval = Interval {
            estimate: mean,
            low,
            high,
        };
        let interval = interval.of_nonnegative();
        Spread {
            low: Some(interval.low),
            high: Some(interval.high),
            ..self
        }
    }

    /// The spread over identical replications, which has no interval.
    pub fn of_identical(self) -> Spread {
        let marks = Marks {
            identical: true,
            clusters: None,
            ..self.marks
        };
        Spread {
            low: None,
            high: None,
            marks,
            ..self
        }
    }
}

/// Student's quantiles, each computed once.
#[derive(Debug, Default)]
pub struct Students {
    /// Quantiles indexed by the number of samples.
    quantiles: Vec<Option<f64>>,
}

impl Students {
    /// The spread of these samples.
    pub fn spread(&mut self, samples: &Running) -> Spread {
        let half_width = self.half_width(samples);
        let around = |sign: f64| Some(samples.mean()? + sign * half_width?);
        Spread {
            n: samples.count(),
            replications: samples.count(),
            mean: samples.mean(),
            std_dev: samples.std_dev(),
            low: around(-1.0),
            high: around(1.0),
            marks: Marks::default(),
        }
    }

    fn half_width(&mut self, samples: &Running) -> Option<f64> {
        let n = samples.count();
        let std_error = (samples.variance()? / n as f64).sqrt();
        Some(self.quantile(usize::try_from(n).ok()?)? * std_error)
    }

    fn quantile(&mut self, n: usize) -> Option<f64> {
        for known in self.quantiles.len()..=n {
            let freedom = known.checked_sub(1).map(|freedom| freedom as f64);
            let both_sides = 0.5 + CONFIDENCE / 2.0;
            let quantile = freedom.and_then(|freedom| student_quantile(both_sides, freedom));
            self.quantiles.push(quantile);
        }
        self.quantiles[n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::measure::mean_interval;

    #[test]
    fn a_spread_has_the_interval_that_replications_have() {
        let mut students = Students::default();
        for samples in [
            &[1.0, 3.0][..],
            &[2.5, 2.5, 2.5],
            &[9.1, 9.3, 8.9, 9.2, 9.0],
        ] {
            let spread = students.spread(&samples.iter().copied().collect());
            let interval = mean_interval(samples, CONFIDENCE).expect("two samples or more");
            let (low, high) = (spread.low.expect("an end"), spread.high.expect("an end"));
            assert_eq!(spread.n, samples.len() as u64);
            assert!((low - interval.low).abs() < 1e-12, "{samples:?}");
            assert!((high - interval.high).abs() < 1e-12, "{samples:?}");
        }
    }

    #[test]
    fn what_cannot_be_negative_has_an_interval_above_zero() {
        let samples: Running = [0.1, 0.2, 3.0].into_iter().collect();
        let spread = Students::default().spread(&samples);
        assert!(spread.low < Some(0.0));
        let positive = spread.of_nonnegative();
        assert!(positive.low > Some(0.0) && positive.high > spread.high);
        assert_eq!(positive.of_nonnegative(), positive);
        let same = positive.of_identical();
        assert_eq!(
            (same.low, same.half_width(), same.mean),
            (None, None, spread.mean)
        );
    }

    #[test]
    fn one_sample_has_no_interval_and_none_no_mean() {
        let mut students = Students::default();
        let one = students.spread(&[4.0].into_iter().collect());
        assert_eq!(
            (one.n, one.mean, one.std_dev, one.low),
            (1, Some(4.0), None, None)
        );
        let none = students.spread(&Running::new());
        assert_eq!((none.n, none.mean, none.high), (0, None, None));
    }
}
