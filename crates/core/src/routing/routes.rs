//! Routes for many pairs: one search per destination's attachment, kept.
//!
//! Most nodes of a large model are hosts on a single wire. No path between others leads through
//! such a *leaf*, and its own paths are those of its gateway with one link more. Only the *core*,
//! the nodes other than leaves, is therefore searched, and all leaves of one gateway share its
//! tree. Core nodes without a path between them are on different *islands*: the memory kept for a
//! destination is proportional to its island.

use std::ops::Range;

use pacesim_units::{LinkId, NodeId};

use super::counts::Counts;
use super::graph::{Edge, Graph, UnknownNode, check, numbered};
use super::joined::Joined;
use super::stems::Stems;
use super::tree::{Tree, shortest_paths_within};

/// Finds the links from one node to another.
///
/// A search takes place when its tree is first needed; a query is then a walk. Memory is at most
/// four bytes per pair of core nodes of one island.
///
/// ```
/// use pacesim_core::routing::{Edge, Routes};
/// use pacesim_units::{LinkId, NodeId};
///
/// // A triangle whose direct side is the longer path.
/// let side = |from, to, cost| Edge { from: NodeId(from), to: NodeId(to), cost };
/// let mut routes = Routes::new(3, &[side(0, 2, 9), side(0, 1, 2), side(1, 2, 3)])?;
/// assert_eq!(routes.path(NodeId(0), NodeId(2)), Some(vec![LinkId(1), LinkId(2)]));
/// assert_eq!(routes.path(NodeId(2), NodeId(0)), None);
/// # Ok::<(), pacesim_core::routing::UnknownNode>(())
/// ```
#[derive(Clone, Debug)]
pub struct Routes {
    places: Vec<NodePlace>,
    core: Graph,
    islands: Islands,
    /// The paths that end at each core node.
    trees: Vec<Option<Tree>>,
    /// Their numbers from each node of its island, where they were asked for.
    counts: Vec<Option<Counts>>,
}

/// The ends of paths within the core, and the links of the leaves at either side.
pub(super) struct Span {
    pub(super) start: NodeId,
    pub(super) end: NodeId,
    pub(super) up: Option<LinkId>,
    pub(super) down: Option<LinkId>,
}

/// Place of a node. Core nodes are renumbered densely, island by island.
#[derive(Clone, Copy, Debug)]
enum NodePlace {
    Core(NodeId),
    Leaf {
        gateway: NodeId,
        up: Option<LinkId>,
        down: Option<LinkId>,
    },
}

/// Core nodes that links join, whatever their direction: no path leads to another island.
#[derive(Clone, Debug)]
struct Islands {
    /// Island of each core node.
    of: Vec<u32>,
    /// The first core node of each island, and the number of core nodes after the last.
    firsts: Vec<u32>,
}

impl Islands {
    fn nodes(&self, island: u32) -> Range<u32> {
        self.firsts[island as usize]..self.firsts[island as usize + 1]
    }
}

impl Routes {
    /// Prepares the graph of these links; a link's id is its place in the list.
    pub fn new(nodes: usize, links: &[Edge]) -> Result<Routes, UnknownNode> {
        check(nodes, links)?;
        let wires = Wires::of_nodes(nodes, links);
        let gateways = gateways(&wires);
        let (core_ids, islands) = core_nodes(&gateways, links);
        let places = places(&wires, &gateways, &core_ids);
        let core = Graph::of_links(islands.of.len(), core_links(&places, links));
        let trees = vec![None; islands.of.len()];
        let counts = vec![None; islands.of.len()];
        Ok(Routes {
            places,
            core,
            islands,
            trees,
            counts,
        })
    }

    /// The links from `from` to `to` in order; none if they are the same node, `None` if no path
    /// leads there. Panics if a node does not exist.
    pub fn path(&mut self, from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
        self.path_by(from, to, |_| 0)
    }

    /// The same where a choice is made at each node with several next links on paths of the same
    /// cost and number of links: `choose` gets these links in the order of their ids, and returns
    /// the place of the one to take. Any choice leads to the destination, without a circle.
    pub fn path_by(
        &mut self,
        from: NodeId,
        to: NodeId,
        mut choose: impl FnMut(&[LinkId]) -> usize,
    ) -> Option<Vec<LinkId>> {
        let mut path = Vec::new();
        if from == to {
            return Some(path);
        }
        let start = match self.places[from.index()] {
            NodePlace::Core(node) => node,
            NodePlace::Leaf { gateway, up, .. } => {
                path.push(up?);
                gateway
            }
        };
        let (end, last) = match self.places[to.index()] {
            NodePlace::Core(node) => (node, None),
            NodePlace::Leaf { gateway, down, .. } => (gateway, Some(down?)),
        };
        let island = self.islands.of[end.index()];
        if self.islands.of[start.index()] != island {
            return None;
        }
        let (core, nodes) = (&self.core, self.islands.nodes(island));
        let search = || shortest_paths_within(core, nodes, end);
        let tree = self.trees[end.index()].get_or_insert_with(search);
        tree.walk_by(core, start, &mut choose, &mut path)?;
        path.extend(last);
        Some(path)
    }

