//! Random pairs of nodes behind different routers of a core.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_core::random::Rng;

use super::below;
use crate::resolve::{Across, Pairs};

/// Draws the pairs, bundle by bundle, each between two edges at the required distance. Sources take
/// turns; destinations are drawn among all possible ones.
pub(super) fn ends<R: Rng>(pairs: &Pairs, across: &Across, stream: &mut R) -> Vec<(u32, u32)> {
    let sources: Vec<u32> = across.sources(pairs);
    let mut destinations = Destinations::new(pairs, across);
    let mut ends = Vec::new();
    let (mut turn, count) = (0, pairs.len());
    while (ends.len() as u64) < count {
        // A source of distinct pairs may have none left; the check has counted them.
        let mut in_turn = (turn..turn + sources.len()).map(|i| sources[i % sources.len()]);
        let drawn = in_turn.find_map(|from| Some((from, destinations.draw(from, stream)?)));
        let (from, to) = drawn.expect("there are pairs enough");
        turn += across.bundle as usize;
        let (left, right) = (
            across.siblings(&pairs.from, from),
            across.siblings(&pairs.to, to),
        );
        for i in 0..across.bundle as usize {
            if (ends.len() as u64) < count {
                ends.push((left[i % left.len()], right[i % right.len()]));
            }
        }
    }
    ends
}

/// The possible destinations of a source.
struct Destinations<'p> {
    pairs: &'p Pairs,
    across: &'p Across,
    /// Destinations by the router of the source, for pairs that need not be distinct.
    known: BTreeMap<Option<u32>, Vec<u32>>,
    /// Pairs that were drawn, by their edges if there are bundles.
    drawn: BTreeSet<(u32, u32)>,
}

impl<'p> Destinations<'p> {
    fn new(pairs: &'p Pairs, across: &'p Across) -> Destinations<'p> {
        Destinations {
            pairs,
            across,
            known: BTreeMap::new(),
            drawn: BTreeSet::new(),
        }
    }

    fn draw<R: Rng>(&mut self, from: u32, stream: &mut R) -> Option<u32> {
        let (pairs, across) = (self.pairs, self.across);
        let all = (self.known.entry(across.core.router(from))).or_insert_with(|| {
            pairs
                .to
                .clone()
                .filter(|to| across.may_join(from, *to))
                .collect()
        });
        if !across.distinct {
            return Some(all[below(stream, all.len() as u64) as usize]);
        }
        let name = |to: u32| (across.name(from), across.name(to));
        let left: Vec<u32> = (all.iter().copied())
            .filter(|to| !self.drawn.contains(&name(*to)))
            .collect();
        if left.is_empty() {
            return None;
        }
        let to = left[below(stream, left.len() as u64) as usize];
        self.drawn.insert(name(to));
        Some(to)
    }
}
