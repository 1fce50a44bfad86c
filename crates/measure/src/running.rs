//! Running mean and variance of floats.

/// Count, mean, variance, minimum and maximum of `f64` samples in one pass (Welford's update; Chan,
/// Golub and LeVeque's merge).
///
/// Unlike [`Moments`](crate::Moments) the result depends on the order of samples in the last
/// digits. A NaN among the samples makes mean and variance NaN.
///
/// ```
/// let rates: pacesim_measure::Running = [1.0, 2.0, 6.0].into_iter().collect();
/// assert_eq!((rates.mean(), rates.variance()), (Some(3.0), Some(7.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    count: u64,
    mean: f64,
    /// Σ(x − mean)².
    squares: f64,
    min: f64,
    max: f64,
}

impl Running {
    /// Moments of no samples.
    pub fn new() -> Running {
        Running {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }

    /// Adds a sample; costs a division.
    #[inline]
    pub fn add(&mut self, sample: f64) {
        self.count += 1;
        let before = sample - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (sample - self.mean);
        self.min = self.min.min(sample);
        self.max = self.max.max(sample);
    }

    /// Adds all samples of others.
    pub fn merge(&mut self, other: &Running) {
        if other.count == 0 {
            return;
        }
        let (a, b) = (self.count as f64, other.count as f64);
        let apart = other.mean - self.mean;
        self.count += other.count;
        self.mean += apart * (b / (a + b));
        self.squares += other.squares + apart * apart * (a * b / (a + b));
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The number of samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The variance with divisor n − 1; `None` below two samples.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The square root of [`Running::variance`].
    pub fn std_dev(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The least sample; `None` without samples.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest sample; `None` without samples.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}

impl Default for Running {
    fn default() -> Running {
        Running::new()
    }
}

impl FromIterator<f64> for Running {
    fn from_iter<I: IntoIterator<Item = f64>>(samples: I) -> Running {
        let mut running = Running::new();
        samples.into_iter().for_each(|sample| running.add(sample));
        running
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn two_pass(samples: &[f64]) -> (f64, f64) {
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let squares: f64 = samples.iter().map(|x| (x - mean) * (x - mean)).sum();
        (mean, squares / (n - 1.0))
    }

    #[test]
    fn a_large_offset_does_not_cancel_the_variance() {
        let running: Running = [4.0, 7.0, 13.0, 16.0]
            .map(|x| x + 1e9)
            .into_iter()
            .collect();
        assert_eq!(running.variance(), Some(30.0));
    }

    #[test]
    fn merging_nothing_changes_nothing() {
        let mut running = Running::new();
        running.merge(&Running::new());
        assert_eq!((running.mean(), running.max()), (None, None));
        running.merge(&Running::from_iter([1.0, 3.0]));
        running.merge(&Running::new());
        assert_eq!(running, Running::from_iter([1.0, 3.0]));
    }

    proptest! {
        #[test]
        fn whole_and_merged_agree_with_two_passes(
            samples in prop::collection::vec(-1e3..1e3, 2..200),
            cut: prop::sample::Index,
        ) {
            let (mean, variance) = two_pass(&samples);
            let (a, b) = samples.split_at(cut.index(samples.len()));
            let mut merged: Running = a.iter().copied().collect();
            merged.merge(&b.iter().copied().collect());
            for running in [samples.iter().copied().collect(), merged] {
                let got = running.mean().expect("some");
                prop_assert!((got - mean).abs() < 1e-10, "{got}, not {mean}");
                let got = running.variance().expect("two");
                prop_assert!((got - variance).abs() < 1e-8, "{got}, not {variance}");
                prop_assert_eq!(running.max(), samples.iter().copied().reduce(f64::max));
                prop_assert_eq!(running.min(), samples.iter().copied().reduce(f64::min));
            }
        }
    }
}
