//! Switches: parts that the ports of a node share. Each of these ports has a queue that is a stage,
//! so that the departure of every packet is an event.

use pacesim_units::port::Ecn;
use pacesim_units::telemetry::HopRecord;
use pacesim_units::{LinkId, Time};

use super::Network;
use super::gates::Alarm;
use super::requests::Requests;
use super::routes::{AHEAD, END, LOOK, MIDDLEBOX};
use crate::engine::EventQueue;
use crate::net::{
    DropCause, Mark, MemoryCounters, Moment, Offered, Packet, Parts, Probe, Reason, Switch,
    Telemetric, Volume,
};

/// A switch, and its requests.
#[derive(Debug)]
pub(super) struct SwitchStation<S> {
    pub(super) switch: S,
    pub(super) requests: Requests,
    pub(super) alarm: Alarm,
}

impl<S> SwitchStation<S> {
    pub(super) fn new(switch: S) -> SwitchStation<S> {
        SwitchStation {
            switch,
            requests: Requests::default(),
            alarm: Alarm::default(),
        }
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The switch that the port of a link belongs to.
    pub fn switch(&self, link: LinkId) -> Option<&P::Switch> {
        let switch = self.extra(link)?.switch?;
        Some(&self.switches[switch].switch)
    }

    /// Offers a packet that arrives at a port to the port's switch, if it has one. True if the
    /// switch refused it.
    pub(super) fn switch_refuses(
        &mut self,
        now: Time,
        began: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        let Some(extra) = self.extra(id) else {
            return false;
        };
        let (Some(switch), Some(queue)) = (extra.switch, extra.queue) else {
            return false;
        };
        self.free_if_sent(queue, now, began, probe);
        let packet = self.transits.places()[place as usize].packet;
        let offered = self.offered(id, &packet);
        let answer = self.switches[switch].switch.admit(now, &offered);
        self.send_signals(switch, now, probe);
        if let Err(reason) = answer {
            self.queues[queue].hold.note_refusal(&packet, reason);
            self.links.drop_packet(id, now, &packet);
            let cause = match reason {
                Reason::Full => DropCause::Full { arrived: now },
                Reason::Early => DropCause::Early { arrived: now },
            };
            self.discard(now, id, place, cause, probe);
        }
        answer.is_err()
    }

    /// Tells the switch of a port, if it has one, that the transmission of a packet starts.
    pub(super) fn tell_start(
        &mut self,
        now: Time,
        id: LinkId,
        packet: &Packet,
        probe: &mut impl Probe,
    ) {
        if let Some(switch) = self.extra(id).and_then(|extra| extra.switch) {
            let offered = self.offered(id, packet);
            self.switches[switch].switch.starts(now, &offered);
            self.send_signals(switch, now, probe);
        }
    }

    /// Adds a record of a switch's port to the telemetry of a packet whose transmission starts.
    pub(super) fn add_telemetry(&mut self, now: Time, id: LinkId, place: u32) {
        let transit = &self.transits.places()[place as usize];
        let (number, size) = (transit.payload, transit.packet.size);
        if number == 0 || self.extra(id).is_none_or(|extra| extra.switch.is_none()) {
            return;
        }
        let hop = HopRecord {
            at: now,
            sent: self.links.sent_bytes(id) - u64::from(size),
            queued: self.held_at(id).bytes,
            rate: self.links.rate(id),
        };
        if let Some(payload) = self.transits.payloads.get_mut(number) {
            payload.add_hop(hop);
        }
    }

    /// Tells the switch of a port, if it has one, that an admitted packet has left.
    pub(super) fn tell_left(
        &mut self,
        now: Time,
        id: LinkId,
        packet: &Packet,
        probe: &mut impl Probe,
    ) {
        if let Some(switch) = self.extra(id).and_then(|extra| extra.switch) {
            let offered = self.offered(id, packet);
            self.switches[switch].switch.left(now, &offered);
            self.send_signals(switch, now, probe);
        }
    }

    /// Tells the switch of a port, if it has one, that the port has dropped an admitted packet.
    pub(super) fn tell_drop(
        &mut self,
        now: Time,
        id: LinkId,
        packet: &Packet,
        probe: &mut impl Probe,
    ) {
        if let Some(switch) = self.extra(id).and_then(|extra| extra.switch) {
            let offered = self.offered(id, packet);
            self.switches[switch].switch.dropped(now, &offered);
            self.send_signals(switch, now, probe);
        }
    }

    /// Marks a packet that a port has taken, if its switch says so.
    pub(super) fn mark_by_switch(
        &mut self,
        now: Time,
        (id, place): (LinkId, u32),
        probe: &mut impl Probe,
    ) {
        let packet = self.transits.places()[place as usize].packet;
        let Some(mark) = self.switch_marks(now, id, &packet, Moment::Arrival) else {
            return;
        };
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        packet.flags = packet.flags.with_ecn(Ecn::Ce);
        probe.marked(now, id, packet);
        let size = packet.size;
        let queue = self.extra(id).and_then(|extra| extra.queue);
        let queue = queue.expect("a port of a switch has a queue of its own");
        self.queues[queue].hold.note_mark(size, mark);
    }

    /// The reason for which the switch of a port marks a packet of its queue, if it does.
    pub(super) fn switch_marks(
        &mut self,
        now: Time,
        id: LinkId,
        packet: &Packet,
        at: Moment,
    ) -> Option<Mark> {
        let switch = self.extra(id)?.switch?;
        if !packet.ecn().is_capable() {
            return None;
        }
        let mut offered = self.offered(id, packet);
        offered.queued = offered.queued - Volume::of(packet.size);
        self.switches[switch].switch.mark(now, &offered, at)
    }

    /// The counters of the memory that a link's port shares with others, if it does.
    pub fn memory_counters(&self, link: LinkId, now: Time) -> Option<MemoryCounters> {
        self.switch(link)?.memory(now)
    }

    pub(super) fn restart_maxima_of_switches(&mut self) {
        for station in &mut self.switches {
            station.switch.restart_maxima();
        }
    }

    fn offered<'a>(&self, to: LinkId, packet: &'a Packet) -> Offered<'a> {
        Offered {
            from: self.input_of(packet),
            to,
            packet,
            queued: self.held_at(to),
        }
    }

    /// The packets held by the stages of a port.
    fn held_at(&self, id: LinkId) -> Volume {
        let extra = self.extra(id);
        let gate = extra
            .and_then(|extra| extra.gate)
            .map(|gate| self.gates[gate].hold.held());
        let queue = extra
            .and_then(|extra| extra.queue)
            .map(|queue| self.queues[queue].hold.held());
        gate.unwrap_or_default() + queue.unwrap_or_default()
    }

    /// The link over which a packet came to the port where it is, by its route.
    pub(super) fn input_of(&self, packet: &Packet) -> Option<LinkId> {
        let before = self.hops[..packet.hop as usize].iter().rev();
        let mut before = before.map(|hop| hop & !(LOOK | AHEAD));
        let input = before.find(|hop| *hop == END || hop & MIDDLEBOX == 0)?;
        (input != END).then_some(LinkId(input))
    }
}
