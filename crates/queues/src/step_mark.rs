//! First come, first served; a packet that finds too much waiting is marked.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::queue::{Line, Mark, Pending, Queue, Reason, Turn, Waiting};
use crate::room::Room;

/// A drop-tail queue that marks packets, where permitted, once its length reaches a step (RFC 8257,
/// section 3.1).
#[derive(Clone, Debug)]
pub struct StepMark {
    room: Room,
    threshold: Capacity,
    /// The packets, and the reasons for the marks of those that are marked.
    packets: VecDeque<(Pending, Option<Mark>)>,
}

impl StepMark {
    /// An empty queue of this capacity, with or without the packet in transmission. Packets that
    /// find this much waiting, without the packet in transmission, are marked.
    pub fn new(capacity: Capacity, counts_sending: bool, threshold: Capacity) -> StepMark {
        StepMark {
            room: Room::new(capacity, counts_sending),
            threshold,
            packets: VecDeque::new(),
        }
    }

    fn is_at_step(&self) -> bool {
        match self.threshold {
            Capacity::Unlimited => false,
            Capacity::Packets(least) => self.room.packets() >= least,
            Capacity::Bytes(Bytes(least)) => self.room.bytes() >= least,
        }
    }
}

impl BuiltIn for StepMark {
    type Config = Capacity;
    const NAME: &'static str = "step_mark";

    fn at(site: Site, threshold: &Self::Config) -> StepMark {
        StepMark::new(site.capacity, site.counts_sending, *threshold)
    }

    fn marks(_: &Self::Config) -> bool {
        true
    }
}

impl Queue for StepMark {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        let is_marked = packet.ecn.is_capable() && self.is_at_step();
        let mark = is_marked.then_some(Mark::Threshold);
        self.room.take(packet.size);
        self.packets.push_back((packet, mark));
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return Turn::Hold;
        }
        self.room.go(self.packets.pop_front())
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
