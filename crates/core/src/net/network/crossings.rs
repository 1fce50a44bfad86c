//! Links that lead out of the part of a network that this copy of it runs.
//!
//! Several copies of a network may each run the nodes of one part. A packet that a port takes for a
//! link into another part is then on that link's wire in two steps: first in the copy of the port, which
//! knows its arrival at once, then in the copy where it arrives. It moves from one to the other before
//! that time, so a hop costs nothing more inside a part.

use pacesim_units::{LinkId, Time};

use super::{Carried, Network, head_word};
use crate::engine::EventQueue;
use crate::net::{Packet, Parts};

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
    /// Links that lead into other parts: nothing is computed ahead behind their wires. Call it before
    /// [`work_ahead`](Network::work_ahead). Their wires lose no packets.
    pub fn cut(&mut self, links: &[LinkId]) {
        self.ahead.is_cut = vec![false; self.links.len()];
        for link in links {
            let extra = self.extra(*link);
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

    /// Puts a packet from another part on its wire here, behind those that came before it.
    pub fn receive(&mut self, crossing: Crossing<P::Payload>) {
        let onward = self.hops[crossing.packet.hop as usize + 1];
        let place = self.transits.add(crossing.packet, crossing.payload);
        let transits = self.transits.places_mut();
        transits[place as usize].header = crossing.header;
        let (link, arrive, began) = (crossing.link, crossing.arrive, crossing.began);
        let packet = Carried {
            place,
            onward,
            arrive,
            began,
        };
        if self.links.wire_mut(link).append(transits, packet) {
            self.calendar
                .set_link(link, arrive, began, head_word(packet));
        }
    }
}
