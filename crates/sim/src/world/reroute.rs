//! Routes recomputed after changes of links.

use std::collections::BTreeMap;

use pacesim_core::net::{Probe, RouteId, Use};
use pacesim_units::LinkId;

use super::behind::Behind;
use super::several_paths::{Ground, Tables};
use super::{World, WorldNetwork, foresight};
use crate::model::change::LinkStates;
use crate::model::{Leg, PathKey, Paths};

/// State kept from one recomputation to the next.
#[derive(Debug, Default)]
pub(super) struct Rerouting {
    pub(super) standing: LinkStates,
    /// The routes of flows that take several paths.
    tables: Tables,
    /// All other routes so far, so that a link that keeps going down and up adds none.
    known: BTreeMap<Vec<LinkId>, RouteId>,
    /// The uses of all routes so far. Packets may still be on routes that no flow has now.
    uses: Vec<Use>,
}

impl Rerouting {
    /// No recomputation yet; flows that take several paths have these.
    pub(super) fn with(tables: Tables) -> Rerouting {
        Rerouting {
            tables,
            ..Rerouting::default()
        }
    }

    /// The route along these links, which is added if there is none.
    fn route(&mut self, path: &[LinkId], behind: &Behind, network: &mut WorldNetwork) -> RouteId {
        if let Some(route) = self.known.get(path) {
            return *route;
        }
        let hops = path.iter().flat_map(|link| behind.hops(*link));
        let route = network.add_route_through(&hops.collect::<Vec<_>>());
        self.known.insert(path.to_vec(), route);
        route
    }
}

/// The routes of flows, found on demand.
struct Search {
    paths: Paths,
    behind: Behind,
    found: BTreeMap<PathKey, Option<RouteId>>,
}

impl<P: Probe> World<P> {
    /// Gives each flow its current shortest path, if one exists. Packets in flight keep their
    /// route.
    pub(super) fn reroute(&mut self) {
        self.note_uses();
        let mut search = Search {
            paths: self.model.paths_over(&self.rerouting.standing),
            behind: Behind::of(&self.model),
            found: BTreeMap::new(),
        };
        for i in 0..self.emitters.len() {
            let flow = &self.model.flows[self.emitters[i].flow.index()];
            if let Some(route) = self.find(PathKey::of(flow, Leg::There), &mut search) {
                self.emitters[i].route = route;
            }
        }
        for i in 0..self.sessions.len() {
            let flow = &self.model.flows[self.sessions[i].flow.index()];
            let keys = Leg::BOTH.map(|leg| PathKey::of(flow, leg));
            for (way, key) in keys.into_iter().enumerate() {
                if let Some(route) = self.find(key, &mut search) {
                    self.sessions[i].routes[way] = route;
                }
            }
        }
        for connection in &mut self.connections {
            let session = &self.sessions[connection.session as usize];
            [connection.data_route, connection.ack_route] = session.routes;
        }
        self.reroute_several(&mut search);
        self.note_uses();
        if !self.probe.in_order() && !self.several_paths.look_at_queues() {
            self.network.work_ahead(&self.rerouting.uses);
        }
    }

    fn find(&mut self, key: PathKey, search: &mut Search) -> Option<RouteId> {
        if let Some(found) = search.found.get(&key) {
            return *found;
        }
        let path = search.paths.by(key);
        let route = path.map(|path| {
            self.rerouting
                .route(&path, &search.behind, &mut self.network)
        });
        search.found.insert(key, route);
        route
    }

    /// Gives flows that take several paths all current ones.
    fn reroute_several(&mut self, search: &mut Search) {
        if self.several_paths.is_empty() {
            return;
        }
        let tables = &mut self.rerouting.tables;
        tables.note_change();
        let mut ground = Ground {
            model: &self.model,
            behind: &search.behind,
            shortest: &mut search.paths,
            network: &mut self.network,
        };
        let find = |flow: &_, leg| tables.paths(flow, leg, &mut ground);
        self.several_paths.replace(&self.model, find);
    }

    /// Records the current routes of flows and their uses.
    fn note_uses(&mut self) {
        let now = foresight::uses(&self.emitters, &self.sessions, &self.several_paths);
        // A route to a junction is a part of paths only.
        let is_whole = |each: &&Use| self.network.fork_of(each.route).is_none();
        for each in now.iter().filter(is_whole) {
            let path = self.network.path(each.route).collect();
            self.rerouting.known.insert(path, each.route);
        }
        let uses = &mut self.rerouting.uses;
        uses.extend(now);
        uses.sort_unstable();
        uses.dedup();
    }
}
