//! The routes of flows.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{Hop, Kind, MiddleboxId, RouteId};
use pacesim_units::{FlowId, NodeId};

use super::behind::Behind;
use super::several_paths::{Ground, PathSet, Tables};
use super::{BuildError, WorldNetwork, fec};
use crate::model::{self, Direction, Flow, Leg, Model, PathKey, Protection};

/// The routes in use: one for each path that flows take and each choice of middleboxes on it.
pub(super) struct Paths<'a> {
    model: &'a Model,
    shortest: model::Paths,
    behind: Behind,
    /// The routes of flows that take several.
    pub(super) tables: Tables,
    /// Routes that other flows may share.
    known: BTreeMap<(PathKey, Vec<MiddleboxId>), RouteId>,
    /// The number of flows that begin or end at each node.
    flows_at: Vec<u32>,
    /// The middleboxes of each flow that has some.
    of_flows: BTreeMap<FlowId, Vec<Stand<'a>>>,
    /// The positions on routes at which packets reach the decoders of their pairs.
    pub(super) exits: Exits,
}

/// For each decoder, the positions on their routes at which packets of flows reach it.
pub(super) type Exits = BTreeMap<MiddleboxId, Vec<(FlowId, Kind, u32)>>;

/// A middlebox at its place on the path of a flow.
#[derive(Clone, Copy)]
struct Stand<'a> {
    id: MiddleboxId,
    node: NodeId,
    direction: Direction,
    name: &'a str,
    is_decoder: bool,
}

/// The leg of packets that go in this direction.
fn leg(direction: Direction) -> Leg {
    match direction {
        Direction::Back => Leg::Back,
        Direction::Forward | Direction::Both => Leg::There,
    }
}

fn flows_at(model: &Model) -> Vec<u32> {
    let mut flows_at = vec![0; model.nodes.len()];
    for flow in &model.flows {
        flows_at[flow.from.index()] += 1;
        flows_at[flow.to.index()] += 1;
    }
    flows_at
}

