//! Conditions on the paths of flows: each flow has one, and every packet fits every buffer and the
//! clock.

mod choice;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pacesim_core::routing::{Edge, Joined, Routes};
use pacesim_keys::{Discipline, FlowGroup, Multipath, Queue, Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_units::{Bytes, Capacity, LinkId, NodeId, Rate};

use crate::draw::Draws;
use crate::exchanges;
use crate::resolve::{Events, Network, Pairs, Survey, Wires};
use pacesim_model::range::LINE_RATE;
use pacesim_model::{Distribution, Metric};

/// The most links on other paths than the first, and the most paths, that the check of a group of flows
/// follows.
const MOST_FOLLOWED: usize = 1_000_000;

pub(crate) fn check(survey: &Survey, scenario: &Scenario, draws: &Draws, faults: &mut Faults) {
    let network = &survey.network;
    let edges = edges(network, scenario.run.routing, draws);
    let mut paths = FlowPaths {
        network,
        first_links: first_links(network),
        routes: Routes::new(network.nodes.len(), &edges).expect("links join known nodes"),
        islands: Islands::of(network),
        may_be_cut: false,
        has_several: scenario.run.multipath != Multipath::None,
        told: BTreeSet::new(),
    };
    paths.check_all(survey, scenario, faults);
    // A flow without a path after an event keeps its own.
    paths.may_be_cut = true;
    let events = Events::of(survey, &scenario.events, &mut Faults::default());
    for standing in events.standings() {
        paths.routes = standing.routes(network.nodes.len(), scenario.run.routing, &edges);
        paths.check_all(survey, scenario, faults);
    }
}

impl FlowPaths<'_> {
    fn check_all(&mut self, survey: &Survey, scenario: &Scenario, faults: &mut Faults) {
        for (i, (flow, pairs)) in scenario.flows.iter().zip(&survey.pairs).enumerate() {
            let Some(pairs) = pairs else {
                continue;
            };
            let mut ends = match pairs.is_drawn() {
                true => possible_ends(pairs, &self.routes),
                false => pairs.iter().collect(),
            };
            if pairs.both_ways {
                let back: Vec<_> = ends.iter().map(|(from, to)| (*to, *from)).collect();
                ends.extend(back);
            }
            let path = format!("flow[{i}]");
            self.check(&path, flow, pairs, &ends, faults);
            self.check_choice(&path, flow, pairs, &ends, faults);
            self.check_delay_box(&path, flow, pairs, faults);
        }
    }
}

/// Pairs whose paths cross every link that random pairs may cross. Paths to and from nodes of one
/// attachment differ in one link only, so one node represents the others, as does one of the nodes
/// behind a router of a core. Pairs within an attachment are included.
fn possible_ends(pairs: &Pairs, routes: &Routes) -> Vec<(u32, u32)> {
    let place = |node: u32| match &pairs.across {
        Some(across) => across.core.router(node),
        None => Some(routes.attachment(NodeId(node)).0),
    };
    let one_of_each = |nodes: Range<u32>| -> Vec<u32> {
        let mut met = BTreeSet::new();
        nodes.filter(|node| met.insert(place(*node))).collect()
    };
    let (starts, others) = (pairs.starts(), pairs.to.clone());
    let (some, some_others) = (one_of_each(starts.clone()), one_of_each(others.clone()));
    let across = some.iter().flat_map(|from| {
        let to = some_others.iter();
        to.map(|to| (*from, *to))
    });
    let out = starts.clone().filter_map(|from| {
        let to = others.clone().find(|to| *to != from)?;
        Some((from, to))
    });
    let into = others.clone().filter_map(|to| {
        let from = starts.clone().find(|from| *from != to)?;
        Some((from, to))
    });
    let within = within_attachments(pairs, routes);
    let ends = out.chain(into).chain(across).chain(within);
    ends.filter(|(from, to)| from != to).collect()
}

