//! What waits at a port, and what is counted of it.

use std::collections::VecDeque;

use pacesim_units::{Rate, Span, Time, Transmitter};

use super::{LinkSpec, Room, Volume};

/// The packets behind the first one in a port. Ports that are idle when a packet comes, as most
/// are, do not touch it.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Backlog {
    waiting: VecDeque<Waiting>,
    waiting_bytes: u64,
    room: Room,
    /// The integrals of what waited, and the most that did at once.
    pub(super) packet_ps: u128,
    pub(super) byte_ps: u128,
    pub(super) most: Volume,
    pub(super) dropped: Volume,
    pub(super) lost: Volume,
    line: Transmitter,
}

/// A packet that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// When its transmission begins: with the departure of the one before it.
    pub(super) start: Time,
    pub(super) size: u32,
}

impl Backlog {
    pub(super) fn new(spec: &LinkSpec) -> Backlog {
        Backlog {
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            room: Room::new(spec.capacity, spec.counts_sending),
            packet_ps: 0,
            byte_ps: 0,
            most: Volume::default(),
            dropped: Volume::default(),
            lost: Volume::default(),
            line: Transmitter::new(spec.rate),
        }
    }

    /// Whether there is any limit.
    pub(super) fn is_bounded(&self) -> bool {
        self.room.is_bounded()
    }

    /// Whether a packet is taken, with so many in the port, and the first of this size.
    #[inline]
    pub(super) fn has_room(&self, in_port: u32, first_size: u32, size: u32) -> bool {
        let mut bytes = self.waiting_bytes + u64::from(size);
        if self.room.counts_sending_bytes && in_port > 0 {
            bytes += u64::from(first_size);
        }
        in_port <= self.room.most_in_port && bytes <= self.room.most_bytes
    }

    /// A packet that comes now finds others: it waits, and by Little's law the sum of such waits
    /// is the integral of the queue.
    #[inline]
    pub(super) fn push(&mut self, packet: Waiting, now: Time, in_port: u32) {
        self.waiting.push_back(packet);
        self.waiting_bytes += u64::from(packet.size);
        let wait = u128::from(packet.start.saturating_since(now).as_ps());
        self.packet_ps += wait;
        self.byte_ps += wait * u128::from(packet.size);
        self.most.packets = self.most.packets.max(u64::from(in_port));
        self.most.bytes = self.most.bytes.max(self.waiting_bytes);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let first = self.waiting.pop_front()?;
        self.waiting_bytes -= u64::from(first.size);
        Some(first)
    }

    /// When the transmission of the first that waits begins.
    #[inline]
    pub(super) fn next_start(&self) -> Time {
        self.waiting
            .front()
            .map_or(Time::NEVER, |first| first.start)
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.waiting_bytes = 0;
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = Waiting> + Clone + '_ {
        self.waiting.iter().copied()
    }

    /// How long a packet is sent, where a byte takes no whole number of picoseconds.
    #[cold]
    #[inline(never)]
    pub(super) fn send(&mut self, size: u32, rested: bool) -> Span {
        if rested {
            self.line.rest();
        }
        self.line.send(size)
    }

    pub(super) fn set_rate(&mut self, rate: Rate) {
        self.line = Transmitter::new(rate);
    }
}
