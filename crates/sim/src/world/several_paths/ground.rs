//! The network in which tables of paths are built, and the parts of paths with a choice.

use pacesim_core::net::{ForkId, Hop, RouteId};
use pacesim_units::{LinkId, NodeId};

use crate::model::{Model, Paths};
use crate::world::WorldNetwork;
use crate::world::behind::Behind;

/// The links of a path up to the last choice, and the junction behind them, unless the path ends there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stem<'p> {
    pub(super) links: &'p [LinkId],
    pub(super) junction: Option<ForkId>,
}

impl Stem<'_> {
    /// The rest of it behind this many links.
    pub(super) fn behind(self, depth: usize) -> Self {
        let links = &self.links[depth..];
        Stem { links, ..self }
    }
}

/// The model and the network of tables, and the shortest paths now.
pub(in crate::world) struct Ground<'a> {
    pub(in crate::world) model: &'a Model,
    pub(in crate::world) behind: &'a Behind,
    pub(in crate::world) shortest: &'a mut Paths,
    pub(in crate::world) network: &'a mut WorldNetwork,
}

impl Ground<'_> {
    /// True if this is the way from a node to another now.
    pub(super) fn leads(&mut self, way: RouteId, node: NodeId, to: NodeId) -> bool {
        let links = self.shortest.between(node, to);
        links.is_some_and(|links| self.network.path(way).eq(links))
    }

    /// Packets to a node come to a junction over this link.
    pub(super) fn note_turn(&mut self, last: LinkId, junction: ForkId, to: NodeId) {
        let from = (self.behind.hops(last).count() == 1).then_some(last);
        self.network.note_turn(from, junction, to);
    }

    pub(super) fn add_way(
        &mut self,
        junction: ForkId,
        (node, to): (NodeId, NodeId),
        before: Option<LinkId>,
    ) {
        let links = self.shortest.between(node, to);
        let links = links.expect("a path leads on from the end of a stem");
        let links = links.into_iter().flat_map(|link| self.behind.hops(link));
        let hops: Vec<Hop> = before.map(Hop::Link).into_iter().chain(links).collect();
        let route = self.network.add_route_through(&hops);
        self.network.add_way(junction, to, before, route);
    }
}
