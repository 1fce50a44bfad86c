//! Autocovariance of a series.

/// What a sum of products at a lag is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// The length n of the series: biased towards zero by (n − lag)/n, but the sequence
    /// over all lags is positive semidefinite.
    Series,
    /// The n − lag pairs: unbiased where the mean is known. Here it is estimated too,
    /// which takes about the variance of the sample mean off every lag.
    Pairs,
}

/// Σ (x_t − x̄)(x_{t+lag} − x̄) over `divisor`, for each of the lags, directly. `None`
/// if a lag is not below the length of the series.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn a_lag_beyond_the_series_has_no_covariance() {
        assert_eq!(autocovariances(&[1.0, 2.0], &[0, 2], Divisor::Pairs), None);
        assert_eq!(autocovariances(&[], &[0], Divisor::Series), None);
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
            // Bartlett: sd of the estimate at any lag is below 0.009 here.
            assert!(
                (gamma - expected).abs() < 0.03,
                "lag {lag}: {gamma} {expected}"
            );
        }
    }
}
