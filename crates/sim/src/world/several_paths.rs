//! Flows that take several paths of equal cost: the route of each packet, or of each connection.

mod branches;
mod ground;
mod picker;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{Arrivals, Kind, Packet, RouteId, Use};
use pacesim_core::random::Streams;
use pacesim_units::{FlowId, LinkId, NodeId, Time};

use super::{BuildError, WorldNetwork, tag};
use crate::model::path_choice::{OwnPathChoice, Ways};
use crate::model::{Flow, Leg, Model, PathKey, PathRule, SaltOfLinks};
pub(super) use ground::Ground;
use picker::Picker;
pub(super) use tables::Tables;

/// The paths of all flows that take several.
#[derive(Default)]
pub(super) struct SeveralPaths {
    /// Both ways of each such flow; empty if no flow takes several.
    of_flows: Vec<Option<Box<[Way; 2]>>>,
    /// The paths between each pair of nodes, while flows get them.
    known: Known,
    salts: SaltOfLinks,
    /// The user's own choice, if flows have it.
    own: Option<OwnPathChoice>,
    looks_at_queues: bool,
}

type Known = BTreeMap<(NodeId, NodeId, Kept), Arc<PathSet>>;

/// One direction of a flow.
struct Way {
    paths: Arc<PathSet>,
    picker: Picker,
}

/// The routes of all paths from one node to others, in the order of their links; or a single one with
/// forks.
#[derive(Debug)]
pub(super) struct PathSet {
    routes: Arc<[RouteId]>,
    /// The links of each path, for a user's own choice.
    shown: Box<[Vec<LinkId>]>,
}

/// The key of the paths of one direction of a flow.
fn key(flow: &Flow, leg: Leg) -> (NodeId, NodeId, Kept) {
    let (from, to) = leg.ends(flow);
    let kind = match flow.path {
        PathRule::LeastLoaded(_) => Kept::Forks,
        PathRule::Own => Kept::Shown,
        _ => Kept::Routes,
    };
    (from, to, kind)
}

/// The data kept of the paths between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    Routes,
    Forks,
    /// Routes, and their links for a user's own choice.
    Shown,
}

/// Checks that a model whose flows leave their paths to its own choice has one.
pub(super) fn has_choice(model: &Model) -> Result<(), BuildError> {
    let flow = model.flows.iter().position(Flow::has_own_choice);
    match flow.filter(|_| model.path_choice.is_none()) {
        None => Ok(()),
        Some(flow) => Err(BuildError::NoPathChoice { flow: flow as u32 }),
    }
}

impl SeveralPaths {
    pub(super) fn of(model: &Model) -> SeveralPaths {
        if !model.flows.iter().any(Flow::takes_several) {
            return SeveralPaths::default();
        }
        SeveralPaths {
            of_flows: model.flows.iter().map(|_| None).collect(),
            known: BTreeMap::new(),
            salts: SaltOfLinks::of(model),
            own: (model.flows.iter().any(Flow::has_own_choice))
                .then(|| model.path_choice.clone())
                .flatten(),
            looks_at_queues: model
                .flows
                .iter()
                .any(|flow| flow.has_own_choice() || flow.draws_of_switches().is_some()),
        }
    }

    /// True if a choice may look at queues, so that none may be computed ahead.
    pub(super) fn look_at_queues(&self) -> bool {
        self.looks_at_queues
    }

