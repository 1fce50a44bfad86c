//! Numbers of paths of the least distance, without a walk along each.

use pacesim_units::{LinkId, NodeId};

use super::graph::Graph;
use super::tree::Tree;

/// The number of paths from each searched node of a tree, as far as numbers go.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    first: u32,
    of: Box<[u32]>,
}

/// In place of a number that is not known yet; no number is as large.
const OPEN: u32 = u32::MAX;

impl Counts {
    pub(super) fn of(tree: &Tree, graph: &Graph) -> Counts {
        let nodes = tree.searched();
        let mut counts = Counts {
            first: nodes.start,
            of: vec![OPEN; nodes.len()].into(),
        };
        *counts.at(tree.end()) = 1;
        // Nodes whose numbers are wanted, each above those that wait for it.
        let mut wanted: Vec<NodeId> = nodes.map(NodeId).collect();
        while let Some(&node) = wanted.last() {
            if *counts.at(node) != OPEN {
                wanted.pop();
                continue;
            }
            let (before, mut sum) = (wanted.len(), 0u32);
            for arc in tree.arcs_of(node) {
                let end = graph.leaving.at(arc).other_end;
                match *counts.at(end) {
                    OPEN => wanted.push(end),
                    count => sum = sum.saturating_add(count).min(OPEN - 1),
                }
            }
            if wanted.len() == before {
                *counts.at(node) = sum;
                wanted.pop();
            }
        }
        counts
    }

    fn at(&mut self, node: NodeId) -> &mut u32 {
        &mut self.of[(node.0 - self.first) as usize]
    }

    /// The number of paths from a node.
    pub(super) fn from(&self, node: NodeId) -> u32 {
        self.of[(node.0 - self.first) as usize]
    }
}

impl Tree {
    /// The place of a path from a node among all of the least distance, in the order of their links;
    /// none if it is not among them.
    pub(super) fn place_of(
        &self,
        graph: &Graph,
        counts: &Counts,
        from: NodeId,
        path: &[LinkId],
    ) -> Option<usize> {
        let (mut node, mut place) = (from, 0);
        for link in path {
            let mut arcs = self.arcs_of(node).map(|arc| graph.leaving.at(arc));
            let mut passed = 0;
            let taken = arcs.find(|arc| {
                let is_taken = arc.link == *link;
                if !is_taken {
                    passed += counts.from(arc.other_end) as usize;
                }
                is_taken
            })?;
            (node, place) = (taken.other_end, place + passed);
        }
        (node == self.end()).then_some(place)
    }
}
