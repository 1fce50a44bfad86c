//! First come, first served.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Time};

use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

/// A FIFO that drops what it has no room for.
#[derive(Clone, Debug)]
pub struct DropTail {
    capacity: Capacity,
    counts_sending: bool,
    packets: VecDeque<Pending>,
    bytes: u64,
    /// The size of the packet being sent.
    sending: Option<u32>,
}

impl DropTail {
    /// An empty queue of this capacity, in which the packet being sent counts or not.
    pub fn new(capacity: Capacity, counts_sending: bool) -> DropTail {
        DropTail {
            capacity,
            counts_sending,
            packets: VecDeque::new(),
            bytes: 0,
            sending: None,
        }
    }

    /// Whether so many packets of this size, which come together, have room.
    pub(crate) fn fit(&self, count: u64, size: u32) -> bool {
        // At a free line the first is sent at once.
        let sent = u64::from(self.sending.is_none() && !self.counts_sending);
        let (held, others) = (self.packets.len() as u64, count - sent);
        self.fits(size)
            && match self.capacity {
                Capacity::Unlimited => true,
                Capacity::Packets(most) => {
                    held + u64::from(self.counted().is_some()) + others <= most
                }
                Capacity::Bytes(Bytes(most)) => {
                    let counted = u64::from(self.counted().unwrap_or(0));
                    self.bytes + counted + others * u64::from(size) <= most
                }
            }
    }

    /// The size of the packet being sent, if it counts.
    fn counted(&self) -> Option<u32> {
        self.sending.filter(|_| self.counts_sending)
    }

    fn fits(&self, size: u32) -> bool {
        let sending = self.counted();
        match self.capacity {
            Capacity::Unlimited => true,
            Capacity::Packets(most) => {
                self.packets.len() as u64 + u64::from(sending.is_some()) < most
            }
            Capacity::Bytes(Bytes(most)) => {
                self.bytes + u64::from(sending.unwrap_or(0)) + u64::from(size) <= most
            }
        }
    }
}

impl Queue for DropTail {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if !self.fits(packet.size) {
            return Err(Reason::Full);
        }
        self.bytes += u64::from(packet.size);
        self.packets.push_back(packet);
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return Turn::Hold;
        }
        let next = self.packets.pop_front();
        self.sending = next.map(|packet| packet.size);
        match next {
            None => Turn::Hold,
            Some(packet) => {
                self.bytes -= u64::from(packet.size);
                Turn::Go {
                    key: packet.key,
                    marked: false,
                }
            }
        }
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.packets.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}
