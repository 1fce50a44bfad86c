//! Links that lead out of the part of a network that this copy of it runs.
//!
//! Several copies of a network may each run the nodes of one part. A packet that a port takes for a
//! link into another part is then on that link's wire in two steps: first in the copy of the port, which
//! knows its arrival at once, then in the copy where it arrives. It moves from one to the other before
//! that time, so a hop costs nothing more inside a part. Its further course there may be worked out as soon
//! as it is handed over.

use pacesim_units::{LinkId, Time};

use super::routes::{AHEAD, END};
use super::{Carried, Network, head_word};
use crate::engine::EventQueue;
use crate::memory::prefetch;
use crate::net::{Packet, Parts, Probe};

/// A packet on the wire of a link into another part. Its payload is beside it, so that one cache line is
/// enough.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Link whose wire carries the packet.
    link: LinkId,
    /// Header word that a middlebox wrote.
    header: u32,
    /// Time at which its last bit arrives at the other end.
    arrive: Time,
    /// Start of its transmission.
    began: Time,
    packet: Packet,
    has_payload: bool,
}

const _: () = assert!(size_of::<Crossing>() <= 64);

/// The number of packets before one whose port is prefetched.
const AHEAD_BY: usize = 8;

/// Packets from one part for another. Those of each wire are in their order.
#[derive(Debug)]
pub struct Mail<L> {
    crossings: Vec<Crossing>,
    /// The payloads of those that have one.
    payloads: Vec<L>,
}

impl<L> Default for Mail<L> {
    fn default() -> Mail<L> {
        Mail {
            crossings: Vec::new(),
            payloads: Vec::new(),
        }
    }
}

impl<L> Mail<L> {
    /// Number of packets.
    pub fn len(&self) -> usize {
        self.crossings.len()
    }

    /// True if there is no packet.
    pub fn is_empty(&self) -> bool {
        self.crossings.is_empty()
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Links that lead out of this part: nothing is computed ahead behind their wires. Call it before
    /// [`work_ahead`](Network::work_ahead). Their wires lose no packets.
    pub fn cut(&mut self, links: impl Iterator<Item = LinkId>) {
        self.ahead.is_cut = vec![false; self.links.len()];
        for link in links {
            let extra = self.extra(link);
            let is_lossy = extra.is_some_and(|extra| extra.loss.is_some());
            assert!(!is_lossy, "losses belong to both ends of a wire");
            self.ahead.is_cut[link.index()] = true;
        }
    }

    /// Takes all packets off the wire of a link into another part. None of them has arrived yet. Returns
    /// the arrival of the first, if there is one.
    #[inline]
    pub fn take_crossings(&mut self, link: LinkId, into: &mut Mail<P::Payload>) -> Option<Time> {
        (self.links.wire_mut(link).len() > 0).then(|| self.take_all_off(link, into))
    }

    fn take_all_off(&mut self, link: LinkId, into: &mut Mail<P::Payload>) -> Time {
        let (mut arrive, mut began, head) = self.calendar.take_link(link);
        let (first, mut place) = (arrive, head as u32);
        loop {
            let transit = &self.transits.places()[place as usize];
            let header = transit.header;
            let behind = self.links.wire_mut(link).take(transit);
            let (packet, number) = self.transits.take(place);
            let has_payload = number != 0;
            if has_payload {
                into.payloads.extend(self.transits.payloads.take(number));
            }
            into.crossings.push(Crossing {
                link,
                header,
                arrive,
                began,
                packet,
                has_payload,
            });
            let Some(behind) = behind else { return first };
            (place, arrive, began) = (behind.place, behind.arrive, behind.began);
        }
    }

    /// Takes packets from another part.
    pub fn receive(&mut self, mail: &mut Mail<P::Payload>, probe: &mut impl Probe) {
        let mut payloads = mail.payloads.drain(..);
        for place in 0..mail.crossings.len() {
            self.prefetch_for(&mail.crossings[place + 1..]);
            let crossing = mail.crossings[place];
            // Payloads are large and rare: the two cases are compiled apart.
            let place = match crossing.has_payload {
                true => self.transits.add(crossing.packet, payloads.next()),
                false => self.transits.add(crossing.packet, None),
            };
            self.receive_one(&crossing, place, probe);
        }
        mail.crossings.clear();
    }

    /// Prefetches packets that are taken soon, which are in the caches of another core, and then their hops
    /// and ports.
    #[inline]
    fn prefetch_for(&self, next: &[Crossing]) {
        prefetch(next, 3 * AHEAD_BY);
        let onward = |place: usize| Some(next.get(place)?.packet.hop as usize + 1);
        if let Some(onward) = onward(2 * AHEAD_BY) {
            prefetch(&self.hops, onward);
        }
        if let Some(onward) = onward(AHEAD_BY) {
            self.links.prefetch_port(self.hops[onward] & !AHEAD);
        }
    }

    /// Takes a packet from another part: it continues ahead of time if it may, or is put on its wire
    /// behind those that came before it.
    #[inline]
    fn receive_one(&mut self, crossing: &Crossing, place: u32, probe: &mut impl Probe) {
        let (link, arrive, began) = (crossing.link, crossing.arrive, crossing.began);
        let onward = self.hops[crossing.packet.hop as usize + 1];
        self.transits.places_mut()[place as usize].header = crossing.header;
        if onward & AHEAD != 0 {
            if self.is_caught_up(link, arrive, probe) {
                return self.go_on_ahead((arrive, began), onward & !AHEAD, place, probe);
            }
            self.links.note_late(link);
        }
        let packet = Carried {
            place,
            onward,
            arrive,
            began,
        };
        let transits = self.transits.places_mut();
        if self.links.wire_mut(link).append(transits, packet) {
            self.calendar
                .set_link(link, arrive, began, head_word(packet));
        }
    }

    /// True if a packet that arrives over a link at this time may continue now: all before it have.
    fn is_caught_up(&mut self, link: LinkId, arrive: Time, probe: &mut impl Probe) -> bool {
        let is_late = self.links.port_mut(link).0.is_late;
        arrive <= self.ahead.horizon && (!is_late || self.catch_up(link, probe))
    }

    fn go_on_ahead(
        &mut self,
        (now, began): (Time, Time),
        onward: u32,
        place: u32,
        probe: &mut impl Probe,
    ) {
        self.transits.places_mut()[place as usize].packet.hop += 1;
        match onward {
            END => self.arrive_ahead(now, began, place),
            hop if hop > END => self.visit_ahead(now, began, hop, place, probe),
            next => self.forward(now, began, now, LinkId(next), place, probe),
        }
    }

    /// True if packets have arrived ahead of time that [`next`](Network::next) has not returned.
    pub fn has_arrivals(&self) -> bool {
        !self.ahead.arrived.is_empty()
    }
}
