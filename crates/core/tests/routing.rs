//! Routes against the enumeration of all simple paths.

use std::collections::BTreeSet;

use pacesim_core::routing::{Crossed, Edge, Graph, Routes, UnknownNode, shortest_paths};
use pacesim_units::{LinkId, NodeId};
use proptest::prelude::*;

fn edge(from: u32, to: u32, cost: u64) -> Edge {
    Edge {
        from: NodeId(from),
        to: NodeId(to),
        cost,
    }
}

fn links(ids: &[u32]) -> Option<Vec<LinkId>> {
    Some(ids.iter().copied().map(LinkId).collect())
}

fn nodes(count: usize) -> impl Iterator<Item = NodeId> + Clone {
    (0..count).map(NodeId::from_index)
}

/// A path as the rule compares it: cost, number of links, their ids.
type Ranked = (u128, usize, Vec<LinkId>);

/// The oracle: tries every simple path and keeps the first by the rule.
struct BruteForce<'a> {
    links: &'a [Edge],
    to: NodeId,
    visited: Vec<bool>,
    path: Vec<LinkId>,
    cost: u128,
    best: Option<Ranked>,
    /// All paths as cheap and as short as the best.
    equal: BTreeSet<Vec<LinkId>>,
}

impl BruteForce<'_> {
    fn path(nodes: usize, links: &[Edge], from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
        let search = BruteForce::search(nodes, links, from, to);
        search.best.map(|(_, _, path)| path)
    }

    fn search(nodes: usize, links: &[Edge], from: NodeId, to: NodeId) -> BruteForce<'_> {
        let mut search = BruteForce {
            links,
            to,
            visited: vec![false; nodes],
            path: Vec::new(),
            cost: 0,
            best: None,
            equal: BTreeSet::new(),
        };
        search.extend(from);
        search
    }

    fn extend(&mut self, node: NodeId) {
        if node == self.to {
            let found = (self.cost, self.path.len(), self.path.clone());
            let rank = |found: &Ranked| (found.0, found.1);
            let best = self.best.as_ref().map(rank);
            if best.is_none_or(|best| rank(&found) < best) {
                self.equal.clear();
            }
            if best.is_none_or(|best| rank(&found) <= best) {
                self.equal.insert(self.path.clone());
            }
            if self.best.as_ref().is_none_or(|best| found < *best) {
                self.best = Some(found);
            }
            return;
        }
        self.visited[node.index()] = true;
        for (id, link) in self.links.iter().enumerate() {
            if link.from == node && !self.visited[link.to.index()] {
                self.path.push(LinkId::from_index(id));
                self.cost += u128::from(link.cost);
                self.extend(link.to);
                self.cost -= u128::from(link.cost);
                self.path.pop();
            }
        }
        self.visited[node.index()] = false;
    }
}

/// Any links between few nodes, with costs so small that ties are common, and sometimes so large
/// that their sums overflow 64 bits.
fn any_graph() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    let cost = prop_oneof![9 => 0..4_u64, 1 => Just(u64::MAX)];
    (1..=6_u32).prop_flat_map(move |nodes| {
        let link = (0..nodes, 0..nodes, cost.clone()).prop_map(|(a, b, cost)| edge(a, b, cost));
        (Just(nodes as usize), prop::collection::vec(link, 0..14))
    })
}

/// A small core with hosts on it, linked up, down, or in both directions, in any order.
fn graph_with_hosts() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    let wires = prop::collection::vec((any::<u32>(), 0..3_u64, 0..3_u8), 1..6);
    (any_graph(), wires).prop_flat_map(|((mut nodes, mut links), wires)| {
        let core = nodes as u32;
        for (gateway, cost, kind) in wires {
            let (host, gateway) = (nodes as u32, gateway % core);
            if kind != 1 {
                links.push(edge(host, gateway, cost));
            }
            if kind != 2 {
                links.push(edge(gateway, host, cost));
            }
            nodes += 1;
        }
        (Just(nodes), Just(links).prop_shuffle())
    })
}

/// Every path that some sequence of choices leads to.
fn chosen_paths(routes: &mut Routes, from: NodeId, to: NodeId) -> BTreeSet<Vec<LinkId>> {
    let mut paths = BTreeSet::new();
    let mut ahead: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(choices) = ahead.pop() {
        let mut made = 0;
        let mut open = None;
        let path = routes.path_by(from, to, |links| {
            assert!(links.len() > 1 && links.is_sorted(), "{links:?}");
            let choice = choices.get(made).copied();
            if choice.is_none() && open.is_none() {
                open = Some(links.len());
            }
            made += 1;
            choice.unwrap_or(0)
        });
        match open {
            None => paths.extend(path),
            Some(n) => ahead.extend((0..n).map(|choice| [&choices[..], &[choice]].concat())),
        }
    }
    paths
}

