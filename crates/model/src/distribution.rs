//! Distributions of sizes and pauses, as records, and their samplers.

use std::sync::Arc;

use pacesim_core::random::samplers::{
    BoundedPareto, Empirical, Exponential, Geometric, LogNormal, Mixture, Normal, ParameterError,
    Pareto, Sampler, Uniform,
};
use pacesim_units::{Bytes, Span};

/// A distribution of positive values.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Equally likely between two values.
    Uniform {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// The exponential distribution.
    Exponential {
        /// Its mean.
        mean: f64,
    },
    /// The Pareto distribution.
    Pareto {
        /// Its mean.
        mean: f64,
        /// Its shape, above one; above zero with a greatest value.
        shape: f64,
        /// The greatest value, where the tail is cut off: the distribution is that of
        /// the values up to it.
        max: Option<f64>,
    },
    /// Normal; what falls below the least admissible value becomes that value.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        std_dev: f64,
    },
    /// The log-normal distribution.
    LogNormal {
        /// Its mean (of the values, not of their logarithms).
        mean: f64,
        /// The standard deviation of the logarithms.
        sigma: f64,
    },
    /// The geometric distribution on 1, 2, 3...
    Geometric {
        /// Its mean, at least one.
        mean: f64,
    },
    /// Written down point by point.
    Empirical {
        /// The name of the file that it is from; empty if from none.
        file: Arc<str>,
        /// Values and the probabilities of at most these, both rising, these to one; straight
        /// lines between.
        points: Arc<[(f64, f64)]>,
    },
    /// One of several, by their weights.
    Mixture {
        /// Weights above zero, which need not add up to one, and what they are of.
        parts: Arc<[(f64, Distribution)]>,
    },
}

impl Distribution {
    /// A sampler of its values, or the reason why none can be drawn.
    pub fn sampler(&self) -> Result<Sampler, ParameterError> {
        Ok(match *self {
            Distribution::Mixture { ref parts } => {
                let part = |(weight, of): &(f64, Distribution)| Ok((*weight, of.sampler()?));
                Mixture::new(parts.iter().map(part).collect::<Result<_, _>>()?)?.into()
            }
            Distribution::Empirical { ref points, .. } => Empirical::new(points.clone())?.into(),
            Distribution::Uniform { low, high } => Uniform::new(low, high)?.into(),
            Distribution::Exponential { mean } => Exponential::with_mean(mean)?.into(),
            Distribution::Pareto { mean, shape, max } => match max {
                None => Pareto::with_mean(mean, shape)?.into(),
                Some(max) => BoundedPareto::with_mean(mean, max, shape)?.into(),
            },
            Distribution::Normal { mean, std_dev } => Normal::new(mean, std_dev)?.into(),
            Distribution::LogNormal { mean, sigma } => {
                LogNormal::with_mean_and_sigma(mean, sigma)?.into()
            }
            Distribution::Geometric { mean } => Geometric::with_mean(mean)?.into(),
        })
    }

    /// The same where impossible parameters have been ruled out by `check`.
    ///
    /// # Panics
    ///
    /// If nothing can be drawn from it.
    pub fn checked_sampler(&self) -> Sampler {
        self.sampler()
            .expect("checked parameters of a distribution")
    }
}

/// The pauses between transfers.
#[derive(Clone, Debug, PartialEq)]
pub enum Pause {
    /// All pauses have this length.
    Constant(Span),
    /// Pauses are drawn from a distribution, in picoseconds.
    Drawn(Distribution),
}

/// Packet sizes, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// All packets have this size.
    Constant(Bytes),
    /// Drawn from a distribution and rounded to whole bytes, at least one.
    Drawn(Distribution),
}
