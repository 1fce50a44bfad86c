//! The geometric distribution, for counts: packets in a burst, trials until a success.

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, finite};
use crate::random::unit_above_zero;

/// Geometric on 1, 2, 3, ...: P(N > k) = (1 - 1/mean)^k.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Geometric {
    mean: f64,
    /// ln(1 - 1/mean), minus infinity for a mean of one.
    log_failure: f64,
}

impl Geometric {
    /// A distribution with a mean of at least one.
    pub fn with_mean(mean: f64) -> Result<Geometric, ParameterError> {
        if finite("mean", mean)? < 1.0 {
            return Err(ParameterError::MeanBelowOne { mean });
        }
        let log_failure = libm::log1p(-1.0 / mean);
        Ok(Geometric { mean, log_failure })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if x >= 1.0 {
            -libm::expm1(x.floor() * self.log_failure)
        } else {
            0.0
        }
    }
}

impl Distribution<u64> for Geometric {
    /// Inverts the tail; saturates at the maximum of `u64`.
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        // The quotient is never negative, so the cast is its floor.
        let failures = (libm::log(unit_above_zero(rng)) / self.log_failure) as u64;
        failures.saturating_add(1)
    }
}

impl Distribution<f64> for Geometric {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let count: u64 = self.sample(rng);
        count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SAMPLES, assert_mean, assert_pinned, stream};
    use super::*;

    #[test]
    fn geometric_tail_shrinks_by_the_same_factor() {
        let geometric = Geometric::with_mean(4.0).unwrap();
        let mut rng = stream();
        let counts: Vec<u64> = geometric.sample_iter(&mut rng).take(SAMPLES).collect();
        for k in 0..20 {
            let longer = counts.iter().filter(|&&n| n > k).count() as f64;
            let share = libm::pow(0.75, k as f64);
            let expected = share * SAMPLES as f64;
            assert!(
                (longer - expected).abs() <= 4.0 * (expected * (1.0 - share)).sqrt(),
                "{longer:?} and {expected:?}"
            );
        }
        assert_mean(&geometric, 4.0, 12.0_f64.sqrt());
    }

    #[test]
    fn a_mean_of_one_is_always_one() {
        let one = Geometric::with_mean(1.0).unwrap();
        let mut rng = stream();
        for _ in 0..1000 {
            assert_eq!(Distribution::<u64>::sample(&one, &mut rng), 1);
        }
    }

    #[test]
    fn geometric_values_are_pinned() {
        assert_pinned(&Geometric::with_mean(20.0).unwrap(), [32.0, 16.0, 6.0, 5.0]);
    }

    #[test]
    fn means_below_one_are_refused() {
        assert_eq!(
            Geometric::with_mean(0.5),
            Err(ParameterError::MeanBelowOne { mean: 0.5 })
        );
        Geometric::with_mean(f64::NAN).expect_err("no number");
        Geometric::with_mean(f64::INFINITY).expect_err("an infinite mean");
    }
}
