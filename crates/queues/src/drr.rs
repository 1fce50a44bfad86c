//! Deficit round robin: connections take turns by bytes (Shreedhar and Varghese 1996, whose flows
//! they are).

use std::cmp::Reverse;
use std::collections::VecDeque;

use pacesim_units::{Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::places::{Found, Memory, Places};
use crate::queue::{Ecn, Line, Pending, Queue, Reason, Turn, Waiting};
use crate::room::Room;

/// A FIFO for each connection, with shared room. A packet that does not fit pushes out the newest packets
/// of the flow with the most bytes.
#[derive(Clone, Debug)]
pub struct Drr {
    room: Room,
    quantum: i64,
    flows: Vec<Flow>,
    places: Places,
    /// Flows that have packets, by their places, in the order of turns.
    turns: VecDeque<u32>,
}

#[derive(Clone, Debug, Default)]
struct Flow {
    packets: VecDeque<Pending>,
    bytes: u64,
    deficit: i64,
    is_listed: bool,
    /// True if the flow has received its quantum for this turn.
    is_served: bool,
}

impl Drr {
    /// An empty queue of this capacity for all flows, with or without the packet in transmission.
    /// At its turn a flow may send this many bytes, at least one.
    pub fn new(capacity: Capacity, counts_sending: bool, quantum: u32) -> Drr {
        Drr {
            room: Room::new(capacity, counts_sending),
            quantum: i64::from(quantum.max(1)),
            flows: Vec::new(),
            places: Places::default(),
            turns: VecDeque::new(),
        }
    }

    /// The place of the connection that the packet belongs to.
    fn place(&mut self, packet: &Pending) -> u32 {
        let flows = &self.flows;
        let memory = |place: u32| {
            if flows[place as usize].is_listed {
                Memory::InUse
            } else {
                Memory::Forgot
            }
        };
        match self.places.of(packet.connection, memory) {
            Found::Known(place) | Found::Reused(place) => place,
            Found::Made(place) => {
                self.flows.push(Flow::default());
                place
            }
        }
    }

    /// Pushes out the newest packet of the flow with the most bytes, the first one in case of a
    /// tie.
    #[cold]
    fn push_out(&mut self) -> Option<Turn> {
        let fattest = self.flows.iter_mut().enumerate();
        let (_, flow) = fattest.max_by_key(|(place, flow)| (flow.bytes, Reverse(*place)))?;
        let packet = flow.packets.pop_back()?;
        flow.bytes -= u64::from(packet.size);
        self.room.drop(packet.size);
        Some(Turn::Drop(packet.key, Reason::Full))
    }

    /// Takes the next packet, by the turns of the flows.
    fn next(&mut self) -> Option<Pending> {
        loop {
            let place = *self.turns.front()?;
            let flow = &mut self.flows[place as usize];
            let Some(head) = flow.packets.front() else {
                (flow.deficit, flow.is_served, flow.is_listed) = (0, false, false);
                self.turns.pop_front();
                self.places.note_idle(place);
                continue;
            };
            let size = i64::from(head.size);
            if !flow.is_served {
                flow.deficit += self.quantum;
                flow.is_served = true;
            }
            if size > flow.deficit {
                flow.is_served = false;
                self.turns.rotate_left(1);
                continue;
            }
            flow.deficit -= size;
            flow.bytes -= size as u64;
            return flow.packets.pop_front();
        }
    }
}

impl BuiltIn for Drr {
    type Config = u32;
    const NAME: &'static str = "drr";

    fn at(site: Site, quantum: &Self::Config) -> Drr {
        Drr::new(site.capacity, site.counts_sending, *quantum)
    }

    fn class_of(_: &Self::Config, class: u16, _: Ecn) -> Option<usize> {
        Some(usize::from(class).min(3))
    }
}

impl Queue for Drr {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if self.room.is_too_large(packet.size) {
            return Err(Reason::Full);
        }
        let place = self.place(&packet);
        let flow = &mut self.flows[place as usize];
        flow.packets.push_back(packet);
        flow.bytes += u64::from(packet.size);
        if !flow.is_listed {
            flow.is_listed = true;
            self.turns.push_back(place);
        }
        self.room.take(packet.size);
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if self.room.is_over()
            && let Some(turn) = self.push_out()
        {
            return turn;
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        match self.next() {
            None => {
                self.room.rest();
                Turn::Hold
            }
            Some(packet) => {
                self.room.send(packet.size);
                let key = packet.key;
                Turn::go(key)
            }
        }
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
