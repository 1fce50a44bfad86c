//! Ports of hosts that take time for each packet.

use pacesim_units::{LinkId, Time};

use super::Network;
use super::routes::AHEAD;
use crate::engine::EventQueue;
use crate::net::port::Accepted;
use crate::net::{Kind, Parts, Passage, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// True if the host at the port of a link takes time.
    pub(super) fn has_host(&self, id: LinkId) -> bool {
        self.extra(id).is_some_and(|extra| extra.host.is_some())
    }

    /// Offers a packet to the port of a host, as [`forward`](Network::forward) does elsewhere. It
    /// waits on the wire for its time to arrive: the rest of its way is not worked out ahead.
    #[inline(never)]
    pub(super) fn send_from_host(
        &mut self,
        (now, began, arrived): (Time, Time, Time),
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let packet = self.transits.places()[place as usize].packet;
        let (port, backlogs) = self.links.port_mut(id);
        let sized = (packet.size, packet.word());
        let Some(accepted) = port.offer((backlogs, id), now, began, sized) else {
            return self.refuse(now, id, place, arrived, probe);
        };
        let passage = Passage {
            arrived,
            joined: now,
            departure: accepted.departure,
        };
        probe.accepted(now, id, &packet, passage);
        let accepted = self.delayed_by_host(id, packet.kind(), accepted);
        let next = self.hops[packet.hop as usize + 1];
        if next & AHEAD != 0 {
            self.links.note_late(id);
        }
        self.put_on_wire(id, place, accepted, next);
    }

    /// The schedule of a packet, put off by the time that the host takes, if it takes any.
    pub(super) fn delayed_by_host(
        &mut self,
        id: LinkId,
        kind: Kind,
        mut accepted: Accepted,
    ) -> Accepted {
        if let Some(host) = self.extra_mut(id).and_then(|extra| extra.host.as_mut()) {
            let late = host.time_taken(kind, accepted.began, accepted.departure);
            accepted.delay(late);
        }
        accepted
    }
}