    /// True if no flow takes several.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.of_flows.is_empty()
    }

    /// True if this flow takes several.
    pub(super) fn has(&self, flow: FlowId) -> bool {
        let way = self.of_flows.get(flow.index());
        way.is_some_and(Option::is_some)
    }

    /// Gives a flow its paths in both directions.
    pub(super) fn give(
        &mut self,
        (id, flow): (FlowId, &Flow),
        streams: &Streams,
        mut find: impl FnMut(Leg) -> Arc<PathSet>,
    ) {
        let name = format!("flow/{}[{}]", flow.group, flow.index);
        let way = Leg::BOTH.map(|leg| {
            let paths = self.known.entry(key(flow, leg));
            let paths = paths.or_insert_with(|| find(leg));
            let purpose = match leg {
                Leg::There => "paths",
                Leg::Back => "paths back",
            };
            let stream = streams.stream(&name, purpose);
            let own = self.own.as_ref().filter(|_| flow.has_own_choice());
            Way {
                paths: paths.clone(),
                picker: match own {
                    Some(own) => Picker::Own(own.build(stream)),
                    None => Picker::of(flow.path, stream),
                },
            }
        });
        self.of_flows[id.index()] = Some(Box::new(way));
    }

    /// Tells that all flows have their paths.
    pub(super) fn settle(&mut self) {
        self.known = Known::new();
    }

    /// Replaces the paths of all flows, as far as there are any.
    pub(super) fn replace(
        &mut self,
        model: &Model,
        mut find: impl FnMut(&Flow, Leg) -> Arc<PathSet>,
    ) {
        for (flow, ways) in model.flows.iter().zip(&mut self.of_flows) {
            let Some(ways) = ways else {
                continue;
            };
            for (leg, way) in Leg::BOTH.into_iter().zip(&mut **ways) {
                let found = self.known.entry(key(flow, leg));
                let found = found.or_insert_with(|| find(flow, leg));
                // A flow that is cut off keeps its paths.
                if !found.routes.is_empty() {
                    way.paths = found.clone();
                }
            }
        }
        self.settle();
    }

    /// The route of a packet that would take `first` if there were one path only.
    #[inline(never)]
    pub(super) fn pick(
        &mut self,
        now: Time,
        first: RouteId,
        packet: &Packet,
        network: &WorldNetwork,
    ) -> RouteId {
        let Some(ways) = &mut self.of_flows[packet.flow.index()] else {
            return first;
        };
        let is_ack = packet.kind() == Kind::Ack;
        let way = &mut ways[usize::from(is_ack)];
        let PathSet { routes, shown } = &*way.paths;
        let connection = tag::call(packet).map_or(0, |call| call + 1);
        let waiting = |link: LinkId| network.waiting(link, now).1;
        let place = match &mut way.picker {
            Picker::Own(choice) => Some(choice.pick(now, &Ways::new(shown, connection, &waiting))),
            picker => picker.pick(now, routes.len(), connection),
        };
        match place {
            Some(place) => match routes.get(place) {
                Some(route) => *route,
                None => panic!(
                    "a choice of paths picked number {place} of {}",
                    routes.len()
                ),
            },
            None => first,
        }
    }

    /// The routes of a connection for one transfer, there and back, if switches hash connections.
    pub(super) fn of_call(
        &self,
        (id, flow): (FlowId, &Flow),
        call: u32,
        network: &WorldNetwork,
    ) -> Option<[RouteId; 2]> {
        let [there, back] = Leg::BOTH.map(|leg| self.way_of_call(leg, (id, flow), call, network));
        let route = |(paths, place): (&PathSet, usize)| paths.routes[place];
        Some([route(there?), route(back?)])
    }

    /// The place of the path that switches choose for the data of such a connection.
    pub(super) fn place_of_call(
        &self,
        (id, flow): (FlowId, &Flow),
        call: u32,
        network: &WorldNetwork,
    ) -> Option<u32> {
        let way = self.way_of_call(Leg::There, (id, flow), call, network);
        way.map(|(_, place)| place as u32)
    }

    fn way_of_call(
        &self,
        leg: Leg,
        (id, flow): (FlowId, &Flow),
        call: u32,
        network: &WorldNetwork,
    ) -> Option<(&PathSet, usize)> {
        let ways = self.of_flows.get(id.index())?.as_deref()?;
        let PathRule::Hashed(_) = flow.path else {
            return None;
        };
        let paths = &*ways[leg as usize].paths;
        let key = PathKey::of_call(flow, leg, call);
        let link = |place: usize, depth: usize| {
            let link = network.link_at(paths.routes[place], depth);
            link.expect("paths of equal cost have as many links until they part")
        };
        let place = key.place_among(paths.routes.len(), link, &self.salts);
        Some((paths, place))
    }

    /// Adds the uses of all these routes: packets arrive out of order, so no end can be foreseen.
    pub(super) fn add_uses(&self, uses: &mut Vec<Use>) {
        let ways = self.of_flows.iter().flatten().flat_map(|ways| &**ways);
        // Those with forks are not among them: nothing is done ahead beside these.
        let ways = ways.filter(|way| !matches!(way.picker, Picker::OnTheWay));
        let mut sets: Vec<&Arc<PathSet>> = ways.map(|way| &way.paths).collect();
        sets.sort_unstable_by_key(|set| Arc::as_ptr(set));
        sets.dedup_by_key(|set| Arc::as_ptr(set));
        // Millions of routes: the room that they need, and no more.
        uses.reserve_exact(sets.iter().map(|set| set.routes.len()).sum());
        let begin = uses.len();
        uses.extend(
            sets.into_iter()
                .flat_map(|set| &*set.routes)
                .map(|route| Use {
                    route: *route,
                    sends: true,
                    arrivals: Arrivals::Open,
                }),
        );
        // In the order of routes, whatever that of the sets in memory.
        uses[begin..].sort_unstable();
    }
}

impl PathSet {
    fn of(routes: Vec<RouteId>) -> PathSet {
        PathSet {
            routes: routes.into(),
            shown: Box::default(),
        }
    }
}
