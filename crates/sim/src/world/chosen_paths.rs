//! Columns of results with the paths that flows and transfers took.

use pacesim_core::net::{Probe, RouteId};
use pacesim_units::{FlowId, LinkId};

use super::{Agent, World};
use crate::model::{Leg, PathRule, Paths};

/// The paths of equal cost now, among which those of flows have a place.
pub(super) struct ChosenPaths<'w, P: Probe> {
    world: &'w World<P>,
    paths: Paths,
}

impl<'w, P: Probe> ChosenPaths<'w, P> {
    pub(super) fn of(world: &'w World<P>) -> ChosenPaths<'w, P> {
        let paths = world.model.paths_over(&world.rerouting.standing);
        ChosenPaths { world, paths }
    }

    /// The place of the path of a flow's data, and the number of paths. Without a place if its
    /// packets or its transfers choose, and without both if it just takes the first.
    pub(super) fn of_flow(&mut self, id: FlowId) -> (Option<u32>, Option<u32>) {
        let flow = &self.world.model.flows[id.index()];
        if flow.path == PathRule::First {
            return (None, None);
        }
        let count = self.paths.count(flow, Leg::There);
        let place = match flow.takes_several() {
            true => None,
            false => {
                let links: Vec<LinkId> = self.world.network.path(self.world.route(id)).collect();
                self.paths.place_of(flow, Leg::There, &links)
            }
        };
        (place, Some(count))
    }
}

impl<P: Probe> World<P> {
    /// The route of a flow's data, unless its packets or its transfers choose others.
    fn route(&self, id: FlowId) -> RouteId {
        match self.agents[id.index()] {
            Agent::Open(place) => self.emitters[place as usize].route,
            Agent::Tcp(connection) | Agent::Heard(connection) => {
                let session = self.connections[connection as usize].session;
                self.sessions[session as usize].routes[0]
            }
            Agent::Calls(place) | Agent::Exchange(place) => self.sessions[place as usize].routes[0],
        }
    }

    /// The place of the path of a transfer with a connection of its own, among those of equal cost. None
    /// for others, and if links change, after which another path may have its place.
    pub(super) fn path_of_transfer(&self, id: FlowId, transfer: u32) -> Option<u32> {
        let is_fixed = self.model.reroutes.is_empty();
        let flow = &self.model.flows[id.index()];
        let place = self
            .several_paths
            .place_of_call((id, flow), transfer, &self.network);
        place.filter(|_| is_fixed)
    }
}