/// Pairs of nodes other than this one, for each way on which random pairs may go. Ways that begin or
/// end at the node pass it.
fn ends_elsewhere(pairs: &Pairs, routes: &Routes, node: u32) -> Vec<(u32, u32)> {
    let of_each = |nodes: Range<u32>| {
        let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for other in nodes.filter(|other| *other != node) {
            let alike = places
                .entry(routes.attachment(NodeId(other)).0)
                .or_default();
            // One of two differs from any other node.
            if alike.len() < 2 {
                alike.push(other);
            }
        }
        places
    };
    let may_join = |from: u32, to: u32| {
        let across = pairs.across.as_ref();
        from != to && across.is_none_or(|across| across.may_join(from, to))
    };
    let (starts, others) = (of_each(pairs.starts()), of_each(pairs.to.clone()));
    let ends = starts.values().flat_map(|from| {
        let pair = |to: &Vec<u32>| {
            let all = from
                .iter()
                .flat_map(|from| to.iter().map(|to| (*from, *to)));
            let mut all = all.filter(|(from, to)| may_join(*from, *to));
            all.next()
        };
        others.values().filter_map(pair).collect::<Vec<_>>()
    });
    ends.collect()
}

/// For each attachment with two different nodes, a pair of them. Nodes of a pair across a core are
/// never behind the same router.
fn within_attachments(pairs: &Pairs, routes: &Routes) -> Vec<(u32, u32)> {
    if pairs.across.is_some() {
        return Vec::new();
    }
    let place = |node: u32| routes.attachment(NodeId(node)).0;
    let mut starts: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for from in pairs.starts() {
        let alike = starts.entry(place(from)).or_default();
        // One of two differs from any other node.
        if alike.len() < 2 {
            alike.push(from);
        }
    }
    let mut met = BTreeSet::new();
    let pair = |to: u32| {
        let from = starts.get(&place(to))?.iter().find(|from| **from != to)?;
        met.insert(place(to)).then_some((*from, to))
    };
    pairs.to.clone().filter_map(pair).collect()
}

/// The links in the order of their ids, with their costs.
pub(super) fn edges(network: &Network, metric: Metric, draws: &Draws) -> Vec<Edge> {
    let mut edges = Vec::new();
    for wires in &network.wires {
        let delays = draws.delays(wires);
        let costs = (0..wires.ends.len()).map(|i| metric.cost(delays[i], wires.length(i)));
        let costs: Vec<u64> = costs.collect();
        let ends = || wires.ends.iter().zip(&costs);
        edges.extend(ends().map(|((a, b), cost)| edge(*a, *b, *cost)));
        if wires.duplex {
            edges.extend(ends().map(|((a, b), cost)| edge(*b, *a, *cost)));
        }
    }
    edges
}

fn edge(from: u32, to: u32, cost: u64) -> Edge {
    Edge {
        from: NodeId(from),
        to: NodeId(to),
        cost,
    }
}

/// The id of the first link of each group in one direction, and its group.
pub(super) fn first_links(network: &Network) -> Vec<(u32, Direction)> {
    let mut firsts = Vec::new();
    let mut next = 0;
    for (wires, at) in network.wires.iter().zip(0..) {
        for back in [false, true] {
            if !back || wires.duplex {
                firsts.push((next, Direction { wires: at, back }));
                next += wires.ends.len() as u32;
            }
        }
    }
    firsts
}

/// One direction of a group of links.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Direction {
    pub(super) wires: usize,
    pub(super) back: bool,
}

struct FlowPaths<'p> {
    network: &'p Network,
    first_links: Vec<(u32, Direction)>,
    routes: Routes,
    islands: Islands,
    /// True if a flow may lack a path.
    may_be_cut: bool,
    /// True if flows may take another path than the first.
    has_several: bool,
    /// Packets and links that have been reported.
    told: BTreeSet<(String, Direction)>,
}

