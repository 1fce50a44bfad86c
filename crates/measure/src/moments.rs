//! Exact moments of integer samples.

use crate::wide::{Sum192, spread};

/// Count, sum, sum of squares, minimum and maximum of integer samples.
///
/// The state is exact integers, so the order of samples does not matter and merging parts equals
/// adding all to one. It cannot overflow: 2^64 samples of 64 bits sum to 128 bits, their squares to
/// 192.
///
/// ```
/// use pacesim_measure::Moments;
///
/// let mut delays_ps = Moments::new();
/// [4, 7, 13, 16].into_iter().for_each(|ps| delays_ps.add(1_000_000_000_000 + ps));
/// assert_eq!(delays_ps.variance(), Some(30.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    sum: u128,
    squares: Sum192,
    count: u64,
    min: u64,
    max: u64,
}

impl Moments {
    /// Moments of no samples.
    pub fn new() -> Moments {
        Moments {
            sum: 0,
            squares: Sum192::default(),
            count: 0,
            min: u64::MAX,
            max: 0,
        }
    }

    /// Adds a sample: two products, a few additions, no branch.
    #[inline]
    pub fn add(&mut self, sample: u64) {
        let wide = u128::from(sample);
        self.count += 1;
        self.sum += wide;
        self.squares.add(wide * wide);
        self.min = self.min.min(sample);
        self.max = self.max.max(sample);
    }

    /// Adds a sample `times` times, at once.
    pub(crate) fn add_repeated(&mut self, sample: u64, times: u64) {
        if times == 0 {
            return;
        }
        let wide = u128::from(sample);
        self.count += times;
        self.sum += wide * u128::from(times);
        self.squares.add_product(wide * wide, times);
        self.min = self.min.min(sample);
        self.max = self.max.max(sample);
    }

    /// Adds all samples of others.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares.merge(&other.squares);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Forgets all samples, as at the end of a warm-up.
    pub fn reset(&mut self) {
        *self = Moments::new();
    }

    /// The number of samples.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of the samples.
    #[inline]
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The least sample; `None` without samples.
    pub fn min(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest sample; `None` without samples.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean; `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The variance with divisor n − 1, unbiased for independent samples; `None`
    /// below two samples.
    pub fn variance(&self) -> Option<f64> {
        let pairs = u128::from(self.count) * u128::from(self.count.checked_sub(1)?);
        (pairs > 0).then(|| self.spread() / pairs as f64)
    }

    /// The variance with divisor n; `None` without samples.
    #[cfg(test)]
    pub(crate) fn population_variance(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 0).then(|| self.spread() / n / n)
    }

    /// The square root of [`Moments::variance`].
    pub fn std_dev(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The coefficient of variation, standard deviation divided by mean; `None` where either is
    /// missing or the mean is zero.
    pub fn cv(&self) -> Option<f64> {
        let mean = self.mean().filter(|&mean| mean > 0.0)?;
        Some(self.std_dev()? / mean)
    }

    /// n·Σx² − (Σx)², without the cancellation that floats would suffer.
    fn spread(&self) -> f64 {
        spread(self.count, self.sum, &self.squares)
    }
}

impl Default for Moments {
    fn default() -> Moments {
        Moments::new()
    }
}

impl Extend<u64> for Moments {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, samples: I) {
        samples.into_iter().for_each(|sample| self.add(sample));
    }
}

impl FromIterator<u64> for Moments {
    fn from_iter<I: IntoIterator<Item = u64>>(samples: I) -> Moments {
        let mut moments = Moments::new();
        moments.extend(samples);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two passes over small differences: an independent method without cancellation.
    fn two_pass_variance(samples: &[u64]) -> f64 {
        let n = samples.len() as i128;
        let total: i128 = samples.iter().map(|&x| i128::from(x)).sum();
        let deviations = samples.iter().map(|&x| (i128::from(x) * n - total) as f64);
        deviations.map(|d| d * d).sum::<f64>() / (n * n * (n - 1)) as f64
    }

    #[test]
    fn nothing_is_known_without_samples_and_no_spread_of_one() {
        let mut moments = Moments::new();
        assert_eq!(
            (moments.mean(), moments.min(), moments.max()),
            (None, None, None)
        );
        assert_eq!(
            (moments.variance(), moments.population_variance()),
            (None, None)
        );
        moments.add(5);
        assert_eq!(
            (moments.mean(), moments.min(), moments.max()),
            (Some(5.0), Some(5), Some(5))
        );
        assert_eq!(
            (moments.variance(), moments.population_variance()),
            (None, Some(0.0))
        );
    }

    #[test]
    fn the_variance_of_zeros_and_huge_values_is_right() {
        let moments: Moments = [0, u64::MAX].into_iter().collect();
        let half = u64::MAX as f64 / 2.0;
        assert_eq!(moments.population_variance(), Some(half * half));
        assert_eq!(Moments::from_iter([0, 0]).cv(), None);
    }

    #[test]
    fn it_is_one_cache_line() {
        assert_eq!(size_of::<Moments>(), 64);
    }

    proptest! {
        #[test]
        fn moments_agree_with_two_passes(
            base in 0u64..1 << 60,
            offsets in prop::collection::vec(0u64..1 << 20, 2..100),
        ) {
            let samples: Vec<u64> = offsets.iter().map(|x| base + x).collect();
            let moments: Moments = samples.iter().copied().collect();
            let expected = two_pass_variance(&samples);
            let got = moments.variance().expect("two samples");
            prop_assert!((got - expected).abs() <= 1e-13 * expected, "{got} {expected}");
            prop_assert_eq!(moments.min(), samples.iter().copied().min());
            prop_assert_eq!(moments.max(), samples.iter().copied().max());
            prop_assert_eq!(moments.count(), samples.len() as u64);
        }

        #[test]
        fn merged_parts_equal_the_whole_in_any_order(samples: Vec<u64>, cut: prop::sample::Index) {
            let whole: Moments = samples.iter().copied().collect();
            let (a, b) = samples.split_at(cut.index(samples.len() + 1));
            let mut merged: Moments = b.iter().rev().copied().collect();
            merged.merge(&a.iter().copied().collect());
            prop_assert_eq!(whole, merged);
        }

        #[test]
        fn a_repeated_sample_equals_its_repetition(sample: u64, times in 0u64..50, other: u64) {
            let mut at_once = Moments::from_iter([other]);
            at_once.add_repeated(sample, times);
            let one_by_one = std::iter::once(other).chain((0..times).map(|_| sample));
            prop_assert_eq!(at_once, one_by_one.collect());
        }
    }
}
