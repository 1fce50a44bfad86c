//! Ports of hosts that take time for each packet.

use pacesim_units::{LinkId, Time};

use super::routes::{AHEAD, END};
use super::{Extra, Network};
use crate::engine::EventQueue;
use crate::net::{Accepted, HostDelays, Kind, Parts, Passage, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// True if there is nothing before the line of a link but a host that takes time.
    #[inline]
    fn is_host_alone(&self, id: LinkId) -> bool {
        let extra = self.extra(id);
        extra.is_some_and(|extra| extra.host.is_some() && !extra.is_before_fifo())
    }

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
        if !self.is_host_alone(LinkId(to)) {
            return self.enter(now, began, to, place, probe);
        }
        self.go_from_host((now, began, now), (LinkId(to), place), probe);
    }

    /// Sends a packet that reached the queue of a host's port at `arrived` or later.
    #[inline(never)]
    pub(super) fn send_from_host(
        &mut self,
        times: (Time, Time, Time),
        at: (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        self.go_from_host(times, at, probe);
    }

    /// Offers a packet to the port of a host, as [`forward`](Network::forward) does elsewhere, and
    /// then to the ports behind it, as far as possible ahead of time: the time that a host takes
    /// follows from the packets before.
    #[inline(always)]
    fn go_from_host(
        &mut self,
        (now, began, arrived): (Time, Time, Time),
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        let (port, backlogs) = self.links.port_mut(id);
        let sized = (packet.size, packet.word());
        let Some(mut accepted) = port.offer((backlogs, id), now, began, sized) else {
            return self.refuse(now, id, place, arrived, probe);
        };
        let passage = Passage {
            arrived,
            joined: now,
            departure: accepted.departure,
        };
        probe.accepted(now, id, packet, passage);
        if let Some(host) = host_at(&mut self.extras, id) {
            host.put_off(packet.kind(), &mut accepted);
        }
        let next = self.hops[packet.hop as usize + 1];
        if next & AHEAD == 0 {
            return self.put_on_wire(id, place, accepted, next);
        }
        let is_late = port.is_late;
        if accepted.arrive > self.ahead.horizon || (is_late && !self.catch_up(id, probe)) {
            self.links.note_late(id);
            return self.put_on_wire(id, place, accepted, next);
        }
        self.transits.places_mut()[place as usize].packet.hop += 1;
        let Accepted { began, arrive, .. } = accepted;
        match next & !AHEAD {
            END => self.arrive_ahead(arrive, began, place),
            hop if hop > END => self.visit_ahead(arrive, began, hop, place, probe),
            next => self.forward(arrive, began, arrive, LinkId(next), place, probe),
        }
    }

    /// Puts off the schedule of a packet by the time that the host takes, if it takes any.
    #[inline]
    pub(super) fn delay_by_host(&mut self, id: LinkId, kind: Kind, accepted: &mut Accepted) {
        if let Some(host) = host_at(&mut self.extras, id) {
            host.put_off(kind, accepted);
        }
    }
}

#[inline(always)]
fn host_at(extras: &mut [Option<Extra>], id: LinkId) -> Option<&mut HostDelays> {
    extras.get_mut(id.index())?.as_mut()?.host.as_deref_mut()
}