impl FlowPaths<'_> {
    fn check(
        &mut self,
        path: &str,
        flow: &FlowGroup,
        pairs: &Pairs,
        ends: &[(u32, u32)],
        faults: &mut Faults,
    ) {
        let (there, lost) = self.used(ends.iter().copied());
        let cut = lost.is_some();
        if let Some((from, to)) = lost {
            let (from, to) = (self.network.nodes.name(from), self.network.nodes.name(to));
            let message = format!("there is no path from {from} to {to}");
            let help = match pairs.len() {
                1 => "add links that join them",
                _ => "add links that join them, or see how from and to are paired",
            };
            faults
                .add(format!("{path}.to"), message)
                .help(help)
                .absence();
        }
        for (key, size) in flow.traffic.largest_packet() {
            self.all_fit(&format!("{path}.traffic.{key}"), size, &there, faults);
        }
        if let Some(tcp) = flow.traffic.connections() {
            let (back, lost) = self.used(ends.iter().map(|(from, to)| (*to, *from)));
            if let (false, Some((to, from))) = (cut, lost) {
                let (from, to) = (self.network.nodes.name(from), self.network.nodes.name(to));
                let message = format!("there is no path back from {to} to {from} for the ACKs");
                faults
                    .add(format!("{path}.from"), message)
                    .help("leave duplex = false out, or add links that lead back")
                    .absence();
            }
            for (key, size) in tcp.packets("ack_size", |c| c.ack_size) {
                self.all_fit(&format!("{path}.traffic.{key}"), size, &back, faults);
            }
        }
    }

    /// Reports a delay box that does not exist, or is not on every path.
    fn check_delay_box(
        &mut self,
        path: &str,
        flow: &FlowGroup,
        pairs: &Pairs,
        faults: &mut Faults,
    ) {
        let exchanges = exchanges::of_group(flow).map(|(exchanges, _)| exchanges);
        let Some(node) = exchanges.and_then(|exchanges| exchanges.delay_box.as_ref()) else {
            return;
        };
        let path = format!("{path}.traffic.exchanges.delay_box");
        let Some(nodes) = self.network.nodes.resolve(node, &path, faults) else {
            return;
        };
        if nodes.len() > 1 {
            let message = format!("\"{node}\" is {} nodes", nodes.len());
            let help = format!("name one of them, as in \"{}[0]\"", node.group);
            faults.add(path, message).help(help);
            return;
        }
        let stands = NodeId(nodes.start);
        let mut ends: Vec<_> = match pairs.is_drawn() {
            true => ends_elsewhere(pairs, &self.routes, stands.0),
            false => pairs.iter().collect(),
        };
        // Both ends of a connection send.
        let back: Vec<_> = ends.iter().map(|(from, to)| (*to, *from)).collect();
        ends.extend(back);
        let missed = ends.iter().find(|(from, to)| {
            let way = self.routes.path(NodeId(*from), NodeId(*to));
            way.is_some_and(|way| !self.comes_by(&way, *from, stands))
        });
        if let Some((from, to)) = missed {
            let (from, to) = (self.network.nodes.name(*from), self.network.nodes.name(*to));
            let message = format!("{node} is not on the way from {from} to {to}");
            let help = "give a node that every connection passes, or a group of flows to each box";
            faults.add(path, message).help(help);
        }
    }

    /// True if a path along these links passes a node.
    fn comes_by(&self, way: &[LinkId], from: u32, node: NodeId) -> bool {
        let passed = way.iter().map(|link| self.far_end(link.0));
        std::iter::once(from)
            .chain(passed)
            .any(|passed| passed == node.0)
    }

    /// The node at the end of a link.
    fn far_end(&self, link: u32) -> u32 {
        let (first, direction) = self.group_of(link);
        let (a, b) = self.network.wires[direction.wires].ends[(link - first) as usize];
        if direction.back { a } else { b }
    }

    /// The links on the paths between these pairs, and a pair without a path.
    fn used(
        &mut self,
        ends: impl Iterator<Item = (u32, u32)>,
    ) -> (BTreeSet<Direction>, Option<(u32, u32)>) {
        let mut used = BTreeSet::new();
        let mut lost = None;
        let mut left = if self.has_several { MOST_FOLLOWED } else { 0 };
        for (from, to) in ends {
            let all = self.routes.paths(NodeId(from), NodeId(to));
            let links: Vec<LinkId> = all.take(1 + left).flatten().collect();
            left = left.saturating_sub(links.len());
            if links.is_empty() && from != to {
                let may_be_joined = self.may_be_cut || self.islands.may_be_joined(from, to);
                lost = lost.or((!may_be_joined).then_some((from, to)));
            }
            used.extend(links.iter().map(|link| self.direction(link.0)));
        }
        (used, lost)
    }

    fn all_fit(
        &mut self,
        path: &str,
        size: Bytes,
        used: &BTreeSet<Direction>,
        faults: &mut Faults,
    ) {
        // The shortest path may be along a link that could not be understood.
        if self.islands.is_open {
            return;
        }
        for direction in used {
            if self.told.insert((path.to_owned(), *direction)) {
                self.fits(path, size, *direction, faults);
            }
        }
    }

    fn direction(&self, link: u32) -> Direction {
        self.group_of(link).1
    }

    /// The first link of this one's group, and the group.
    fn group_of(&self, link: u32) -> (u32, Direction) {
        let at = self
            .first_links
            .partition_point(|(first, _)| *first <= link)
            - 1;
        self.first_links[at]
    }

    /// Reports a packet that a link can never accept, or never finish sending.
    fn fits(&self, path: &str, size: Bytes, direction: Direction, faults: &mut Faults) {
        let wires = &self.network.wires[direction.wires];
        let (queue, rate) = queue_and_rate(wires, direction.back);
        let back = if direction.back { ".back" } else { "" };
        let link = format!("{}{back}", wires.name);
        let pacer = if direction.back {
            wires.spec.back.pacer.as_ref()
        } else {
            wires.spec.pacer.as_ref()
        };
        let pacer = pacer.filter(|pacer| wires.paced && pacer.share > 0.0);
        let largest = pacer.and_then(|pacer| pacer.kind.largest_packet());
        if let Some(room) = largest.filter(|room| *room < size && *room > Bytes::ZERO) {
            let message = format!(
                "a packet of {size} never fits the {room} that the pacer of link {link} takes: all would be dropped"
            );
            faults
                .add(path, message)
                .help("give smaller packets, or the pacer a larger buffer or burst");
            return;
        }
        if self.outgrows_discipline(path, size, direction, &link, faults) {
            return;
        }
        if let Capacity::Bytes(room) = queue.in_model().capacity
            && room < size
            && room > Bytes::ZERO
        {
            let message = format!(
                "a packet of {size} never fits the {room} of link {link}: all would be dropped"
            );
            faults
                .add(path, message)
                .help("give smaller packets or a larger buffer");
        } else if rate.is_some_and(|rate| rate.transmission_time(size).is_none()) {
            let message = format!("a packet of {size} takes link {link} more than 213 days");
            faults
                .add(path, message)
                .help("give smaller packets or a faster link");
        }
    }

    /// Reports a packet that a link's discipline never releases; true if there is one.
    fn outgrows_discipline(
        &self,
        path: &str,
        size: Bytes,
        direction: Direction,
        link: &str,
        faults: &mut Faults,
    ) -> bool {
        let spec = &self.network.wires[direction.wires].spec;
        let discipline = if direction.back {
            spec.back.discipline.as_ref()
        } else {
            spec.discipline.as_ref()
        };
        let largest = discipline.and_then(Discipline::largest_packet);
        let Some(most) = largest.filter(|most| *most < size && *most > Bytes::ZERO) else {
            return false;
        };
        let message = format!(
            "a packet of {size} never fits the {most} that the discipline of link {link} lets go: all would be dropped"
        );
        faults
            .add(path, message)
            .help("give smaller packets, or the discipline a larger burst or limit");
        true
    }
}

