//! What a link is made from, and when its buffer takes a packet.

use pacesim_units::{Capacity, Rate, Span};

/// What a link is made from.
#[derive(Clone, Copy, Debug)]
pub struct LinkConfig {
    /// The rate of the line.
    pub rate: Rate,
    /// The propagation delay.
    pub delay: Span,
    /// How much the buffer holds.
    pub capacity: Capacity,
    /// Whether the packet being sent counts towards that.
    pub counts_sending: bool,
}

/// A buffer's limits, in the form that is asked for each packet: one for packets and one
/// for bytes, of which at least one is no limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// A packet is taken if at most this number of packets are in the port before it, the one
    /// being sent included.
    pub(super) most_in_port: u32,
    /// A packet is taken if at most this number of bytes are there with it.
    pub(super) most_bytes: u64,
    /// Whether these bytes include the packet being sent.
    pub(super) counts_sending_bytes: bool,
    /// Whether the limit on packets is that of the network and not that of the buffer.
    pub(super) is_cut: bool,
    is_bounded: bool,
}

impl Room {
    /// Takes every packet.
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
            // n wait with one being sent, or n in all: one less before the last is taken.
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

    /// Whether it may refuse a packet at all.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// The same buffer in a network that gives up when more than `most` packets wait at a port.
    pub(super) fn cut_to(self, most: u32) -> Room {
        Room {
            is_cut: most < self.most_in_port,
            most_in_port: most.min(self.most_in_port),
            ..self
        }
    }
}