    /// The number of [paths](Routes::paths), without a walk along each; at most 2^32 - 2.
    pub fn count_paths(&mut self, from: NodeId, to: NodeId) -> usize {
        match self.span(from, to) {
            _ if from == to => 1,
            None => 0,
            Some(span) => self.searched(&span).1.from(span.start) as usize,
        }
    }

    /// The place of a path among all [paths](Routes::paths); none if it is not among them.
    pub fn place_of(&mut self, from: NodeId, to: NodeId, path: &[LinkId]) -> Option<usize> {
        if from == to {
            return path.is_empty().then_some(0);
        }
        let span = self.span(from, to)?;
        let path = match span.up {
            None => path,
            Some(up) => path.strip_prefix(&[up])?,
        };
        let path = match span.down {
            None => path,
            Some(down) => path.strip_suffix(&[down])?,
        };
        let (tree, counts, core) = self.searched(&span);
        tree.place_of(core, counts, span.start, path)
    }

    /// The part of the paths from one node to another that lies in the core; none if no path leads
    /// there.
    pub(super) fn span(&self, from: NodeId, to: NodeId) -> Option<Span> {
        let (start, up) = match self.places[from.index()] {
            NodePlace::Core(node) => (node, None),
            NodePlace::Leaf { gateway, up, .. } => (gateway, Some(up?)),
        };
        let (end, down) = match self.places[to.index()] {
            NodePlace::Core(node) => (node, None),
            NodePlace::Leaf { gateway, down, .. } => (gateway, Some(down?)),
        };
        let is_joined = self.islands.of[start.index()] == self.islands.of[end.index()];
        is_joined.then_some(Span {
            start,
            end,
            up,
            down,
        })
    }

    /// The tree that ends where a span does, and its numbers of paths.
    pub(super) fn searched(&mut self, span: &Span) -> (&Tree, &Counts, &Graph) {
        let (core, end) = (&self.core, span.end.index());
        let nodes = self.islands.nodes(self.islands.of[end]);
        let search = || shortest_paths_within(core, nodes, span.end);
        let tree = &*self.trees[end].get_or_insert_with(search);
        let counts = self.counts[end].get_or_insert_with(|| Counts::of(tree, core));
        (tree, counts, core)
    }

    /// All paths of the same cost and number of links as [`path`](Routes::path), in the order of
    /// their links.
    pub fn paths(&mut self, from: NodeId, to: NodeId) -> impl Iterator<Item = Vec<LinkId>> + '_ {
        // The choices on the path before: the place taken at each node, and the number of places.
        let mut choices: Vec<(usize, usize)> = Vec::new();
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let mut depth = 0;
            let path = self.path_by(from, to, |next| {
                if depth == choices.len() {
                    choices.push((0, next.len()));
                }
                depth += 1;
                choices[depth - 1].0
            });
            while choices.pop_if(|(place, of)| *place + 1 == *of).is_some() {}
            match choices.last_mut() {
                Some((place, _)) => *place += 1,
                None => is_over = true,
            }
            path
        })
    }

    /// The links of each of the first `most` [paths](Routes::paths) up to the last choice: to the
    /// node, behind the first link at least, from which there is one path only.
    pub fn stems(&mut self, from: NodeId, to: NodeId, most: usize) -> Stems {
        let mut stems = Stems::default();
        let Some(span) = self.span(from, to).filter(|_| from != to) else {
            return stems;
        };
        let (tree, counts, core) = self.searched(&span);
        match (span.up, span.down) {
            // From the gateway itself the path is its link.
            (None, Some(down)) if span.start == span.end => stems.add(&[down]),
            _ if counts.from(span.start) == 0 => {}
            (up, _) => {
                let links = up.into_iter().collect();
                stems.add_all((tree, counts, core), span.start, links, most);
            }
        }
        stems
    }

    /// The core node that a node is or is attached to, in the numbering of core nodes. The paths
    /// from nodes of one attachment, and to them, differ in the access link alone.
    pub fn attachment(&self, node: NodeId) -> NodeId {
        match self.places[node.index()] {
            NodePlace::Core(core) | NodePlace::Leaf { gateway: core, .. } => core,
        }
    }
}

/// Summary of a node's links after one pass over them.
#[derive(Clone, Copy, Default)]
struct Wires {
    neighbour: Option<NodeId>,
    up: Option<LinkId>,
    down: Option<LinkId>,
    /// More than one neighbour, or two links in the same direction.
    several: bool,
}

