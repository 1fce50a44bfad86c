//! Routes with forks: the paths of equal cost between two nodes as a tree, on which each switch
//! chooses the next link.

use std::collections::BTreeMap;

use pacesim_core::net::{ChooserId, ForkId, Hop, RouteId};
use pacesim_core::random::Streams;
use pacesim_units::LinkId;

use super::ground::{Ground, Stem};
use crate::model::Model;

/// The forks so far, which flows share.
#[derive(Debug, Default)]
pub(super) struct Branches {
    /// The choice of each switch among some of its links, by their number of draws.
    choosers: BTreeMap<(Vec<LinkId>, u32), ChooserId>,
    /// The forks behind a link, by the paths that go on from there.
    forks: BTreeMap<ForkKey, ForkId>,
}

/// The link that packets come from, the draws, and the rests of all stems.
type ForkKey = (Option<LinkId>, u32, Vec<(Vec<LinkId>, Option<ForkId>)>);

impl Branches {
    /// The route along all these stems, in the order of their links: at each switch over the least
    /// loaded of this many links drawn. None without a path.
    pub(super) fn route(
        &mut self,
        stems: &[Stem<'_>],
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> Option<RouteId> {
        let hops = self.hops(stems, None, draws, ground);
        (!hops.is_empty()).then(|| ground.network.add_route_through(&hops))
    }

    /// The hops common to these stems, then the fork at which they part or the junction of the last.
    fn hops(
        &mut self,
        rests: &[Stem<'_>],
        mut before: Option<LinkId>,
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut depth = 0;
        let Some(first) = rests.first() else {
            return hops;
        };
        while let Some(link) = first.links.get(depth).copied() {
            if rests.iter().any(|stem| stem.links[depth] != link) {
                let rests: Vec<Stem<'_>> = rests.iter().map(|stem| stem.behind(depth)).collect();
                hops.push(Hop::Fork(self.fork(&rests, before, draws, ground)));
                return hops;
            }
            hops.extend(ground.behind.hops(link));
            (before, depth) = (Some(link), depth + 1);
        }
        hops.extend(first.junction.map(Hop::Fork));
        hops
    }

    fn fork(
        &mut self,
        rests: &[Stem<'_>],
        before: Option<LinkId>,
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> ForkId {
        let keys = rests.iter();
        let keys = keys.map(|stem| (stem.links.to_vec(), stem.junction));
        let key = (before, draws, keys.collect());
        if let Some(fork) = self.forks.get(&key) {
            return *fork;
        }
        let (mut links, mut routes) = (Vec::new(), Vec::new());
        for alike in rests.chunk_by(|one, next| one.links[0] == next.links[0]) {
            // The link before tells switches where packets come from.
            let mut hops: Vec<Hop> = before.into_iter().map(Hop::Link).collect();
            hops.extend(self.hops(alike, before, draws, ground));
            links.push(alike[0].links[0]);
            routes.push(ground.network.add_route_through(&hops));
        }
        let chooser = self.chooser(links, draws, ground);
        let fork = ground.network.add_fork(chooser, before, &routes);
        self.forks.insert(key, fork);
        fork
    }

    /// The choice among these links of a node, which all packets share that have it.
    fn chooser(&mut self, links: Vec<LinkId>, draws: u32, ground: &mut Ground<'_>) -> ChooserId {
        let key = (links, draws);
        if let Some(chooser) = self.choosers.get(&key) {
            return *chooser;
        }
        let Model {
            seed, replication, ..
        } = *ground.model;
        let first = &ground.model.links[key.0[0].index()].name;
        let streams = Streams { seed, replication };
        let purpose = format!("least loaded of {}", key.0.len());
        let stream = streams.stream(&format!("link/{first}"), &purpose);
        let chooser = ground.network.add_chooser(key.0.clone(), draws, stream);
        self.choosers.insert(key, chooser);
        chooser
    }
}
