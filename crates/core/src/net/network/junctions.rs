//! Junctions: forks of routes at which a packet goes on over the way to the destination of its flow.
//!
//! Flows that choose among several paths have the part of each path with a choice as their route, up
//! to a junction. The rest, on which there is none, is kept once for all flows to a destination.

use pacesim_units::{FlowId, LinkId, NodeId};

use super::forks::Fork;
use super::routes::{AHEAD, GONE, LOOK, MIDDLEBOX, fork_at};
use super::turns::Ways;
use super::{ForkId, Network, RouteId};
use crate::engine::EventQueue;
use crate::net::{Kind, Parts};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Tells junctions where the packets of each flow go: its data and, second, its acknowledgements.
    pub fn set_destinations(&mut self, of_flows: Vec<[NodeId; 2]>) {
        self.forks.destinations = of_flows;
    }

    /// Adds a junction, from which no way leads yet.
    pub fn add_junction(&mut self) -> ForkId {
        self.forks.add(Fork::Junction(Ways::default()))
    }

    /// Adds the way from a junction to a destination. The route may begin with the link `before` the
    /// junction, which packets have crossed.
    pub fn add_way(
        &mut self,
        junction: ForkId,
        to: NodeId,
        before: Option<LinkId>,
        route: RouteId,
    ) {
        let start = route.0 + u32::from(before.is_some());
        match self.forks.get_mut(junction) {
            Fork::Junction(ways) => ways.set(to, start),
            Fork::ByLoad { .. } => panic!("ways lead from junctions"),
        }
    }

    /// The way from a junction to a destination, without a link before; none if it has none.
    pub fn way(&self, junction: ForkId, to: NodeId) -> Option<RouteId> {
        match self.forks.get(junction) {
            Fork::Junction(ways) => ways.to(to).map(RouteId),
            Fork::ByLoad { .. } => None,
        }
    }

    /// Tells that packets to a destination come to a junction over this link; none stands for a
    /// middlebox. Call it for all of them: the feeders of ports follow.
    pub fn note_turn(&mut self, from: Option<LinkId>, junction: ForkId, to: NodeId) {
        let way = self.way(junction, to);
        let first = way.and_then(|way| self.path(way).next());
        self.forks
            .turns
            .note(from, first.expect("a way begins with a link"));
    }

    /// True if this hop is a junction.
    pub(super) fn is_junction(&self, hop: u32) -> bool {
        let number = hop & !(LOOK | MIDDLEBOX | AHEAD);
        let is_fork = hop & MIDDLEBOX != 0 && number as usize >= self.middleboxes.len();
        is_fork && matches!(self.forks.get(fork_at(number)), Fork::Junction(_))
    }

    /// The numbers that all routes and junctions take in memory, of four bytes each.
    pub fn route_numbers(&self) -> usize {
        let ways = self.forks.junctions().map(Ways::len);
        self.hops.len() + ways.sum::<usize>()
    }

    /// Moves a packet at the junction of this number over to its way, and returns the first hop there.
    /// At another fork it returns [`GONE`].
    #[cold]
    #[inline(never)]
    pub(super) fn turn(&mut self, number: u32, place: u32) -> u32 {
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        let Fork::Junction(ways) = self.forks.get(fork_at(number)) else {
            return GONE;
        };
        let FlowId(flow) = packet.flow;
        let ends = self.forks.destinations[flow as usize];
        let to = ends[usize::from(packet.kind() == Kind::Ack)];
        let Some(start) = ways.to(to) else {
            panic!(
                "no way leads from here to node {}, to which a packet of flow {flow} goes",
                to.0
            );
        };
        packet.hop = start;
        self.hops[start as usize] & !AHEAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_known_in_whatever_order_they_come() {
        let mut ways = Ways::default();
        let nodes = [40, 43, 12, 41, 90, 11];
        for (place, node) in nodes.into_iter().enumerate() {
            ways.set(NodeId(node), place as u32);
            for other in 0..100 {
                let known = nodes[..=place].iter().position(|of| *of == other);
                assert_eq!(ways.to(NodeId(other)), known.map(|of| of as u32));
            }
        }
        assert_eq!(ways.len(), 90 - 11 + 1);
    }
}
