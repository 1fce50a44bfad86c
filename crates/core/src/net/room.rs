//! Configuration of a link, and the admission rule of its buffer.

use pacesim_units::{Capacity, Rate, Span};

/// Configuration of a link.
#[derive(Clone, Copy, Debug)]
pub struct LinkConfig {
    /// Rate of the line.
    pub rate: Rate,
    /// Propagation delay of the wire.
    pub delay: Span,
    /// Size of the buffer.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the size of the buffer.
    pub counts_sending: bool,
}

/// A buffer's limits, in the form checked for each packet: one in packets and one in bytes, at
/// least one of them unlimited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// A packet is taken if the port holds at most this number of packets before it, including the
    /// one in transmission.
    pub(super) most_in_port: u32,
    /// A packet is taken if the port holds at most this number of bytes with it.
    pub(super) most_bytes: u64,
    /// True if these bytes include the packet in transmission.
    pub(super) counts_sending_bytes: bool,
    /// True if the limit in packets is that of the network and not that of the buffer.
    pub(super) is_cut: bool,
    is_bounded: bool,
}

impl Room {
    /// A buffer that takes every packet.
    pub(super) const UNLIMITED: Room = Room {
        most_in_port: u32::MAX,
        most_bytes: u64::MAX,
        counts_sending_bytes: false,
        is_cut: false,
        is_bounded: false,
    };

    pub(super) fn new(capacity: Capacity, counts_sending: bool) -> Room {
        match capacity {
            Capacity::Unlimited => Room::UNLIMITED,
            Capacity::Packets(0) => Room {
                most_bytes: 0,
                is_bounded: true,
                ..Room::UNLIMITED
            },
            // n wait with one in transmission, or n in all: one less before the last is taken.
            Capacity::Packets(n) => {
                let before = n - u64::from(counts_sending);
                Room {
                    most_in_port: u32::try_from(before).unwrap_or(u32::MAX),
                    is_bounded: before < u64::from(u32::MAX),
                    ..Room::UNLIMITED
                }
            }
            Capacity::Bytes(n) => Room {
                most_bytes: n.get(),
                counts_sending_bytes: counts_sending,
                is_bounded: n.get() < u64::MAX,
                ..Room::UNLIMITED
            },
        }
    }

    /// True if the buffer may refuse a packet.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// The buffer's room in a network that gives up when more than `most` packets wait at a port.
    pub(super) fn cut_to(self, most: u32) -> Room {
        Room {
            is_cut: most < self.most_in_port,
            most_in_port: most.min(self.most_in_port),
            ..self
        }
    }
}
