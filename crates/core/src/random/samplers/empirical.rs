//! A distribution given by points, such as a measured one.

use std::sync::Arc;

use rand_core::Rng;
use rand_distr::Distribution;

use super::parameter::ParameterError;
use crate::random::unit_above_zero;

/// Piecewise linear distribution function through points (x, probability). The probability of the
/// first point is that of its exact value.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    points: Arc<[(f64, f64)]>,
    mean: f64,
}

impl Empirical {
    /// A distribution through these points: values of at least zero and probabilities, both
    /// non-decreasing, the last probability one.
    pub fn new(points: Arc<[(f64, f64)]>) -> Result<Empirical, ParameterError> {
        let is_point = |(x, p): &(f64, f64)| x.is_finite() && *x >= 0.0 && (0.0..=1.0).contains(p);
        let rises = |pair: &[(f64, f64)]| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1;
        let ends = points.last().is_some_and(|(_, p)| *p == 1.0);
        if !ends || !points.iter().all(is_point) || !points.windows(2).all(rises) {
            return Err(ParameterError::NoCurve);
        }
        let (first, p) = points[0];
        let area = |pair: &[(f64, f64)]| (pair[1].1 - pair[0].1) * (pair[0].0 + pair[1].0) / 2.0;
        let mean = first * p + points.windows(2).map(area).sum::<f64>();
        Ok(Empirical { points, mean })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        let behind = self.points.partition_point(|point| point.0 <= x);
        let Some(before) = behind.checked_sub(1).map(|place| self.points[place]) else {
            return 0.0;
        };
        match self.points.get(behind) {
            None => 1.0,
            Some(next) => before.1 + (x - before.0) / (next.0 - before.0) * (next.1 - before.1),
        }
    }
}

impl Distribution<f64> for Empirical {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let p = unit_above_zero(rng);
        let place = self.points.partition_point(|point| point.1 < p);
        let (x, at) = self.points[place];
        match place.checked_sub(1).map(|before| self.points[before]) {
            None => x,
            Some((low, below)) => low + (p - below) / (at - below) * (x - low),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, assert_pinned};
    use super::*;

    fn curve(points: &[(f64, f64)]) -> Result<Empirical, ParameterError> {
        Empirical::new(points.into())
    }

    #[test]
    fn it_follows_its_curve() {
        let straight = curve(&[(10.0, 0.0), (20.0, 0.5), (100.0, 1.0)]).unwrap();
        assert_follows(&straight, |x| straight.at_most(x));
        // 0.5 * 15 + 0.5 * 60, and E x^2 = 0.5 (10^3 / 12 / 10 + 15^2) + 0.5 (80^2 / 12 + 60^2).
        let second = 0.5 * (100.0 / 12.0 + 225.0) + 0.5 * (6400.0 / 12.0 + 3600.0);
        assert_eq!(straight.mean(), 37.5);
        assert_mean(&straight, 37.5, (second - 37.5 * 37.5_f64).sqrt());
    }

    #[test]
    fn equal_values_are_a_jump() {
        let steps = curve(&[(1.0, 0.25), (1.0, 0.5), (3.0, 0.5), (3.0, 1.0)]).unwrap();
        assert_eq!(steps.mean(), 2.0);
        let probabilities = [0.5, 1.0, 2.0, 3.0].map(|x| steps.at_most(x));
        assert_eq!(probabilities, [0.0, 0.5, 0.5, 1.0]);
        assert_mean(&steps, 2.0, 1.0);
    }

    #[test]
    fn empirical_values_are_pinned() {
        assert_pinned(
            &curve(&[(10.0, 0.0), (20.0, 0.5), (100.0, 1.0)]).unwrap(),
            [
                13.99492258103691,
                18.868715931135085,
                59.30082402736937,
                67.88224775282187,
            ],
        );
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        curve(&[]).expect_err("no point");
        curve(&[(1.0, 0.9)]).expect_err("an end below 1");
        curve(&[(1.0, 0.5), (0.5, 1.0)]).expect_err("values that fall");
        curve(&[(1.0, 0.5), (2.0, 0.4), (3.0, 1.0)]).expect_err("shares that fall");
        curve(&[(-1.0, 1.0)]).expect_err("a negative value");
        curve(&[(f64::NAN, 1.0)]).expect_err("no number");
    }
}
