//! Routes of several paths as tables, not as lists for each pair of nodes.
//!
//! Behind the last choice on a path there is one way to each destination. The links up to there are
//! routes of the node where the path begins, the same for all destinations with the same choices; the
//! rest is a way from a junction, the same for all nodes whose packets come there. In a fat tree the
//! junctions are the cores, so that memory grows with hosts, not with their pairs.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{ForkId, Hop, RouteId};
use pacesim_units::{LinkId, NodeId};

use super::PathSet;
use super::branches::Branches;
use super::ground::{Ground, Stem};
use crate::model::{Flow, Leg};

/// The routes of several paths so far, which flows share.
#[derive(Debug, Default)]
pub(in crate::world) struct Tables {
    branches: Branches,
    /// The junctions at each node; with switches, those behind each link, by which they tell packets.
    /// There are several where ways have changed.
    junctions: Vec<Vec<ForkId>>,
    sets: BTreeMap<SetKey, Vec<Arc<PathSet>>>,
    /// True if links have changed since some ways were found.
    is_changed: bool,
}

/// Sets with the same routes have the same node where they begin, the same number of routes, and the
/// same forks at the ends of the first and the last.
type SetKey = (NodeId, usize, [Option<ForkId>; 2]);

impl Tables {
    /// The routes of all paths of a flow, in the order of their links.
    pub(in crate::world) fn paths(
        &mut self,
        flow: &Flow,
        leg: Leg,
        ground: &mut Ground<'_>,
    ) -> Arc<PathSet> {
        let (from, to) = leg.ends(flow);
        let all = ground.shortest.stems(flow, leg);
        let stem = |links| Stem {
            links,
            junction: self.junction(links, to, ground),
        };
        let stems: Vec<Stem<'_>> = all.iter().map(stem).collect();
        if let Some(draws) = flow.draws_of_switches() {
            let route = self.branches.route(&stems, draws, ground);
            return Arc::new(PathSet::of(route.into_iter().collect()));
        }
        let set = self.set(from, &stems, ground);
        match flow.has_own_choice() {
            false => set,
            true => Arc::new(PathSet {
                routes: set.routes.clone(),
                shown: ground.shortest.all(flow, leg).into(),
            }),
        }
    }

    /// Links have changed: ways may lead elsewhere.
    pub(in crate::world) fn note_change(&mut self) {
        self.is_changed = true;
    }

    /// The set of routes along these stems.
    fn set(&mut self, from: NodeId, stems: &[Stem<'_>], ground: &mut Ground<'_>) -> Arc<PathSet> {
        let ends = [stems.first(), stems.last()].map(|stem| stem.and_then(|stem| stem.junction));
        let known = self.sets.entry((from, stems.len(), ends)).or_default();
        let is_along = |(route, stem): (&RouteId, &Stem<'_>)| {
            ground.network.fork_of(*route) == stem.junction
                && ground.network.path(*route).eq(stem.links.iter().copied())
        };
        let is_it = |set: &&Arc<PathSet>| set.routes.iter().zip(stems).all(is_along);
        if let Some(set) = known.iter().find(is_it) {
            return set.clone();
        }
        let route = |stem: &Stem<'_>| {
            let links = stem.links.iter().flat_map(|link| ground.behind.hops(*link));
            let hops: Vec<Hop> = links.chain(stem.junction.map(Hop::Fork)).collect();
            ground.network.add_route_through(&hops)
        };
        let set = Arc::new(PathSet::of(stems.iter().map(route).collect()));
        known.push(set.clone());
        set
    }

