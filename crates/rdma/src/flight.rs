//! The packets from the first that is not acknowledged to the last that was ever sent.

use std::collections::VecDeque;

/// Numbers of packets and the bytes that they carry. A packet that is sent again carries what it
/// carried before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flight {
    /// Number of the first packet that is not acknowledged, and the byte with which it begins.
    first: u32,
    base: u64,
    /// The byte behind each packet from `first` on that was ever sent.
    ends: VecDeque<u64>,
    /// Packets from `first` on that are sent and not taken back.
    sent: usize,
}

impl Flight {
    /// The number of the next packet to send.
    pub(crate) fn next_number(&self) -> u32 {
        self.first.wrapping_add(self.sent as u32)
    }

    /// The byte with which the next packet begins.
    pub(crate) fn next_byte(&self) -> u64 {
        match self.sent {
            0 => self.base,
            sent => self.ends[sent - 1],
        }
    }

    /// The byte before which all are acknowledged.
    pub(crate) fn acked(&self) -> u64 {
        self.base
    }

    /// The byte behind the last that was ever sent.
    pub(crate) fn furthest(&self) -> u64 {
        self.ends.back().copied().unwrap_or(self.base)
    }

    /// Bytes in flight, and packets.
    pub(crate) fn in_flight(&self) -> (u64, usize) {
        (self.next_byte() - self.base, self.sent)
    }

    /// The bytes before which a packet begins and ends that is in flight.
    pub(crate) fn bytes_of(&self, number: u32) -> Option<(u64, u64)> {
        let place = number.wrapping_sub(self.first) as usize;
        let end = *self.ends.get(place)?;
        let from = place
            .checked_sub(1)
            .map_or(self.base, |before| self.ends[before]);
        Some((from, end))
    }

    /// The number of the first packet that is not acknowledged.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// The byte behind the next packet if it was sent before.
    pub(crate) fn again(&self) -> Option<u64> {
        self.ends.get(self.sent).copied()
    }

    /// The next packet is sent, and ends before this byte.
    pub(crate) fn send(&mut self, end: u64) {
        if self.sent == self.ends.len() {
            self.ends.push_back(end);
        }
        self.sent += 1;
    }

    /// All packets before this number have arrived; numbers that were never sent are ignored. Returns
    /// the bytes that are new.
    pub(crate) fn acknowledge(&mut self, number: u32) -> u64 {
        let packets = number.wrapping_sub(self.first) as usize;
        if packets == 0 || packets > self.ends.len() {
            return 0;
        }
        let base = self.ends[packets - 1];
        let new = base - self.base;
        self.ends.drain(..packets);
        self.sent = self.sent.saturating_sub(packets);
        (self.first, self.base) = (number, base);
        new
    }

    /// All packets in flight are to be sent again.
    pub(crate) fn go_back(&mut self) {
        self.sent = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_that_are_sent_again_carry_what_they_carried() {
        let mut flight = Flight::default();
        for end in [100, 150, 250] {
            flight.send(end);
        }
        assert_eq!((flight.next_number(), flight.in_flight()), (3, (250, 3)));
        assert_eq!(flight.acknowledge(1), 100);
        flight.go_back();
        assert_eq!((flight.next_number(), flight.next_byte()), (1, 100));
        assert_eq!(flight.again(), Some(150));
        flight.send(150);
        assert_eq!(flight.acknowledge(3), 150, "the first copy had arrived");
        assert_eq!((flight.in_flight(), flight.acked()), ((0, 0), 250));
        assert_eq!(flight.acknowledge(9), 0, "never sent");
        assert_eq!(flight.acknowledge(2), 0, "old");
    }
}
