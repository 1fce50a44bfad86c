//! Counters of flows.

use std::ops::AddAssign;

use pacesim_core::memory::filled;
use pacesim_core::net::{DropCause, Kind, MiddleboxId, Packet, Probe, Volume};
use pacesim_measure::{Moments, Quantiles};
use pacesim_units::{FlowId, LinkId, Time};

use super::classes::{ClassTallies, ClassTally};
use crate::model::Model;

/// The counters of one flow, without its acknowledgements. Packets sent or created are delivered,
/// dropped, lost, absorbed or still in the network. Volumes count from the start, delays from the
/// warm-up.
#[derive(Clone, Debug, Default)]
pub struct FlowTally {
    /// Delays from sender to sink, in picoseconds.
    pub delay_ps: Moments,
    /// Packets that the flow's source sent.
    pub sent: Volume,
    /// Packets that arrived at the flow's sink.
    pub delivered: Volume,
    /// Packets that ports dropped, scripted drops included.
    pub dropped: Volume,
    /// Packets that wires lost.
    pub lost: Volume,
    /// Packets that middleboxes sent on behalf of the flow.
    pub created: Volume,
    /// The packets that middleboxes absorbed, including their own packets that no middlebox took
    /// in.
    pub absorbed: Volume,
    /// Dropped packets that middleboxes had made for each other.
    pub(crate) auxiliary_dropped: Volume,
    /// Lost packets that middleboxes had made for each other.
    pub(crate) auxiliary_lost: Volume,
    /// Created packets that are copies of lost ones.
    pub repaired: Volume,
    /// The packets marked at ports, counted once for each port that marked them.
    pub marked: Volume,
}

/// The same flow in another part of the world.
impl AddAssign<&FlowTally> for FlowTally {
    fn add_assign(&mut self, other: &FlowTally) {
        // By name, so that a new field is not forgotten.
        let FlowTally {
            delay_ps,
            sent,
            delivered,
            dropped,
            lost,
            created,
            absorbed,
            auxiliary_dropped,
            auxiliary_lost,
            repaired,
            marked,
        } = other;
        self.delay_ps.merge(delay_ps);
        for (sum, more) in [
            (&mut self.sent, sent),
            (&mut self.delivered, delivered),
            (&mut self.dropped, dropped),
            (&mut self.lost, lost),
            (&mut self.created, created),
            (&mut self.absorbed, absorbed),
            (&mut self.auxiliary_dropped, auxiliary_dropped),
            (&mut self.auxiliary_lost, auxiliary_lost),
            (&mut self.repaired, repaired),
            (&mut self.marked, marked),
        ] {
            *sum = *sum + *more;
        }
    }
}

/// The counters of every flow, in two cache lines.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Passed {
    delay_ps: Moments,
    sent: Volume,
    delivered: Volume,
    dropped: Volume,
    lost: Volume,
}

/// Additional counters for packets that are marked, pass middleboxes, or reach ends that ignore
/// them.
#[derive(Clone, Copy, Debug, Default)]
struct Handled {
    created: Volume,
    absorbed: Volume,
    auxiliary_dropped: Volume,
    auxiliary_lost: Volume,
    repaired: Volume,
    marked: Volume,
}

impl FlowTally {
    /// Number of the flow's packets in the network.
    pub(super) fn in_network(&self) -> u64 {
        let gone = self.delivered + self.dropped + self.lost + self.absorbed;
        (self.sent + self.created - gone).packets
    }
}

/// The counters of all flows, updated as a probe of the network.
pub(super) struct Tallies {
    flows: Vec<Passed>,
    /// Additional counters of all flows; empty until the first count.
    handled: Vec<Handled>,
    /// Sojourn times in picoseconds of packets sent since the warm-up, for links whose queue is a
    /// stage without separate classes; empty without such links.
    sojourns: Vec<Option<Box<Quantiles>>>,
    /// Sojourn times by class for the other links, with drops and marks.
    classes: ClassTallies,
}

impl Tallies {
    pub(super) fn new(model: &Model) -> Tallies {
        Tallies {
            flows: filled(Passed::default(), model.flows.len()),
            handled: Vec::new(),
            sojourns: Vec::new(),
            classes: ClassTallies::new(model),
        }
    }

