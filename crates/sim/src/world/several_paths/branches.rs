//! Routes with forks: the paths of equal cost between two nodes as a tree, on which each switch
//! chooses the next link.

use std::collections::BTreeMap;

use pacesim_core::net::{ChooserId, ForkId, Hop, RouteId};
use pacesim_core::random::Streams;
use pacesim_units::LinkId;

use crate::model::Model;
use crate::world::WorldNetwork;
use crate::world::behind::Behind;

/// The forks so far, which flows share.
#[derive(Debug, Default)]
pub(in crate::world) struct Branches {
    /// The choice of each switch among some of its links, by their number of draws.
    choosers: BTreeMap<(Vec<LinkId>, u32), ChooserId>,
    /// The forks behind a link, by the paths that go on from there.
    forks: BTreeMap<Stem, ForkId>,
}

/// The link that packets come from, the draws, and the rests of all paths.
type Stem = (Option<LinkId>, u32, Vec<Vec<LinkId>>);

/// The model and the network of a tree.
pub(in crate::world) struct Ground<'a> {
    pub(in crate::world) model: &'a Model,
    pub(in crate::world) behind: &'a Behind,
    pub(in crate::world) network: &'a mut WorldNetwork,
}

impl Branches {
    /// The route along all these paths, in the order of their links: at each switch over the least
    /// loaded of this many links drawn. None without a path.
    pub(in crate::world) fn route(
        &mut self,
        paths: &[Vec<LinkId>],
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> Option<RouteId> {
        let rests: Vec<&[LinkId]> = paths.iter().map(Vec::as_slice).collect();
        let hops = self.hops(&rests, None, draws, ground);
        (!hops.is_empty()).then(|| ground.network.add_route_through(&hops))
    }

    /// The hops common to these paths, then the fork at which they part.
    fn hops(
        &mut self,
        rests: &[&[LinkId]],
        mut before: Option<LinkId>,
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut depth = 0;
        while let Some(link) = rests.first().and_then(|path| path.get(depth)).copied() {
            if rests.iter().any(|path| path[depth] != link) {
                let rests: Vec<&[LinkId]> = rests.iter().map(|path| &path[depth..]).collect();
                hops.push(Hop::Fork(self.fork(&rests, before, draws, ground)));
                return hops;
            }
            hops.extend(ground.behind.hops(link));
            (before, depth) = (Some(link), depth + 1);
        }
        hops
    }

    fn fork(
        &mut self,
        rests: &[&[LinkId]],
        before: Option<LinkId>,
        draws: u32,
        ground: &mut Ground<'_>,
    ) -> ForkId {
        let stem = (
            before,
            draws,
            rests.iter().map(|path| path.to_vec()).collect(),
        );
        if let Some(fork) = self.forks.get(&stem) {
            return *fork;
        }
        let (mut links, mut routes) = (Vec::new(), Vec::new());
        for alike in rests.chunk_by(|one, next| one[0] == next[0]) {
            // The link before tells switches where packets come from.
            let mut hops: Vec<Hop> = before.into_iter().map(Hop::Link).collect();
            hops.extend(self.hops(alike, before, draws, ground));
            links.push(alike[0][0]);
            routes.push(ground.network.add_route_through(&hops));
        }
        let chooser = self.chooser(links, draws, ground);
        let fork = ground.network.add_fork(chooser, before, &routes);
        self.forks.insert(stem, fork);
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
