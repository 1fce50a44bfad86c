//! Flows, their packets, and the order of their turns.

use pacesim_units::Time;

use super::list::{Flow, List};
use crate::codel::{Control, Held};
use crate::profile::Profile;
use crate::queue::Pending;
use crate::store::Store;

/// All flows. Those with packets, or with a pending turn, are in one of two lists.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    /// The bytes that a flow may send at its turn.
    quantum: i64,
    profile: Profile,
    flows: Vec<Flow>,
    /// The place in `flows` of each bucket, plus one.
    places: Vec<u32>,
    packets: Store<Held>,
    /// The flows that are served first.
    new: List,
    /// The flows that take turns after them.
    old: List,
}

impl Flows {
    pub(super) fn new(quantum: u32, profile: Profile) -> Flows {
        Flows {
            quantum: quantum.into(),
            profile,
            flows: Vec::new(),
            places: Vec::new(),
            packets: Store::new(),
            new: List::EMPTY,
            old: List::EMPTY,
        }
    }

    /// Takes a packet into the queue of its bucket.
    #[inline]
    pub(super) fn push(&mut self, now: Time, bucket: u32, packet: &Pending) {
        let place = match self.places.get(bucket as usize) {
            Some(&place) if place > 0 => place - 1,
            _ => self.make(bucket),
        };
        let flow = &mut self.flows[place as usize];
        self.packets.push(&mut flow.packets, Held::new(now, packet));
        flow.bytes += u64::from(packet.size);
        if !flow.is_listed {
            flow.is_listed = true;
            flow.deficit = self.quantum;
            self.new.push(&mut self.flows, place);
        }
    }

    #[cold]
    fn make(&mut self, bucket: u32) -> u32 {
        let index = bucket as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, 0);
        }
        self.flows.push(Flow::new());
        self.places[index] = self.flows.len() as u32;
        self.places[index] - 1
    }

    /// The flow at its turn, with its head, which is removed. A new flow without packets becomes an
    /// old one, so that it is not new again at once (in Linux, not if there are no old ones); an
    /// old one is removed.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(&mut Flow, Held)> {
        loop {
            let place = self.new.first;
            let Some(flow) = self.flows.get_mut(place as usize) else {
                break;
            };
            let is_due = flow.deficit > 0;
            if !is_due {
                flow.deficit += self.quantum;
            } else if let Some(head) = self.packets.pop(&mut flow.packets) {
                return Some((&mut self.flows[place as usize], *head));
            } else {
                flow.control.note_below();
            }
            self.new.take(flow);
            if is_due && self.profile == Profile::Linux && self.old.is_empty() {
                flow.is_listed = false;
                continue;
            }
            self.old.push(&mut self.flows, place);
        }
        loop {
            let place = self.old.first;
            let flow = self.flows.get_mut(place as usize)?;
            if flow.deficit <= 0 {
                flow.deficit += self.quantum;
                self.old.take(flow);
                self.old.push(&mut self.flows, place);
            } else if let Some(head) = self.packets.pop(&mut flow.packets) {
                return Some((&mut self.flows[place as usize], *head));
            } else {
                flow.control.note_below();
                flow.is_listed = false;
                self.old.take(flow);
            }
        }
    }

    /// The place and the bytes of the flow with the most bytes, the first bucket in case of a tie.
    pub(super) fn fattest(&self) -> Option<(u32, u64)> {
        let places = self.places.iter().filter(|place| **place > 0);
        let flows = places.map(|place| (place - 1, self.flows[*place as usize - 1].bytes));
        flows.rev().max_by_key(|(_, bytes)| *bytes)
    }

    /// Removes the head of the flow at this place, with its control.
    pub(super) fn push_out(&mut self, place: u32) -> Option<(&mut Control, Held)> {
        let flow = &mut self.flows[place as usize];
        let head = *self.packets.pop(&mut flow.packets)?;
        flow.bytes -= u64::from(head.size);
        Some((&mut flow.control, head))
    }

    /// The controls of all flows.
    pub(super) fn controls(&self) -> impl Iterator<Item = &Control> {
        self.flows.iter().map(|flow| &flow.control)
    }
}