    pub(super) fn of(&self, flow: FlowId) -> FlowTally {
        let passed = &self.flows[flow.index()];
        let handled = self.handled.get(flow.index()).copied().unwrap_or_default();
        FlowTally {
            delay_ps: passed.delay_ps,
            sent: passed.sent,
            delivered: passed.delivered,
            dropped: passed.dropped,
            lost: passed.lost,
            created: handled.created,
            absorbed: handled.absorbed,
            auxiliary_dropped: handled.auxiliary_dropped,
            auxiliary_lost: handled.auxiliary_lost,
            repaired: handled.repaired,
            marked: handled.marked,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = FlowTally> {
        (0..self.flows.len()).map(|flow| self.of(FlowId::from_index(flow)))
    }

    #[inline]
    fn handled_mut(&mut self, flow: FlowId) -> &mut Handled {
        if self.handled.is_empty() {
            self.handled = filled(Handled::default(), self.flows.len());
        }
        &mut self.handled[flow.index()]
    }

    #[inline]
    pub(super) fn sent(&mut self, flow: FlowId, size: u32) {
        self.flows[flow.index()].sent.add(size);
    }

    #[inline]
    pub(super) fn delivered(&mut self, now: Time, packet: &Packet) {
        let tally = &mut self.flows[packet.flow.index()];
        tally.delivered.add(packet.size);
        tally.delay_ps.add((now - packet.stamp).as_ps());
    }

    /// A packet ends at a middlebox, or at an end that ignores it.
    #[cold]
    pub(super) fn absorb(&mut self, packet: &Packet) {
        if packet.kind() != Kind::Ack {
            self.handled_mut(packet.flow).absorbed.add(packet.size);
        }
    }

    /// The sojourn times in a link's queue in picoseconds, if it is a stage that has sent packets.
    pub(super) fn sojourns(&self, link: LinkId) -> Option<Quantiles> {
        match self.classes.of(link) {
            Some(classes) => {
                let mut all = Quantiles::default();
                classes.iter().for_each(|class| all.merge(&class.sojourns));
                Some(all)
            }
            None => self.sojourns.get(link.index())?.as_deref().cloned(),
        }
    }

    #[inline]
    fn sojourns_mut(&mut self, link: LinkId) -> &mut Quantiles {
        if self.sojourns.len() <= link.index() {
            self.sojourns.resize_with(link.index() + 1, || None);
        }
        self.sojourns[link.index()].get_or_insert_default()
    }

    /// The counters of the classes that a link's queue keeps apart.
    pub(super) fn classes(&self, link: LinkId) -> Option<&[ClassTally; 4]> {
        self.classes.of(link)
    }

    /// Restarts the delays and the counters of classes; volumes keep counting.
    pub(super) fn restart_delays(&mut self) {
        self.sojourns.clear();
        self.classes.restart();
        for tally in &mut self.flows {
            tally.delay_ps = Moments::default();
        }
    }
}

impl Probe for &mut Tallies {
    fn in_order(&self) -> bool {
        false
    }

    #[inline]
    fn dropped(&mut self, _now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.classes.note_drop(link, packet, cause);
        if packet.kind() == Kind::Ack {
            return;
        }
        let tally = &mut self.flows[packet.flow.index()];
        let is_auxiliary = packet.kind() == Kind::Auxiliary;
        match cause {
            DropCause::Wire => {
                tally.lost.add(packet.size);
                if is_auxiliary {
                    self.handled_mut(packet.flow)
                        .auxiliary_lost
                        .add(packet.size);
                }
            }
            DropCause::Full { .. }
            | DropCause::Early { .. }
            | DropCause::PushedOut { .. }
            | DropCause::Departure { .. }
            | DropCause::Gate
            | DropCause::Script => {
                tally.dropped.add(packet.size);
                if is_auxiliary {
                    self.handled_mut(packet.flow)
                        .auxiliary_dropped
                        .add(packet.size);
                }
            }
        }
    }

    #[inline]
    fn queued(&mut self, _now: Time, link: LinkId, packet: &Packet) {
        self.classes.note_taken(link, packet);
    }

    #[inline]
    fn dequeued(&mut self, now: Time, link: LinkId, packet: &Packet, joined: Time) {
        let held = now - joined;
        if !self.classes.note_release(link, packet, held) {
            self.sojourns_mut(link).add(held.as_ps());
        }
    }

    #[inline]
    fn marked(&mut self, _now: Time, link: LinkId, packet: &Packet) {
        self.classes.note_mark(link, packet);
        if packet.kind() == Kind::Data {
            self.handled_mut(packet.flow).marked.add(packet.size);
        }
    }

    #[inline]
    fn created(&mut self, _now: Time, _at: MiddleboxId, packet: &Packet) {
        if packet.kind() != Kind::Ack {
            let handled = self.handled_mut(packet.flow);
            handled.created.add(packet.size);
            if packet.is_repaired() {
                handled.repaired.add(packet.size);
            }
        }
    }

    #[inline]
    fn absorbed(&mut self, _now: Time, _at: MiddleboxId, packet: &Packet) {
        self.absorb(packet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_of_every_flow_is_two_lines_of_the_cache() {
        assert_eq!(size_of::<Passed>(), 128);
    }
}
