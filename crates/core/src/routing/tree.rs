//! Shortest paths from everywhere to one node: Dijkstra, then the tie rule.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pacesim_units::{LinkId, NodeId};

use super::graph::Graph;

/// How far a node is from the destination. The cost is wide enough for any
/// sum of 64-bit costs; links break its ties, and forbid circles that are free.
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

    /// With one more link ahead of it.
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
    /// By node: where its next arc is in the graph, or `NO_ARC`. Four bytes,
    /// because a tree is kept for every destination.
    next: Box<[u32]>,
}

const NO_ARC: u32 = u32::MAX;

impl Tree {
    /// The links from `from` to the destination, none if it is there already,
    /// or `None` if no path leads there. `graph` is the one that was searched.
    pub fn path(&self, graph: &Graph, from: NodeId) -> Option<Vec<LinkId>> {
        let mut path = Vec::new();
        self.walk(graph, from, &mut path)?;
        Some(path)
    }

    /// The same, appended to `path`.
    pub(super) fn walk(&self, graph: &Graph, from: NodeId, path: &mut Vec<LinkId>) -> Option<()> {
        let mut node = from;
        while node != self.to {
            let place = self.next[node.index()];
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

/// The shortest paths from all nodes to `to`, ties settled as the [module]
/// says: searched backwards, so that one search serves all sources and the
/// smallest next link at each node is the smallest sequence.
///
/// [module]: super
pub fn shortest_paths(graph: &Graph, to: NodeId) -> Tree {
    let distances = distances(graph, to);
    let nodes = (0..graph.nodes()).map(NodeId::from_index);
    let next = nodes
        .map(|node| next_arc(graph, &distances, node))
        .collect();
    Tree { to, next }
}

fn distances(graph: &Graph, to: NodeId) -> Vec<Distance> {
    let mut distances = vec![Distance::UNREACHABLE; graph.nodes()];
    distances[to.index()] = Distance::NONE;
    let mut frontier = BinaryHeap::from([Reverse((Distance::NONE, to))]);
    while let Some(Reverse((distance, node))) = frontier.pop() {
        if distance > distances[node.index()] {
            continue; // A shorter way was found after this one was noted.
        }
        for arc in graph.arriving.of(node) {
            let longer = distance.behind(arc.cost);
            let known = &mut distances[arc.other_end.index()];
            if longer < *known {
                *known = longer;
                frontier.push(Reverse((longer, arc.other_end)));
            }
        }
    }
    distances
}

/// The first of the node's links, in order of ids, that lies on a shortest path.
fn next_arc(graph: &Graph, distances: &[Distance], node: NodeId) -> u32 {
    let distance = distances[node.index()];
    if distance == Distance::NONE || distance == Distance::UNREACHABLE {
        return NO_ARC;
    }
    graph
        .leaving
        .places(node)
        .find(|&place| {
            let arc = graph.leaving.at(place);
            let rest = distances[arc.other_end.index()];
            rest != Distance::UNREACHABLE && rest.behind(arc.cost) == distance
        })
        .expect("a node that was reached has a link on its shortest path") as u32
}
