//! Shortest paths from everywhere to one node: Dijkstra, then the tie rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use pacesim_units::{LinkId, NodeId};

use super::graph::Graph;

/// Distance of a node from the destination. The cost is wide enough for any sum of 64-bit costs;
/// the number of links breaks its ties, and rules out cycles of cost zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Distance {
    cost: u128,
    links: u32,
}

impl Distance {
    const NONE: Distance = Distance { cost: 0, links: 0 };
    const UNREACHABLE: Distance = Distance {
        cost: u128::MAX,
        links: u32::MAX,
    };

    /// The distance of a node that is one link farther away.
    fn behind(self, cost: u64) -> Distance {
        Distance {
            cost: self.cost + u128::from(cost),
            links: self.links + 1,
        }
    }
}

/// The chosen path from every node to one destination.
#[derive(Clone, Debug)]
pub struct Tree {
    to: NodeId,
    /// The first of the searched nodes, which are numbered consecutively.
    first: u32,
    /// For each node from `first` on: the place of its next arc in the graph, or `NO_ARC`. Four
    /// bytes, because a tree is kept for every destination.
    next: Box<[u32]>,
    /// Further arcs on paths of the same distance, each with its node: ascending, and few in most
    /// networks.
    ties: Box<[(u32, u32)]>,
}

const NO_ARC: u32 = u32::MAX;

impl Tree {
    /// The links from `from` to the destination, none if it is there already, or `None` if no path
    /// leads there. `graph` is the one that was searched.
    pub fn path(&self, graph: &Graph, from: NodeId) -> Option<Vec<LinkId>> {
        let mut path = Vec::new();
        self.walk_by(graph, from, &mut |_| 0, &mut path)?;
        Some(path)
    }

    /// Appends the links from `from` to the destination to `path`. If a node has several next
    /// links on paths of the same cost and number of links, `choose` gets them in the order of their
    /// ids and returns the place of one.
    pub(super) fn walk_by(
        &self,
        graph: &Graph,
        from: NodeId,
        choose: &mut impl FnMut(&[LinkId]) -> usize,
        path: &mut Vec<LinkId>,
    ) -> Option<()> {
        let arc = |place: u32| graph.leaving.at(place as usize);
        let mut node = from;
        while node != self.to {
            let mut place = self.next[(node.0 - self.first) as usize];
            if place == NO_ARC {
                return None;
            }
            let ties = self.ties_of(node);
            if !ties.is_empty() {
                let others = ties.iter().map(|(_, place)| *place);
                let places: Vec<u32> = [place].into_iter().chain(others).collect();
                let links: Vec<LinkId> = places.iter().map(|&place| arc(place).link).collect();
                place = places[choose(&links)];
            }
            path.push(arc(place).link);
            node = arc(place).other_end;
        }
        Some(())
    }

    /// The next arcs of a node on paths of the least distance, in the order of their links: places in
    /// the graph.
    pub(super) fn arcs_of(&self, node: NodeId) -> impl Iterator<Item = usize> {
        let first = self.next[(node.0 - self.first) as usize];
        let first = Some(first).filter(|place| *place != NO_ARC);
        let others = self.ties_of(node).iter().map(|(_, place)| *place);
        first.into_iter().chain(others).map(|place| place as usize)
    }

    /// The searched nodes.
    pub(super) fn searched(&self) -> Range<u32> {
        self.first..self.first + self.next.len() as u32
    }

    /// The node to which its paths lead.
    pub(super) fn end(&self) -> NodeId {
        self.to
    }

    /// A node's next arcs besides the first.
    fn ties_of(&self, node: NodeId) -> &[(u32, u32)] {
        let from = self.ties.partition_point(|(of, _)| *of < node.0);
        let until = self.ties.partition_point(|(of, _)| *of <= node.0);
        &self.ties[from..until]
    }

    /// Number of nodes with a path.
    #[cfg(test)]
    pub(super) fn nodes(&self) -> usize {
        self.next.len()
    }
}

/// The shortest paths from all nodes to `to`, ties settled by the rule of the [module]: searched
/// backwards, so that one search serves all sources and the smallest next link at each node gives
/// the smallest sequence.
///
/// [module]: super
pub fn shortest_paths(graph: &Graph, to: NodeId) -> Tree {
    shortest_paths_within(graph, 0..graph.nodes() as u32, to)
}

/// The shortest paths from these nodes only, to which no other nodes are joined.
pub(super) fn shortest_paths_within(graph: &Graph, nodes: Range<u32>, to: NodeId) -> Tree {
    let distances = Distances::of(graph, &nodes, to);
    let mut next = Vec::with_capacity(nodes.len());
    let mut ties = Vec::new();
    for node in nodes.clone() {
        let mut arcs = distances.next_arcs(graph, NodeId(node));
        next.push(arcs.next().unwrap_or(NO_ARC));
        ties.extend(arcs.map(|place| (node, place)));
    }
    Tree {
        to,
        first: nodes.start,
        next: next.into(),
        ties: ties.into(),
    }
}

/// Distances of consecutive nodes from the destination.
struct Distances {
    first: u32,
    distances: Vec<Distance>,
}

impl Distances {
    fn of(graph: &Graph, nodes: &Range<u32>, to: NodeId) -> Distances {
        let mut all = Distances {
            first: nodes.start,
            distances: vec![Distance::UNREACHABLE; nodes.len()],
        };
        *all.at(to) = Distance::NONE;
        let mut frontier = BinaryHeap::from([Reverse((Distance::NONE, to))]);
        while let Some(Reverse((distance, node))) = frontier.pop() {
            if distance > *all.at(node) {
                continue; // A shorter path was found after this one was noted.
            }
            for arc in graph.arriving.of(node) {
                let longer = distance.behind(arc.cost);
                let known = all.at(arc.other_end);
                if longer < *known {
                    *known = longer;
                    frontier.push(Reverse((longer, arc.other_end)));
                }
            }
        }
        all
    }

    fn at(&mut self, node: NodeId) -> &mut Distance {
        &mut self.distances[(node.0 - self.first) as usize]
    }

    fn from(&self, node: NodeId) -> Distance {
        self.distances[(node.0 - self.first) as usize]
    }

    /// The node's links on shortest paths, in order of ids; none at the destination and where no
    /// path leads there.
    fn next_arcs(&self, graph: &Graph, node: NodeId) -> impl Iterator<Item = u32> {
        let distance = self.from(node);
        let has_path = distance != Distance::NONE && distance != Distance::UNREACHABLE;
        let is_next = move |&place: &usize| {
            let arc = graph.leaving.at(place);
            let rest = self.from(arc.other_end);
            has_path && rest != Distance::UNREACHABLE && rest.behind(arc.cost) == distance
        };
        let places = graph.leaving.places(node).filter(is_next);
        places.map(|place| place as u32)
    }
}
