//! Links: ports, backlogs and wires in separate arrays, so that a packet touches only the parts it
//! needs.

use std::collections::BTreeMap;

use pacesim_units::{LinkId, Rate, Span, Time};

use super::backlog::{Backlog, Backlogs};
use super::port::{Accepted, Port};
use super::wire::Wire;
use super::{Counters, LinkConfig, Packet, Volume};
use crate::memory::{filled, prefetch, with_room};

/// All links. Each is one direction of a wire with the drop-tail queue that feeds it.
#[derive(Debug)]
pub(super) struct Links {
    ports: Vec<Port>,
    backlogs: Backlogs,
    wires: Vec<Wire>,
    /// Packets lost on wires, by link; empty until there is one.
    lost: Vec<Volume>,
    /// Frames of requests sent, by link; empty until there is one.
    frames: Vec<Volume>,
    /// Work given to each line before its rate last changed.
    given_before: BTreeMap<u32, Given>,
}

/// A hash of the fingerprints of all links, in the order of links.
pub fn fingerprint_of_all(links: impl Iterator<Item = u64>) -> u64 {
    links.fold(0, |hash, link| hash.rotate_left(7).wrapping_mul(31) ^ link)
}

/// Bytes that a line was given, and the time to transmit them.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    bytes: u64,
    line_ps: u128,
}

impl Links {
    /// Links without packets.
    pub(super) fn new(specs: impl ExactSizeIterator<Item = LinkConfig>) -> Links {
        let count = specs.len();
        let mut links = Links {
            ports: with_room(count),
            backlogs: Backlogs::with_room(count),
            wires: filled(Wire::default(), count),
            lost: Vec::new(),
            frames: Vec::new(),
            given_before: BTreeMap::new(),
        };
        for spec in specs {
            let id = LinkId::from_index(links.ports.len());
            links.backlogs.add(&spec);
            links
                .ports
                .push(Port::new(&spec, (&mut links.backlogs, id)));
        }
        links
    }

    /// Prefetches the port at which a packet will soon arrive. The last port is fetched if `id` is
    /// none, which takes no branch and no page walk for an address that is not mapped.
    #[inline(always)]
    pub(super) fn prefetch_port(&self, id: u32) {
        prefetch(&self.ports, (id as usize).min(self.ports.len() - 1));
    }

    pub(super) fn len(&self) -> usize {
        self.ports.len()
    }

    /// The port of a link, and the backlogs of all ports.
    #[inline(always)]
    pub(super) fn port_mut(&mut self, id: LinkId) -> (&mut Port, &mut Backlogs) {
        (&mut self.ports[id.index()], &mut self.backlogs)
    }

    /// Transmits at `now` a packet that arrived at `came` and waited in a queue elsewhere; the line
    /// is free, and may have `rested`.
    pub(super) fn send_at_once(
        &mut self,
        id: LinkId,
        now: Time,
        came: Time,
        packet: &Packet,
        rested: bool,
    ) -> Accepted {
        let backlog = self.backlogs.at(id).0;
        let packet = (packet.size, packet.word());
        self.ports[id.index()].send_at_once(backlog, now, came, packet, rested)
    }

    /// Transmits at `now` a frame that belongs to no flow; the line is free, and may have `rested`.
    pub(super) fn send_frame(
        &mut self,
        id: LinkId,
        now: Time,
        size: u32,
        rested: bool,
    ) -> Accepted {
        self.frames.resize(self.ports.len(), Volume::default());
        self.frames[id.index()].add(size);
        let backlog = self.backlogs.at(id).0;
        self.ports[id.index()].send_frame(backlog, now, size, rested)
    }

    /// Bytes of packets that a port has taken; one whose queue is a stage takes them at their turn.
    pub(super) fn sent_bytes(&self, id: LinkId) -> u64 {
        self.ports[id.index()].accepted.bytes
    }

    /// Rate of a line now.
    pub(super) fn rate(&self, id: LinkId) -> Rate {
        self.ports[id.index()].rate((&self.backlogs, id))
    }

    /// The bytes that a line was given, those of frames included.
    fn given_bytes(&self, id: LinkId) -> u64 {
        let of_frames = self.frames.get(id.index());
        self.ports[id.index()].accepted.bytes + of_frames.map_or(0, |frames| frames.bytes)
    }

    /// Notes a packet that is still on the wire although it could have been forwarded ahead of
    /// time.
    #[inline]
    pub(super) fn note_late(&mut self, id: LinkId) {
        self.wires[id.index()].late += 1;
        self.ports[id.index()].is_late = true;
    }

