//! The only random choices of a scenario: values for the members of a group, each from a stream of
//! the group's own.

mod across;
mod racks;

use pacesim_core::random::{Distribution as _, Rng, Stream, Streams};
use pacesim_keys::{Pairing, Unit, Value};
use pacesim_model::range::{DELAY, Range};
use pacesim_units::Span;

use crate::resolve::{Pairs, Wires};

/// The random draws of one replication.
pub(crate) struct Draws(Streams);

impl Draws {
    pub(crate) fn new(seed: u64, replication: u64) -> Draws {
        Draws(Streams { seed, replication })
    }

    /// The values of the members of a group, such as "link/access", for a purpose, such as "rate",
    /// each clamped to the range of its key. The i-th draw belongs to the i-th member, so a larger
    /// group has the values of a smaller one and further ones.
    pub(crate) fn values<T: Unit>(
        &self,
        (value, range): (&Value<T>, Range<T>),
        group: &str,
        purpose: &str,
        count: usize,
    ) -> Vec<T> {
        let distribution = match value {
            Value::Constant(value) => return vec![*value; count],
            Value::Drawn(distribution) => distribution,
        };
        let Ok(sampler) = distribution.sampler() else {
            // This happens only while a scenario is being checked; the check reports the reason.
            return vec![range.least; count];
        };
        let mut stream = self.0.stream(&component(group), purpose);
        (0..count)
            .map(|_| range.nearest(sampler.sample(&mut stream)))
            .collect()
    }

    /// A stream of a group for a purpose.
    pub(crate) fn stream(&self, group: &str, purpose: &str) -> Stream {
        self.0.stream(&component(group), purpose)
    }

    /// The propagation delays of the forward links.
    pub(crate) fn delays(&self, wires: &Wires) -> Vec<Span> {
        let count = wires.ends.len();
        match (&wires.spec.delay, &wires.listed) {
            (Some(delay), _) => {
                let component = format!("link/{}", wires.name);
                self.values((delay, DELAY), &component, "delay", count)
            }
            (None, Some(listed)) => listed.iter().map(|edge| edge.delay).collect(),
            (None, None) => vec![Span::ZERO; count],
        }
    }

    /// The ends of each flow, as (from, to).
    pub(crate) fn ends(&self, pairs: &Pairs, group: &str) -> Vec<(u32, u32)> {
        let ends = self.pairs(pairs, group);
        if pairs.both_ways {
            ends.into_iter()
                .flat_map(|(a, b)| [(a, b), (b, a)])
                .collect()
        } else {
            ends
        }
    }

    /// Pairs of nodes; a random partner is never the node itself.
    fn pairs(&self, pairs: &Pairs, group: &str) -> Vec<(u32, u32)> {
        if let Some(across) = &pairs.across {
            let mut stream = self.0.stream(&component(group), "pair");
            return across::ends(pairs, across, &mut stream);
        }
        if let Some(weights) = &pairs.racks {
            let mut stream = self.0.stream(&component(group), "pair");
            return racks::ends(pairs, weights, &mut stream);
        }
        if !matches!(pairs.pair, Pairing::Random | Pairing::Permutation) {
            return pairs.iter().collect();
        }
        let mut stream = self.0.stream(&component(group), "pair");
        if pairs.pair == Pairing::Permutation {
            return permutation(pairs, &mut stream);
        }
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

/// Each node of `from` with one of `to`: the first of the random permutations, all equally likely,
/// that leaves no node to itself. A third of them do.
fn permutation(pairs: &Pairs, stream: &mut Stream) -> Vec<(u32, u32)> {
    let mut to: Vec<u32> = pairs.to.clone().collect();
    loop {
        for i in (1..to.len()).rev() {
            to.swap(i, below(stream, i as u64 + 1) as usize);
        }
        let both = pairs.from.clone().zip(to.iter().copied());
        if both.clone().all(|(from, to)| from != to) {
            return both.collect();
        }
    }
}

/// A prefix distinct from the names under which a run's components draw.
fn component(group: &str) -> String {
    format!("scenario/{group}")
}

/// A whole number below a limit: one of 2^64 equally likely draws, scaled down.
fn below<R: Rng>(stream: &mut R, limit: u64) -> u64 {
    ((u128::from(stream.next_u64()) * u128::from(limit)) >> 64) as u64
}
