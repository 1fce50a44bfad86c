//! Distributions of sizes and pauses, as records, and their samplers.

use std::sync::Arc;

use pacesim_core::random::samplers::{
    BoundedPareto, Empirical, Exponential, Geometric, LogNormal, Mixture, Normal, ParameterError,
    Pareto, Sampler, Uniform,
};
use pacesim_units::{Bytes, Span};

use crate::Workload;

/// A distribution of positive values.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// The uniform distribution between two values.
    Uniform {
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },
    /// The exponential distribution.
    Exponential {
        /// Mean of the distribution.
        mean: f64,
    },
    /// The Pareto distribution.
    Pareto {
        /// Mean of the distribution.
        mean: f64,
        /// Shape, above one; above zero if the distribution is truncated.
        shape: f64,
        /// The greatest value, if the distribution is truncated: values above it are not drawn.
        max: Option<f64>,
    },
    /// The normal distribution; values below the least admissible one become that value.
    Normal {
        /// Mean of the distribution.
        mean: f64,
        /// Standard deviation of the distribution.
        std_dev: f64,
    },
    /// The log-normal distribution.
    LogNormal {
        /// Mean of the values (not of their logarithms).
        mean: f64,
        /// Standard deviation of the logarithms.
        sigma: f64,
    },
    /// The geometric distribution on 1, 2, 3...
    Geometric {
        /// Mean of the distribution, at least one.
        mean: f64,
    },
    /// A distribution given by points.
    Empirical {
        /// Name of the file with the points; empty if there is none.
        file: Arc<str>,
        /// Values and their cumulative probabilities, both rising, the latter to one; linear in
        /// between.
        points: Arc<[(f64, f64)]>,
    },
    /// Published sizes, in bytes.
    Workload(Workload),
    /// A mixture of distributions, by their weights.
    Mixture {
        /// Distributions with weights above zero, which need not add up to one.
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
            Distribution::Workload(of) => Empirical::new(of.points())?.into(),
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

    /// A sampler of its values, where `check` has ruled out impossible parameters.
    ///
    /// # Panics
    ///
    /// Panics if the distribution has no sampler.
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
