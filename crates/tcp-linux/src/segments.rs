//! Outstanding packets: a record for each packet sent and not acknowledged, in a ring, linked in
//! order of sending.

use std::collections::VecDeque;
use std::ops::Range;

use super::clock::Micros;

/// Stands for the number of no packet.
const NONE: u32 = u32::MAX;

const LEAST_PLACES: usize = 4;

/// The marks of an outstanding packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Marks(u8);

impl Marks {
    /// A SACK block covers the packet.
    pub(super) const SACKED: Marks = Marks(1);
    /// The packet is considered lost.
    pub(super) const LOST: Marks = Marks(2);
    /// A retransmission of the packet is outstanding.
    pub(super) const RESENT: Marks = Marks(4);
    /// The packet was retransmitted at least once.
    pub(super) const EVER_RESENT: Marks = Marks(8);
    /// The application had no more data when the packet was sent.
    pub(super) const APP_LIMITED: Marks = Marks(16);

    #[inline]
    pub(super) fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }
}

/// One outstanding packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// Time of the packet's last transmission.
    pub(super) at: Micros,
    /// Time of the last delivery before it was sent; 0 once it is counted as delivered.
    pub(super) delivered_at: Micros,
    /// Start of the flight that the packet was sent in.
    pub(super) first_at: Micros,
    /// Number of packets delivered, and of those marked among them, when the packet departed.
    pub(super) delivered: u32,
    pub(super) delivered_ce: u32,
    /// Neighbours of the packet in the order of sending.
    earlier: u32,
    later: u32,
    pub(super) marks: Marks,
}

impl Sent {
    #[inline]
    pub(super) fn is(&self, marks: Marks) -> bool {
        self.marks.has(marks)
    }

    #[inline]
    pub(super) fn set(&mut self, marks: Marks) {
        self.marks.0 |= marks.0;
    }

    #[inline]
    pub(super) fn clear(&mut self, marks: Marks) {
        self.marks.0 &= !marks.0;
    }

    /// True if it was sent once, and neither SACKed nor marked lost.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.marks.0 & !Marks::APP_LIMITED.0 == 0
    }

    /// True if the packet was ever retransmitted.
    #[inline]
    pub(super) fn was_resent(&self) -> bool {
        self.is(Marks(Marks::RESENT.0 | Marks::EVER_RESENT.0))
    }
}

/// Packets in flight at a departure, including that packet, and packets lost until then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    pub(super) packets: u32,
    pub(super) lost: u32,
}

/// A packet considered lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    /// Packets in flight at its departure, and packets lost since, including it.
    pub(super) in_flight: u32,
    pub(super) losses: u32,
    pub(super) is_app_limited: bool,
    /// True if the delivery of the packet was not counted before.
    pub(super) is_sampled: bool,
}

/// The outstanding packets, from the first not acknowledged on.
#[derive(Debug)]
pub(super) struct Segments {
    /// A ring with a power of two of places, or none: packet `seq` is at `seq` modulo their number.
    ring: Vec<Sent>,
    /// Packets in flight, tracked for controls that follow losses.
    flights: Option<VecDeque<Flight>>,
    una: u32,
    end: u32,
    /// One past the last packet that was changed after it was sent: those from here on were sent
    /// once, in order, and are plain.
    touched: u32,
    /// The ends of the list in order of sending: of packets neither SACKed nor newly lost.
    oldest: u32,
    newest: u32,
}

impl Segments {
    pub(super) fn new() -> Segments {
        Segments {
            ring: Vec::new(),
            flights: None,
            una: 0,
            end: 0,
            touched: 0,
            oldest: NONE,
            newest: NONE,
        }
    }

    pub(super) fn follow_flights(&mut self) {
        self.flights = Some(VecDeque::new());
    }

    #[inline]
    pub(super) fn follows_flights(&self) -> bool {
        self.flights.is_some()
    }

    /// Packets in flight when packet `seq` was sent, if they are tracked.
    #[inline]
    pub(super) fn flight(&self, seq: u32) -> Option<Flight> {
        Some(self.flights.as_ref()?[(seq - self.una) as usize])
    }

    #[inline]
    pub(super) fn set_flight(&mut self, seq: u32, flight: Flight) {
        if let Some(flights) = &mut self.flights {
            flights[(seq - self.una) as usize] = flight;
        }
    }

    #[inline]
    fn place(&self, seq: u32) -> usize {
        seq as usize & self.ring.len().wrapping_sub(1)
    }

    #[inline]
    pub(super) fn get(&self, seq: u32) -> &Sent {
        &self.ring[self.place(seq)]
    }

    /// Packet `seq`, mutable; it no longer counts as plain.
    #[inline]
    pub(super) fn get_mut(&mut self, seq: u32) -> &mut Sent {
        self.touched = self.touched.max(seq + 1);
        self.at_place(seq)
    }

    #[inline]
    fn at_place(&mut self, seq: u32) -> &mut Sent {
        let place = self.place(seq);
        &mut self.ring[place]
    }

    /// True if every outstanding packet is plain: the order of sending is then theirs.
    #[inline]
    pub(super) fn are_plain(&self) -> bool {
        self.una >= self.touched
    }

