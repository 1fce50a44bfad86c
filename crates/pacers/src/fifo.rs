//! The drop-tail queue inside most pacers, with its limit.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity};

use crate::pacer::{Pending, Refused, Waiting};

/// Every queue refuses more than this, so that a backlog counted in 2^-16 bytes always fits 62 bits
/// (see `curve`).
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

    /// Takes a packet if the waiting packets with it are within the capacity.
    #[inline]
    pub(crate) fn push(&mut self, packet: Pending) -> Result<(), Refused> {
        self.room.take(self.packets.len(), packet.size)?;
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
    pub(crate) fn len(&self) -> usize {
        self.packets.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    #[inline]
    pub(crate) fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.packets.len() as u64,
            bytes: self.room.held(),
        }
    }
}

/// Number of bytes held, and the limit on them.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    bytes: u64,
    most_packets: usize,
    most_bytes: u64,
}

impl Room {
    pub(crate) fn new(capacity: Capacity) -> Room {
        let (most_packets, most_bytes) = match capacity {
            Capacity::Packets(n) => (usize::try_from(n).unwrap_or(usize::MAX), MOST_BYTES),
            Capacity::Bytes(Bytes(n)) => (usize::MAX, n.min(MOST_BYTES)),
            Capacity::Unlimited => (usize::MAX, MOST_BYTES),
        };
        Room {
            bytes: 0,
            most_packets,
            most_bytes,
        }
    }

    /// Reserves room for one packet beyond `packets`, or refuses it.
    #[inline]
    pub(crate) fn take(&mut self, packets: usize, size: u32) -> Result<(), Refused> {
        let bytes = self.bytes + u64::from(size);
        if packets >= self.most_packets || bytes > self.most_bytes {
            return Err(Refused::Full);
        }
        self.bytes = bytes;
        Ok(())
    }

    #[inline]
    pub(crate) fn give_back(&mut self, size: u32) {
        self.bytes -= u64::from(size);
    }

    #[inline]
    pub(crate) fn held(&self) -> Bytes {
        Bytes(self.bytes)
    }
}
