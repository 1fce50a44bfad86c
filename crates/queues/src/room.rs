//! The room in front of a line: its limit, and its use.

use pacesim_units::{Bytes, Capacity};

use crate::queue::{Mark, Pending, Turn, Waiting};

/// The room of a queue: the limit on held packets, and their number.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    most: Most,
    /// The limit less the packet in transmission, if that counts.
    most_now: Most,
    counts_sending: bool,
    is_sending: bool,
    packets: u64,
    bytes: u64,
}

/// Bounds on the number of held packets and bytes.
#[derive(Clone, Copy, Debug)]
struct Most {
    packets: u64,
    bytes: u64,
}

const UNBOUNDED: u64 = u64::MAX;

impl Room {
    /// Empty room of this capacity, with or without the packet in transmission.
    pub(crate) fn new(capacity: Capacity, counts_sending: bool) -> Room {
        let (packets, bytes) = match capacity {
            Capacity::Unlimited => (UNBOUNDED, UNBOUNDED),
            Capacity::Packets(packets) => (packets, UNBOUNDED),
            Capacity::Bytes(Bytes(bytes)) => (UNBOUNDED, bytes),
        };
        let most = Most { packets, bytes };
        Room {
            most,
            most_now: most,
            counts_sending,
            is_sending: false,
            packets: 0,
            bytes: 0,
        }
    }

    /// True if a packet of this size fits.
    #[inline]
    pub(crate) fn fits(&self, size: u32) -> bool {
        self.packets < self.most_now.packets && self.bytes + u64::from(size) <= self.most_now.bytes
    }

    /// True if this many packets of this size fit when they arrive together.
    pub(crate) fn fit(&self, count: u64, size: u32) -> bool {
        // If the line is free the first is sent at once.
        let sent = u64::from(!self.is_sending && !self.counts_sending);
        let others = count - sent;
        self.fits(size)
            && self.packets + others <= self.most_now.packets
            && self.bytes + others * u64::from(size) <= self.most_now.bytes
    }

    /// True if a packet of this size would not fit into empty room.
    #[inline]
    pub(crate) fn is_too_large(&self, size: u32) -> bool {
        self.most_now.packets == 0 || u64::from(size) > self.most_now.bytes
    }

    /// True if the queue holds more than fits.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.packets > self.most_now.packets || self.bytes > self.most_now.bytes
    }

    /// Adds an accepted packet.
    #[inline]
    pub(crate) fn take(&mut self, size: u32) {
        self.packets += 1;
        self.bytes += u64::from(size);
    }

    /// Removes a dropped packet.
    #[inline]
    pub(crate) fn drop(&mut self, size: u32) {
        self.packets -= 1;
        self.bytes -= u64::from(size);
    }

    /// Notes that a held packet is in transmission from now on.
    #[inline]
    pub(crate) fn send(&mut self, size: u32) {
        self.drop(size);
        self.is_sending = true;
        if self.counts_sending {
            self.most_now = self.most.less(size);
        }
    }

    /// The turn of a free line: it sends this packet with its mark, or rests without one.
    #[inline(always)]
    pub(crate) fn go(&mut self, next: Option<(Pending, Option<Mark>)>) -> Turn {
        let Some((packet, mark)) = next else {
            self.rest();
            return Turn::Hold;
        };
        self.send(packet.size);
        let key = packet.key;
        Turn::Go { key, mark }
    }

    /// Notes that the line is free, and no packet in transmission.
    #[inline]
    pub(crate) fn rest(&mut self) {
        self.is_sending = false;
        self.most_now = self.most;
    }

    /// The packets and bytes that are held.
    #[inline]
    pub(crate) fn held(&self) -> Waiting {
        Waiting {
            packets: self.packets,
            bytes: Bytes(self.bytes),
        }
    }

    /// Number of bytes held.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of packets held.
    #[inline]
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }
}

impl Most {
    /// The bounds that remain beside a packet of this size.
    #[inline]
    fn less(self, size: u32) -> Most {
        Most {
            packets: self.packets.saturating_sub(1),
            bytes: self.bytes.saturating_sub(size.into()),
        }
    }
}
