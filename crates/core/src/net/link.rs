//! One direction of a wire, with the port and drop-tail queue that feed it.

use pacesim_units::{Rate, Span, Time, Transmitter};

use super::{Counters, LinkSpec, Packet, Room, Transit};

/// A link. Packets that wait, the one being sent and those on the wire are one FIFO:
/// the port is work-conserving, so a packet's departure is known when it is taken.
/// Which of them still are in the port is found out when it matters.
#[derive(Debug)]
pub struct Link {
    next_free: Time,
    delay: Span,
    /// The FIFO: first, last, and how many.
    head: u32,
    tail: u32,
    len: u32,
    /// How many of the last still are in the port, and the first of these.
    in_port: u32,
    first_in_port: u32,
    waiting_bytes: u64,
    room: Room,
    line: Transmitter,
    fingerprint: u64,
    handed_on: u64,
    counters: Counters,
}

/// What becomes of a packet that a port took.
#[derive(Clone, Copy, Debug)]
pub struct Accepted {
    /// When its transmission begins.
    pub began: Time,
    /// When its last bit leaves.
    pub departure: Time,
    /// When its last bit reaches the other end.
    pub arrive: Time,
    /// Whether the link carries no other.
    pub is_first: bool,
}

/// A multiplier with well-mixed bits (the golden ratio's fraction).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The outcome of a dropped packet in a fingerprint: no departure time is odd.
const DROPPED: u64 = 1;

impl Link {
    /// A link at rest.
    pub fn new(spec: &LinkSpec) -> Link {
        Link {
            next_free: Time::ZERO,
            delay: spec.delay,
            head: 0,
            tail: 0,
            len: 0,
            in_port: 0,
            first_in_port: 0,
            waiting_bytes: 0,
            room: Room::new(spec.capacity, spec.counts_sending),
            line: Transmitter::new(spec.rate),
            fingerprint: MIX,
            handed_on: 0,
            counters: Counters::default(),
        }
    }

    /// Offers a packet to the port at `now`, by something that began at `began`. Says
    /// what becomes of it, or `None` if it was dropped.
    #[inline(always)]
    pub fn offer(
        &mut self,
        transits: &mut [Transit],
        now: Time,
        began: Time,
        place: u32,
    ) -> Option<Accepted> {
        self.retire(transits, now, began);
        let packet = &transits[place as usize].packet;
        let (size, word) = (packet.size, packet.word());
        if !self.has_room(transits, size) {
            self.refuse(now, size, word);
            return None;
        }
        let start = if self.in_port == 0 {
            self.line.rest();
            self.first_in_port = place;
            now
        } else {
            self.note_wait(now, size);
            self.next_free
        };
        let departure = self.schedule(now, start, size, word);
        let arrive = departure.saturating_add(self.delay);
        let is_first = self.len == 0;
        self.append(transits, place, start, arrive);
        Some(Accepted {
            began: start,
            departure,
            arrive,
            is_first,
        })
    }

    /// Sends at `now` a packet that came at `came` and waited in a queue elsewhere. The
    /// line is free: since the last departure, which is now, or it `rested` before.
    pub fn send_at_once(
        &mut self,
        transits: &mut [Transit],
        now: Time,
        came: Time,
        rested: bool,
        place: u32,
    ) -> Accepted {
        debug_assert!(
            now >= self.next_free,
            "the line sends until {}",
            self.next_free
        );
        if rested {
            self.line.rest();
        }
        (self.in_port, self.waiting_bytes) = (0, 0);
        self.first_in_port = place;
        let packet = &transits[place as usize].packet;
        let departure = self.schedule(came, now, packet.size, packet.word());
        let is_first = self.len == 0;
        let mut arrive = departure.saturating_add(self.delay);
        if !is_first {
            // The delay may have become less: nothing overtakes on a wire.
            arrive = arrive.max(transits[self.tail as usize].arrive);
        }
        self.append(transits, place, now, arrive);
        Accepted {
            began: now,
            departure,
            arrive,
            is_first,
        }
    }

    /// Takes a packet that came at `came` and is sent at `start`, and says when it leaves.
    #[inline(always)]
    fn schedule(&mut self, came: Time, start: Time, size: u32, word: u64) -> Time {
        let departure = start.saturating_add(self.line.send(size));
        self.next_free = departure;
        self.in_port += 1;
        self.counters.accepted.add(size);
        self.note(came, departure.as_ps() << 1, word);
        departure
    }

    #[inline]
    fn append(&mut self, transits: &mut [Transit], place: u32, began: Time, arrive: Time) {
        let transit = &mut transits[place as usize];
        transit.began = began;
        transit.arrive = arrive;
        if self.len == 0 {
            self.head = place;
        } else {
            transits[self.tail as usize].next = place;
        }
        self.tail = place;
        self.len += 1;
    }

    /// Drops a packet at the port, whatever the queue holds.
    pub fn drop_packet(&mut self, now: Time, packet: &Packet) {
        self.refuse(now, packet.size, packet.word());
    }

    #[cold]
    fn refuse(&mut self, now: Time, size: u32, word: u64) {
        self.counters.dropped.add(size);
        self.note(now, DROPPED, word);
    }

    /// Takes the packet that reaches the other end off the link.
    #[inline]
    pub fn hand_on(&mut self, transits: &[Transit]) -> u32 {
        if self.in_port == self.len {
            self.retire_one(transits);
        }
        let place = self.head;
        self.head = transits[place as usize].next;
        self.len -= 1;
        self.handed_on += 1;
        debug_assert_eq!(
            self.counters.accepted.packets,
            self.handed_on + u64::from(self.len),
            "a link creates or destroys packets"
        );
        place
    }