/// The queue of a link, and its lowest rate if it has one.
fn queue_and_rate(wires: &Wires, back: bool) -> (Queue, Option<Rate>) {
    let spec = &wires.spec;
    let (queue, rate) = if back {
        (
            spec.back_queue(),
            spec.back.rate.as_ref().unwrap_or(&spec.rate),
        )
    } else {
        (spec.queue, &spec.rate)
    };
    let lowest = match rate {
        Value::Constant(rate) => Some(*rate),
        Value::Drawn(Distribution::Uniform { low, .. }) => Some(LINE_RATE.nearest(*low)),
        Value::Drawn(_) => None,
    };
    (queue, lowest)
}

/// Sets of connected nodes, in any direction, for networks without the links that could not be
/// understood.
struct Islands {
    joined: Joined,
    /// A node that represents the unknown ends of links.
    elsewhere: NodeId,
    anywhere: bool,
    /// True if some link could not be understood: paths may then be others.
    is_open: bool,
}

impl Islands {
    fn of(network: &Network) -> Islands {
        let elsewhere = NodeId::from_index(network.nodes.len());
        let mut joined = Joined::alone(network.nodes.len() + 1);
        let wires = network.wires.iter().flat_map(|wires| wires.ends.iter());
        wires.for_each(|(a, b)| joined.join(NodeId(*a), NodeId(*b)));
        for nodes in network.loose.iter().flatten() {
            (nodes.clone()).for_each(|node| joined.join(NodeId(node), elsewhere));
        }
        Islands {
            joined,
            elsewhere,
            anywhere: network.loose.contains(&None),
            is_open: !network.loose.is_empty(),
        }
    }

    /// True if a link that could not be understood may lead from one to the other.
    fn may_be_joined(&mut self, from: u32, to: u32) -> bool {
        let elsewhere = self.joined.representative(self.elsewhere);
        let mut is_loose = |node| self.joined.representative(NodeId(node)) == elsewhere;
        self.anywhere || is_loose(from) || is_loose(to)
    }
}
