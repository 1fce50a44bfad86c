//! A Pareto distribution truncated at both ends.

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, finite, in_range, positive};
use crate::random::unit_below_one;

/// A Pareto conditioned to lie between `low` and `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoundedPareto {
    low: f64,
    high: f64,
    shape: f64,
    /// 1 - (low / high)^shape: the share of the whole tail that is kept.
    kept: f64,
}

impl BoundedPareto {
    /// A distribution between two positive ends, the lower one below the other, with a shape
    /// above zero.
    pub fn new(low: f64, high: f64, shape: f64) -> Result<BoundedPareto, ParameterError> {
        positive("low", low)?;
        finite("high", high)?;
        positive("shape", shape)?;
        if low >= high {
            return Err(ParameterError::BadInterval { low, high });
        }
        let kept = -libm::expm1(shape * libm::log(low / high));
        Ok(BoundedPareto {
            low,
            high,
            shape,
            kept: in_range("the share of the tail that is kept", kept)?,
        })
    }

    /// A distribution of this mean, which must be below `high`, and a shape above zero: the lower
    /// end is found by bisection, since the mean grows with it.
    pub fn with_mean(mean: f64, high: f64, shape: f64) -> Result<BoundedPareto, ParameterError> {
        positive("mean", mean)?;
        if mean >= finite("high", high)? {
            return Err(ParameterError::BadInterval { low: mean, high });
        }
        let (mut below, mut above) = (0.0, mean);
        loop {
            let middle = below + (above - below) / 2.0;
            if middle <= below || middle >= above {
                break;
            }
            if BoundedPareto::new(middle, high, shape)?.mean() < mean {
                below = middle
            } else {
                above = middle
            }
        }
        let found = BoundedPareto::new(above, high, shape)?;
        let is_met = (found.mean() / mean - 1.0).abs() < 1e-6;
        is_met
            .then_some(found)
            .ok_or(ParameterError::TooLarge { parameter: "low" })
    }

    /// The mean: low shape / (shape - 1) (1 - r^(shape - 1)) / (1 - r^shape)
    /// with r = low / high, and its limit at shape 1.
    pub fn mean(&self) -> f64 {
        let log_ratio = libm::log(self.low / self.high);
        let excess = self.shape - 1.0;
        let lever = if excess == 0.0 {
            -log_ratio
        } else {
            -libm::expm1(excess * log_ratio) / excess
        };
        self.low * self.shape * lever / self.kept
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if x > self.low {
            (-libm::expm1(self.shape * libm::log(self.low / x)) / self.kept).min(1.0)
        } else {
            0.0
        }
    }
}

impl Distribution<f64> for BoundedPareto {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let tail = 1.0 - unit_below_one(rng) * self.kept;
        let value = self.low * libm::exp(libm::log(tail) / -self.shape);
        // Rounding may carry the last value past the end.
        value.min(self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned};
    use super::*;

    /// Second moment by the midpoint rule on the quantile function.
    fn deviation(low: f64, high: f64, shape: f64) -> f64 {
        let steps = 1_000_000;
        let kept = 1.0 - libm::pow(low / high, shape);
        let (mut first, mut second) = (0.0, 0.0);
        for step in 0..steps {
            let u = (f64::from(step) + 0.5) / f64::from(steps);
            let x = low * libm::pow(1.0 - u * kept, -1.0 / shape);
            first += x / f64::from(steps);
            second += x * x / f64::from(steps);
        }
        (second - first * first).sqrt()
    }

    #[test]
    fn bounded_pareto_has_its_distribution_and_mean() {
        for (low, high, shape) in [(2.0, 50.0, 0.5), (1.0, 100.0, 1.0), (3.0, 90.0, 1.3)] {
            let bounded = BoundedPareto::new(low, high, shape).unwrap();
            let kept = 1.0 - libm::pow(low / high, shape);
            assert_follows(&bounded, |x| (1.0 - libm::pow(low / x, shape)) / kept);
            assert_mean(&bounded, bounded.mean(), deviation(low, high, shape));
        }
    }

    #[test]
    fn the_mean_passes_smoothly_through_shape_one() {
        let mean = |shape| BoundedPareto::new(1.0, 1e6, shape).unwrap().mean();
        assert!(
            (mean(1.0 + 1e-12) - mean(1.0)).abs() < 1e-9,
            "{:?}",
            mean(1.0 + 1e-12) - mean(1.0)
        );
        // ln(10^6) / (1 - 10^-6)
        assert!(
            (mean(1.0) - 13.815_524_373_497).abs() < 1e-9,
            "{:?}",
            mean(1.0)
        );
    }

    #[test]
    fn a_mean_between_nothing_and_the_end_is_met() {
        for (mean, high, shape) in [
            (1000.0, 9000.0, 1.2),
            (1000.0, 1500.0, 1.0),
            (1000.0, 1001.0, 3.0),
            (1.0, 1e6, 0.3),
        ] {
            let bounded = BoundedPareto::with_mean(mean, high, shape).unwrap();
            assert!((bounded.mean() / mean - 1.0).abs() < 1e-9, "{bounded:?}");
            assert!(bounded.low < mean, "{bounded:?}");
            assert_eq!(bounded.high, high);
        }
        BoundedPareto::with_mean(1500.0, 1500.0, 1.2).expect_err("a mean at the end");
        BoundedPareto::with_mean(0.0, 1500.0, 1.2).expect_err("a mean of zero");
        BoundedPareto::with_mean(1000.0, 1500.0, 0.0).expect_err("a shape of zero");
        // The lower end would underflow a double.
        BoundedPareto::with_mean(1.0, 1e9, 1e-3).expect_err("a lower end of zero");
    }

    #[test]
    fn bounded_pareto_values_are_pinned() {
        assert_pinned(
            &BoundedPareto::new(1e3, 1e6, 1.2).unwrap(),
            [
                1203.9842990586264,
                1629.2892245121398,
                3127.3675509394093,
                3808.7626855100493,
            ],
        );
    }

    #[test]
    fn impossible_bounds_are_refused() {
        BoundedPareto::new(2.0, 2.0, 1.2).expect_err("equal bounds");
        BoundedPareto::new(0.0, 2.0, 1.2).expect_err("a lower bound of zero");
        BoundedPareto::new(1.0, f64::INFINITY, 1.2).expect_err("no upper bound");
        BoundedPareto::new(1.0, 2.0, 0.0).expect_err("a shape of zero");
    }
}
