//! Ports of hosts that take time for each packet.

use pacesim_units::{LinkId, Time};

use super::Network;
use super::routes::{AHEAD, END};
use crate::engine::EventQueue;
use crate::net::{Accepted, Kind, Parts, Passage, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// True if the host at the port of a link takes time.
    pub(super) fn has_host(&self, id: LinkId) -> bool {
        self.extra(id).is_some_and(|extra| extra.host.is_some())
    }

    /// Sends a packet over a first port with more than a line, most often that of a host.
    #[inline(never)]
    pub(super) fn send_over(
        &mut self,
        now: Time,
        began: Time,
        to: u32,
        place: u32,
        probe: &mut impl Probe,
    ) {
        let extra = self.extras.get(to as usize).and_then(Option::as_ref);
        match extra {
            Some(extra) if extra.host.is_some() && !extra.is_before_fifo() => {
                self.send_from_host((now, began, now), (LinkId(to), place), probe);
            }
            _ => self.enter(now, began, to, place, probe),
        }
    }

    /// Offers a packet to the port of a host, as [`forward`](Network::forward) does elsewhere, and
    /// then to the ports behind it, as far as possible ahead of time: the time that a host takes
    /// follows from the packets before.
    #[inline]
    pub(super) fn send_from_host(
        &mut self,
        (now, began, arrived): (Time, Time, Time),
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        let (kind, hop) = (packet.kind(), packet.hop as usize);
        let (port, backlogs) = self.links.port_mut(id);
        let sized = (packet.size, packet.word());
        let Some(mut accepted) = port.offer((backlogs, id), now, began, sized) else {
            return self.refuse(now, id, place, arrived, probe);
        };
        let is_late = port.is_late;
        let passage = Passage {
            arrived,
            joined: now,
            departure: accepted.departure,
        };
        probe.accepted(now, id, packet, passage);
        self.delay_by_host(id, kind, &mut accepted);
        let next = self.hops[hop + 1];
        if next & AHEAD == 0 {
            return self.put_on_wire(id, place, accepted, next);
        }
        if accepted.arrive > self.ahead.horizon || (is_late && !self.catch_up(id, probe)) {
            self.links.note_late(id);
            return self.put_on_wire(id, place, accepted, next);
        }
        self.go_on_from_host(place, accepted, next & !AHEAD, probe);
    }

    /// Brings a packet that leaves a host to its next port, ahead of time.
    #[inline(never)]
    fn go_on_from_host(
        &mut self,
        place: u32,
        Accepted { began, arrive, .. }: Accepted,
        next: u32,
        probe: &mut impl Probe,
    ) {
        self.transits.places_mut()[place as usize].packet.hop += 1;
        match next {
            END => self.arrive_ahead(arrive, began, place),
            hop if hop > END => self.visit_ahead(arrive, began, hop, place, probe),
            next => self.forward(arrive, began, arrive, LinkId(next), place, probe),
        }
    }

    /// Puts off the schedule of a packet by the time that the host takes, if it takes any.
    #[inline]
    pub(super) fn delay_by_host(&mut self, id: LinkId, kind: Kind, accepted: &mut Accepted) {
        if let Some(host) = self.extra_mut(id).and_then(|extra| extra.host.as_mut()) {
            host.put_off(kind, accepted);
        }
    }
}