    /// The first outstanding packet.
    #[inline]
    pub(super) fn head(&self) -> Option<&Sent> {
        (self.una != self.end).then(|| self.get(self.una))
    }

    /// The numbers of all outstanding packets.
    pub(super) fn range(&self) -> Range<u32> {
        self.una..self.end
    }

    /// Adds a new packet behind all others.
    #[inline]
    pub(super) fn push(&mut self, mut sent: Sent) {
        let (seq, last) = (self.end, self.newest);
        if (seq - self.una) as usize == self.ring.len() {
            self.widen();
        }
        sent.earlier = last;
        *self.at_place(seq) = sent;
        self.end += 1;
        self.follow(last, seq);
        if let Some(flights) = &mut self.flights {
            flights.push_back(Flight::default());
        }
    }

    /// Doubles the number of places.
    #[cold]
    fn widen(&mut self) {
        let places = (2 * self.ring.len()).max(LEAST_PLACES);
        let mut ring = vec![Sent::now(0); places];
        for seq in self.range() {
            ring[seq as usize & (places - 1)] = *self.get(seq);
        }
        self.ring = ring;
    }

    /// Removes the first packet, which is acknowledged.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.unlink(self.una);
        if let Some(flights) = &mut self.flights {
            flights.pop_front();
        }
        self.una += 1;
    }

    /// Removes all packets below `next`, which are acknowledged, while all are plain: the first
    /// remaining one is the oldest.
    #[inline]
    pub(super) fn pop_plain(&mut self, next: u32) {
        debug_assert!(self.are_plain());
        if let Some(flights) = &mut self.flights {
            flights.drain(..(next - self.una) as usize);
        }
        self.una = next;
        if next == self.end {
            (self.oldest, self.newest) = (NONE, NONE);
        } else {
            self.oldest = next;
            self.at_place(next).earlier = NONE;
        }
    }

    /// Clears the places of packets no longer outstanding, so that rings can be compared.
    #[cfg(test)]
    pub(super) fn forget_past(&mut self) {
        let (una, end, places) = (self.una, self.end, self.ring.len() as u32);
        (end..una + places).for_each(|seq| *self.at_place(seq) = Sent::now(0));
    }

    /// Makes packet `seq`, which is retransmitted, the newest.
    pub(super) fn renew(&mut self, seq: u32) {
        self.unlink(seq);
        self.append(seq);
    }

    /// Takes a packet out of the order of sending.
    #[inline]
    pub(super) fn unlink(&mut self, seq: u32) {
        let Sent { earlier, later, .. } = *self.get(seq);
        if earlier == NONE && self.oldest != seq {
            return;
        }
        match earlier {
            NONE => self.oldest = later,
            _ => self.at_place(earlier).later = later,
        }
        match later {
            NONE => self.newest = earlier,
            _ => self.at_place(later).earlier = earlier,
        }
        let sent = self.at_place(seq);
        (sent.earlier, sent.later) = (NONE, NONE);
    }

    fn append(&mut self, seq: u32) {
        let last = self.newest;
        let sent = self.at_place(seq);
        (sent.earlier, sent.later) = (last, NONE);
        self.follow(last, seq);
    }

    /// Makes packet `seq` the newest, behind `last`.
    #[inline]
    fn follow(&mut self, last: u32, seq: u32) {
        match last {
            NONE => self.oldest = seq,
            _ => self.at_place(last).later = seq,
        }
        self.newest = seq;
    }

    /// The first packet in the order of sending.
    #[inline]
    pub(super) fn oldest(&self) -> Option<u32> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// The packet after this one in the order of sending.
    #[inline]
    pub(super) fn sent_after(&self, seq: u32) -> Option<u32> {
        let later = self.get(seq).later;
        (later != NONE).then_some(later)
    }
}

impl Sent {
    /// A packet sent now, not yet linked.
    #[inline]
    pub(super) fn now(at: Micros) -> Sent {
        Sent {
            at,
            delivered_at: 0,
            first_at: 0,
            delivered: 0,
            delivered_ce: 0,
            earlier: NONE,
            later: NONE,
            marks: Marks::default(),
        }
    }
}

/// True if a packet sent at `at` that ends at `end` was sent after another.
#[inline]
pub(super) fn sent_after(at: Micros, end: u32, than: Micros, than_end: u32) -> bool {
    at > than || (at == than && end > than_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(segments: &Segments) -> Vec<u32> {
        std::iter::successors(segments.oldest(), |seq| segments.sent_after(*seq)).collect()
    }

    #[test]
    fn a_retransmission_is_the_newest_and_what_is_unlinked_is_in_no_order() {
        let mut segments = Segments::new();
        for at in 0..4 {
            segments.push(Sent::now(at));
        }
        segments.renew(1);
        assert_eq!(order(&segments), [0, 2, 3, 1]);
        segments.unlink(2);
        segments.unlink(2);
        segments.pop();
        assert_eq!(order(&segments), [3, 1]);
        segments.renew(2);
        assert_eq!(order(&segments), [3, 1, 2]);
        segments.pop();
        segments.pop();
        segments.pop();
        assert_eq!(order(&segments), []);
        segments.push(Sent::now(9));
        assert_eq!(order(&segments), [4]);
    }
}
