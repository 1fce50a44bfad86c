//! The parts of paths on which there is a choice.

use pacesim_units::{LinkId, NodeId};

use super::counts::Counts;
use super::graph::Graph;
use super::tree::Tree;

/// The links of all paths from one node to another up to the last choice.
#[derive(Clone, Debug, Default)]
pub struct Stems {
    links: Vec<LinkId>,
    /// The end of each stem among the links.
    ends: Vec<usize>,
}

impl Stems {
    /// The stem of each path, in the order of their links.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[LinkId]> {
        let stem = |place: usize| {
            let before = place.checked_sub(1);
            &self.links[before.map_or(0, |before| self.ends[before])..self.ends[place]]
        };
        (0..self.ends.len()).map(stem)
    }

    pub(super) fn add(&mut self, stem: &[LinkId]) {
        self.links.extend(stem);
        self.ends.push(self.links.len());
    }

    /// Adds the stems of the first `most` paths from a node of a tree, each behind these links.
    pub(super) fn add_all(
        &mut self,
        (tree, counts, graph): (&Tree, &Counts, &Graph),
        from: NodeId,
        mut links: Vec<LinkId>,
        most: usize,
    ) {
        if !links.is_empty() && counts.from(from) == 1 {
            return self.add(&links);
        }
        let mut open = vec![tree.arcs_of(from)];
        while let Some(arcs) = open.last_mut()
            && self.ends.len() < most
        {
            let Some(arc) = arcs.next() else {
                open.pop();
                links.pop();
                continue;
            };
            let arc = graph.leaving.at(arc);
            links.push(arc.link);
            if counts.from(arc.other_end) == 1 {
                self.add(&links);
                links.pop();
            } else {
                open.push(tree.arcs_of(arc.other_end));
            }
        }
    }
}
