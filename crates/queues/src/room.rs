//! The room before a line: how much may wait, and how much does.

use pacesim_units::{Bytes, Capacity};

use crate::queue::Waiting;

/// The most that a queue may hold, and the packets that it holds.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    capacity: Capacity,
    counts_sending: bool,
    packets: u64,
    bytes: u64,
    /// The size of the packet being sent.
    sending: Option<u32>,
}

impl Room {
    /// Empty room of this capacity, in which the packet being sent counts or not.
    pub(crate) fn new(capacity: Capacity, counts_sending: bool) -> Room {
        Room {
            capacity,
            counts_sending,
            packets: 0,
            bytes: 0,
            sending: None,
        }
    }

    /// True if a packet of this size fits.
    #[inline]
    pub(crate) fn fits(&self, size: u32) -> bool {
        match self.capacity {
            Capacity::Unlimited => true,
            Capacity::Packets(most) => self.packets + u64::from(self.counted().is_some()) < most,
            Capacity::Bytes(Bytes(most)) => {
                self.bytes + u64::from(self.counted().unwrap_or(0)) + u64::from(size) <= most
            }
        }
    }

    /// True if so many packets of this size, which come together, fit.
    pub(crate) fn fit(&self, count: u64, size: u32) -> bool {
        // At a free line the first is sent at once.
        let sent = u64::from(self.sending.is_none() && !self.counts_sending);
        let others = count - sent;
        self.fits(size)
            && match self.capacity {
                Capacity::Unlimited => true,
                Capacity::Packets(most) => {
                    self.packets + u64::from(self.counted().is_some()) + others <= most
                }
                Capacity::Bytes(Bytes(most)) => {
                    let counted = u64::from(self.counted().unwrap_or(0));
                    self.bytes + counted + others * u64::from(size) <= most
                }
            }
    }

    /// True if a packet of this size would not fit into empty room.
    #[inline]
    pub(crate) fn is_too_large(&self, size: u32) -> bool {
        match self.capacity {
            Capacity::Unlimited => false,
            Capacity::Packets(most) => u64::from(self.counted().is_some()) >= most,
            Capacity::Bytes(Bytes(most)) => {
                u64::from(self.counted().unwrap_or(0)) + u64::from(size) > most
            }
        }
    }

    /// True if more is held than fits.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        match self.capacity {
            Capacity::Unlimited => false,
            Capacity::Packets(most) => self.packets + u64::from(self.counted().is_some()) > most,
            Capacity::Bytes(Bytes(most)) => {
                self.bytes + u64::from(self.counted().unwrap_or(0)) > most
            }
        }
    }

    /// A packet is taken.
    #[inline]
    pub(crate) fn take(&mut self, size: u32) {
        self.packets += 1;
        self.bytes += u64::from(size);
    }

    /// A packet that was taken is dropped.
    #[inline]
    pub(crate) fn drop(&mut self, size: u32) {
        self.packets -= 1;
        self.bytes -= u64::from(size);
    }

    /// A packet that was taken is sent from now on.
    #[inline]
    pub(crate) fn send(&mut self, size: u32) {
        self.drop(size);
        self.sending = Some(size);
    }

    /// The line is free, and none is sent.
    #[inline]
    pub(crate) fn rest(&mut self) {
        self.sending = None;
    }

    /// The packets and bytes that are held.
    #[inline]
    pub(crate) fn held(&self) -> Waiting {
        Waiting {
            packets: self.packets,
            bytes: Bytes(self.bytes),
        }
    }

    /// The bytes of what is held.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The packets that are held.
    #[inline]
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }

    /// The size of the packet being sent, if it counts.
    #[inline]
    fn counted(&self) -> Option<u32> {
        self.sending.filter(|_| self.counts_sending)
    }
}
