//! Division of pieces into parts of about equal work with little traffic between them.
//!
//! A part grows from one piece by the neighbour most of whose traffic it already has, until it has its
//! share of the work. Hosts so join their switch before the next switch does.

use std::collections::{BTreeMap, BinaryHeap};

use pacesim_units::NodeId;

use super::loads::Loads;
use crate::model::Model;

/// Pieces with their work and their traffic.
struct Pieces {
    work: Vec<f64>,
    /// Traffic with neighbours, and its sum.
    neighbours: Vec<BTreeMap<u32, f64>>,
    traffic: Vec<f64>,
}

/// The part of each node.
pub(super) fn divide(model: &Model, pieces: &[u32], loads: &Loads, parts: u32) -> Vec<u32> {
    let all = Pieces::of(model, pieces, loads);
    let mut part_of: Vec<Option<u32>> = vec![None; all.work.len()];
    let mut left: f64 = all.work.iter().sum();
    for part in 0..parts - 1 {
        let share = left / f64::from(parts - part);
        left -= all.grow(part, share, &mut part_of);
    }
    let last = parts - 1;
    let part = |piece: &u32| part_of[*piece as usize].unwrap_or(last);
    pieces.iter().map(part).collect()
}

impl Pieces {
    fn of(model: &Model, pieces: &[u32], loads: &Loads) -> Pieces {
        let count = pieces.iter().max().map_or(0, |last| *last as usize + 1);
        let mut all = Pieces {
            work: vec![0.0; count],
            neighbours: vec![BTreeMap::new(); count],
            traffic: vec![0.0; count],
        };
        for (piece, load) in pieces.iter().zip(&loads.of_nodes) {
            all.work[*piece as usize] += load;
        }
        let piece = |node: NodeId| pieces[node.index()];
        for (link, load) in model.links.iter().zip(&loads.of_links) {
            let ends = [piece(link.from), piece(link.to)];
            if ends[0] == ends[1] {
                continue;
            }
            for [one, other] in [ends, [ends[1], ends[0]]] {
                // Idle links join too, after all others.
                let load = load.max(1e-9);
                *all.neighbours[one as usize].entry(other).or_default() += load;
                all.traffic[one as usize] += load;
            }
        }
        all
    }

    /// Grows a part up to its share of the work; returns its work.
    fn grow(&self, part: u32, share: f64, part_of: &mut [Option<u32>]) -> f64 {
        let mut work = 0.0;
        let mut inside = vec![0.0_f64; self.work.len()];
        let mut next: BinaryHeap<(u64, u32)> = BinaryHeap::new();
        loop {
            let free = |piece: &u32| part_of[*piece as usize].is_none();
            let near = std::iter::from_fn(|| next.pop()).find(|(_, piece)| free(piece));
            let far = || (0..self.work.len() as u32).find(free);
            let Some(piece) = near.map(|(_, piece)| piece).or_else(far) else {
                return work;
            };
            let more = self.work[piece as usize];
            // The nearer to the share the better, but a part has at least one piece.
            if work > 0.0 && work + more - share > share - work {
                return work;
            }
            part_of[piece as usize] = Some(part);
            work += more;
            for (other, traffic) in &self.neighbours[piece as usize] {
                let place = *other as usize;
                inside[place] += traffic;
                let known = inside[place] / self.traffic[place];
                next.push(((known * 1e12) as u64, *other));
            }
            if work >= share {
                return work;
            }
        }
    }
}
