//! A number over several replications.

use pacesim::measure::{Running, student_quantile};
use pacesim_runs::replicate::CONFIDENCE;
use serde::Serialize;

/// A number over replications.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The number of replications with a value.
    pub n: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their standard deviation; null with fewer than two.
    pub std_dev: Option<f64>,
    /// The lower end of the 95 % interval, Student's or of counts; null with fewer than two.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

impl Spread {
    /// Half the width of the interval or, if it is not symmetric, the distance from the mean to its
    /// farther end.
    pub fn half_width(&self) -> Option<f64> {
        let (mean, low, high) = (self.mean?, self.low?, self.high?);
        Some((high - mean).max(mean - low))
    }
}

/// Student's quantiles, each computed once.
#[derive(Debug, Default)]
pub struct Students {
    /// Indexed by the number of samples.
    quantiles: Vec<Option<f64>>,
}

impl Students {
    /// The spread of these samples.
    pub fn spread(&mut self, samples: &Running) -> Spread {
        let half_width = self.half_width(samples);
        let around = |sign: f64| Some(samples.mean()? + sign * half_width?);
        Spread {
            n: samples.count(),
            mean: samples.mean(),
            std_dev: samples.std_dev(),
            low: around(-1.0),
            high: around(1.0),
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