impl Wires {
    fn of_nodes(nodes: usize, links: &[Edge]) -> Vec<Wires> {
        let mut wires = vec![Wires::default(); nodes];
        for (link, edge) in numbered(links) {
            let from = &mut wires[edge.from.index()];
            from.several |= from.up.replace(link).is_some();
            from.meet(edge.to);
            let to = &mut wires[edge.to.index()];
            to.several |= to.down.replace(link).is_some();
            to.meet(edge.from);
        }
        wires
    }

    fn meet(&mut self, node: NodeId) {
        self.several |= self.neighbour.replace(node).is_some_and(|old| old != node);
    }

    /// The neighbour of a node with a single wire.
    fn only_neighbour(&self) -> Option<NodeId> {
        self.neighbour.filter(|_| !self.several)
    }
}

/// Each leaf's gateway; none for core nodes. Two nodes that have only each other, or one that has
/// only itself, are core nodes.
fn gateways(wires: &[Wires]) -> Vec<Option<NodeId>> {
    let one_wire = |node: NodeId| wires[node.index()].only_neighbour();
    let gateway_of = |wires: &Wires| {
        wires
            .only_neighbour()
            .filter(|&gateway| one_wire(gateway).is_none())
    };
    wires.iter().map(gateway_of).collect()
}

/// The number of every core node, and the islands of core nodes.
fn core_nodes(gateways: &[Option<NodeId>], links: &[Edge]) -> (Vec<Option<NodeId>>, Islands) {
    let mut joined = Joined::alone(gateways.len());
    for edge in links {
        joined.join(edge.from, edge.to);
    }
    let is_core = |node: &NodeId| gateways[node.index()].is_none();
    let nodes = (0..gateways.len()).map(NodeId::from_index).filter(is_core);
    // In ascending order within an island, since the sort is stable.
    let mut core: Vec<(NodeId, NodeId)> = nodes
        .map(|node| (joined.representative(node), node))
        .collect();
    core.sort_by_key(|(representative, _)| *representative);
    let mut ids = vec![None; gateways.len()];
    let mut islands = Islands {
        of: Vec::with_capacity(core.len()),
        firsts: Vec::new(),
    };
    for (id, (representative, node)) in core.iter().enumerate() {
        if id == 0 || core[id - 1].0 != *representative {
            islands.firsts.push(id as u32);
        }
        islands.of.push(islands.firsts.len() as u32 - 1);
        ids[node.index()] = Some(NodeId::from_index(id));
    }
    islands.firsts.push(core.len() as u32);
    (ids, islands)
}

fn places(wires: &[Wires], gateways: &[Option<NodeId>], core: &[Option<NodeId>]) -> Vec<NodePlace> {
    let core = |node: usize| core[node].expect("a gateway is in the core");
    let place = |(node, gateway): (usize, &Option<NodeId>)| match gateway {
        None => NodePlace::Core(core(node)),
        Some(gateway) => NodePlace::Leaf {
            gateway: core(gateway.index()),
            up: wires[node].up,
            down: wires[node].down,
        },
    };
    gateways.iter().enumerate().map(place).collect()
}

/// The links between core nodes, under their new numbers.
fn core_links<'a>(
    places: &'a [NodePlace],
    links: &'a [Edge],
) -> impl Iterator<Item = (LinkId, Edge)> + 'a {
    numbered(links).filter_map(|(link, edge)| {
        let ends = (places[edge.from.index()], places[edge.to.index()]);
        let (NodePlace::Core(from), NodePlace::Core(to)) = ends else {
            return None;
        };
        Some((link, Edge { from, to, ..edge }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four bytes per pair of nodes would be three gigabytes for 20 000 unrelated pairs.
    #[test]
    fn what_is_kept_for_a_destination_is_as_large_as_its_island() {
        const PAIRS: u32 = 1000;
        let (left, right) = (NodeId, |i| NodeId(PAIRS + i));
        let wire = |i| Edge {
            from: left(i),
            to: right(i),
            cost: 1,
        };
        // Every second pair is joined, in one direction only.
        let links: Vec<Edge> = (0..PAIRS).step_by(2).map(wire).collect();
        let mut routes = Routes::new(2 * PAIRS as usize, &links).expect("good links");
        for i in 0..PAIRS {
            let path = routes.path(left(i), right(i));
            assert_eq!(path, (i % 2 == 0).then(|| vec![LinkId(i / 2)]));
            assert_eq!(routes.path(right(i), left(i)), None);
            assert_eq!(routes.path(left(i), right((i + 2) % PAIRS)), None);
        }
        let kept: usize = routes.trees.iter().flatten().map(Tree::nodes).sum();
        assert!(kept <= 4 * PAIRS as usize, "{kept}");
    }
}
