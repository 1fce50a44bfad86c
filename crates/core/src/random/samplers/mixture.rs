//! A weighted mixture of several distributions.

use std::sync::Arc;

use rand_core::Rng;
use rand_distr::Distribution;

use super::Sampler;
use super::parameter::{ParameterError, in_range, positive};
use crate::random::unit_below_one;

/// A mixture of weighted distributions. All are drawn each time, so that every sample takes the
/// same number of draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    parts: Arc<[WeightedSampler]>,
    mean: f64,
}

/// A distribution of the mixture.
#[derive(Clone, Debug, PartialEq)]
struct WeightedSampler {
    /// Its probability.
    share: f64,
    /// Cumulative probability up to and including this one; one at the last.
    until: f64,
    sampler: Sampler,
}

impl Mixture {
    /// A mixture of these distributions, with weights above zero that need not add up to one.
    pub fn new(weighted: Vec<(f64, Sampler)>) -> Result<Mixture, ParameterError> {
        let weights = weighted.iter().map(|part| positive("weight", part.0));
        let total = weights.sum::<Result<f64, ParameterError>>()?;
        in_range("the sum of weights", total)?;
        let last = weighted.len().saturating_sub(1);
        let mut below = 0.0;
        let part = |(place, (weight, sampler)): (usize, (f64, Sampler))| {
            let share = weight / total;
            below += share;
            WeightedSampler {
                share,
                until: if place == last { 1.0 } else { below },
                sampler,
            }
        };
        let parts: Arc<[WeightedSampler]> = weighted.into_iter().enumerate().map(part).collect();
        let mean = parts.iter().map(|part| part.share * part.sampler.mean());
        let mean = mean.sum();
        Ok(Mixture { parts, mean })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The probability of a value of at most `x`.
    pub fn at_most(&self, x: f64) -> f64 {
        let part = |part: &WeightedSampler| part.share * part.sampler.at_most(x);
        self.parts.iter().map(part).sum::<f64>().min(1.0)
    }
}

impl Distribution<f64> for Mixture {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let chosen = unit_below_one(rng);
        let mut found = None;
        for part in self.parts.iter() {
            let value = part.sampler.sample(rng);
            if found.is_none() && chosen < part.until {
                found = Some(value);
            }
        }
        found.expect("the last part ends at one, and the choice is below it")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_follows, assert_mean, stream};
    use super::super::{Constant, Exponential, Uniform};
    use super::*;

    fn mixture(weights: [f64; 2]) -> Result<Mixture, ParameterError> {
        let exponential = Exponential::with_mean(2.0).unwrap().into();
        let uniform = Uniform::new(5.0, 9.0).unwrap().into();
        Mixture::new(vec![(weights[0], exponential), (weights[1], uniform)])
    }

    #[test]
    fn it_follows_its_parts_by_their_weights() {
        let mixture = mixture([3.0, 1.0]).unwrap();
        let exact = |x: f64| {
            let exponential = 1.0 - libm::exp(-x / 2.0);
            let uniform = ((x - 5.0) / 4.0).clamp(0.0, 1.0);
            0.75 * exponential + 0.25 * uniform
        };
        assert_follows(&mixture, exact);
        // E x^2 = 0.75 · 8 + 0.25 (49 + 16/12), and the mean is 0.75 · 2 + 0.25 · 7 = 3.25.
        let deviation = (0.75 * 8.0 + 0.25 * (49.0 + 16.0 / 12.0) - 3.25 * 3.25_f64).sqrt();
        assert_eq!(mixture.mean(), 3.25);
        assert_mean(&mixture, 3.25, deviation);
        for x in [0.5, 4.0, 6.0, 20.0] {
            assert!((mixture.at_most(x) - exact(x)).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn a_sample_takes_the_same_draws_whichever_part_it_is_of() {
        let (mut rng, mut other) = (stream(), stream());
        let mixture = mixture([1.0, 1.0]).unwrap();
        for _ in 0..100 {
            mixture.sample(&mut rng);
            for _ in 0..3 {
                unit_below_one(&mut other);
            }
        }
        assert_eq!(unit_below_one(&mut rng), unit_below_one(&mut other));
    }

    #[test]
    fn weights_are_above_zero_and_add_up() {
        mixture([0.0, 1.0]).expect_err("a weight of zero");
        mixture([f64::NAN, 1.0]).expect_err("a weight that is no number");
        mixture([1e308, 1e308]).expect_err("an infinite sum");
        let one = Mixture::new(vec![(7.0, Constant::new(4.0).unwrap().into())]).unwrap();
        assert_eq!(one.sample(&mut stream()), 4.0);
        Mixture::new(Vec::new()).expect_err("no part");
    }
}
