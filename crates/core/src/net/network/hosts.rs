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
        let is_done = self.goes_from_host(true, (now, began, now), (LinkId(to), place), probe);
        if !is_done {
            self.enter(now, began, to, place, probe);
        }
    }

    /// Sends a packet that reached the queue of a host's port at `arrived` or later.
    #[inline(never)]
    pub(super) fn send_from_host(
        &mut self,
        times: (Time, Time, Time),
        at: (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let is_done = self.goes_from_host(false, times, at, probe);
        debug_assert!(is_done, "there is a host");
    }

    /// Offers a packet to the port of a host, as [`forward`](Network::forward) does elsewhere, and
    /// then to the ports behind it, as far as possible ahead of time: the time that a host takes
    /// follows from the packets before. Returns false if there is no host, or one that has to be
    /// `alone` and is not.
    #[inline(always)]
    fn goes_from_host(
        &mut self,
        alone: bool,
        (now, began, arrived): (Time, Time, Time),
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) -> bool {
        let extra = self.extras.get_mut(id.index()).and_then(Option::as_mut);
        let extra = extra.filter(|extra| !(alone && extra.is_before_fifo()));
        let Some(host) = extra.and_then(|extra| extra.host.as_deref_mut()) else {
            return false;
        };
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        let (port, backlogs) = self.links.port_mut(id);
        let sized = (packet.size, packet.word());
        let Some(mut accepted) = port.offer((backlogs, id), now, began, sized) else {
            self.refuse(now, id, place, arrived, probe);
            return true;
        };
        let passage = Passage {
            arrived,
            joined: now,
            departure: accepted.departure,
        };
        probe.accepted(now, id, packet, passage);
        host.put_off(packet.kind(), &mut accepted);
        let next = self.hops[packet.hop as usize + 1];
        if next & AHEAD == 0 {
            self.put_on_wire(id, place, accepted, next);
            return true;
        }
        let is_late = port.is_late;
        if accepted.arrive > self.ahead.horizon || (is_late && !self.catch_up(id, probe)) {
            self.links.note_late(id);
            self.put_on_wire(id, place, accepted, next);
            return true;
        }
        self.transits.places_mut()[place as usize].packet.hop += 1;
        let Accepted { began, arrive, .. } = accepted;
        match next & !AHEAD {
            END => self.arrive_ahead(arrive, began, place),
            hop if hop > END => self.visit_ahead(arrive, began, hop, place, probe),
            next => self.forward(arrive, began, arrive, LinkId(next), place, probe),
        }
        true
    }

    /// Puts off the schedule of a packet by the time that the host takes, if it takes any.
    #[inline]
    pub(super) fn delay_by_host(&mut self, id: LinkId, kind: Kind, accepted: &mut Accepted) {
        if let Some(host) = self.extra_mut(id).and_then(|extra| extra.host.as_mut()) {
            host.put_off(kind, accepted);
        }
    }
}
