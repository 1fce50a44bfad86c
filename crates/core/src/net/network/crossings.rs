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
use crate::net::{Packet, Parts, Probe};

/// A packet on the wire of a link into another part.
#[derive(Debug)]
pub struct Crossing<L> {
    /// Link whose wire carries the packet.
    pub link: LinkId,
    /// Time at which its last bit arrives at the other end.
    pub arrive: Time,
    /// Start of its transmission.
    began: Time,
    packet: Packet,
    /// Header word that a middlebox wrote.
    header: u32,
    payload: Option<L>,
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

    /// Takes all packets off the wire of a link into another part, in their order. None of them has
    /// arrived yet.
    #[inline]
    pub fn take_crossings(&mut self, link: LinkId, into: &mut Vec<Crossing<P::Payload>>) {
        if self.links.wire_mut(link).len() > 0 {
            self.take_all_off(link, into);
        }
    }

    fn take_all_off(&mut self, link: LinkId, into: &mut Vec<Crossing<P::Payload>>) {
        let (mut arrive, mut began, head) = self.calendar.take_link(link);
        let mut place = head as u32;
        loop {
            let transit = &self.transits.places()[place as usize];
            let header = transit.header;
            let behind = self.links.wire_mut(link).take(transit);
            let (packet, number) = self.transits.take(place);
            let payload = self.transits.payloads.take(number);
            into.push(Crossing {
                link,
                arrive,
                began,
                packet,
                header,
                payload,
            });
            let Some(behind) = behind else { return };
            (place, arrive, began) = (behind.place, behind.arrive, behind.began);
        }
    }

    /// Takes a packet from another part: it continues ahead of time if it may, or is put on its wire
    /// behind those that came before it.
    pub fn receive(&mut self, crossing: Crossing<P::Payload>, probe: &mut impl Probe) {
        let (link, arrive, began) = (crossing.link, crossing.arrive, crossing.began);
        let onward = self.hops[crossing.packet.hop as usize + 1];
        let place = self.transits.add(crossing.packet, crossing.payload);
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
