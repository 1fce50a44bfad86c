//! The routes of flows.

use std::collections::BTreeMap;

use pacesim_core::net::{Hop, MiddleboxId, RouteId};
use pacesim_core::routing::Routes;
use pacesim_units::{FlowId, NodeId};

use super::{BuildError, WorldNetwork};
use crate::model::{Direction, Model, PlacedMiddlebox};

/// The routes in use, one for each pair of nodes that flows connect, and for each choice of
/// middleboxes between them.
pub(super) struct Paths<'a> {
    model: &'a Model,
    routes: Routes,
    known: BTreeMap<(NodeId, NodeId, Vec<MiddleboxId>), RouteId>,
    /// The middleboxes of each flow that has some.
    of_flows: BTreeMap<FlowId, Vec<MiddleboxId>>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(model: &'a Model) -> Paths<'a> {
        let mut of_flows: BTreeMap<FlowId, Vec<MiddleboxId>> = BTreeMap::new();
        for (i, middlebox) in model.middleboxes.iter().enumerate() {
            for flow in &middlebox.flows {
                of_flows
                    .entry(*flow)
                    .or_default()
                    .push(MiddleboxId(i as u32));
            }
        }
        Paths {
            model,
            routes: model.routes(),
            known: BTreeMap::new(),
            of_flows,
        }
    }

    /// The route of a flow's packets: from its source to its sink, or back.
    pub(super) fn route(
        &mut self,
        flow: FlowId,
        direction: Direction,
        network: &mut WorldNetwork,
    ) -> Result<RouteId, BuildError> {
        let (from, to) = self.ends(flow, direction);
        let middleboxes = self.middleboxes(flow, direction);
        if let Some(route) = self.known.get(&(from, to, middleboxes.clone())) {
            return Ok(*route);
        }
        let hops = self.hops(flow, (from, to), &middleboxes)?;
        let route = network.add_route_through(&hops);
        self.known.insert((from, to, middleboxes), route);
        Ok(route)
    }

    fn ends(&self, flow: FlowId, direction: Direction) -> (NodeId, NodeId) {
        let flow = &self.model.flows[flow.index()];
        match direction {
            Direction::Back => (flow.to, flow.from),
            Direction::Forward | Direction::Both => (flow.from, flow.to),
        }
    }

    fn middleboxes(&self, flow: FlowId, direction: Direction) -> Vec<MiddleboxId> {
        let all = self.of_flows.get(&flow).into_iter().flatten().copied();
        let is_meant = |id: &MiddleboxId| {
            let meant = self.middlebox(*id).direction;
            meant == Direction::Both || meant == direction
        };
        all.filter(is_meant).collect()
    }

    /// The links of the shortest path, with each middlebox where the path comes to its node.
    fn hops(
        &mut self,
        flow: FlowId,
        (from, to): (NodeId, NodeId),
        middleboxes: &[MiddleboxId],
    ) -> Result<Vec<Hop>, BuildError> {
        let path = self.routes.path(from, to).filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| BuildError::NoRoute {
            flow: self.model.flow_name(flow),
            from: self.node_name(from),
            to: self.node_name(to),
        })?;
        let mut hops = Vec::with_capacity(path.len() + middleboxes.len());
        let pass = |node, hops: &mut Vec<Hop>| {
            let there = |id: &&MiddleboxId| self.middlebox(**id).node == node;
            hops.extend(
                middleboxes
                    .iter()
                    .filter(there)
                    .copied()
                    .map(Hop::Middlebox),
            );
        };
        pass(from, &mut hops);
        for link in path {
            hops.push(Hop::Link(link));
            pass(self.model.links[link.index()].to, &mut hops);
        }
        for id in middleboxes {
            if !hops.contains(&Hop::Middlebox(*id)) {
                return Err(self.off_route(*id, flow));
            }
        }
        Ok(hops)
    }

    fn off_route(&self, id: MiddleboxId, flow: FlowId) -> BuildError {
        let middlebox = self.middlebox(id);
        BuildError::OffRoute {
            middlebox: middlebox.part.name().to_owned(),
            node: self.node_name(middlebox.node),
            flow: self.model.flow_name(flow),
        }
    }

    fn middlebox(&self, id: MiddleboxId) -> &PlacedMiddlebox {
        &self.model.middleboxes[id.0 as usize]
    }

    fn node_name(&self, node: NodeId) -> String {
        self.model.nodes[node.index()].name.clone()
    }
}
