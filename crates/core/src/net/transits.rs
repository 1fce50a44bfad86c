//! The memory of packets in flight.

use pacesim_units::Time;

use super::payloads::Payloads;
use super::{Ecn, Packet};
use crate::memory::prefer_huge_pages;

/// A packet in flight: it stays at one place of [`Transits`] from source to sink, and wires link
/// such places into FIFOs. The record holds everything needed about the packet behind it when it
/// reaches the other end, so that one cache line is enough.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Transit {
    /// Record of the packet.
    pub packet: Packet,
    /// On a wire, the times of the packet behind it: arrival of its last bit at the other end, and
    /// start of its transmission. In a stage of a port, arrival of this packet at the port and at
    /// the stage.
    pub(super) times: [Time; 2],
    /// The packet behind it on the same wire.
    pub(super) next: u32,
    /// Next hop of the packet behind it, in the route's encoding.
    pub(super) next_onward: u32,
    /// Header word that a middlebox wrote, for others on the packet's way.
    pub(super) header: u32,
    /// Number of the packet's payload among the [`Payloads`], or zero.
    pub(super) payload: u32,
}

/// All packets in flight. Memory grows to the most in flight at once; freed places are reused, the
/// last freed first.
#[derive(Debug)]
pub struct Transits<L = ()> {
    places: Vec<Transit>,
    /// The payloads of some of them, and of the one taken out last.
    pub(super) payloads: Payloads<L>,
    /// Free places, beside them: a place that is taken again is often in no cache, and a write does not
    /// wait for it as a link to the next would.
    free: Vec<u32>,
    in_flight: u32,
    /// True once there were so many packets that one is rarely in the caches.
    is_large: bool,
}

/// Number of packets in flight that take half a megabyte.
const MANY: usize = 8192;

impl<L> Default for Transits<L> {
    fn default() -> Transits<L> {
        Transits {
            places: Vec::new(),
            payloads: Payloads::default(),
            free: Vec::new(),
            in_flight: 0,
            is_large: false,
        }
    }
}

impl<L> Transits<L> {
    /// Adds a packet and its payload, and returns its place.
    #[inline(always)]
    pub fn add(&mut self, packet: Packet, payload: Option<L>) -> u32 {
        let payload = match payload {
            None => 0,
            Some(payload) => self.payloads.keep(payload),
        };
        self.in_flight += 1;
        let Some(place) = self.free.pop() else {
            return self.grow(packet, payload);
        };
        let transit = &mut self.places[place as usize];
        transit.packet = packet;
        transit.payload = payload;
        place
    }

    #[cold]
    fn grow(&mut self, packet: Packet, payload: u32) -> u32 {
        let place = u32::try_from(self.places.len()).expect("less than 4e9 packets in flight");
        let reserved = self.places.capacity();
        self.places.push(Transit {
            packet,
            payload,
            ..Transit::default()
        });
        if self.places.capacity() > reserved {
            prefer_huge_pages(&self.places);
            // All places may be free at once.
            self.free.reserve(self.places.capacity());
        }
        self.is_large = self.places.len() > MANY;
        place
    }

    /// The packets in flight, by their places.
    pub(super) fn packets(&self) -> impl Iterator<Item = &Packet> {
        let mut is_free = vec![false; self.places.len()];
        for place in &self.free {
            is_free[*place as usize] = true;
        }
        let places = self.places.iter().zip(is_free);
        places
            .filter(|(_, is_free)| !is_free)
            .map(|(transit, _)| &transit.packet)
    }

    /// Returns a packet that a stage releases, and its times of arrival at the port and at the
    /// stage.
    #[inline]
    pub(super) fn let_go(&mut self, place: u32, marked: bool) -> ([Time; 2], Packet) {
        let transit = &mut self.places[place as usize];
        if marked {
            transit.packet.flags = transit.packet.flags.with_ecn(Ecn::Ce);
        }
        (transit.times, transit.packet)
    }

    /// Takes a packet out and frees its payload.
    #[inline]
    pub fn remove(&mut self, place: u32) -> Packet {
        let (packet, payload) = self.take(place);
        self.payloads.free(payload);
        packet
    }

    /// Takes a packet out and returns the number of its payload, which stays.
    #[inline]
    pub(super) fn take(&mut self, place: u32) -> (Packet, u32) {
        self.in_flight -= 1;
        let transit = &self.places[place as usize];
        self.free.push(place);
        (transit.packet, transit.payload)
    }

    /// A packet in flight and its payload.
    #[inline]
    pub(super) fn with_payload(&mut self, place: u32) -> (&mut Transit, Option<&L>) {
        let transit = &mut self.places[place as usize];
        let payload = self.payloads.get(transit.payload);
        (transit, payload)
    }

    /// True once there were so many packets that one is rarely in the caches.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        self.is_large
    }

    /// All places, as a slice, so that the compiler knows its address and length to stay the same
    /// while a packet is moved on.
    #[inline]
    pub fn places(&self) -> &[Transit] {
        &self.places
    }

    /// All places as a mutable slice.
    #[inline]
    pub(crate) fn places_mut(&mut self) -> &mut [Transit] {
        &mut self.places
    }

    /// Number of packets in flight.
    pub fn in_flight(&self) -> u64 {
        u64::from(self.in_flight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_in_flight_is_one_line_of_the_cache() {
        assert_eq!(size_of::<Transit>(), 64);
    }

    #[test]
    fn memory_is_what_was_in_flight_at_once() {
        let mut transits = Transits::default();
        for round in 0..1000 {
            let places: Vec<u32> = (0..100)
                .map(|seq| {
                    let packet = Packet {
                        seq,
                        ..Packet::default()
                    };
                    transits.add(packet, (seq % 3 == 0).then_some(seq))
                })
                .collect();
            assert_eq!(transits.in_flight(), 100, "round {round}");
            for (seq, place) in places.into_iter().enumerate() {
                let payload = transits.with_payload(place).1.copied();
                assert_eq!(
                    payload,
                    (seq % 3 == 0).then_some(seq as u32),
                    "its own payload"
                );
                assert_eq!(transits.remove(place).seq, seq as u32);
            }
        }
        assert_eq!(transits.places.len(), 100);
        assert_eq!(
            transits.payloads.room(),
            34,
            "payloads are freed with their packets"
        );
    }
}
