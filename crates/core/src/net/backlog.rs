//! What waits at a port, and what is counted of it.

use pacesim_units::{LinkId, Rate, Span, Time, Transmitter};

use super::waits::{Line, Waiting, Waits};
use super::{LinkSpec, Room, Volume};
use crate::memory::with_room;

/// The backlogs of all ports.
#[derive(Debug)]
pub(super) struct Backlogs {
    all: Vec<Backlog>,
    waits: Waits,
}

impl Backlogs {
    pub(super) fn with_room(links: usize) -> Backlogs {
        Backlogs {
            all: with_room(links),
            waits: Waits::default(),
        }
    }

    /// One more.
    pub(super) fn add(&mut self, backlog: Backlog) {
        self.all.push(backlog);
    }

    /// That of a port, and where what waits there is kept.
    #[inline]
    pub(super) fn at(&mut self, id: LinkId) -> (&mut Backlog, &mut Waits) {
        (&mut self.all[id.index()], &mut self.waits)
    }

    /// That of a port.
    pub(super) fn of(&self, id: LinkId) -> &Backlog {
        &self.all[id.index()]
    }

    /// The first so many that wait at a port.
    pub(super) fn waiting(&self, id: LinkId, count: u32) -> impl Iterator<Item = Waiting> + Clone {
        self.waits.iter(&self.of(id).line, count)
    }
}

/// The packets behind the first one in a port. Ports that are idle when a packet comes, as most
/// are, do not touch it.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Backlog {
    line: Line,
    waiting_bytes: u64,
    room: Room,
    /// The integrals of what waited, and the most that did at once.
    pub(super) packet_ps: u128,
    pub(super) byte_ps: u128,
    pub(super) most: Volume,
    pub(super) dropped: Volume,
    /// The clock of a line on which a byte takes no whole number of picoseconds.
    clock: Option<Box<Transmitter>>,
}

impl Backlog {
    pub(super) fn new(spec: &LinkSpec) -> Backlog {
        Backlog {
            line: Line::default(),
            waiting_bytes: 0,
            room: Room::new(spec.capacity, spec.counts_sending),
            packet_ps: 0,
            byte_ps: 0,
            most: Volume::default(),
            dropped: Volume::default(),
            clock: None,
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

    /// A packet that comes now finds so many in the port, and will be sent from `start` on: it waits,
    /// and by Little's law the sum of such waits is the integral of the queue.
    #[inline]
    pub(super) fn push(
        &mut self,
        waits: &mut Waits,
        now: Time,
        (start, size): (Time, u32),
        in_port: u32,
    ) {
        waits.push(&mut self.line, in_port == 1, start, size);
        self.waiting_bytes += u64::from(size);
        let wait = u128::from(start.saturating_since(now).as_ps());
        self.packet_ps += wait;
        self.byte_ps += wait * u128::from(size);
        self.most.packets = self.most.packets.max(u64::from(in_port));
        self.most.bytes = self.most.bytes.max(self.waiting_bytes);
    }

    /// Takes the first that waits.
    #[inline]
    pub(super) fn pop(&mut self, waits: &mut Waits) -> Waiting {
        let first = waits.pop(&mut self.line);
        self.waiting_bytes -= u64::from(first.size);
        first
    }

    /// When the transmission of the first that waits begins.
    #[inline]
    pub(super) fn next_start(&self, waits: &Waits) -> Time {
        waits.first(&self.line).start
    }

    /// None of those waits any more, of which there are some.
    pub(super) fn clear(&mut self, waits: &mut Waits) {
        waits.clear(&self.line);
        self.waiting_bytes = 0;
    }

    /// How long a packet is sent, where a byte takes no whole number of picoseconds.
    #[cold]
    #[inline(never)]
    pub(super) fn send(&mut self, size: u32, rested: bool) -> Span {
        let clock = self.clock.as_mut();
        let clock = clock.expect("a line whose bytes take no whole time has a clock");
        if rested {
            clock.rest();
        }
        clock.send(size)
    }

    /// Sends at a rate at which a byte takes no whole number of picoseconds.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        self.clock = Some(Box::new(Transmitter::new(rate)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backlog_is_two_lines_of_the_cache() {
        assert_eq!(size_of::<Backlog>(), 128);
    }
}
