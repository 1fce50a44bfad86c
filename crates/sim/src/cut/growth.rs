//! Division of pieces into parts of about equal work with little traffic between them.
//!
//! A part grows from one piece by the neighbour most of whose traffic it already has, until it has its
//! share of the work. Hosts so join their switch before the next switch does.

use std::collections::BinaryHeap;

use pacesim_units::NodeId;

use super::loads::Loads;
use crate::model::Model;

/// Pieces with their work and their traffic.
pub(super) struct Pieces<'p> {
    of_nodes: &'p [u32],
    work: Vec<f64>,
    /// The traffic of each piece, and the place of the first of its neighbours.
    traffic: Vec<f64>,
    first: Vec<u32>,
    /// The neighbours of all pieces, and the traffic with them.
    neighbours: Vec<(u32, f64)>,
}

impl<'p> Pieces<'p> {
    /// The pieces of a model, by the number of that of each node.
    pub(super) fn of(model: &Model, of_nodes: &'p [u32], loads: &Loads) -> Pieces<'p> {
        let count = of_nodes.iter().max().map_or(0, |last| *last as usize + 1);
        let mut work = vec![0.0; count];
        for (piece, load) in of_nodes.iter().zip(&loads.of_nodes) {
            work[*piece as usize] += load;
        }
        let mut all = Pieces {
            of_nodes,
            work,
            traffic: vec![0.0; count],
            first: vec![0],
            neighbours: Vec::new(),
        };
        let (mut ways, first) = all.ways(model, loads);
        for piece in 0..count {
            let own = &mut ways[first[piece]..first[piece + 1]];
            // Traffic of the same pair is added in the order of links.
            own.sort_by_key(|(other, _)| *other);
            for alike in own.chunk_by(|a, b| a.0 == b.0) {
                let traffic: f64 = alike.iter().map(|(_, load)| load).sum();
                all.neighbours.push((alike[0].0, traffic));
                all.traffic[piece] += traffic;
            }
            all.first.push(all.neighbours.len() as u32);
        }
        all
    }

    /// The other end and the traffic of each link between pieces, piece by piece in the order of links, and
    /// the place of the first of each piece.
    fn ways(&self, model: &Model, loads: &Loads) -> (Vec<(u32, f64)>, Vec<usize>) {
        let piece = |node: NodeId| self.of_nodes[node.index()];
        let links = model.links.iter().zip(&loads.of_links);
        // Idle links join too, after all others.
        let links = links.map(|(link, load)| (piece(link.from), piece(link.to), load.max(1e-9)));
        let apart: Vec<_> = links.filter(|(from, to, _)| from != to).collect();
        let mut first = vec![0; self.work.len() + 1];
        for (from, to, _) in &apart {
            first[*from as usize + 1] += 1;
            first[*to as usize + 1] += 1;
        }
        for piece in 1..first.len() {
            first[piece] += first[piece - 1];
        }
        let (mut ways, mut next) = (vec![(0, 0.0); 2 * apart.len()], first.clone());
        for (from, to, load) in apart {
            for (one, other) in [(from, to), (to, from)] {
                let place = &mut next[one as usize];
                ways[*place] = (other, load);
                *place += 1;
            }
        }
        (ways, first)
    }

    /// The part of each node. Some pieces are placed beforehand; piece 0 is in the first part.
    pub(super) fn divide(&self, placed: &[Option<u32>], parts: u32) -> Vec<u32> {
        let mut part_of = placed.to_vec();
        let mut left: f64 = self.work.iter().sum();
        for part in 0..parts - 1 {
            let share = left / f64::from(parts - part);
            left -= self.grow(part, share, &mut part_of);
        }
        let last = parts - 1;
        let part = |piece: u32| part_of[piece as usize].unwrap_or(last);
        let first = part(0);
        let numbered = |piece: &u32| match part(*piece) {
            part if part == first => 0,
            0 => first,
            part => part,
        };
        self.of_nodes.iter().map(numbered).collect()
    }

    /// The neighbours of a piece, and the traffic with them.
    fn neighbours(&self, piece: u32) -> &[(u32, f64)] {
        let [begin, end] = [0, 1].map(|more| self.first[piece as usize + more] as usize);
        &self.neighbours[begin..end]
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
    pieces: &'p Pieces<'p>,
    work: f64,
    /// The traffic of each piece with those of the part.
    inside: Vec<f64>,
    /// Neighbours, by the share of their traffic that is with the part.
    near: BinaryHeap<(u64, u32)>,
}

impl<'p> Growth<'p> {
    fn new(pieces: &'p Pieces<'p>) -> Growth<'p> {
        Growth {
            pieces,
            work: 0.0,
            inside: vec![0.0; pieces.work.len()],
            near: BinaryHeap::new(),
        }
    }

    fn take(&mut self, piece: u32) {
        self.work += self.pieces.work[piece as usize];
        for (other, traffic) in self.pieces.neighbours(piece) {
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
