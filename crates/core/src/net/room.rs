//! What a link is made from, and when its buffer takes a packet.

use pacesim_units::{Capacity, Rate, Span};

/// What a link is made from.
#[derive(Clone, Copy, Debug)]
pub struct LinkSpec {
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
}

impl Room {
    /// Takes every packet.
    pub(super) const UNLIMITED: Room = Room {
        most_in_port: u32::MAX,
        most_bytes: u64::MAX,
        counts_sending_bytes: false,
    };

    pub(super) fn new(capacity: Capacity, counts_sending: bool) -> Room {
        match capacity {
            Capacity::Unlimited => Room::UNLIMITED,
            Capacity::Packets(0) => Room {
                most_bytes: 0,
                ..Room::UNLIMITED
            },
            // n wait with one being sent, or n in all: one less before the last is taken.
            Capacity::Packets(n) => {
                let before = n - u64::from(counts_sending);
                Room {
                    most_in_port: u32::try_from(before).unwrap_or(u32::MAX),
                    ..Room::UNLIMITED
                }
            }
            Capacity::Bytes(n) => Room {
                most_bytes: n.get(),
                counts_sending_bytes: counts_sending,
                ..Room::UNLIMITED
            },
        }
    }

    /// Whether it may refuse a packet at all.
    pub(super) fn is_bounded(&self) -> bool {
        self.most_in_port < u32::MAX || self.most_bytes < u64::MAX
    }
}
