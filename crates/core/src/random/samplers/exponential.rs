//! The exponential distribution, for memoryless gaps and durations.

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, positive};
use crate::random::unit_above_zero;

/// Exponential with a given mean, by inverting the tail: -mean ln(u).
///
/// One draw and one logarithm per sample, because a Poisson source takes one per packet. The
/// largest value is 36.7 means (u = 2^-53).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    /// An exponential distribution of this mean, which must be above zero.
    pub fn with_mean(mean: f64) -> Result<Exponential, ParameterError> {
        let mean = positive("mean", mean)?;
        Ok(Exponential { mean })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        -libm::expm1(-x.max(0.0) / self.mean)
    }
}

impl Distribution<f64> for Exponential {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        -self.mean * libm::log(unit_above_zero(rng))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned};
    use super::*;

    #[test]
    fn exponential_has_its_distribution() {
        let exponential = Exponential::with_mean(2.5).unwrap();
        assert_follows(&exponential, |x| -libm::expm1(-x / 2.5));
        assert_mean(&exponential, 2.5, 2.5);
    }

    #[test]
    fn exponential_values_are_pinned() {
        assert_pinned(
            &Exponential::with_mean(2.5).unwrap(),
            [
                4.026770183720013,
                2.033005632714358,
                0.73381394741786,
                0.5601597853731448,
            ],
        );
    }

    #[test]
    fn impossible_means_are_refused() {
        for mean in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = Exponential::with_mean(mean);
            assert!(refused.is_err(), "{refused:?} of mean {mean}");
        }
        assert_eq!(
            Exponential::with_mean(0.0).unwrap_err().to_string(),
            "mean must be above zero, not 0"
        );
    }
}
