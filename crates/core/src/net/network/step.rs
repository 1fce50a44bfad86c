//! Step marking: a port's own queue marks packets that find too many waiting.

use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Capacity, LinkId, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{Parts, Probe, Volume};

/// The step of a port's own queue, and the packets that it marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepMarking {
    /// A packet that finds this much waiting is marked, if it is ECN-capable and fits.
    threshold: Capacity,
    marked: Volume,
}

impl From<Capacity> for StepMarking {
    fn from(threshold: Capacity) -> StepMarking {
        StepMarking {
            threshold,
            marked: Volume::default(),
        }
    }
}

impl StepMarking {
    fn is_reached(&self, waiting: Volume) -> bool {
        match self.threshold {
            Capacity::Unlimited => false,
            Capacity::Packets(least) => waiting.packets >= least,
            Capacity::Bytes(Bytes(least)) => waiting.bytes >= least,
        }
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Marks a packet that reaches a plain port, if the queue is at its step. No other event does.
    pub(super) fn mark_by_step(
        &mut self,
        now: Time,
        began: Time,
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        if self.extra(id).is_none_or(|extra| extra.step.is_none()) {
            return;
        }
        let size = self.transits.places()[place as usize].packet.size;
        let (port, backlogs) = self.links.port_mut(id);
        let waiting = port.waiting_for(backlogs.at(id), (now, began), size);
        if let Some(waiting) = waiting {
            self.mark_behind(waiting, now, (id, place), probe);
        }
    }

    /// Marks a packet that has found this much waiting at a link, if that reaches the link's step:
    /// on its arrival, whatever holds it until its departure.
    pub(super) fn mark_behind(
        &mut self,
        waiting: Volume,
        now: Time,
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let extra = self.extras.get_mut(id.index()).and_then(Option::as_mut);
        let Some(step) = extra.and_then(|extra| extra.step.as_mut()) else {
            return;
        };
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        if packet.ecn().is_capable() && step.is_reached(waiting) {
            packet.flags = packet.flags.with_ecn(Ecn::Ce);
            step.marked.add(packet.size);
            probe.marked(now, id, packet);
        }
    }

    /// The packets marked by a link's gate, or by its own queue at its step.
    pub(super) fn marked_at_gate_or_step(&self, link: LinkId, now: Time) -> Volume {
        let step = self.extra(link).and_then(|extra| extra.step);
        let step = step.map_or_else(Volume::default, |step| step.marked);
        let gate = self.gate_counters(link, now).unwrap_or_default();
        step + gate.marked
    }
}
