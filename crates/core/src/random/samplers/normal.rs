//! Normal and log-normal distributions.

use std::f64::consts::{SQRT_2, TAU};

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, finite, in_range, not_negative, positive};
use crate::random::{unit_above_zero, unit_below_one};

/// Mean 0, variance 1, by Box and Muller. The method's second value is dropped, so that a sampler
/// has no state.
#[inline]
fn standard_normal<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    let radius = (-2.0 * libm::log(unit_above_zero(rng))).sqrt();
    radius * libm::cos(TAU * unit_below_one(rng))
}

/// Normal with a given mean and standard deviation. It may be negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Normal {
    mean: f64,
    deviation: f64,
}

impl Normal {
    /// A distribution with a finite mean and a standard deviation of zero or more.
    pub fn new(mean: f64, deviation: f64) -> Result<Normal, ParameterError> {
        Ok(Normal {
            mean: finite("mean", mean)?,
            deviation: not_negative("standard deviation", deviation)?,
        })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if self.deviation == 0.0 {
            return f64::from(u8::from(self.mean <= x));
        }
        libm::erfc((self.mean - x) / (self.deviation * SQRT_2)) / 2.0
    }
}

impl Distribution<f64> for Normal {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.mean + self.deviation * standard_normal(rng)
    }
}

/// Log-normal: exp(N) for a normal N; always positive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LogNormal {
    mean: f64,
    log: Normal,
}

impl LogNormal {
    /// A distribution by its own mean (not that of its logarithm), and the standard
    /// deviation `sigma` of its logarithm.
    pub fn with_mean_and_sigma(mean: f64, sigma: f64) -> Result<LogNormal, ParameterError> {
        let mean = positive("mean", mean)?;
        let sigma = not_negative("sigma", sigma)?;
        let median_log = libm::log(mean) - sigma * sigma / 2.0;
        in_range("the median", libm::exp(median_log))?;
        Ok(LogNormal {
            mean,
            log: Normal::new(median_log, sigma)?,
        })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if x > 0.0 {
            self.log.at_most(libm::log(x))
        } else {
            0.0
        }
    }
}

impl Distribution<f64> for LogNormal {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        libm::exp(self.log.sample(rng))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned};
    use super::*;

    fn normal_cdf(z: f64) -> f64 {
        libm::erfc(-z / 2.0_f64.sqrt()) / 2.0
    }

    #[test]
    fn normal_has_its_distribution() {
        let normal = Normal::new(-3.0, 2.0).unwrap();
        assert_follows(&normal, |x| normal_cdf((x + 3.0) / 2.0));
        assert_mean(&normal, -3.0, 2.0);
    }

    #[test]
    fn lognormal_has_its_distribution_and_mean() {
        let lognormal = LogNormal::with_mean_and_sigma(5.0, 0.5).unwrap();
        let median_log = libm::log(5.0) - 0.125;
        assert_follows(&lognormal, |x| {
            normal_cdf((libm::log(x) - median_log) / 0.5)
        });
        assert_mean(&lognormal, 5.0, 5.0 * libm::expm1(0.25).sqrt());
    }

    #[test]
    fn normal_values_are_pinned() {
        assert_pinned(
            &Normal::new(10.0, 2.0).unwrap(),
            [
                6.634670737868623,
                10.466788930307807,
                6.522840013255724,
                8.080489020342316,
            ],
        );
        // A coefficient of variation of 0.8.
        let sigma = libm::log1p(0.8 * 0.8).sqrt();
        let lognormal = LogNormal::with_mean_and_sigma(5.0, sigma).unwrap();
        assert_pinned(
            &lognormal,
            [
                1.195534757419014,
                4.600877113685245,
                1.149429473113336,
                1.9878410810576586,
            ],
        );
    }

    #[test]
    fn impossible_spreads_are_refused() {
        Normal::new(0.0, -1.0).expect_err("a negative deviation");
        Normal::new(f64::NAN, 1.0).expect_err("a mean that is no number");
        LogNormal::with_mean_and_sigma(0.0, 1.0).expect_err("a mean of zero");
        LogNormal::with_mean_and_sigma(1.0, -0.1).expect_err("a negative sigma");
        LogNormal::with_mean_and_sigma(1.0, 1e3).expect_err("a median of zero");
    }
}
