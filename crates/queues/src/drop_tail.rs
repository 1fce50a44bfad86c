//! The drop-tail queue: first come, first served.

use std::collections::VecDeque;

use pacesim_units::{Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};
use crate::room::Room;

/// A FIFO that drops packets for which it has no room.
#[derive(Clone, Debug)]
pub struct DropTail {
    room: Room,
    packets: VecDeque<Pending>,
}

impl DropTail {
    /// An empty queue of this capacity, with or without the packet in transmission.
    pub fn new(capacity: Capacity, counts_sending: bool) -> DropTail {
        DropTail {
            room: Room::new(capacity, counts_sending),
            packets: VecDeque::new(),
        }
    }

    /// True if this many packets of this size fit when they arrive together.
    pub(crate) fn fit(&self, count: u64, size: u32) -> bool {
        self.room.fit(count, size)
    }

    /// Removes the head, for a drop while the line is free.
    pub(crate) fn drop_head(&mut self) -> Option<Pending> {
        let packet = self.packets.pop_front()?;
        self.room.drop(packet.size);
        self.room.rest();
        Some(packet)
    }
}

impl BuiltIn for DropTail {
    type Config = ();
    const NAME: &'static str = "drop_tail";

    fn at(site: Site, _: &Self::Config) -> DropTail {
        DropTail::new(site.capacity, site.counts_sending)
    }
}

impl Queue for DropTail {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        self.room.take(packet.size);
        self.packets.push_back(packet);
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return Turn::Hold;
        }
        let next = self.packets.pop_front();
        self.room.go(next.map(|packet| (packet, None)))
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