fn assert_all_pairs_agree(nodes_count: usize, links: &[Edge]) -> Result<(), TestCaseError> {
    let mut routes = Routes::new(nodes_count, links).unwrap();
    let graph = Graph::new(nodes_count, links).unwrap();
    for to in nodes(nodes_count) {
        let tree = shortest_paths(&graph, to);
        for from in nodes(nodes_count) {
            let expected = BruteForce::path(nodes_count, links, from, to);
            prop_assert_eq!(
                &tree.path(&graph, from),
                &expected,
                "tree {:?} {:?}",
                from,
                to
            );
            prop_assert_eq!(
                routes.path(from, to),
                expected,
                "routes {:?} {:?}",
                from,
                to
            );
        }
    }
    Ok(())
}

/// Ends of paths, to be taken modulo the number of nodes.
fn pairs() -> impl Strategy<Value = [[u32; 2]; 5]> {
    any::<[[u32; 2]; 5]>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn choices_reach_all_paths_of_the_least_cost((count, links) in graph_with_hosts()) {
        let mut routes = Routes::new(count, &links).unwrap();
        for (from, to) in nodes(count).flat_map(|from| nodes(count).map(move |to| (from, to))) {
            let expected = BruteForce::search(count, &links, from, to).equal;
            prop_assert_eq!(routes.count_paths(from, to), expected.len());
            for (place, path) in expected.iter().enumerate() {
                prop_assert_eq!(routes.place_of(from, to, path), Some(place));
            }
            prop_assert_eq!(chosen_paths(&mut routes, from, to), expected);
        }
    }

    /// A path has a choice as long as another one shares its links so far.
    #[test]
    fn stems_lead_up_to_the_last_choice((count, links) in graph_with_hosts(), most in 1usize..6) {
        let mut routes = Routes::new(count, &links).unwrap();
        for (from, to) in nodes(count).flat_map(|from| nodes(count).map(move |to| (from, to))) {
            let all = BruteForce::search(count, &links, from, to).equal;
            let is_shared = |stem: &[LinkId]| {
                all.iter().filter(|path| path.starts_with(stem)).count() > 1
            };
            let stem = |path: &Vec<LinkId>| {
                let more = (1..path.len()).take_while(|length| is_shared(&path[..*length]));
                path[..more.count() + 1].to_vec()
            };
            let expected: Vec<_> = all.iter().filter(|path| !path.is_empty()).map(stem).collect();
            let stems = routes.stems(from, to, usize::MAX);
            prop_assert_eq!(stems.iter().map(<[LinkId]>::to_vec).collect::<Vec<_>>(), &expected[..]);
            let first = routes.stems(from, to, most);
            prop_assert!(first.iter().eq(stems.iter().take(most)));
        }
    }

    #[test]
    fn links_crossed_are_those_of_all_paths((count, links) in graph_with_hosts(), asked in pairs()) {
        let mut routes = Routes::new(count, &links).unwrap();
        let mut crossed = Crossed::default();
        let mut expected = BTreeSet::new();
        for [from, to] in asked.map(|pair| pair.map(|node| NodeId(node % count as u32))) {
            crossed.add_all_between(&mut routes, from, to);
            let all = BruteForce::search(count, &links, from, to).equal;
            expected.extend(all.into_iter().flatten());
        }
        prop_assert_eq!(crossed.into_links(), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn routes_are_the_best_of_all_paths((nodes, links) in any_graph()) {
        assert_all_pairs_agree(nodes, &links)?;
    }

    #[test]
    fn routes_of_hosts_are_the_best_of_all_paths((nodes, links) in graph_with_hosts()) {
        assert_all_pairs_agree(nodes, &links)?;
    }

    #[test]
    fn numbering_the_nodes_otherwise_changes_no_route(
        ((count, links), order) in graph_with_hosts().prop_flat_map(|(count, links)| {
            let order = Just((0..count as u32).map(NodeId).collect::<Vec<_>>()).prop_shuffle();
            (Just((count, links)), order)
        })
    ) {
        let renamed = |node: NodeId| order[node.index()];
        let other: Vec<Edge> = links
            .iter()
            .map(|link| Edge { from: renamed(link.from), to: renamed(link.to), ..*link })
            .collect();
        let mut routes = Routes::new(count, &links).unwrap();
        let mut others = Routes::new(count, &other).unwrap();
        for (from, to) in nodes(count).flat_map(|from| nodes(count).map(move |to| (from, to))) {
            prop_assert_eq!(routes.path(from, to), others.path(renamed(from), renamed(to)));
        }
    }

    #[test]
    fn the_rest_of_a_route_is_a_route((count, links) in any_graph()) {
        let mut routes = Routes::new(count, &links).unwrap();
        for (from, to) in nodes(count).flat_map(|from| nodes(count).map(move |to| (from, to))) {
            let Some(path) = routes.path(from, to) else { continue };
            for (done, link) in path.iter().enumerate() {
                let here = links[link.index()].from;
                prop_assert_eq!(routes.path(here, to), Some(path[done..].to_vec()));
            }
        }
    }
}

#[test]
fn cost_decides_before_links_and_links_before_ids() {
    // From 0 to 3: two links for 2, three links for 2, one link for 3.
    let graph = [
        edge(0, 1, 0),
        edge(1, 2, 1),
        edge(0, 3, 3),
        edge(0, 2, 1),
        edge(2, 3, 1),
    ];
    let mut routes = Routes::new(4, &graph).unwrap();
    assert_eq!(routes.path(NodeId(0), NodeId(3)), links(&[3, 4]));
}

#[test]
fn of_equal_paths_the_smallest_ids_win_from_the_front() {
    // A diamond: the first link decides, not the last.
    let graph = [edge(2, 3, 1), edge(0, 1, 1), edge(0, 2, 1), edge(1, 3, 1)];
    let mut routes = Routes::new(4, &graph).unwrap();
    assert_eq!(routes.path(NodeId(0), NodeId(3)), links(&[1, 3]));
}

#[test]
fn two_hosts_on_one_wire_reach_each_other() {
    let mut routes = Routes::new(3, &[edge(0, 1, 1), edge(1, 0, 1)]).unwrap();
    assert_eq!(routes.path(NodeId(0), NodeId(1)), links(&[0]));
    assert_eq!(routes.path(NodeId(1), NodeId(0)), links(&[1]));
    assert_eq!(routes.path(NodeId(1), NodeId(1)), links(&[]));
    assert_eq!(routes.path(NodeId(0), NodeId(2)), None);
    assert_eq!(routes.path(NodeId(2), NodeId(2)), links(&[]));
}

#[test]
fn circles_that_cost_nothing_are_left() {
    let graph = [edge(0, 0, 0), edge(0, 1, 0), edge(1, 0, 0), edge(1, 2, 0)];
    let mut routes = Routes::new(3, &graph).unwrap();
    assert_eq!(routes.path(NodeId(0), NodeId(2)), links(&[1, 3]));
}

#[test]
fn a_link_to_nowhere_is_refused_by_name() {
    let refusal = UnknownNode {
        link: LinkId(1),
        node: NodeId(2),
        nodes: 2,
    };
    let graph = [edge(0, 1, 1), edge(1, 2, 1)];
    assert_eq!(Routes::new(2, &graph).unwrap_err(), refusal);
    assert_eq!(Graph::new(2, &graph).unwrap_err(), refusal);
    assert_eq!(
        refusal.to_string(),
        "link 1 is attached to node 2, but there are only 2 nodes, counted from 0"
    );
}

/// Two routers and a wire between them, `hosts` on either side.
fn dumbbell(hosts: u32) -> Vec<Edge> {
    let mut graph = vec![edge(0, 1, 10), edge(1, 0, 10)];
    for host in 2..2 + 2 * hosts {
        graph.push(edge(host, host % 2, 1));
        graph.push(edge(host % 2, host, 1));
    }
    graph
}

#[test]
fn every_flow_of_a_dumbbell_crosses_its_wire() {
    let hosts = 1000;
    let mut routes = Routes::new(2 + 2 * hosts as usize, &dumbbell(hosts)).unwrap();
    for flow in 0..hosts {
        let (left, right) = (2 + 2 * flow, 3 + 2 * flow);
        let there = links(&[2 * left - 2, 0, 2 * right - 1]);
        let back = links(&[2 * right - 2, 1, 2 * left - 1]);
        assert_eq!(routes.path(NodeId(left), NodeId(right)), there);
        assert_eq!(routes.path(NodeId(right), NodeId(left)), back);
    }
}
