//! Flows, their packets, and the order of their turns.

use std::cmp::Reverse;

use pacesim_units::{ConnectionId, Time};

use super::list::{Flow, List};
use crate::codel::{CodelControl, Held, Law};
use crate::places::{Found, Memory, Places};
use crate::profile::Profile;
use crate::queue::Pending;
use crate::store::Store;

/// All flows. Those with packets, or with a pending turn, are in one of two lists.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    /// Number of bytes that a flow may send at its turn.
    quantum: i64,
    profile: Profile,
    flows: Vec<Flow>,
    places: Places,
    packets: Store<Held>,
    /// List of the flows that are served first.
    new: List,
    /// List of the flows that take turns after them.
    old: List,
}

impl Flows {
    pub(super) fn new(quantum: u32, profile: Profile) -> Flows {
        Flows {
            quantum: quantum.into(),
            profile,
            flows: Vec::new(),
            places: Places::default(),
            packets: Store::new(),
            new: List::EMPTY,
            old: List::EMPTY,
        }
    }

    /// Takes a packet into the queue of a connection, or of the bucket in its place.
    #[inline]
    pub(super) fn push(
        &mut self,
        now: Time,
        law: &Law,
        connection: ConnectionId,
        packet: &Pending,
    ) {
        let place = match self.places.get(connection) {
            Some(place) => place,
            None => self.make(now, law, connection),
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
    fn make(&mut self, now: Time, law: &Law, connection: ConnectionId) -> u32 {
        let flows = &self.flows;
        let memory = |place: u32| {
            let flow = &flows[place as usize];
            match (flow.is_listed, flow.control.is_as_new(law, now)) {
                (true, _) => Memory::InUse,
                (false, false) => Memory::Remembers,
                (false, true) => Memory::Forgot,
            }
        };
        let found = self.places.of(connection, memory);
        let new = Flow::new(connection.call > 0);
        match found {
            Found::Known(place) => place,
            Found::Reused(place) => {
                self.flows[place as usize] = new;
                place
            }
            Found::Made(place) => {
                self.flows.push(new);
                place
            }
        }
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
                if flow.is_of_call {
                    self.places.note_idle(place);
                }
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
                if flow.is_of_call {
                    self.places.note_idle(place);
                }
            }
        }
    }

    /// The place and the bytes of the flow with the most bytes: in case of a tie the first bucket, or
    /// flow, and of connections for one transfer the one at the first place, after all flows.
    pub(super) fn fattest(&self) -> Option<(u32, u64)> {
        let bytes = |place: u32| (place, self.flows[place as usize].bytes);
        let (flows, calls) = self.places.all();
        let flow = flows.map(bytes).rev().max_by_key(|(_, bytes)| *bytes);
        let call = calls
            .map(bytes)
            .max_by_key(|(place, bytes)| (*bytes, Reverse(*place)));
        // The last of equals is the greatest.
        call.into_iter().chain(flow).max_by_key(|(_, bytes)| *bytes)
    }

    /// Removes the head of the flow at this place, with its control.
    pub(super) fn push_out(&mut self, place: u32) -> Option<(&mut CodelControl, Held)> {
        let flow = &mut self.flows[place as usize];
        let head = *self.packets.pop(&mut flow.packets)?;
        flow.bytes -= u64::from(head.size);
        Some((&mut flow.control, head))
    }

    /// The controls of all flows.
    pub(super) fn controls(&self) -> impl Iterator<Item = &CodelControl> {
        self.flows.iter().map(|flow| &flow.control)
    }
}
