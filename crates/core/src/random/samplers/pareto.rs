//! The Pareto distribution, for heavy-tailed sizes and durations.

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::{ParameterError, in_range, positive};
use crate::random::unit_above_zero;

/// Pareto: P(X > x) = (scale / x)^shape from `scale` upwards, by inverting the
/// tail: scale u^(-1/shape), as ns-2 does. Its largest value is scale 2^(53/shape).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pareto {
    scale: f64,
    shape: f64,
    /// -1 / shape
    exponent: f64,
}

impl Pareto {
    /// A distribution by its least value and its shape, both above zero. Its mean is infinite
    /// at shape 1 and below.
    pub(crate) fn with_scale(scale: f64, shape: f64) -> Result<Pareto, ParameterError> {
        let scale = positive("scale", scale)?;
        let shape = positive("shape", shape)?;
        let exponent = in_range("1 / shape", 1.0 / shape)?;
        Ok(Pareto {
            scale,
            shape,
            exponent: -exponent,
        })
    }

    /// A distribution by its mean, which only exists for a shape above 1.
    pub fn with_mean(mean: f64, shape: f64) -> Result<Pareto, ParameterError> {
        Pareto::with_scale(Pareto::scale_for_mean(mean, shape)?, shape)
    }

    /// The least value of the Pareto with this mean: mean (shape - 1) / shape.
    pub(crate) fn scale_for_mean(mean: f64, shape: f64) -> Result<f64, ParameterError> {
        let mean = positive("mean", mean)?;
        let shape = positive("shape", shape)?;
        if shape <= 1.0 {
            return Err(ParameterError::NoMean { shape });
        }
        in_range("the scale", mean * ((shape - 1.0) / shape))
    }

    /// The least value of the distribution.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The mean; infinite at shape 1 and below.
    pub fn mean(&self) -> f64 {
        if self.shape > 1.0 {
            self.scale * (self.shape / (self.shape - 1.0))
        } else {
            f64::INFINITY
        }
    }

    /// The residual of the value that covers a random moment in a sequence of values: its tail is
    /// (1/shape)(scale / x)^(shape - 1). For a shape above 1.
    pub fn sample_residual<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u = unit_above_zero(rng) * self.shape;
        if u > 1.0 {
            // Before the least value all moments are equally likely.
            return self.scale * (self.shape - u) / (self.shape - 1.0);
        }
        self.scale * libm::exp(-libm::log(u) / (self.shape - 1.0))
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        if x > self.scale {
            -libm::expm1(self.shape * libm::log(self.scale / x))
        } else {
            0.0
        }
    }
}

impl Distribution<f64> for Pareto {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        // Half the time of `libm::pow`, whose last bits a sample does not need.
        self.scale * libm::exp(self.exponent * libm::log(unit_above_zero(rng)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned};
    use super::*;

    #[test]
    fn pareto_has_its_distribution() {
        for (scale, shape) in [(2.0, 0.7), (3.0, 1.2), (1.0, 2.5)] {
            let pareto = Pareto::with_scale(scale, shape).unwrap();
            assert_follows(&pareto, |x| 1.0 - libm::pow(scale / x, shape));
        }
    }

    #[test]
    fn pareto_of_finite_variance_has_its_mean() {
        let pareto = Pareto::with_mean(9.0, 5.0).unwrap();
        // Variance scale^2 shape / ((shape - 1)^2 (shape - 2)).
        let deviation = pareto.scale() * (5.0_f64 / (16.0 * 3.0)).sqrt();
        assert_mean(&pareto, 9.0, deviation);
    }

    #[test]
    fn what_is_left_of_a_value_has_the_integrated_tail() {
        struct Residual(Pareto);
        impl Distribution<f64> for Residual {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
                self.0.sample_residual(rng)
            }
        }
        for shape in [1.2, 1.9, 4.0] {
            let pareto = Pareto::with_scale(3.0, shape).unwrap();
            assert_follows(&Residual(pareto), |x| {
                if x < 3.0 {
                    x / pareto.mean()
                } else {
                    1.0 - libm::pow(3.0 / x, shape - 1.0) / shape
                }
            });
        }
    }

    #[test]
    fn scale_and_mean_agree() {
        // 100 KB files of shape 1.2 start at 100 KB / 6.
        let pareto = Pareto::with_mean(100e3, 1.2).unwrap();
        assert!(
            (pareto.scale() - 100e3 / 6.0).abs() < 1e-6,
            "{:?} and {:?}",
            pareto.scale(),
            100e3 / 6.0
        );
        assert!((pareto.mean() - 100e3).abs() < 1e-6, "{:?}", pareto.mean());
        assert_eq!(Pareto::with_scale(1.0, 1.0).unwrap().mean(), f64::INFINITY);
    }

    #[test]
    fn pareto_values_are_pinned() {
        assert_pinned(
            &Pareto::with_mean(100e3, 1.2).unwrap(),
            [
                63794.52965989084,
                32821.35140235647,
                21285.271739224416,
                20088.16117395182,
            ],
        );
    }

    #[test]
    fn impossible_tails_are_refused() {
        assert_eq!(
            Pareto::with_mean(1.0, 1.0),
            Err(ParameterError::NoMean { shape: 1.0 })
        );
        Pareto::with_scale(0.0, 1.5).expect_err("a scale of zero");
        Pareto::with_scale(1.0, -1.5).expect_err("a negative shape");
        Pareto::with_scale(1.0, 1e-310).expect_err("a shape whose inverse is infinite");
    }
}
