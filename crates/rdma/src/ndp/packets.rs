//! The packets of a source, from the first that has not arrived.

use std::collections::VecDeque;

use pacesim_units::{Span, Time};

/// The known facts of a packet that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It was sent at this time, and has no answer yet.
    Sent(Time),
    /// Only its header has arrived.
    Refused,
    /// It has arrived.
    Arrived,
}

/// Numbered packets and the bytes that they carry.
#[derive(Clone, Debug, Default)]
pub(super) struct Packets {
    /// Number of the first packet that is not known to have arrived, and the byte with which it begins.
    first: u32,
    base: u64,
    /// The byte behind each packet from `first` on, and what is known of it.
    sent: VecDeque<(u64, Known)>,
}

impl Packets {
    /// True if all packets have arrived.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// The byte before which all have arrived.
    pub(super) fn arrived(&self) -> u64 {
        self.base
    }

    /// The byte behind the last packet that was sent.
    pub(super) fn end(&self) -> u64 {
        self.sent.back().map_or(self.base, |(end, _)| *end)
    }

    /// A packet with these numbers of bytes is sent for the first time.
    pub(super) fn send(&mut self, now: Time, end: u64) {
        self.sent.push_back((end, Known::Sent(now)));
    }

    /// A packet is sent again, unless it has arrived. Returns the bytes before which it begins and ends.
    pub(super) fn send_again(&mut self, now: Time, number: u32) -> Option<(u64, u64)> {
        let place = self.place(number)?;
        if self.sent[place].1 == Known::Arrived {
            return None;
        }
        let from = match place.checked_sub(1) {
            None => self.base,
            Some(before) => self.sent[before].0,
        };
        self.sent[place].1 = Known::Sent(now);
        Some((from, self.sent[place].0))
    }

    fn place(&self, number: u32) -> Option<usize> {
        let place = number.checked_sub(self.first)? as usize;
        (place < self.sent.len()).then_some(place)
    }

    /// A packet has arrived. True if that is new.
    pub(super) fn arrive(&mut self, number: u32) -> bool {
        let place = self.place(number);
        let place = place.filter(|place| self.sent[*place].1 != Known::Arrived);
        let Some(place) = place else {
            return false;
        };
        self.sent[place].1 = Known::Arrived;
        while let Some((end, Known::Arrived)) = self.sent.front() {
            (self.first, self.base) = (self.first + 1, *end);
            self.sent.pop_front();
        }
        true
    }

    /// Only the header of a packet has arrived. False if the packet has, or is to be sent again
    /// already.
    pub(super) fn refuse(&mut self, number: u32) -> bool {
        let place = self.place(number);
        let known = place.map(|place| &mut self.sent[place].1);
        match known {
            Some(known @ Known::Sent(_)) => {
                *known = Known::Refused;
                true
            }
            _ => false,
        }
    }

    /// Packets under way.
    pub(super) fn under_way(&self) -> usize {
        let known = self.sent.iter();
        known
            .filter(|(_, known)| matches!(known, Known::Sent(_)))
            .count()
    }

    /// The numbers of packets that were sent before this time and have no answer yet.
    pub(super) fn late(&self, before: Time) -> impl Iterator<Item = u32> + '_ {
        let numbered = (self.first..).zip(&self.sent);
        numbered.filter_map(move |(number, (_, known))| match known {
            Known::Sent(at) if *at <= before => Some(number),
            _ => None,
        })
    }

    /// The time at which the oldest packet without an answer has waited for so long.
    pub(super) fn next_late(&self, timeout: Span) -> Option<Time> {
        let times = self.sent.iter().filter_map(|(_, known)| match known {
            Known::Sent(at) => Some(at.saturating_add(timeout)),
            _ => None,
        });
        times.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_leave_once_all_before_them_have_arrived() {
        let at = |us| Time::ZERO + Span::from_us(us);
        let mut packets = Packets::default();
        for (i, end) in [100, 200, 250].into_iter().enumerate() {
            packets.send(at(i as u64), end);
        }
        assert!(packets.arrive(1) && !packets.arrive(1));
        assert_eq!((packets.arrived(), packets.under_way()), (0, 2));
        assert!(packets.refuse(2) && !packets.refuse(2) && !packets.refuse(1));
        assert_eq!(packets.late(at(5)).collect::<Vec<_>>(), [0]);
        assert_eq!(packets.next_late(Span::from_us(7)), Some(at(7)));
        assert!(packets.arrive(0));
        assert_eq!((packets.arrived(), packets.end()), (200, 250));
        assert_eq!(packets.send_again(at(9), 2), Some((200, 250)));
        assert!(packets.arrive(2) && packets.is_empty());
        assert_eq!(packets.send_again(at(9), 2), None);
    }
}
