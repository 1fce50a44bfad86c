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

    /// This distance with one more link in front.
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
}

const NO_ARC: u32 = u32::MAX;

impl Tree {
    /// The links from `from` to the destination, none if it is there already, or `None` if no path
    /// leads there. `graph` is the one that was searched.
    pub fn path(&self, graph: &Graph, from: NodeId) -> Option<Vec<LinkId>> {
        let mut path = Vec::new();
        self.walk(graph, from, &mut path)?;
        Some(path)
    }

    /// Number of nodes with a path.
    #[cfg(test)]
    pub(super) fn nodes(&self) -> usize {
        self.next.len()
    }

    /// The links of [`path`](Self::path), appended to `path`.
    pub(super) fn walk(&self, graph: &Graph, from: NodeId, path: &mut Vec<LinkId>) -> Option<()> {
        let mut node = from;
        while node != self.to {
            let place = self.next[(node.0 - self.first) as usize];
            if place == NO_ARC {
                return None;
            }
            let arc = graph.leaving.at(place as usize);
            path.push(arc.link);
            node = arc.other_end;
        }
        Some(())
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

/// The same from these nodes only, to which no other nodes are joined.
pub(super) fn shortest_paths_within(graph: &Graph, nodes: Range<u32>, to: NodeId) -> Tree {
    let distances = Distances::of(graph, &nodes, to);
    let next = nodes
        .clone()
        .map(|node| distances.next_arc(graph, NodeId(node)));
    Tree {
        to,
        first: nodes.start,
        next: next.collect(),
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

    /// The first of the node's links, in order of ids, that lies on a shortest path.
    fn next_arc(&self, graph: &Graph, node: NodeId) -> u32 {
        let distance = self.from(node);
        if distance == Distance::NONE || distance == Distance::UNREACHABLE {
            return NO_ARC;
        }
        graph
            .leaving
            .places(node)
            .find(|&place| {
                let arc = graph.leaving.at(place);
                let rest = self.from(arc.other_end);
                rest != Distance::UNREACHABLE && rest.behind(arc.cost) == distance
            })
            .expect("a node that was reached has a link on its shortest path") as u32
    }
}
