//! Routes for many pairs: one search per destination's attachment, kept.
//!
//! Most nodes of a large model are hosts on a single wire. No path between
//! others leads through such a *leaf*, and its own paths are those of its
//! gateway with one link more. So only the *core*, what remains without the
//! leaves, is searched, and all leaves of one gateway share its tree.

use pacesim_units::{LinkId, NodeId};

use super::graph::{Edge, Graph, UnknownNode, check, numbered};
use super::tree::{Tree, shortest_paths};

/// Answers which links lead from one node to another.
///
/// A search takes place when its tree is first needed: a query is then a walk.
/// What is kept is at most four bytes per pair of core nodes.
///
/// ```
/// use pacesim_core::routing::{Edge, Routes};
/// use pacesim_units::{LinkId, NodeId};
///
/// // A triangle whose direct side is the long way round.
/// let side = |from, to, cost| Edge { from: NodeId(from), to: NodeId(to), cost };
/// let mut routes = Routes::new(3, &[side(0, 2, 9), side(0, 1, 2), side(1, 2, 3)])?;
/// assert_eq!(routes.path(NodeId(0), NodeId(2)), Some(vec![LinkId(1), LinkId(2)]));
/// assert_eq!(routes.path(NodeId(2), NodeId(0)), None);
/// # Ok::<(), pacesim_core::routing::UnknownNode>(())
/// ```
#[derive(Clone, Debug)]
pub struct Routes {
    places: Vec<Place>,
    core: Graph,
    /// By core node, the paths that end there.
    trees: Vec<Option<Tree>>,
}

/// Where a node is. Core nodes are numbered anew, densely.
#[derive(Clone, Copy, Debug)]
enum Place {
    Core(NodeId),
    Leaf {
        gateway: NodeId,
        up: Option<LinkId>,
        down: Option<LinkId>,
    },
}

impl Routes {
    /// Prepares the graph of these links; a link's id is its place in the list.
    pub fn new(nodes: usize, links: &[Edge]) -> Result<Routes, UnknownNode> {
        check(nodes, links)?;
        let wires = Wires::of_nodes(nodes, links);
        let (places, core_nodes) = places(&wires);
        let core = Graph::of_links(core_nodes, core_links(&places, links));
        let trees = vec![None; core_nodes];
        Ok(Routes {
            places,
            core,
            trees,
        })
    }

    /// The links from `from` to `to` in order; none if they are the same node,
    /// `None` if no path leads there. Panics if a node does not exist.
    pub fn path(&mut self, from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
        let mut path = Vec::new();
        if from == to {
            return Some(path);
        }
        let start = match self.places[from.index()] {
            Place::Core(node) => node,
            Place::Leaf { gateway, up, .. } => {
                path.push(up?);
                gateway
            }
        };
        let (end, last) = match self.places[to.index()] {
            Place::Core(node) => (node, None),
            Place::Leaf { gateway, down, .. } => (gateway, Some(down?)),
        };
        let core = &self.core;
        let tree = self.trees[end.index()].get_or_insert_with(|| shortest_paths(core, end));
        tree.walk(core, start, &mut path)?;
        path.extend(last);
        Some(path)
    }

    /// The core node that a node is or hangs on, in a numbering of their own. The paths
    /// from nodes of one attachment, and to them, differ in that one link alone.
    pub fn attachment(&self, node: NodeId) -> NodeId {
        match self.places[node.index()] {
            Place::Core(core) | Place::Leaf { gateway: core, .. } => core,
        }
    }
}

/// What is known of a node's links after looking at each once.
#[derive(Clone, Copy, Default)]
struct Wires {
    neighbour: Option<NodeId>,
    up: Option<LinkId>,
    down: Option<LinkId>,
    /// More than one neighbour, or two links the same way.
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

    /// The node at the other end, if there is a single wire.
    fn only_neighbour(&self) -> Option<NodeId> {
        self.neighbour.filter(|_| !self.several)
    }
}

/// Every node's place, and how many are in the core. Two nodes that have only
/// each other, or one that has only itself, are gateways to nothing: core.
fn places(wires: &[Wires]) -> (Vec<Place>, usize) {
    let one_wire = |node: NodeId| wires[node.index()].only_neighbour();
    let gateway_of = |node| one_wire(node).filter(|&gateway| one_wire(gateway).is_none());
    let nodes = (0..wires.len()).map(NodeId::from_index);

    let mut core_nodes = 0;
    let mut core_id = vec![None; wires.len()];
    for node in nodes.clone().filter(|&node| gateway_of(node).is_none()) {
        core_id[node.index()] = Some(NodeId::from_index(core_nodes));
        core_nodes += 1;
    }
    let place = |node: NodeId| match gateway_of(node) {
        None => Place::Core(core_id[node.index()].expect("numbered above")),
        Some(gateway) => Place::Leaf {
            gateway: core_id[gateway.index()].expect("a gateway is in the core"),
            up: wires[node.index()].up,
            down: wires[node.index()].down,
        },
    };
    (nodes.map(place).collect(), core_nodes)
}

/// The links between core nodes, under their new numbers.
fn core_links<'a>(
    places: &'a [Place],
    links: &'a [Edge],
) -> impl Iterator<Item = (LinkId, Edge)> + 'a {
    numbered(links).filter_map(|(link, edge)| {
        let ends = (places[edge.from.index()], places[edge.to.index()]);
        let (Place::Core(from), Place::Core(to)) = ends else {
            return None;
        };
        Some((link, Edge { from, to, ..edge }))
    })
}
