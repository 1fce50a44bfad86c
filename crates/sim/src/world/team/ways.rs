//! Ways between parts, and the packets on them.

use std::sync::{Mutex, PoisonError};

use pacesim_core::net::{Mail, Probe};
use pacesim_units::{LinkId, Time};

use crate::cut::Cut;
use crate::model::{Model, Payload};
use crate::world::World;

/// A value for even and one for odd rounds: a part may be a round ahead of another that still reads.
pub(super) type InTurn<T> = [T; 2];

/// All links from one part into another.
pub(super) struct Way {
    from: usize,
    to: usize,
    links: Vec<LinkId>,
    /// Packets that `from` has handed over, and `to` has not taken.
    mail: InTurn<Mutex<Mail<Payload>>>,
}

/// All ways.
pub(super) struct Ways {
    all: Vec<Way>,
    of_parts: Vec<OfPart>,
}

/// The ways of a part, and the parts at their other ends.
#[derive(Default)]
struct OfPart {
    out: Vec<usize>,
    into: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Ways {
    pub(super) fn of(cut: &Cut, model: &Model) -> Ways {
        let mut all: Vec<Way> = Vec::new();
        let mut of_parts: Vec<OfPart> = (0..cut.parts()).map(|_| OfPart::default()).collect();
        for id in cut.links() {
            let link = &model.links[id.index()];
            let [from, to] = [link.from, link.to].map(|node| cut.part_of(node) as usize);
            let known = of_parts[from].out.iter().find(|way| all[**way].to == to);
            let place = known.copied().unwrap_or_else(|| {
                of_parts[from].out.push(all.len());
                of_parts[to].into.push(all.len());
                all.push(Way {
                    from,
                    to,
                    links: Vec::new(),
                    mail: InTurn::default(),
                });
                all.len() - 1
            });
            all[place].links.push(*id);
        }
        for of in &mut of_parts {
            let out = of.out.iter().map(|way| all[*way].to);
            let into = of.into.iter().map(|way| all[*way].from);
            of.neighbours = out.chain(into).collect();
            of.neighbours.sort_unstable();
            of.neighbours.dedup();
        }
        Ways { all, of_parts }
    }

    /// The parts that a part exchanges packets with.
    pub(super) fn neighbours(&self, part: usize) -> &[usize] {
        &self.of_parts[part].neighbours
    }

    /// The ways into a part.
    pub(super) fn inward(&self, part: usize) -> impl Iterator<Item = &Way> {
        self.of_parts[part].into.iter().map(|way| &self.all[*way])
    }

    /// The ways out of a part.
    pub(super) fn outward(&self, part: usize) -> impl Iterator<Item = &Way> {
        self.of_parts[part].out.iter().map(|way| &self.all[*way])
    }
}

impl Way {
    /// Takes packets off the wires of this way, for the part at its other end. Returns when the first of
    /// them arrives, and how many they are.
    pub(super) fn hand_over<P: Probe>(&self, turn: usize, world: &mut World<P>) -> (Time, u64) {
        let mut mail = self.mail[turn]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let links = self.links.iter();
        let arrivals = links.filter_map(|link| world.network.take_crossings(*link, &mut mail));
        let first = arrivals.min().unwrap_or(Time::NEVER);
        (first, mail.len() as u64)
    }

    /// Gives packets that were handed over to the part at the end of this way; some continue ahead of
    /// time.
    pub(super) fn take_in<P: Probe>(&self, turn: usize, world: &mut World<P>) {
        let mut mail = self.mail[turn]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !mail.is_empty() {
            world.receive(&mut mail);
        }
    }
}
