//! Readings of a network: its counters, waiting packets, fingerprints.

use pacesim_units::{LinkId, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{Counters, Parts};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The number of links.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Restarts the maxima of all counters at `now`.
    pub fn restart_maxima(&mut self, now: Time) {
        self.links.restart_maxima(now);
        for gate in &mut self.gates {
            gate.hold.restart_maxima();
        }
        for queue in &mut self.queues {
            queue.hold.restart_maxima();
        }
        self.restart_maxima_of_switches();
    }

    /// The counters of a link at `now`, after all events up to then.
    pub fn counters(&self, link: LinkId, now: Time) -> Counters {
        let counters = Counters {
            marked: self.marked_at_gate_or_step(link, now),
            ..self.links.counters_at(link, now)
        };
        match self.queue_counters(link, now) {
            None => counters,
            Some(queue) => Counters {
                waiting_packet_ps: queue.held_packet_ps,
                waiting_byte_ps: queue.held_byte_ps,
                max_waiting_packets: queue.max_held_packets,
                max_waiting_bytes: queue.max_held_bytes,
                marked: counters.marked + queue.marked,
                ..counters
            },
        }
    }

    /// The packets and bytes waiting at a link's port at `now`, apart from the one in transmission.
    pub fn waiting(&self, link: LinkId, now: Time) -> (u64, u64) {
        let held = self.queue_counters(link, now).map(|queue| queue.held());
        let held = held.unwrap_or_else(|| self.links.waiting_at(link, now));
        (held.packets, held.bytes)
    }

    /// The number of packets that have left a link at its far end.
    pub fn packet_hops(&self) -> u64 {
        self.links.handed_on()
    }

    /// The number of packets that have left one link at its far end. Like that of
    /// [all](Network::packet_hops), it is to be summed over the parts of a network, and may wrap.
    pub fn reached(&self, link: LinkId) -> u64 {
        self.links.reached(link)
    }

    /// The number of packets in the network.
    pub fn in_flight(&self) -> u64 {
        self.transits.in_flight()
    }

    /// A hash of all events at a link.
    pub fn link_fingerprint(&self, id: LinkId) -> u64 {
        self.links.fingerprint_of(id)
    }

    /// A hash of all events at all links, in the order of links.
    pub fn fingerprint(&self) -> u64 {
        self.links.fingerprint()
    }
}
