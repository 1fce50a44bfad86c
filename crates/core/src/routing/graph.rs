//! A directed graph, laid out for searches.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use pacesim_units::{LinkId, NodeId};

/// A unidirectional link, as data. Its id is its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Node at which the link starts.
    pub from: NodeId,
    /// Node at which the link ends.
    pub to: NodeId,
    /// Cost that the link adds to a path.
    pub cost: u64,
}

/// A link that names a node that does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownNode {
    /// Link that names the node.
    pub link: LinkId,
    /// Node that does not exist.
    pub node: NodeId,
    /// Number of nodes that exist.
    pub nodes: usize,
}

impl fmt::Display for UnknownNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownNode { link, node, nodes } = self;
        let (link, node) = (link.0, node.0);
        write!(
            f,
            "link {link} is attached to node {node}, but there are only {nodes} nodes, counted from 0"
        )
    }
}

impl Error for UnknownNode {}

/// Rejects links between nodes that do not exist.
pub(super) fn check(nodes: usize, links: &[Edge]) -> Result<(), UnknownNode> {
    for (index, edge) in links.iter().enumerate() {
        for node in [edge.from, edge.to] {
            if node.index() >= nodes {
                let link = LinkId::from_index(index);
                return Err(UnknownNode { link, node, nodes });
            }
        }
    }
    Ok(())
}

/// A link as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) link: LinkId,
    pub(super) other_end: NodeId,
    pub(super) cost: u64,
}

/// The arcs of every node, side by side, in order of link ids.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    /// Node n's arcs start at `first[n]` and end where the next node's start.
    first: Vec<u32>,
    arcs: Vec<Arc>,
}

impl Arcs {
    /// Builds arcs in order of link ids, which a stable sort by node keeps.
    fn new(nodes: usize, ends: &[(NodeId, Arc)]) -> Arcs {
        let mut sorted: Vec<&(NodeId, Arc)> = ends.iter().collect();
        sorted.sort_by_key(|(node, _)| *node);
        let first = (0..=nodes)
            .map(|n| sorted.partition_point(|(node, _)| node.index() < n) as u32)
            .collect();
        let arcs = sorted.into_iter().map(|(_, arc)| *arc).collect();
        Arcs { first, arcs }
    }

    /// Range of the arcs of `node`.
    pub(super) fn places(&self, node: NodeId) -> Range<usize> {
        let n = node.index();
        self.first[n] as usize..self.first[n + 1] as usize
    }

    pub(super) fn of(&self, node: NodeId) -> &[Arc] {
        &self.arcs[self.places(node)]
    }

    pub(super) fn at(&self, place: usize) -> &Arc {
        &self.arcs[place]
    }
}

/// Nodes `0..nodes` and the links between them.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: usize,
    pub(super) leaving: Arcs,
    pub(super) arriving: Arcs,
}

impl Graph {
    /// The graph of these links; a link's id is its place in the list. Parallel links are fine; a
    /// link from a node to itself is never on a path.
    pub fn new(nodes: usize, links: &[Edge]) -> Result<Graph, UnknownNode> {
        check(nodes, links)?;
        Ok(Graph::of_links(nodes, numbered(links)))
    }

    /// A graph of links in the order of their own ids, between existing nodes.
    pub(super) fn of_links(nodes: usize, links: impl Iterator<Item = (LinkId, Edge)>) -> Graph {
        let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
        for (link, Edge { from, to, cost }) in links {
            let arc = |other_end| Arc {
                link,
                other_end,
                cost,
            };
            leaving.push((from, arc(to)));
            arriving.push((to, arc(from)));
        }
        Graph {
            nodes,
            leaving: Arcs::new(nodes, &leaving),
            arriving: Arcs::new(nodes, &arriving),
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }
}

/// Each link with its id.
pub(super) fn numbered(links: &[Edge]) -> impl Iterator<Item = (LinkId, Edge)> + '_ {
    links
        .iter()
        .enumerate()
        .map(|(index, edge)| (LinkId::from_index(index), *edge))
}
