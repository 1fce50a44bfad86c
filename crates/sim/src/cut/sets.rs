//! Sets of nodes that the model wants in parts of their own.

use pacesim_units::{NodeId, Span};

use super::Uncut;
use super::bonds::Bonds;
use crate::model::Model;

/// The set of each node that has one.
pub(super) struct Sets {
    of_nodes: Vec<(NodeId, u32)>,
    count: u32,
}

impl Sets {
    /// The sets of a model; an error if there are more than parts, or if two of them belong together.
    pub(super) fn of(model: &Model, bonds: &Bonds, most: u32) -> Result<Sets, Uncut> {
        let count = model.division.sets.len() as u32;
        if count > most {
            return Err(Uncut::because(format!(
                "{most} threads are too few for {count} sets of nodes"
            )));
        }
        let number = |(set, nodes): (u32, &Vec<NodeId>)| {
            let nodes = nodes.iter().map(move |node| (*node, set));
            nodes.collect::<Vec<_>>()
        };
        let all = (0..).zip(&model.division.sets);
        let sets = Sets {
            of_nodes: all.flat_map(number).collect(),
            count,
        };
        let pieces = bonds.joined_below(model, Span::ZERO);
        match sets.first_conflict(&pieces) {
            None => Ok(sets),
            Some(nodes) => Err(refusal(model, bonds, nodes)),
        }
    }

    /// The set of each piece that has one; `None` if nodes of two sets are in one piece.
    pub(super) fn of_pieces(&self, pieces: &[u32]) -> Option<Vec<Option<u32>>> {
        let count = pieces.iter().max().map_or(0, |last| *last as usize + 1);
        let mut placed = vec![None; count];
        let fits = self.of_nodes.iter().all(|(node, set)| {
            let place: &mut Option<u32> = &mut placed[pieces[node.index()] as usize];
            *place.get_or_insert(*set) == *set
        });
        fits.then_some(placed)
    }

    /// The least number of parts.
    pub(super) fn least(&self) -> u32 {
        self.count.max(2)
    }

    /// True if the model itself says where to cut.
    pub(super) fn are_several(&self) -> bool {
        self.count > 1
    }

    /// Two nodes of different sets in one piece.
    fn first_conflict(&self, pieces: &[u32]) -> Option<[NodeId; 2]> {
        let piece = |node: &NodeId| pieces[node.index()];
        let mut sorted: Vec<_> = self.of_nodes.iter().collect();
        sorted.sort_by_key(|(node, _)| (piece(node), *node));
        let conflict = |pair: &[&(NodeId, u32)]| {
            let [(a, set), (b, other)] = [*pair[0], *pair[1]];
            (piece(&a) == piece(&b) && set != other).then_some([a, b])
        };
        sorted.windows(2).find_map(conflict)
    }
}

fn refusal(model: &Model, bonds: &Bonds, [a, b]: [NodeId; 2]) -> Uncut {
    let [first, second] = [a, b].map(|node| model.nodes[node.index()].name.to_string());
    Uncut::because(format!(
        "{first} and {second} are in two sets of nodes, and must be in one part: {}",
        bonds.why(model, a)
    ))
}
