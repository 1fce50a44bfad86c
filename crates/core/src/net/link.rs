//! Links: for each its port, what waits there, and its wire, kept with their like, so that a
//! packet touches only what it needs.

use pacesim_units::{LinkId, Rate, Span, Time};

use super::backlog::Backlog;
use super::port::{Accepted, Port};
use super::wire::Wire;
use super::{Counters, LinkSpec, Packet, Transit, Volume};

/// All links. Each is one direction of a wire, with the drop-tail queue that feeds it.
#[derive(Debug)]
pub(super) struct Links {
    ports: Vec<Port>,
    backlogs: Vec<Backlog>,
    wires: Vec<Wire>,
}

impl Links {
    /// Links at rest.
    pub(super) fn new(specs: &[LinkSpec]) -> Links {
        let backlogs: Vec<Backlog> = specs.iter().map(Backlog::new).collect();
        let ports = specs.iter().zip(&backlogs);
        Links {
            ports: ports
                .map(|(spec, backlog)| Port::new(spec, backlog.is_bounded()))
                .collect(),
            wires: vec![Wire::default(); specs.len()],
            backlogs,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ports.len()
    }

    /// The port of a link, and what waits at all ports.
    #[inline(always)]
    pub(super) fn port_mut(&mut self, id: LinkId) -> (&mut Port, &mut [Backlog]) {
        (&mut self.ports[id.index()], &mut self.backlogs)
    }

    /// Sends at `now` a packet that came at `came` and waited in a queue elsewhere; the line is
    /// free, and may have `rested`.
    pub(super) fn send_at_once(
        &mut self,
        transits: &[Transit],
        id: LinkId,
        now: Time,
        came: Time,
        packet: &Packet,
        rested: bool,
    ) -> Accepted {
        let backlog = &mut self.backlogs[id.index()];
        let packet = (packet.size, packet.word());
        let mut accepted = self.ports[id.index()].send_at_once(backlog, now, came, packet, rested);
        if let Some(last) = self.wires[id.index()].tail(transits) {
            // The delay may have become less: nothing overtakes on a wire.
            accepted.arrive = accepted.arrive.max(last.arrive);
        }
        accepted
    }

    /// A packet comes on the wire that might have gone on ahead of time.
    #[inline]
    pub(super) fn note_late(&mut self, id: LinkId) {
        self.wires[id.index()].late += 1;
        self.ports[id.index()].is_late = true;
    }

    /// One of these has reached the other end.
    #[inline]
    pub(super) fn note_caught_up(&mut self, id: LinkId) {
        let wire = &mut self.wires[id.index()];
        wire.late -= 1;
        self.ports[id.index()].is_late = wire.late > 0;
    }

    /// The wire of a link.
    #[inline]
    pub(super) fn wire_mut(&mut self, id: LinkId) -> &mut Wire {
        &mut self.wires[id.index()]
    }

    /// Drops a packet at the port, whatever the queue holds.
    pub(super) fn drop_packet(&mut self, id: LinkId, now: Time, packet: &Packet) {
        let backlog = &mut self.backlogs[id.index()];
        self.ports[id.index()].refuse(backlog, now, packet.size, packet.word());
    }

    /// Counts a packet that the wire lost.
    pub(super) fn note_loss(&mut self, id: LinkId, now: Time, packet: &Packet) {
        self.backlogs[id.index()].lost.add(packet.size);
        self.ports[id.index()].note_loss(now, packet.word());
    }

    /// Sends at another rate from the next packet on; its queue is elsewhere.
    pub(super) fn set_rate(&mut self, id: LinkId, rate: Rate) {
        self.backlogs[id.index()].set_rate(rate);
        self.ports[id.index()].set_rate(rate);
    }

    /// Gives the packets that are sent from now on another delay; its queue is elsewhere.
    pub(super) fn set_delay(&mut self, id: LinkId, delay: Span) {
        self.ports[id.index()].delay = delay;
    }

    /// Packets on the wire or in the port.
    pub(super) fn carries(&self, id: LinkId) -> u32 {
        self.wires[id.index()].len()
    }

    /// Packets that reached the other ends, or that the wires lost.
    pub(super) fn handed_on(&self) -> u64 {
        let all = (0..self.len()).map(LinkId::from_index);
        all.map(|id| self.reached(id)).sum()
    }

    fn reached(&self, id: LinkId) -> u64 {
        self.ports[id.index()].accepted.packets - u64::from(self.carries(id))
    }

    /// A hash of what happened at all links, in their order.
    pub(super) fn fingerprint(&self) -> u64 {
        let mix = |hash: u64, port: &Port| hash.rotate_left(7).wrapping_mul(31) ^ port.fingerprint;
        self.ports.iter().fold(0, mix)
    }

    /// The counters of a link as they are at `now`, when all that happens up to then has.
    pub(super) fn counters_at(&self, id: LinkId, now: Time) -> Counters {
        let (port, backlog) = (&self.ports[id.index()], &self.backlogs[id.index()]);
        let mut counters = Counters {
            accepted: port.accepted,
            dropped: backlog.dropped,
            lost: backlog.lost,
            left: port.accepted,
            reached: self.reached(id),
            waiting_packet_ps: backlog.packet_ps,
            waiting_byte_ps: backlog.byte_ps,
            max_waiting_packets: backlog.most.packets,
            max_waiting_bytes: backlog.most.bytes,
        };
        for packet in port.still_in_port(backlog, now) {
            let size = u64::from(packet.size);
            counters.left.packets -= 1;
            counters.left.bytes -= size;
            // It was counted to wait until it starts; so far it did until now.
            let to_wait = u128::from(packet.start.saturating_since(now).as_ps());
            counters.waiting_packet_ps -= to_wait;
            counters.waiting_byte_ps -= to_wait * u128::from(size);
        }
        counters
    }

    /// What waits at `now`: packets and bytes, without the packet being sent.
    pub(super) fn waiting_at(&self, id: LinkId, now: Time) -> Volume {
        let (port, backlog) = (&self.ports[id.index()], &self.backlogs[id.index()]);
        let mut sum = Volume::default();
        let waiting = port.still_in_port(backlog, now).skip(1);
        waiting.for_each(|packet| sum.add(packet.size));
        sum
    }

    /// Starts all maxima afresh from what waits at `now`.
    pub(super) fn restart_maxima(&mut self, now: Time) {
        for id in (0..self.len()).map(LinkId::from_index) {
            self.backlogs[id.index()].most = self.waiting_at(id, now);
        }
    }
}