    /// A junction behind these links with the way to a node, unless they lead there.
    fn junction(
        &mut self,
        links: &[LinkId],
        to: NodeId,
        ground: &mut Ground<'_>,
    ) -> Option<ForkId> {
        let last = *links.last()?;
        let node = ground.model.links[last.index()].to;
        if node == to {
            return None;
        }
        let before = (!ground.model.switches.is_empty()).then_some(last);
        let place = before.map_or(node.index(), LinkId::index);
        if place >= self.junctions.len() {
            self.junctions.resize(place + 1, Vec::new());
        }
        let known = &mut self.junctions[place];
        let mut free = None;
        for junction in &*known {
            match ground.network.way(*junction, to) {
                None => free = free.or(Some(*junction)),
                Some(way) if !self.is_changed || ground.leads(way, node, to) => {
                    ground.note_turn(last, *junction, to);
                    return Some(*junction);
                }
                Some(_) => {}
            }
        }
        let junction = free.unwrap_or_else(|| {
            let junction = ground.network.add_junction();
            known.push(junction);
            junction
        });
        ground.add_way(junction, (node, to), before);
        ground.note_turn(last, junction, to);
        Some(junction)
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::{Bytes, Rate, Span, Time};

    use crate::World;
    use crate::model::change::{Change, TimedChange};
    use crate::model::{Model, PathRule, Spray, Traffic};
    use crate::scenario::load;

    use super::*;

    /// A fat tree with a flow of this rule from each host to each other one.
    fn fat_tree(k: u32, rule: PathRule) -> Model {
        let text = format!(
            "run = {{ duration = \"1ms\" }}
            topology = {{ shape = \"fat_tree\", k = {k}, access = {{ rate = \"10Gbps\", delay = \"1us\" }} }}
            flow = [{{ name = \"f\", from = \"host[0]\", to = \"host[1]\", traffic = {{ kind = \"cbr\", rate = \"1Mbps\", size = \"1000B\" }} }}]"
        );
        let checked = load("tree.toml", &text, &[], &()).expect("it is sound");
        let mut model = checked.expand(1, 0);
        model.flows.clear();
        let hosts = k * k * k / 4;
        let mut first = model.nodes.iter();
        let first = first.position(|node| node.name == "host[0]");
        let first = first.expect("a host") as u32;
        let pairs = (0..hosts).flat_map(|from| (0..hosts).map(move |to| (from, to)));
        for (from, to) in pairs.filter(|(from, to)| from != to) {
            let (rate, size) = (Rate::from_mbps(1), Bytes(1000));
            let ends = [from, to].map(|host| NodeId(first + host));
            let flow = model.add_flow(ends[0], ends[1], Traffic::Cbr { rate, size });
            model.flow_mut(flow).path = rule;
        }
        model
    }

    fn numbers(model: &Model) -> usize {
        let world = World::new(model.clone()).expect("a sound model");
        world.network.route_numbers()
    }

    /// Lists of all paths between the 128 hosts would take 3.2 million numbers.
    #[test]
    fn all_paths_between_all_hosts_take_as_many_numbers_as_hosts_and_switches() {
        let one_each = numbers(&fat_tree(8, PathRule::First));
        // For each host, stems to the pods (16 of five numbers), within its own (4 of four) and within
        // its rack; ways to it from 16 cores, 4 aggregations and an edge, each with a place in a table.
        let of_host = 16 * 5 + 4 * 4 + 3 + 16 * (4 + 1) + 4 * (3 + 1) + (2 + 1);
        for rule in [
            PathRule::Sprayed(Spray::Permuted),
            PathRule::Flowlets(Span::from_us(9)),
        ] {
            let all = numbers(&fat_tree(8, rule)) - one_each;
            assert_eq!(all, 128 * of_host, "{rule:?}");
        }
    }

    #[test]
    fn switches_that_choose_share_their_forks_among_destinations() {
        let one_each = numbers(&fat_tree(4, PathRule::First));
        let all = numbers(&fat_tree(4, PathRule::LeastLoaded(2))) - one_each;
        assert!(all < 16 * 200, "{all} for 16 hosts");
    }

    #[test]
    fn a_link_that_goes_down_and_up_again_and_again_adds_its_numbers_once() {
        let mut model = fat_tree(4, PathRule::Sprayed(Spray::Round));
        let mut link = model.links.iter();
        let link = link
            .position(|link| link.name == "core_up[3]")
            .expect("a link");
        let at = |i: u64| Time::ZERO + Span::from_us(10 + 20 * i);
        for i in 0..10 {
            let change = [Change::Down, Change::Up][i as usize % 2];
            let (at, link) = (at(i), LinkId::from_index(link));
            model.changes.push(TimedChange { at, link, change });
            model.reroutes.push(at);
        }
        let mut world = World::new(model).expect("a sound model");
        let mut numbers = Vec::new();
        for i in 0..10 {
            world.run_until(at(i) + Span::from_us(10));
            numbers.push(world.network.route_numbers());
        }
        assert!(
            numbers[1..].iter().all(|count| *count == numbers[0]),
            "{numbers:?}"
        );
    }
}
