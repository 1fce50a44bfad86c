//! Pairing of the members of two groups.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use pacesim_keys::Pairing;

use super::core_map::CoreMap;
use super::racks::Racks;

/// The pairs of nodes between which flows run.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    pub(crate) from: Range<u32>,
    pub(crate) to: Range<u32>,
    pub(crate) pair: Pairing,
    pub(crate) count: Option<u32>,
    /// True if each pair has a flow in both directions.
    pub(crate) both_ways: bool,
    /// Conditions on random pairs across a core.
    pub(crate) across: Option<Across>,
    /// The racks between which pairs are drawn by weight, in place of a rule.
    pub(crate) racks: Option<Arc<Racks>>,
    /// The pairs of nodes of a job, in place of a rule.
    pub(crate) listed: Option<Arc<[(u32, u32)]>>,
}

/// The conditions on random pairs across a core.
#[derive(Clone, Debug)]
pub(crate) struct Across {
    pub(crate) core: Arc<CoreMap>,
    /// Number of trunks between the two; `None` if any number is allowed.
    pub(crate) hops: Option<u32>,
    /// The number of consecutive flows with the same edges.
    pub(crate) bundle: u32,
    pub(crate) distinct: bool,
}

impl Across {
    /// True if two nodes have the required distance.
    pub(crate) fn may_join(&self, from: u32, to: u32) -> bool {
        let far = self.core.hops(from, to).filter(|far| *far > 0);
        far.is_some_and(|far| self.hops.is_none_or(|hops| hops == far))
    }

    /// The nodes of `from` that have possible partners.
    pub(crate) fn sources(&self, pairs: &Pairs) -> Vec<u32> {
        // Either all nodes behind a router have partners, or none.
        let mut known: BTreeMap<Option<u32>, bool> = BTreeMap::new();
        let mut has = |from: u32| {
            let found = || pairs.to.clone().any(|to| self.may_join(from, to));
            *known.entry(self.core.router(from)).or_insert_with(found)
        };
        pairs.from.clone().filter(|from| has(*from)).collect()
    }

    /// The part that pairs must not repeat: a node, or its edge if there are bundles.
    pub(crate) fn name(&self, node: u32) -> u32 {
        match self.bundle {
            1 => node,
            _ => self.core.edge(node),
        }
    }

    /// The nodes of a group that share a bundle with this one, itself first.
    pub(crate) fn siblings(&self, group: &Range<u32>, node: u32) -> Vec<u32> {
        if self.bundle == 1 {
            return vec![node];
        }
        let edge = self.core.edge(node);
        let around = (node..group.end).chain(group.start..node);
        around
            .filter(|other| self.core.edge(*other) == edge)
            .collect()
    }

    /// The most flows possible without a repeated pair of nodes; with bundles, without a pair of
    /// edges that two bundles share.
    pub(crate) fn most(&self, pairs: &Pairs) -> u64 {
        let (left, right) = (self.by_router(&pairs.from), self.by_router(&pairs.to));
        let joined = left.iter().flat_map(|(from, n)| {
            let may = right
                .iter()
                .filter(move |(to, _)| self.may_join(*from, *to));
            may.map(move |(_, m)| n * m)
        });
        joined.sum::<u64>() * u64::from(self.bundle)
    }

    /// Numbers of trunks between nodes of `from` and `to` behind different routers.
    pub(crate) fn distances(&self, pairs: &Pairs) -> BTreeSet<u32> {
        let (left, right) = (self.by_router(&pairs.from), self.by_router(&pairs.to));
        let from_one = |(from, _): &(u32, u64)| {
            let far = right
                .iter()
                .filter_map(|(to, _)| self.core.hops(*from, *to));
            far.collect::<Vec<u32>>()
        };
        let all = left.iter().flat_map(from_one);
        all.filter(|far| *far > 0).collect()
    }

    /// A node behind each router, representative of all there, and the number of them that differ
    /// in the part that pairs must not repeat.
    fn by_router(&self, nodes: &Range<u32>) -> Vec<(u32, u64)> {
        let mut names: BTreeMap<Option<u32>, (u32, BTreeSet<u32>)> = BTreeMap::new();
        for node in nodes.clone() {
            let alike = names.entry(self.core.router(node));
            let (_, names) = alike.or_insert_with(|| (node, BTreeSet::new()));
            names.insert(self.name(node));
        }
        names
            .into_values()
            .map(|(node, names)| (node, names.len() as u64))
            .collect()
    }
}

impl Pairs {
    /// All pairs by this rule, one flow each.
    pub(crate) fn by_rule(from: Range<u32>, to: Range<u32>, pair: Pairing) -> Pairs {
        Pairs {
            from,
            to,
            pair,
            count: None,
            both_ways: false,
            across: None,
            racks: None,
            listed: None,
        }
    }

    fn sizes(&self) -> (u64, u64) {
        (
            u64::from(self.from.end - self.from.start),
            u64::from(self.to.end - self.to.start),
        )
    }

    /// True if they join the nodes of one group, of which there are several.
    pub(crate) fn are_within_one_group(&self) -> bool {
        self.from == self.to && self.from.len() > 1
    }

    /// True if the partners of nodes are drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.pair.is_drawn() || self.racks.is_some()
    }

    /// The number of pairs, including those from a node to itself.
    pub(crate) fn len(&self) -> u64 {
        if let Some(listed) = &self.listed {
            return listed.len() as u64;
        }
        let (n, m) = self.sizes();
        match (self.pair, self.count) {
            (Pairing::All, _) => n * m,
            (_, Some(count)) => u64::from(count),
            // Each node of `from` has one random partner.
            (_, None) if self.is_drawn() => n,
            (_, None) => n.max(m),
        }
    }

    /// Number of pairs of these flows.
    pub(crate) fn pairs_of(&self, flows: usize) -> usize {
        flows / (1 + usize::from(self.both_ways))
    }

    /// The number of flows.
    pub(crate) fn flows(&self) -> u64 {
        let pairs = match self.pair {
            Pairing::All => self.len() - u64::from(overlap(&self.from, &self.to)),
            _ => self.len(),
        };
        pairs * (1 + u64::from(self.both_ways))
    }

    /// The nodes of `from` with a partner.
    pub(crate) fn starts(&self) -> Range<u32> {
        let all = self.sizes().0;
        let used = match self.racks {
            Some(_) => all,
            None => self.len().min(all),
        };
        let used = used as u32;
        self.from.start..self.from.start + used
    }

    /// Each pair. Random pairs are drawn elsewhere; here `to` is their first node.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (n, m) = self.sizes();
        let ruled = if self.listed.is_some() { 0 } else { self.len() };
        let k = ruled;
        let all = self.pair == Pairing::All;
        let ruled = (0..ruled)
            .map(move |i| match self.pair {
                Pairing::Cyclic => (i % n, i % m),
                Pairing::Block => (i * n / k, i * m / k),
                Pairing::All => (i / m, i % m),
                Pairing::Stride(stride) if n < m => (i / u64::from(stride) % n, i % m),
                Pairing::Stride(stride) => (i % n, i / u64::from(stride) % m),
                Pairing::Random | Pairing::Permutation | Pairing::Across | Pairing::Hops(_) => {
                    (i % n, 0)
                }
            })
            .map(|(i, j)| (self.from.start + i as u32, self.to.start + j as u32))
            .filter(move |(a, b)| !all || a != b);
        let listed = self.listed.iter().flat_map(|pairs| pairs.iter().copied());
        ruled.chain(listed)
    }
}

/// The number of nodes on both sides.
fn overlap(a: &Range<u32>, b: &Range<u32>) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
