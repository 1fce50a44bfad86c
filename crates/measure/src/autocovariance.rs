//! Autocovariance of a series.

use std::collections::VecDeque;

/// Divisor of a sum of products at a lag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// The length n of the series: biased towards zero by (n − lag)/n, but the sequence
    /// over all lags is positive semidefinite.
    Series,
    /// The n − lag pairs: unbiased where the mean is known. Here it is estimated too, which lowers
    /// every lag by about the variance of the sample mean.
    Pairs,
}

/// Σ (x_t − x̄)(x_{t+lag} − x̄) divided by `divisor`, for each of the lags, directly. `None` if a
/// lag is not below the length of the series.
///
/// ```
/// use pacesim_measure::{Divisor, autocovariances};
///
/// let series = [1.0, -1.0, 1.0, -1.0];
/// assert_eq!(autocovariances(&series, &[0, 1], Divisor::Pairs), Some(vec![1.0, -1.0]));
/// assert_eq!(autocovariances(&series, &[0, 1], Divisor::Series), Some(vec![1.0, -0.75]));
/// ```
pub fn autocovariances(series: &[f64], lags: &[usize], divisor: Divisor) -> Option<Vec<f64>> {
    let n = series.len();
    let mean = series.iter().sum::<f64>() / n as f64;
    let at_lag = |&lag: &usize| {
        let ahead = series.get(lag..).filter(|ahead| !ahead.is_empty())?;
        let pairs = series.iter().zip(ahead);
        let sum: f64 = pairs.map(|(x, y)| (x - mean) * (y - mean)).sum();
        let divisor = match divisor {
            Divisor::Series => n,
            Divisor::Pairs => n - lag,
        };
        Some(sum / divisor as f64)
    };
    lags.iter().map(at_lag).collect()
}

/// [`autocovariances`] at lags 0 to `most` in one pass over a series: 3·`most` values are kept, and
/// a value costs `most` + 1 products.
///
/// ```
/// use pacesim_measure::{Autocovariance, Divisor};
///
/// let mut rates = Autocovariance::new(1);
/// [1.0, -1.0, 1.0, -1.0].into_iter().for_each(|x| rates.add(x));
/// assert_eq!(rates.at_lags(Divisor::Pairs), [Some(1.0), Some(-1.0)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Autocovariance {
    count: usize,
    /// The first value, subtracted from all: sums stay small for series of large values.
    origin: f64,
    sum: f64,
    /// Σ x_t·x_{t+lag} by lag.
    products: Vec<f64>,
    /// The first and the last few values, the oldest first.
    first: Vec<f64>,
    last: VecDeque<f64>,
}

impl Autocovariance {
    /// No values, for lags 0 to `most`.
    pub fn new(most: usize) -> Autocovariance {
        Autocovariance {
            count: 0,
            origin: 0.0,
            sum: 0.0,
            products: vec![0.0; most + 1],
            first: Vec::with_capacity(most),
            last: VecDeque::with_capacity(most + 1),
        }
    }

    /// Adds the next value.
    pub fn add(&mut self, value: f64) {
        if self.count == 0 {
            self.origin = value;
        }
        let x = value - self.origin;
        self.last.push_back(x);
        let by_lag = self.products.iter_mut().zip(self.last.iter().rev());
        by_lag.for_each(|(product, earlier)| *product += x * earlier);
        let most = self.products.len() - 1;
        if self.first.len() < most {
            self.first.push(x);
        }
        if self.last.len() > most {
            self.last.pop_front();
        }
        self.sum += x;
        self.count += 1;
    }

    /// The autocovariances by lag; `None` where the series is not longer than the lag.
    pub fn at_lags(&self, divisor: Divisor) -> Vec<Option<f64>> {
        let lags = 0..self.products.len();
        lags.map(|lag| self.at_lag(lag, divisor)).collect()
    }

    /// Σ (x_t − m)(x_{t+lag} − m), expanded.
    fn at_lag(&self, lag: usize, divisor: Divisor) -> Option<f64> {
        let pairs = self.count.checked_sub(lag).filter(|pairs| *pairs > 0)?;
        let mean = self.sum / self.count as f64;
        let without_last = self.sum - self.last.iter().rev().take(lag).sum::<f64>();
        let without_first = self.sum - self.first.iter().take(lag).sum::<f64>();
        let sum =
            self.products[lag] - mean * (without_last + without_first) + pairs as f64 * mean * mean;
        let divisor = match divisor {
            Divisor::Series => self.count,
            Divisor::Pairs => pairs,
        };
        Some(sum / divisor as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use proptest::prelude::*;

    #[test]
    fn a_lag_beyond_the_series_has_no_covariance() {
        assert_eq!(autocovariances(&[1.0, 2.0], &[0, 2], Divisor::Pairs), None);
        assert_eq!(autocovariances(&[], &[0], Divisor::Series), None);
    }

    proptest! {
        #[test]
        fn seen_once_is_as_seen_whole(
            series in prop::collection::vec(-10.0..10.0, 1..60),
            offset in -1e6..1e6,
            most in 0usize..12,
        ) {
            let series: Vec<f64> = series.iter().map(|x| x + offset).collect();
            let mut once = Autocovariance::new(most);
            series.iter().for_each(|x| once.add(*x));
            for divisor in [Divisor::Series, Divisor::Pairs] {
                for (lag, found) in once.at_lags(divisor).into_iter().enumerate() {
                    let whole = autocovariances(&series, &[lag], divisor).map(|all| all[0]);
                    prop_assert_eq!(found.is_some(), whole.is_some());
                    let apart = found.unwrap_or_default() - whole.unwrap_or_default();
                    prop_assert!(apart.abs() < 1e-7, "{} at lag {}", apart, lag);
                }
            }
        }
    }

    #[test]
    fn an_autoregression_decays_by_its_factor() {
        // x' = a·x + noise: γ(k) = a^k / (1 − a²).
        let (mut random, a, mut x) = (Random::new(7), 0.6, 0.0);
        let series: Vec<f64> = (0..200_000)
            .map(|_| {
                x = a * x + random.normal();
                x
            })
            .collect();
        let lags = [0, 1, 2, 5];
        let got = autocovariances(&series, &lags, Divisor::Pairs).expect("short lags");
        let variance = 1.0 / (1.0 - a * a);
        for (lag, gamma) in lags.into_iter().zip(got) {
            let expected = variance * libm::pow(a, lag as f64);
            // Bartlett: the sd of the estimate at any lag is below 0.009 here.
            assert!(
                (gamma - expected).abs() < 0.03,
                "lag {lag}: {gamma} {expected}"
            );
        }
    }
}
