//! The only place where a scenario meets chance: values for the members of a
//! group, each from a stream of the group's own.

use pacesim_core::random::samplers::{
    Exponential, Geometric, LogNormal, Normal, ParameterError, Pareto, Sampler, Uniform,
};
use pacesim_core::random::{Distribution as _, Rng, Streams};

use pacesim_units::Span;

use super::resolve::{Pairs, Wires};
use super::values::{Pairing, Unit, Value};
use crate::model::Distribution;

/// All draws of one replication.
pub(crate) struct Draws(Streams);

impl Draws {
    pub(crate) fn new(seed: u64, replication: u64) -> Draws {
        Draws(Streams { seed, replication })
    }

    /// The values of the members of a group, such as "link/access", for a purpose,
    /// such as "rate". The i-th draw is the i-th member's, so a larger group only
    /// adds to the numbers of a smaller.
    pub(crate) fn values<T: Unit>(
        &self,
        value: &Value<T>,
        group: &str,
        purpose: &str,
        count: usize,
    ) -> Vec<T> {
        let distribution = match value {
            Value::Constant(value) => return vec![*value; count],
            Value::Drawn(distribution) => distribution,
        };
        let Ok(sampler) = sampler(distribution) else {
            // Only while a scenario is being checked; the check tells why.
            return vec![T::from_number(0.0); count];
        };
        let mut stream = self.0.stream(&component(group), purpose);
        (0..count)
            .map(|_| T::from_number(sampler.sample(&mut stream)))
            .collect()
    }

    /// The propagation delays on the way there.
    pub(crate) fn delays(&self, wires: &Wires) -> Vec<Span> {
        let count = wires.ends.len();
        match (&wires.spec.delay, &wires.listed) {
            (Some(delay), _) => self.values(delay, &format!("link/{}", wires.name), "delay", count),
            (None, Some(listed)) => listed.iter().map(|edge| edge.delay).collect(),
            (None, None) => vec![Span::ZERO; count],
        }
    }

    /// From whom to whom, as (from, to); a random partner is never the node itself.
    pub(crate) fn ends(&self, pairs: &Pairs, group: &str) -> Vec<(u32, u32)> {
        if pairs.pair != Pairing::Random {
            return pairs.iter().collect();
        }
        let mut stream = self.0.stream(&component(group), "pair");
        let others = &pairs.to;
        pairs
            .iter()
            .map(|(from, _)| {
                let has_itself = others.contains(&from);
                let choices = u64::from(others.end - others.start) - u64::from(has_itself);
                let drawn = others.start + below(&mut stream, choices) as u32;
                (
                    from,
                    if has_itself && drawn >= from {
                        drawn + 1
                    } else {
                        drawn
                    },
                )
            })
            .collect()
    }
}

/// Apart from the names that a run's own components draw by.
fn component(group: &str) -> String {
    format!("scenario/{group}")
}

/// A whole number below a limit, of 2^64 equally likely draws scaled down.
fn below<R: Rng>(stream: &mut R, limit: u64) -> u64 {
    ((u128::from(stream.next_u64()) * u128::from(limit)) >> 64) as u64
}

/// The sampler of a distribution, or why there is none.
pub(crate) fn sampler(distribution: &Distribution) -> Result<Sampler, ParameterError> {
    Ok(match *distribution {
        Distribution::Uniform { low, high } => Uniform::new(low, high)?.into(),
        Distribution::Exponential { mean } => Exponential::with_mean(mean)?.into(),
        Distribution::Pareto { mean, shape } => Pareto::with_mean(mean, shape)?.into(),
        Distribution::Normal { mean, std_dev } => Normal::new(mean, std_dev)?.into(),
        Distribution::LogNormal { mean, sigma } => {
            LogNormal::with_mean_and_sigma(mean, sigma)?.into()
        }
        Distribution::Geometric { mean } => Geometric::with_mean(mean)?.into(),
    })
}
