//! Packets held before a port's queue, and their entry into it.

use pacesim_units::{LinkId, Time};

use super::Network;
use crate::engine::{Calendar, EventQueue};
use crate::net::hold::Hold;
use crate::net::{DropCause, HoldCounters, Line, Parts, Probe, Stage, Turn};

/// The gate of a port, with its timer.
#[derive(Debug)]
pub(super) struct GateStage<S> {
    link: LinkId,
    pub(super) hold: Hold<S>,
    alarm: Alarm,
}

impl<S: Stage> GateStage<S> {
    pub(super) fn new(link: LinkId, gate: S) -> GateStage<S> {
        GateStage {
            link,
            hold: Hold::new(gate),
            alarm: Alarm::default(),
        }
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The counters of a link's gate up to `now`, if it has one.
    pub fn gate_counters(&self, link: LinkId, now: Time) -> Option<HoldCounters> {
        let gate = self.extra(link)?.gate?;
        Some(self.gates[gate].hold.counters_at(now))
    }

    /// The gate of a link's port, if it has one.
    pub fn gate(&self, link: LinkId) -> Option<&P::Gate> {
        let gate = self.extra(link)?.gate?;
        Some(&self.gates[gate].hold.stage)
    }

    /// Changes a link's gate, if it has one, and lets all packets out that are then due.
    pub fn change_gate<T>(
        &mut self,
        link: LinkId,
        now: Time,
        change: impl FnOnce(&mut P::Gate) -> T,
        probe: &mut impl Probe,
    ) -> Option<T> {
        let gate = self.extra(link)?.gate?;
        let changed = change(&mut self.gates[gate].hold.stage);
        self.open(gate, now, now, probe);
        Some(changed)
    }

    /// True if the link has a gate, which then has the packet and may have released some.
    pub(super) fn gate_takes(
        &mut self,
        now: Time,
        began: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        let Some(gate) = self.extra(id).and_then(|extra| extra.gate) else {
            return false;
        };
        let packet = self.note_coming((now, now), place);
        let stage = &mut self.gates[gate];
        if stage.hold.arrive(now, place, &packet).is_err() {
            self.drop_at_port(now, id, place, DropCause::Gate, probe);
            return true;
        }
        probe.held(now, id, &packet);
        if stage
            .alarm
            .is_pending_for(now, stage.hold.stage.next_turn())
        {
            let is_beyond = stage.hold.note_held(self.most_waiting);
            self.note_waiting(now, id, is_beyond);
        } else {
            self.open(gate, now, began, probe);
            let is_beyond = self.gates[gate].hold.note_held(self.most_waiting);
            self.note_waiting(now, id, is_beyond);
        }
        true
    }

    /// Passes all packets due now into the queue, as the effect of an activity that started at
    /// `began`, and sets the timer for the next.
    pub(super) fn open(&mut self, gate: usize, now: Time, began: Time, probe: &mut impl Probe) {
        let next = loop {
            let GateStage { hold, link, .. } = &mut self.gates[gate];
            let (link, next) = (*link, hold.stage.next_turn());
            if next.is_none_or(|next| next > now) {
                break next;
            }
            match hold.stage.turn(now, Line::Free) {
                Turn::Hold => break next,
                Turn::Go { key: place, mark } => {
                    let ([arrived, _], packet) = self.transits.let_go(place, mark.is_some());
                    hold.note_release(now, arrived, &packet, mark);
                    probe.released(now, link, &packet, arrived);
                    if mark.is_some() {
                        probe.marked(now, link, &packet);
                    }
                    self.join_queue(now, began, arrived, link, place, probe);
                }
                Turn::Trim { .. } => unreachable!("a gate takes packets whole"),
                Turn::Drop(place, reason) => {
                    let packet = self.transits.places()[place as usize].packet;
                    hold.note_drop(now, &packet, reason);
                    self.drop_at_port(now, link, place, DropCause::Gate, probe);
                }
            }
        };
        let timer = self.timers + gate as u32;
        let alarm = &mut self.gates[gate].alarm;
        alarm.set(&mut self.calendar, timer, now, next);
    }
}

/// The timer of a part of the network.
#[derive(Debug)]
pub(super) struct Alarm {
    /// Time at which the timer expires; never if it is not armed.
    at: Time,
}

impl Default for Alarm {
    fn default() -> Alarm {
        Alarm { at: Time::NEVER }
    }
}

impl Alarm {
    /// True if the timer is to expire at this time and has not yet.
    #[inline]
    fn is_pending_for(&self, now: Time, next: Option<Time>) -> bool {
        next == Some(self.at) && self.at > now
    }

    /// Arms it for `next`, or disarms it. A timer that is not moved keeps its place among events
    /// due at the same time.
    #[inline]
    pub(super) fn set<Q: EventQueue>(
        &mut self,
        calendar: &mut Calendar<Q>,
        timer: u32,
        now: Time,
        next: Option<Time>,
    ) {
        let next = next.unwrap_or(Time::NEVER);
        assert!(
            next > now,
            "a part that is ready at {next} does nothing at {now}"
        );
        let is_pending = self.at > now;
        if is_pending && next == self.at {
            return;
        }
        self.at = next;
        if next < Time::NEVER {
            calendar.set_timer(timer, next, now);
        } else if is_pending {
            calendar.clear_timer(timer);
        }
    }
}
