//! An interval from one long run, by batch means.

use crate::confidence::{Interval, mean_interval};

/// Batch means of a stationary series, such as the volume or the loss per interval.
///
/// The rule: from 20 to 39 batches of equal length (Schmeiser, *Batch size effects in
/// the analysis of simulation output*, Operations Research 30, 1982, finds little gain
/// beyond 30). Batches begin with one sample each; when the fortieth is full, neighbours
/// are joined in pairs and the length doubles. So the memory is fixed, and no length
/// needs to be known before. The last, unfilled batch is left out.
///
/// The interval holds where batches are long against the correlation of the series:
/// see [`BatchMeans::correlation`]. With long-range dependence they never are.
///
/// ```
/// let mut batches = pacesim_measure::BatchMeans::new();
/// (0..1000).for_each(|i| batches.add(f64::from(i % 10)));
/// let interval = batches.interval(0.95).expect("enough");
/// assert!(interval.contains(4.5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BatchMeans {
    length: u64,
    filled: u64,
    sum: f64,
    means: Vec<f64>,
}

impl BatchMeans {
    /// The fewest batches that give an interval.
    pub const LEAST: usize = 20;

    /// No samples.
    pub fn new() -> BatchMeans {
        BatchMeans {
            length: 1,
            filled: 0,
            sum: 0.0,
            means: Vec::with_capacity(2 * BatchMeans::LEAST),
        }
    }

    /// Adds the next sample of the series.
    #[inline]
    pub fn add(&mut self, sample: f64) {
        self.sum += sample;
        self.filled += 1;
        if self.filled == self.length {
            self.close();
        }
    }

    /// Student's interval of the mean over the full batches; `None` below
    /// [`BatchMeans::LEAST`] of them or unless 0 < level < 1.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        let enough = self.means.len() >= BatchMeans::LEAST;
        enough.then(|| mean_interval(&self.means, level))?
    }

    /// The correlation of neighbouring batch means; `None` below [`BatchMeans::LEAST`]
    /// batches or if they are all equal. Independent batches give about ±1/√n, so well
    /// above 0.3 the interval is too narrow: run longer.
    pub fn correlation(&self) -> Option<f64> {
        if self.means.len() < BatchMeans::LEAST {
            return None;
        }
        let lags = crate::autocovariances(&self.means, &[0, 1], crate::Divisor::Series)?;
        (lags[0] > 0.0).then(|| lags[1] / lags[0])
    }

    /// The full batches' means, in order.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// Samples a batch.
    pub fn length(&self) -> u64 {
        self.length
    }

    fn close(&mut self) {
        self.means.push(self.sum / self.length as f64);
        self.sum = 0.0;
        self.filled = 0;
        if self.means.len() == 2 * BatchMeans::LEAST {
            self.join_pairs();
        }
    }

    fn join_pairs(&mut self) {
        for i in 0..BatchMeans::LEAST {
            self.means[i] = (self.means[2 * i] + self.means[2 * i + 1]) / 2.0;
        }
        self.means.truncate(BatchMeans::LEAST);
        self.length *= 2;
    }
}

impl Default for BatchMeans {
    fn default() -> BatchMeans {
        BatchMeans::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use proptest::prelude::*;

    /// A first-order autoregression about zero, begun in its stationary state.
    fn autoregression(random: &mut Random, factor: f64, n: usize) -> BatchMeans {
        let mut x = random.normal() / (1.0 - factor * factor).sqrt();
        let mut batches = BatchMeans::new();
        for _ in 0..n {
            batches.add(x);
            x = factor * x + random.normal();
        }
        batches
    }

    #[test]
    fn nineteen_batches_are_too_few() {
        let mut batches = BatchMeans::new();
        (0..19).for_each(|i| batches.add(f64::from(i)));
        assert_eq!((batches.interval(0.9), batches.correlation()), (None, None));
        batches.add(19.0);
        assert!(batches.interval(0.9).is_some() && batches.correlation().is_some());
    }

    #[test]
    fn a_correlated_series_is_covered_as_often_as_said() {
        // Correlation time 10 samples, batches of 256 to 512.
        let (mut random, runs, level) = (Random::new(11), 1000, 0.9);
        let covers = |_: &u64| {
            let batches = autoregression(&mut random, 0.9, 10_000);
            batches.interval(level).expect("enough").contains(0.0)
        };
        let covered = (0..runs).filter(covers).count() as u64;
        let share = crate::wilson_interval(covered, runs, 0.999).expect("runs");
        assert!(share.contains(level), "{share:?}");
    }

    #[test]
    fn batches_shorter_than_the_correlation_are_told_by_it() {
        let batches = autoregression(&mut Random::new(2), 0.999, 200);
        assert!(batches.correlation().expect("enough") > 0.3);
        let batches = autoregression(&mut Random::new(2), 0.5, 20_000);
        assert!(batches.correlation().expect("enough") < 0.5);
    }

    proptest! {
        #[test]
        fn batches_are_means_of_equal_parts(
            samples in prop::collection::vec(-10.0..10.0, 20..2000),
        ) {
            let mut batches = BatchMeans::new();
            samples.iter().for_each(|&sample| batches.add(sample));
            let length = batches.length() as usize;
            let parts = samples.chunks_exact(length);
            prop_assert!((20..40).contains(&batches.means().len()));
            prop_assert_eq!(parts.len(), batches.means().len());
            for (part, mean) in parts.zip(batches.means()) {
                prop_assert!((part.iter().sum::<f64>() / length as f64 - mean).abs() < 1e-12);
            }
        }
    }
}
