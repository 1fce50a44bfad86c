//! Constant and uniform distributions.

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, finite};
use crate::random::unit_below_one;

/// A constant; draws nothing from the stream.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constant(f64);

impl Constant {
    /// The constant distribution at `value`, which must be finite.
    pub fn new(value: f64) -> Result<Constant, ParameterError> {
        Ok(Constant(finite("value", value)?))
    }

    /// The mean, which is the constant itself.
    pub fn mean(&self) -> f64 {
        self.0
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        f64::from(u8::from(self.0 <= x))
    }
}

impl Distribution<f64> for Constant {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, _rng: &mut R) -> f64 {
        self.0
    }
}

/// Uniform from `low` up to `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uniform {
    low: f64,
    width: f64,
}

impl Uniform {
    /// A distribution between two finite ends, which may coincide. The upper end itself is drawn
    /// only by rounding.
    pub fn new(low: f64, high: f64) -> Result<Uniform, ParameterError> {
        finite("low", low)?;
        finite("high", high)?;
        let width = high - low;
        if width.is_finite() && width >= 0.0 {
            Ok(Uniform { low, width })
        } else {
            Err(ParameterError::BadInterval { low, high })
        }
    }

    /// Both ends, if they are whole numbers that a double holds exactly, from 0 on.
    pub(crate) fn whole_ends(&self) -> Option<(u64, u64)> {
        let high = self.low + self.width;
        let is_whole = |x: f64| x.fract() == 0.0 && (0.0..=(1_u64 << 53) as f64).contains(&x);
        (is_whole(self.low) && is_whole(high)).then_some((self.low as u64, high as u64))
    }

    /// The mean, which is the middle of the interval.
    pub fn mean(&self) -> f64 {
        self.low + self.width / 2.0
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if self.width == 0.0 {
            return f64::from(u8::from(self.low <= x));
        }
        ((x - self.low) / self.width).clamp(0.0, 1.0)
    }
}

impl Distribution<f64> for Uniform {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.low + self.width * unit_below_one(rng)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned, stream};
    use super::*;

    #[test]
    fn uniform_has_its_distribution() {
        let uniform = Uniform::new(-2.0, 6.0).unwrap();
        assert_follows(&uniform, |x| (x + 2.0) / 8.0);
        assert_mean(&uniform, uniform.mean(), 8.0 / 12.0_f64.sqrt());
    }

    #[test]
    fn uniform_values_are_pinned() {
        assert_pinned(
            &Uniform::new(8.0, 12.0).unwrap(),
            [
                8.798984516207382,
                9.773743186227016,
                10.982520600684234,
                11.197056193820547,
            ],
        );
    }

    #[test]
    fn constant_draws_nothing() {
        let mut rng = stream();
        assert_eq!(Constant::new(3.5).unwrap().sample(&mut rng), 3.5);
        assert_eq!(rng, stream());
    }

    #[test]
    fn impossible_intervals_are_refused() {
        assert_eq!(
            Uniform::new(2.0, 1.0),
            Err(ParameterError::BadInterval {
                low: 2.0,
                high: 1.0
            })
        );
        Uniform::new(f64::MIN, f64::MAX).expect_err("an infinite width");
        Uniform::new(0.0, f64::INFINITY).expect_err("an infinite end");
        Constant::new(f64::NAN).expect_err("no number");
        assert_eq!(Uniform::new(5.0, 5.0).unwrap().mean(), 5.0);
    }
}