impl<'a> Paths<'a> {
    pub(super) fn new(model: &'a Model) -> Paths<'a> {
        let mut of_flows: BTreeMap<FlowId, Vec<Stand<'a>>> = BTreeMap::new();
        let mut put = |flow, stand| of_flows.entry(flow).or_default().push(stand);
        for (i, middlebox) in model.middleboxes.iter().enumerate() {
            let stand = Stand {
                id: MiddleboxId(i as u32),
                node: middlebox.node,
                direction: middlebox.direction,
                name: middlebox.part.name(),
                is_decoder: false,
            };
            middlebox.flows.iter().for_each(|flow| put(*flow, stand));
        }
        for (i, pair) in model.protections.iter().enumerate() {
            let ids = fec::ids(model.middleboxes.len(), i);
            let ends = ids.into_iter().zip([pair.encoder, pair.decoder]);
            for ((id, node), is_decoder) in ends.zip([false, true]) {
                let stand = |direction| Stand {
                    id,
                    node,
                    direction,
                    name: &pair.name,
                    is_decoder,
                };
                let data = pair.data.iter();
                data.for_each(|flow| put(*flow, stand(Direction::Forward)));
                let acks = pair.acks.iter();
                acks.for_each(|flow| put(*flow, stand(Direction::Back)));
            }
        }
        Paths {
            model,
            shortest: model.paths(),
            behind: Behind::of(model),
            tables: Tables::default(),
            known: BTreeMap::new(),
            flows_at: flows_at(model),
            of_flows,
            exits: Exits::new(),
        }
    }

    /// The route of a flow's packets: from its source to its sink, or back.
    pub(super) fn route(
        &mut self,
        flow: FlowId,
        direction: Direction,
        network: &mut WorldNetwork,
    ) -> Result<RouteId, BuildError> {
        let of = &self.model.flows[flow.index()];
        let leg = leg(direction);
        let (ends, key) = (leg.ends(of), PathKey::of(of, leg));
        let stands = self.stands(flow, direction);
        let mut add = |paths: &mut Paths| {
            let hops = paths.hops(flow, leg, &stands)?;
            Ok(network.add_route_through(&hops))
        };
        let is_alone = |node: NodeId| self.flows_at[node.index()] == 1;
        let route = if is_alone(ends.0) || is_alone(ends.1) {
            add(self)?
        } else {
            let ids = stands.iter().map(|stand| stand.id).collect();
            let key = (key, ids);
            match self.known.get(&key) {
                Some(route) => *route,
                None => {
                    let route = add(self)?;
                    self.known.insert(key, route);
                    route
                }
            }
        };
        self.note_exits(flow, direction, route, &stands, network);
        Ok(route)
    }

    /// All paths of one direction of a flow without middleboxes, each with a route.
    pub(super) fn all(
        &mut self,
        flow: &Flow,
        leg: Leg,
        network: &mut WorldNetwork,
    ) -> Arc<PathSet> {
        let mut ground = Ground {
            model: self.model,
            behind: &self.behind,
            shortest: &mut self.shortest,
            network,
        };
        self.tables.paths(flow, leg, &mut ground)
    }

    /// The route of the reports from a pair's decoder to its encoder.
    pub(super) fn report_route(
        &mut self,
        pair: &Protection,
        [encoder, decoder]: [MiddleboxId; 2],
        network: &mut WorldNetwork,
    ) -> Result<RouteId, BuildError> {
        let path = self.shortest.between(pair.decoder, pair.encoder);
        let path = path.filter(|path| !path.is_empty());
        let links = path.ok_or_else(|| BuildError::NoWayBack {
            pair: pair.name.to_string(),
            from: self.node_name(pair.decoder),
            to: self.node_name(pair.encoder),
        })?;
        let links = links.into_iter().flat_map(|link| self.behind.hops(link));
        let ends = [decoder, encoder].map(Hop::Middlebox);
        let hops: Vec<Hop> = ends[..1]
            .iter()
            .copied()
            .chain(links)
            .chain([ends[1]])
            .collect();
        Ok(network.add_route_through(&hops))
    }

    fn note_exits(
        &mut self,
        flow: FlowId,
        direction: Direction,
        route: RouteId,
        stands: &[Stand<'_>],
        network: &WorldNetwork,
    ) {
        let kind = match direction {
            Direction::Back => Kind::Ack,
            Direction::Forward | Direction::Both => Kind::Data,
        };
        for stand in stands.iter().filter(|stand| stand.is_decoder) {
            let hop = network.hop_of(route, stand.id);
            let hop = hop.expect("the route leads through it");
            let exits = self.exits.entry(stand.id).or_default();
            exits.push((flow, kind, hop));
        }
    }

    /// The middleboxes on the path of a flow's packets.
    fn stands(&self, flow: FlowId, direction: Direction) -> Vec<Stand<'a>> {
        let all = self.of_flows.get(&flow).into_iter().flatten();
        let is_meant =
            |stand: &&Stand| stand.direction == Direction::Both || stand.direction == direction;
        all.filter(is_meant).copied().collect()
    }

    /// The links of the shortest path, with each middlebox where the path reaches its node.
    fn hops(
        &mut self,
        flow: FlowId,
        leg: Leg,
        stands: &[Stand<'_>],
    ) -> Result<Vec<Hop>, BuildError> {
        let of = &self.model.flows[flow.index()];
        let (from, to) = leg.ends(of);
        let path = self.shortest.by(PathKey::of(of, leg));
        let path = path.filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| BuildError::NoRoute {
            flow: self.model.flow_name(flow),
            from: self.node_name(from),
            to: self.node_name(to),
        })?;
        let mut hops = Vec::with_capacity(path.len() + stands.len());
        let pass = |node, hops: &mut Vec<Hop>| {
            let there = stands.iter().filter(|stand| stand.node == node);
            hops.extend(there.map(|stand| Hop::Middlebox(stand.id)));
        };
        pass(from, &mut hops);
        for link in path {
            hops.extend(self.behind.hops(link));
            pass(self.model.links[link.index()].to, &mut hops);
        }
        match stands
            .iter()
            .find(|s| !hops.contains(&Hop::Middlebox(s.id)))
        {
            Some(stand) => Err(self.off_route(stand, flow)),
            None => Ok(hops),
        }
    }

    fn off_route(&self, stand: &Stand<'_>, flow: FlowId) -> BuildError {
        BuildError::OffRoute {
            middlebox: stand.name.to_owned(),
            node: self.node_name(stand.node),
            flow: self.model.flow_name(flow),
        }
    }

    fn node_name(&self, node: NodeId) -> String {
        self.model.nodes[node.index()].name.to_string()
    }
}