    /// Counts a packet that the wire lost.
    pub fn note_loss(&mut self, now: Time, packet: &Packet) {
        self.counters.lost.add(packet.size);
        self.note(now, DROPPED, packet.word());
    }

    /// The packet that reaches the other end next.
    #[inline]
    pub fn head<'a>(&self, transits: &'a [Transit]) -> Option<&'a Transit> {
        (self.len > 0).then(|| &transits[self.head as usize])
    }

    /// Packets that wait, are sent, or are on the wire.
    pub fn carries(&self) -> u32 {
        self.len
    }

    /// Packets that reached the other end, or that the wire lost.
    pub fn handed_on(&self) -> u64 {
        self.handed_on
    }

    /// The rate of the line.
    pub fn rate(&self) -> Rate {
        self.line.rate()
    }

    /// Sends at another rate from the next packet on; its queue is elsewhere.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        self.line = Transmitter::new(rate);
    }

    /// Gives the packets that are sent from now on another delay; its queue is elsewhere.
    pub(super) fn set_delay(&mut self, delay: Span) {
        self.delay = delay;
    }

    /// The propagation delay.
    pub fn delay(&self) -> Span {
        self.delay
    }

    /// A hash of all that happened here: arrivals, departures, drops and losses with
    /// their times.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The counters as they are at `now`, when all that happens up to then has.
    pub fn counters_at(&self, transits: &[Transit], now: Time) -> Counters {
        let mut counters = self.counters;
        counters.reached = self.handed_on;
        counters.left = counters.accepted;
        for transit in self.still_in_port(transits, now) {
            let size = u64::from(transit.packet.size);
            counters.left.packets -= 1;
            counters.left.bytes -= size;
            // It was counted to wait until it starts; so far it did until now.
            let to_wait = u128::from(transit.began.saturating_since(now).as_ps());
            counters.waiting_packet_ps -= to_wait;
            counters.waiting_byte_ps -= to_wait * u128::from(size);
        }
        counters
    }

    /// What waits at `now`: packets and bytes, without the packet being sent.
    pub fn waiting_at(&self, transits: &[Transit], now: Time) -> (u64, u64) {
        let waiting = self.still_in_port(transits, now).skip(1);
        waiting.fold((0, 0), |(n, bytes), transit| {
            (n + 1, bytes + u64::from(transit.packet.size))
        })
    }

    /// Starts the maxima afresh from what waits at `now`.
    pub fn restart_maxima(&mut self, transits: &[Transit], now: Time) {
        let (packets, bytes) = self.waiting_at(transits, now);
        self.counters.max_waiting_packets = packets;
        self.counters.max_waiting_bytes = bytes;
    }

    /// The packets that leave after `now`. Looking changes nothing: a later arrival at the same
    /// instant may come before a departure.
    fn still_in_port<'a>(
        &'a self,
        transits: &'a [Transit],
        now: Time,
    ) -> impl Iterator<Item = &'a Transit> {
        let mut place = self.first_in_port;
        let in_port = (0..self.in_port).map(move |_| {
            let transit = &transits[place as usize];
            place = transit.next;
            transit
        });
        // Where the delay may change there is a queue elsewhere, and only the last is in the port.
        let departs = move |transit: &Transit| match self.in_port {
            1 => self.next_free,
            _ => transit.arrive - self.delay,
        };
        in_port.filter(move |transit| departs(transit) > now)
    }

    /// Forgets those packets in the port that have left it before something that
    /// happens at `now` and began at `began`. A departure began when its transmission
    /// did; at equal times the earlier beginning is first, and departures before
    /// arrivals if both began together.
    #[inline]
    fn retire(&mut self, transits: &[Transit], now: Time, began: Time) {
        if now > self.next_free {
            self.in_port = 0;
            self.waiting_bytes = 0;
        } else if self.in_port > 0 {
            self.retire_some(transits, now, began);
        }
    }

    #[inline]
    fn retire_some(&mut self, transits: &[Transit], now: Time, began: Time) {
        while self.in_port > 0 {
            let first = &transits[self.first_in_port as usize];
            let departure = first.arrive - self.delay;
            if departure > now || (departure == now && first.began > began) {
                return;
            }
            self.retire_one(transits);
        }
    }

    #[inline]
    fn retire_one(&mut self, transits: &[Transit]) {
        self.in_port -= 1;
        if self.in_port > 0 {
            self.first_in_port = transits[self.first_in_port as usize].next;
            self.waiting_bytes -= u64::from(transits[self.first_in_port as usize].packet.size);
        }
    }

    #[inline]
    fn has_room(&self, transits: &[Transit], size: u32) -> bool {
        let mut bytes = self.waiting_bytes + u64::from(size);
        if self.room.counts_sending_bytes && self.in_port > 0 {
            bytes += u64::from(transits[self.first_in_port as usize].packet.size);
        }
        self.in_port <= self.room.most_in_port && bytes <= self.room.most_bytes
    }

    /// A packet that finds others waits until the line is free: by Little's law the sum
    /// of these waits is the integral of the queue.
    #[inline]
    fn note_wait(&mut self, now: Time, size: u32) {
        self.waiting_bytes += u64::from(size);
        let wait = self.next_free.saturating_since(now).as_ps();
        self.counters
            .note_wait(wait, size, self.in_port, self.waiting_bytes);
    }

    /// Mixes what happened to a packet, and when, into the fingerprint: a bijection of what
    /// was there, so nothing that came before is forgotten.
    #[inline]
    fn note(&mut self, now: Time, outcome: u64, word: u64) {
        let mixed = (self.fingerprint ^ now.as_ps() ^ word).wrapping_mul(MIX);
        self.fingerprint = mixed.rotate_left(29) ^ outcome;
    }
}
