//! Warnings of settings that are legal but probably mistakes. Each has a kind, by which a file may
//! accept it.

mod course;
mod flows;
mod links;
mod load;
mod lossless;
mod marks;
mod phases;
mod queues;
mod trims;

use std::collections::BTreeSet;
use std::ops::Range;

use pacesim_core::routing::{Crossed, Routes};
use pacesim_keys::Scenario;
use pacesim_language::problem::Faults;
use pacesim_model::{self as model, Flow, Leg, Model};
use pacesim_units::{LinkId, NodeId};

use super::paths::{Direction, edges, first_links};
use super::{drawn, fec};
use crate::draw::Draws;
use crate::resolve::{Plan, Wires};

/// All settings of a valid scenario that deserve a second look.
pub(crate) fn warnings(scenario: &Scenario, plan: &Plan, model: &Model) -> Faults {
    let mut faults = Faults::default();
    let view = View::of(scenario, plan, model);
    drawn::warnings(scenario, &mut faults);
    fec::warnings(scenario, model, &mut faults);
    for of in [
        flows::warnings,
        load::warnings,
        lossless::warnings,
        links::warnings,
        marks::warnings,
        queues::warnings,
        trims::warnings,
        course::warnings,
        phases::warnings,
    ] {
        of(&view, &mut faults);
    }
    faults
}

/// The names of the links that no flow ever crosses.
pub(crate) fn idle_links(scenario: &Scenario, plan: &Plan, model: &Model) -> BTreeSet<String> {
    let view = View::of(scenario, plan, model);
    let links = model.links.iter().zip(&view.used);
    let idle = links.filter(|(_, is_used)| !**is_used);
    idle.map(|(link, _)| link.name.to_string()).collect()
}

/// A scenario as its first replication sees it.
struct View<'a> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    model: &'a Model,
    paths: Paths,
    groups: Vec<Group>,
    /// True for the links that packets of flows ever cross, by their ids.
    used: Vec<bool>,
}

impl<'a> View<'a> {
    fn of(scenario: &'a Scenario, plan: &'a Plan, model: &'a Model) -> View<'a> {
        let paths = Paths::of(plan, model);
        let mut used = vec![false; model.links.len()];
        let first = paths.there.iter().chain(&paths.back).flatten();
        let crossed = first.chain(&paths.later);
        crossed.for_each(|link| used[link.index()] = true);
        View {
            scenario,
            plan,
            model,
            paths,
            groups: groups(plan, model),
            used,
        }
    }

    /// The flows of each entry of the scenario that has some, in its order.
    fn flows_of_entries(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let mut first = 0;
        let pairs = self.plan.flows.iter().enumerate();
        let entries = pairs.map(move |(i, pairs)| {
            let own = first..first + pairs.flows() as usize;
            first = own.end;
            (i, own)
        });
        entries.filter(|(_, flows)| !flows.is_empty())
    }

    /// The flows of an entry.
    fn flows_of(&self, entry: usize) -> Range<usize> {
        let mut entries = self.flows_of_entries();
        let own = entries.find(|(i, _)| *i == entry);
        own.map_or(0..0, |(_, flows)| flows)
    }

    /// The flows of an entry, each with its path.
    fn paths_of(&self, flows: Range<usize>) -> impl Iterator<Item = (&'a Flow, &Vec<LinkId>)> {
        let model = self.model;
        model.flows[flows.clone()]
            .iter()
            .zip(&self.paths.there[flows])
    }

    fn wires(&self, group: &Group) -> &'a Wires {
        &self.plan.network.wires[group.direction.wires]
    }

    /// True if any of these links is crossed.
    fn is_used(&self, links: Range<usize>) -> bool {
        self.used[links].contains(&true)
    }
}

/// The links of the same name and direction.
struct Group {
    links: Range<usize>,
    direction: Direction,
    /// Key of the links' specification.
    path: String,
    /// Key of the links' buffer.
    buffer: String,
}

fn groups(plan: &Plan, model: &Model) -> Vec<Group> {
    let firsts = first_links(&plan.network);
    let ends = firsts.iter().skip(1).map(|(first, _)| *first as usize);
    let ends = ends.chain([model.links.len()]);
    let group = |((first, direction), end): (&(u32, Direction), usize)| {
        let wires = &plan.network.wires[direction.wires];
        let back = |own: bool| if own { ".back" } else { "" };
        let own_buffer = direction.back && wires.spec.back.buffer.is_some();
        Group {
            links: *first as usize..end,
            direction: *direction,
            path: format!("{}{}", wires.path, back(direction.back)),
            buffer: format!("{}{}.buffer", wires.path, back(own_buffer)),
        }
    };
    firsts.iter().zip(ends).map(group).collect()
}

/// The paths of all flows.
struct Paths {
    /// Forward path of each flow.
    there: Vec<Vec<LinkId>>,
    /// Path of each flow's acknowledgements; empty for flows without.
    back: Vec<Vec<LinkId>>,
    /// The links that flows cross in either direction after a rerouting, and those of all paths of flows
    /// that take several; in the order of their ids.
    later: Vec<LinkId>,
    /// Flows of which one connection has several paths.
    divided: BTreeSet<usize>,
}

impl Paths {
    fn of(plan: &Plan, model: &Model) -> Paths {
        let edges = edges(&plan.network, model.metric, &Draws::new(model.seed, 0));
        let routes = Routes::new(model.nodes.len(), &edges);
        let mut paths = model::Paths::of(model, routes.expect("links join known nodes"));
        let all = |path: &mut dyn FnMut(&Flow) -> Option<Vec<LinkId>>| {
            let paths = model.flows.iter().map(path);
            paths
                .map(|path| path.expect("every path was checked"))
                .collect()
        };
        let there = all(&mut |flow| paths.there(flow));
        let back = all(&mut |flow| paths.of_acks(flow));
        let several = |flow: &&Flow| flow.takes_several();
        let mut later = Crossed::default();
        paths.cross_all(model.flows.iter().filter(several), &mut later);
        let flows = model.flows.iter().enumerate();
        let flows = flows.filter(|(_, flow)| flow.path.divides_connections());
        let divided = flows.filter(|(_, flow)| paths.count(flow, Leg::There) > 1);
        let divided = divided.map(|(flow, _)| flow).collect();
        for standing in plan.events.standings() {
            let routes = standing.routes(model.nodes.len(), model.metric, &edges);
            let mut paths = model::Paths::of(model, routes);
            for flow in &model.flows {
                // A flow without another path keeps its own.
                later.extend(paths.there(flow).into_iter().flatten());
                later.extend(paths.of_acks(flow).into_iter().flatten());
            }
        }
        let later = later.into_links();
        Paths {
            there,
            back,
            later,
            divided,
        }
    }

    /// True if any of these links may be crossed only later.
    fn cross_later(&self, links: &Range<usize>) -> bool {
        let first = self
            .later
            .partition_point(|link| link.index() < links.start);
        let next = self.later.get(first);
        next.is_some_and(|link| link.index() < links.end)
    }
}

/// The nodes at which packets of other flows pass: routers.
fn routers(view: &View<'_>) -> BTreeSet<NodeId> {
    let inner = view.paths.there.iter().flat_map(|path| path.iter().skip(1));
    inner
        .map(|link| view.model.links[link.index()].from)
        .collect()
}

/// Lists names briefly: "f", "f and 2 more".
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}
