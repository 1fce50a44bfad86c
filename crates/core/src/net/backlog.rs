//! The packets that wait at a port, and their counters.

use pacesim_units::{LinkId, Rate, Span, Time, Transmitter};

use super::waits::{WaitList, Waiting, Waits};
use super::{Counters, LinkConfig, Room, Volume};
use crate::memory::with_room;

/// The backlogs of all ports. Most ports of a large network never make a packet wait, so the
/// backlog of a port without a limit is created when its first packet waits.
#[derive(Debug)]
pub(super) struct Backlogs {
    /// Index of each port's backlog, or [`NOT_YET`].
    places: Vec<u32>,
    made: Vec<Backlog>,
    waits: Waits,
    /// The most packets that may wait at a port, whatever the size of its buffer.
    most_waiting: u32,
}

const NOT_YET: u32 = u32::MAX;

impl Backlogs {
    pub(super) fn with_room(links: usize) -> Backlogs {
        Backlogs {
            places: with_room(links),
            made: Vec::new(),
            waits: Waits::default(),
            most_waiting: u32::MAX,
        }
    }

    /// Sets the most packets that may wait at any port, from now on.
    pub(super) fn cut_to(&mut self, most_waiting: u32) {
        self.most_waiting = most_waiting;
        for backlog in &mut self.made {
            backlog.room = backlog.room.cut_to(most_waiting);
        }
    }

    /// True if a port with `in_port` packets refuses one that its buffer might have taken.
    pub(super) fn is_beyond(&self, id: LinkId, in_port: u32) -> bool {
        in_port > self.most_waiting && self.of(id).is_some_and(|backlog| backlog.room.is_cut)
    }

    /// Adds the backlog of one more port.
    pub(super) fn add(&mut self, spec: &LinkConfig) {
        let room = Room::new(spec.capacity, spec.counts_sending);
        self.places.push(NOT_YET);
        if room.is_bounded() {
            self.make(self.places.len() - 1, room);
        }
    }

    /// The backlog of a port, and the store of its waiting packets.
    #[inline]
    pub(super) fn at(&mut self, id: LinkId) -> (&mut Backlog, &mut Waits) {
        let mut place = self.places[id.index()];
        if place == NOT_YET {
            place = self.make(id.index(), Room::UNLIMITED);
        }
        (&mut self.made[place as usize], &mut self.waits)
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, port: usize, room: Room) -> u32 {
        let place = u32::try_from(self.made.len()).expect("less than 4e9 links");
        self.places[port] = place;
        self.made.push(Backlog::new(room.cut_to(self.most_waiting)));
        place
    }

    /// True if the backlog of a port has any limit.
    pub(super) fn is_bounded(&self, id: LinkId) -> bool {
        self.of(id).is_some_and(|backlog| backlog.room.is_bounded())
    }

    /// The backlog of a port, if it has been created.
    pub(super) fn of(&self, id: LinkId) -> Option<&Backlog> {
        self.made.get(self.places[id.index()] as usize)
    }

    /// The rate of a line on which a byte does not take a whole number of picoseconds.
    pub(super) fn odd_rate(&self, id: LinkId) -> Rate {
        let clock = self.of(id).and_then(|backlog| backlog.clock.as_ref());
        let clock = clock.expect("a line whose bytes take no whole time has a clock");
        clock.rate()
    }

    /// Restarts the maxima of a port from the packets waiting there.
    pub(super) fn restart_maxima(&mut self, id: LinkId, waiting: Volume) {
        if let Some(backlog) = self.made.get_mut(self.places[id.index()] as usize) {
            backlog.most = waiting;
        }
    }

    /// The first `count` packets waiting at a port.
    pub(super) fn waiting(&self, id: LinkId, count: u32) -> impl Iterator<Item = Waiting> + Clone {
        let list = self.of(id).map(|backlog| &backlog.list);
        list.map(|list| self.waits.iter(list, count))
            .into_iter()
            .flatten()
    }
}

/// The packets behind the first one in a port. A packet that finds its port idle, as most do, does
/// not touch it.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Backlog {
    list: WaitList,
    waiting_bytes: u64,
    room: Room,
    /// Integrals of the waiting packets and bytes, and the most that waited at once.
    packet_ps: u128,
    byte_ps: u128,
    most: Volume,
    pub(super) dropped: Volume,
    /// The clock of a line on which a byte does not take a whole number of picoseconds.
    clock: Option<Box<Transmitter>>,
}

impl Backlog {
    fn new(room: Room) -> Backlog {
        Backlog {
            list: WaitList::default(),
            waiting_bytes: 0,
            room,
            packet_ps: 0,
            byte_ps: 0,
            most: Volume::default(),
            dropped: Volume::default(),
            clock: None,
        }
    }

    /// The counters of the port that its backlog keeps.
    pub(super) fn counters(&self) -> Counters {
        Counters {
            dropped: self.dropped,
            waiting_packet_ps: self.packet_ps,
            waiting_byte_ps: self.byte_ps,
            max_waiting_packets: self.most.packets,
            max_waiting_bytes: self.most.bytes,
            ..Counters::default()
        }
    }

    /// True if a packet fits, with `in_port` packets in the port and the first of `first_size`
    /// bytes.
    #[inline]
    pub(super) fn has_room(&self, in_port: u32, first_size: u32, size: u32) -> bool {
        let mut bytes = self.waiting_bytes + u64::from(size);
        if self.room.counts_sending_bytes && in_port > 0 {
            bytes += u64::from(first_size);
        }
        in_port <= self.room.most_in_port && bytes <= self.room.most_bytes
    }

    /// Adds a packet that arrives now, finds `in_port` packets, and will be transmitted from
    /// `start` on. By Little's law the sum of such waits is the integral of the queue.
    #[inline]
    pub(super) fn push(
        &mut self,
        waits: &mut Waits,
        now: Time,
        (start, size): (Time, u32),
        in_port: u32,
    ) {
        waits.push(&mut self.list, in_port == 1, start, size);
        self.waiting_bytes += u64::from(size);
        let wait = u128::from(start.saturating_since(now).as_ps());
        self.packet_ps += wait;
        self.byte_ps += wait * u128::from(size);
        self.most.packets = self.most.packets.max(u64::from(in_port));
        self.most.bytes = self.most.bytes.max(self.waiting_bytes);
    }

    /// Bytes of waiting packets that are not known to have left.
    pub(super) fn waiting_bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// Takes the first waiting packet.
    #[inline]
    pub(super) fn pop(&mut self, waits: &mut Waits) -> Waiting {
        let first = waits.pop(&mut self.list);
        self.waiting_bytes -= u64::from(first.size);
        first
    }

    /// Start of the transmission of the first waiting packet.
    #[inline]
    pub(super) fn next_start(&self, waits: &Waits) -> Time {
        waits.first(&self.list).start
    }

    /// Removes all waiting packets; at least one must be waiting.
    pub(super) fn clear(&mut self, waits: &mut Waits) {
        waits.clear(&self.list);
        self.waiting_bytes = 0;
    }

    /// Transmission time of a packet where a byte does not take a whole number of picoseconds.
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

    /// Sets a rate at which a byte does not take a whole number of picoseconds.
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
