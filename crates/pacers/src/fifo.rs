//! The drop-tail queue inside most pacers.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity};

use crate::pacer::{Pending, Refused, Waiting};

/// More than this is refused by every queue, so that a backlog counted in
/// 2^-16 bytes always fits 62 bits (see `curve`).
const MOST_BYTES: u64 = 1 << 46;

/// Packets in order of arrival, up to a capacity.
#[derive(Clone, Debug)]
pub(crate) struct Fifo {
    packets: VecDeque<Pending>,
    room: Room,
}

impl Fifo {
    pub(crate) fn new(capacity: Capacity) -> Fifo {
        Fifo {
            packets: VecDeque::new(),
            room: Room::new(capacity),
        }
    }

    /// Takes a packet if waiting + its size is within the capacity.
    #[inline]
    pub(crate) fn push(&mut self, packet: Pending) -> Result<(), Refused> {
        self.room.take(packet.size)?;
        self.packets.push_back(packet);
        Ok(())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Pending> {
        let packet = self.packets.pop_front()?;
        self.room.give_back(packet.size);
        Some(packet)
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&Pending> {
        self.packets.front()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    #[inline]
    pub(crate) fn waiting(&self) -> Waiting {
        self.room.waiting()
    }
}

/// How much is held, and how much may be.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    packets: u64,
    bytes: u64,
    most_packets: u64,
    most_bytes: u64,
}

impl Room {
    pub(crate) fn new(capacity: Capacity) -> Room {
        let (most_packets, most_bytes) = match capacity {
            Capacity::Packets(n) => (n, MOST_BYTES),
            Capacity::Bytes(Bytes(n)) => (u64::MAX, n.min(MOST_BYTES)),
            Capacity::Unlimited => (u64::MAX, MOST_BYTES),
        };
        Room {
            packets: 0,
            bytes: 0,
            most_packets,
            most_bytes,
        }
    }

    /// Makes room for one more packet, or refuses.
    #[inline]
    pub(crate) fn take(&mut self, size: u32) -> Result<(), Refused> {
        let bytes = self.bytes + u64::from(size);
        if self.packets >= self.most_packets || bytes > self.most_bytes {
            return Err(Refused::Full);
        }
        self.packets += 1;
        self.bytes = bytes;
        Ok(())
    }

    #[inline]
    pub(crate) fn give_back(&mut self, size: u32) {
        self.packets -= 1;
        self.bytes -= u64::from(size);
    }

    #[inline]
    pub(crate) fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.packets,
            bytes: Bytes(self.bytes),
        }
    }
}
