//! Packets that are held before a port, and their way into its queue.

use pacesim_units::{LinkId, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{DropCause, Gate, HoldCounters, Probe};

impl<Q: EventQueue, G: Gate> Network<Q, G> {
    /// What has happened up to `now` at a link's gate, if it has one.
    pub fn hold(&self, link: LinkId, now: Time) -> Option<HoldCounters> {
        let gate = self.gate_of(link)?;
        Some(self.gates[gate].1.counters_at(now))
    }

    /// A link's gate.
    pub fn gate(&self, link: LinkId) -> Option<&G> {
        let gate = self.gate_of(link)?;
        Some(&self.gates[gate].1.gate)
    }

    fn gate_of(&self, link: LinkId) -> Option<usize> {
        self.troubles.get(link.index())?.as_ref()?.gate
    }

    /// Whether the link has a gate: then the packet is in its hands, and it may have
    /// released some.
    pub(super) fn gate_takes(
        &mut self,
        now: Time,
        began: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        let Some(gate) = self.gate_of(id) else {
            return false;
        };
        let transit = &mut self.transits.places_mut()[place as usize];
        // Until it is on the link, the time says when it came to the port.
        transit.arrive = now;
        let packet = transit.packet;
        if self.gates[gate].1.take(now, place, &packet) {
            probe.held(now, id, &packet);
            self.open(gate, now, began, probe);
        } else {
            self.links[id.index()].drop_packet(now, &packet);
            self.discard(now, id, place, DropCause::Gate, probe);
        }
        true
    }

    /// Lets all into the queue whose time has come, by something that began at `began`,
    /// and sets the timer for the next.
    pub(super) fn open(&mut self, gate: usize, now: Time, began: Time, probe: &mut impl Probe) {
        let link = self.gates[gate].0;
        while let Some(place) = self.gates[gate].1.gate.release(now) {
            let transit = &self.transits.places()[place as usize];
            let (arrived, packet) = (transit.arrive, transit.packet);
            self.gates[gate].1.note_release(now, arrived, &packet);
            probe.released(now, link, &packet, arrived);
            self.forward(now, began, arrived, link, place, probe);
        }
        self.gates[gate].1.note_held();
        self.arm_gate(gate, now);
    }

    /// A timer that is not moved keeps its place among what is due at the same time.
    fn arm_gate(&mut self, gate: usize, now: Time) {
        let hold = &mut self.gates[gate].1;
        let timer = self.timers + gate as u32;
        let next = hold.gate.next_release().unwrap_or(Time::NEVER);
        assert!(
            next > now,
            "a gate that is ready at {next} releases nothing"
        );
        let is_pending = hold.armed > now;
        if is_pending && next == hold.armed {
            return;
        }
        hold.armed = next;
        if next < Time::NEVER {
            self.calendar.set_timer(timer, next, now);
        } else if is_pending {
            self.calendar.clear_timer(timer);
        }
    }
}
