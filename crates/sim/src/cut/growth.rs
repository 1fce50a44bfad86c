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

/// The part of each node. Some pieces are placed beforehand; piece 0 is in the first part.
pub(super) fn divide(
    model: &Model,
    (pieces, placed): (&[u32], &[Option<u32>]),
    loads: &Loads,
    parts: u32,
) -> Vec<u32> {
    let all = Pieces::of(model, pieces, loads);
    let mut part_of = placed.to_vec();
    let mut left: f64 = all.work.iter().sum();
    for part in 0..parts - 1 {
        let share = left / f64::from(parts - part);
        left -= all.grow(part, share, &mut part_of);
    }
    let last = parts - 1;
    let part = |piece: u32| part_of[piece as usize].unwrap_or(last);
    let first = part(0);
    let numbered = |piece: &u32| match part(*piece) {
        part if part == first => 0,
        0 => first,
        part => part,
    };
    pieces.iter().map(numbered).collect()
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

    /// Grows a part up to its share of the work, from the pieces that it has; returns its work.
    fn grow(&self, part: u32, share: f64, part_of: &mut [Option<u32>]) -> f64 {
        let mut growth = Growth::new(self);
        let has = |piece: &u32| part_of[*piece as usize] == Some(part);
        for piece in (0..self.work.len() as u32).filter(has) {
            growth.take(piece);
        }
        let mut is_done = growth.work >= share && part_of.contains(&Some(part));
        while !is_done && let Some(piece) = growth.next(part_of) {
            let (work, more) = (growth.work, self.work[piece as usize]);
            // The nearer to the share the better, but a part has at least one piece.
            if work > 0.0 && work + more - share > share - work {
                break;
            }
            part_of[piece as usize] = Some(part);
            growth.take(piece);
            is_done = growth.work >= share;
        }
        growth.work
    }
}

/// A part while it grows.
struct Growth<'p> {
    pieces: &'p Pieces,
    work: f64,
    /// The traffic of each piece with those of the part.
    inside: Vec<f64>,
    /// Neighbours, by the share of their traffic that is with the part.
    near: BinaryHeap<(u64, u32)>,
}

impl<'p> Growth<'p> {
    fn new(pieces: &'p Pieces) -> Growth<'p> {
        Growth {
            pieces,
            work: 0.0,
            inside: vec![0.0; pieces.work.len()],
            near: BinaryHeap::new(),
        }
    }

    fn take(&mut self, piece: u32) {
        self.work += self.pieces.work[piece as usize];
        for (other, traffic) in &self.pieces.neighbours[piece as usize] {
            let place = *other as usize;
            self.inside[place] += traffic;
            let known = self.inside[place] / self.pieces.traffic[place];
            self.near.push(((known * 1e12) as u64, *other));
        }
    }

    /// The nearest piece that is free, or any.
    fn next(&mut self, part_of: &[Option<u32>]) -> Option<u32> {
        let free = |piece: &u32| part_of[*piece as usize].is_none();
        let near = std::iter::from_fn(|| self.near.pop()).find(|(_, piece)| free(piece));
        let far = || (0..part_of.len() as u32).find(free);
        near.map(|(_, piece)| piece).or_else(far)
    }
}