    /// Notes that a packet noted as late has reached the other end.
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
        let backlog = self.backlogs.at(id).0;
        self.ports[id.index()].refuse(backlog, now, packet.size, packet.word());
    }

    /// Counts a packet that the wire lost.
    pub(super) fn note_loss(&mut self, id: LinkId, now: Time, packet: &Packet) {
        self.lost.resize(self.ports.len(), Volume::default());
        self.lost[id.index()].add(packet.size);
        self.ports[id.index()].note_loss(now, packet.word());
    }

    /// Transmits at another rate from the next packet on; the link's queue is a stage.
    pub(super) fn set_rate(&mut self, id: LinkId, rate: Rate) {
        let given = self.given_bytes(id);
        let port = &self.ports[id.index()];
        let before = self.given_before.entry(id.0).or_default();
        let bytes = given - before.bytes;
        before.line_ps += port.line_ps((&self.backlogs, id), bytes);
        before.bytes = given;
        self.ports[id.index()].set_rate((&mut self.backlogs, id), rate);
    }

    /// Gives packets transmitted from now on another delay; the link's queue is a stage.
    pub(super) fn set_delay(&mut self, id: LinkId, delay: Span) {
        self.ports[id.index()].delay = delay;
    }

    /// Sets the most packets that may wait at any port, from now on.
    pub(super) fn cut_to(&mut self, most_waiting: u32) {
        self.backlogs.cut_to(most_waiting);
    }

    /// True if the port of a link refused a packet only because too many wait there.
    pub(super) fn is_beyond(&self, id: LinkId) -> bool {
        let in_port = self.ports[id.index()].in_port();
        self.backlogs.is_beyond(id, in_port)
    }

    /// Number of packets in a link's port or on its wire.
    pub(super) fn carries(&self, id: LinkId) -> u32 {
        self.wires[id.index()].len()
    }

    /// Packets that reached the far ends or were lost on the wires. A part of a network counts packets
    /// of others on its wires: only the sum over all parts, which may wrap, is a number of packets.
    pub(super) fn handed_on(&self) -> u64 {
        let all = (0..self.len()).map(LinkId::from_index);
        all.fold(0, |sum, id| sum.wrapping_add(self.reached(id)))
    }

    /// The same of one link.
    pub(super) fn reached(&self, id: LinkId) -> u64 {
        let accepted = self.ports[id.index()].accepted.packets;
        accepted.wrapping_sub(u64::from(self.carries(id)))
    }

    /// A hash of all events at a link.
    pub(super) fn fingerprint_of(&self, id: LinkId) -> u64 {
        self.ports[id.index()].fingerprint
    }

    /// A hash of all events at all links, in the order of links.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint_of_all(self.ports.iter().map(|port| port.fingerprint))
    }

    /// The counters of a link at `now`, after all events up to then.
    pub(super) fn counters_at(&self, id: LinkId, now: Time) -> Counters {
        let port = &self.ports[id.index()];
        let mut counters = Counters {
            accepted: port.accepted,
            lost: self.lost.get(id.index()).copied().unwrap_or_default(),
            left: port.accepted,
            busy_ps: self.busy_ps(id, now),
            reached: self.reached(id),
            ..self
                .backlogs
                .of(id)
                .map(Backlog::counters)
                .unwrap_or_default()
        };
        for (start, size) in port.still_in_port((&self.backlogs, id), now) {
            let size = u64::from(size);
            counters.left.packets -= 1;
            counters.left.bytes -= size;
            // Its wait is counted up to its start, but so far has lasted only until now.
            let to_wait = u128::from(start.saturating_since(now).as_ps());
            counters.waiting_packet_ps -= to_wait;
            counters.waiting_byte_ps -= to_wait * u128::from(size);
        }
        counters
    }

    /// The time for which a line was busy by `now`, in picoseconds: the transmission time of all
    /// its packets, minus the remaining part, since it never pauses in between.
    fn busy_ps(&self, id: LinkId, now: Time) -> u128 {
        let port = &self.ports[id.index()];
        let before = self.given_before.get(&id.0).copied().unwrap_or_default();
        let line_ps = |bytes: u64| {
            let bytes = bytes - before.bytes;
            before.line_ps + port.line_ps((&self.backlogs, id), bytes)
        };
        if let Some(to_come) = port.given_ps(now) {
            return line_ps(self.given_bytes(id)).saturating_sub(to_come);
        }
        // All but the packets that have not left, and the part of the first of these so far.
        let mut still = port.still_in_port((&self.backlogs, id), now).peekable();
        let began = still.peek().map_or(now, |(start, _)| *start);
        let still_bytes: u64 = still.map(|(_, size)| u64::from(size)).sum();
        line_ps(self.given_bytes(id) - still_bytes)
            + u128::from(now.saturating_since(began).as_ps())
    }

    /// Packets and bytes waiting at `now`, apart from the packet in transmission.
    pub(super) fn waiting_at(&self, id: LinkId, now: Time) -> Volume {
        let port = &self.ports[id.index()];
        let mut sum = Volume::default();
        let waiting = port.still_in_port((&self.backlogs, id), now).skip(1);
        waiting.for_each(|(_, size)| sum.add(size));
        sum
    }

    /// Restarts all maxima from the packets waiting before the events at `now`, departures included,
    /// which belong to the time that begins.
    pub(super) fn restart_maxima(&mut self, now: Time) {
        let before = Time::from_ps(now.as_ps().saturating_sub(1));
        for id in (0..self.len()).map(LinkId::from_index) {
            let most = self.waiting_at(id, before);
            self.backlogs.restart_maxima(id, most);
        }
    }
}
