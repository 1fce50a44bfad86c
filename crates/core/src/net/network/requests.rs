//! Requests of switches to the ports upstream: on their way, in force for a time, and renewed while the
//! switch has not taken them back.

use std::collections::VecDeque;

use pacesim_units::{Bytes, LinkId, Span, Time};

use super::{Network, Outage};
use crate::engine::EventQueue;
use crate::net::{Packet, Parts, Probe, Signal, Switch};

/// Bytes of a quantum, the unit in which frames state how long a pause lasts: 512 bit times.
const QUANTUM: u64 = 64;

/// An action at the timer of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// A frame reaches the other end of a wire that may lose it. The request then takes effect.
    Arrival { ends: Option<Time> },
    /// A request takes effect, and a pause `ends` at a time unless it is renewed.
    Effect { ends: Option<Time> },
    /// A pause ends if it was not renewed.
    Expiry,
    /// The request of this number is sent again if it still stands.
    Renewal(u32),
}

/// A request to hold packets that the switch has not taken back.
#[derive(Clone, Copy, Debug)]
struct Standing {
    input: LinkId,
    class: Option<u16>,
    number: u32,
}

/// The requests of a switch.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// Actions to come, in the order of their times.
    pub(super) due: VecDeque<(Time, Due, Signal)>,
    /// Requests with an end that stand.
    standing: Vec<Standing>,
    /// The number of the last of them.
    last: u32,
}

impl Requests {
    /// Notes a new request of the switch.
    fn note(&mut self, signal: &Signal) {
        if signal.quanta.is_none() {
            return;
        }
        let (input, class) = (signal.input, signal.class);
        self.standing
            .retain(|other| (other.input, other.class) != (input, class));
        if signal.holds {
            self.last = self.last.wrapping_add(1);
            self.standing.push(Standing {
                input,
                class,
                number: self.last,
            });
        }
    }

    /// The number of the standing request that a signal repeats.
    fn number(&self, signal: &Signal) -> Option<u32> {
        let mut standing = self.standing.iter();
        let own = standing.find(|own| (own.input, own.class) == (signal.input, signal.class));
        own.filter(|_| signal.holds).map(|own| own.number)
    }

    fn schedule(&mut self, at: Time, due: Due, signal: Signal) {
        let place = self.due.partition_point(|(other, ..)| *other <= at);
        self.due.insert(place, (at, due, signal));
    }

    /// Loses the frames that are on the wire of a link.
    fn lose_frames(&mut self, over: LinkId) {
        self.due.retain(|(_, due, signal)| {
            let is_there = signal.frame.is_some_and(|frame| frame.over == over);
            !(is_there && matches!(due, Due::Arrival { .. }))
        });
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Sends the new requests of a switch on their way.
    pub(super) fn send_signals(&mut self, switch: usize, now: Time, probe: &mut impl Probe) {
        while let Some(signal) = self.switches[switch].switch.signal() {
            self.switches[switch].requests.note(&signal);
            self.send_signal(switch, now, signal, probe);
        }
    }

    fn send_signal(&mut self, switch: usize, now: Time, signal: Signal, probe: &mut impl Probe) {
        match signal.frame {
            None => {
                let at = now.saturating_add(signal.after);
                self.dispatch(switch, now, at, signal);
            }
            Some(frame) => {
                let queue = self.queue_at(frame.over);
                if self.queues[queue].outage == Some(Outage::Loses) {
                    return self.renew_later(switch, now, signal);
                }
                self.queues[queue].pauses.queue_frame(signal);
                self.wake_if_free(queue, now, probe);
            }
        }
    }

    /// Schedules the arrival of a request that leaves now, and its renewal.
    pub(super) fn dispatch(&mut self, switch: usize, now: Time, arrives: Time, signal: Signal) {
        assert!(arrives > now, "a request takes time to reach another node");
        let lasts = self.lasts(&signal);
        let ends = |effect: Time| lasts.map(|lasts| effect.saturating_add(lasts));
        let over = signal.frame.map(|frame| frame.over);
        let effect = match over {
            Some(_) => arrives.saturating_add(signal.after),
            None => arrives,
        };
        let ends = ends(effect);
        let may_be_lost = over.is_some_and(|over| self.may_lose(over));
        let requests = &mut self.switches[switch].requests;
        match may_be_lost {
            true => requests.schedule(arrives, Due::Arrival { ends }, signal),
            false => requests.schedule(effect, Due::Effect { ends }, signal),
        }
        self.renew_later(switch, now, signal);
    }

    /// Has a request with an end sent again after half of its time, if it stands until then.
    pub(super) fn renew_later(&mut self, switch: usize, now: Time, signal: Signal) {
        let half = self.lasts(&signal).map(|lasts| lasts.as_ps().div_ceil(2));
        let requests = &mut self.switches[switch].requests;
        if let (Some(half), Some(number)) = (half, requests.number(&signal)) {
            let at = now.saturating_add(Span::from_ps(half));
            requests.schedule(at, Due::Renewal(number), signal);
        }
        self.arm_switch(switch, now);
    }

    /// The time for which a request holds packets, if it ends by itself.
    fn lasts(&self, signal: &Signal) -> Option<Span> {
        let quanta = signal.quanta.filter(|_| signal.holds)?;
        let rate = self.links.rate(signal.input);
        rate.transmission_time(Bytes(u64::from(quanta) * QUANTUM))
    }

    fn may_lose(&self, link: LinkId) -> bool {
        self.extra(link).is_some_and(|extra| extra.loss.is_some())
    }

    /// The wire of a link loses the frames that it carries, and its port those that wait.
    pub(super) fn lose_frames(&mut self, link: LinkId, now: Time) {
        let Some(switch) = self.extra(link).and_then(|extra| extra.switch) else {
            return;
        };
        self.switches[switch].requests.lose_frames(link);
        let queue = self.queue_at(link);
        for signal in self.queues[queue].pauses.take_frames() {
            self.renew_later(switch, now, signal);
        }
    }

    /// Handles the timer of a switch: requests reach the ports upstream, end, or are renewed.
    pub(super) fn wake_switch(&mut self, switch: usize, now: Time, probe: &mut impl Probe) {
        while let Some(&(at, due, signal)) = self.switches[switch].requests.due.front()
            && at <= now
        {
            self.switches[switch].requests.due.pop_front();
            match due {
                Due::Arrival { ends } => self.frame_arrives(switch, now, (signal, ends), probe),
                Due::Effect { ends } => self.take_effect(switch, now, (signal, ends), probe),
                Due::Expiry => {
                    let released = Signal {
                        holds: false,
                        ..signal
                    };
                    if let Some(queue) = self.expire_pause(now, released, probe) {
                        self.wake_if_free(queue, now, probe);
                    }
                }
                Due::Renewal(number) => {
                    if self.switches[switch].requests.number(&signal) == Some(number) {
                        self.send_signal(switch, now, signal, probe);
                    }
                }
            }
        }
        self.arm_switch(switch, now);
    }

    fn frame_arrives(
        &mut self,
        switch: usize,
        now: Time,
        (signal, ends): (Signal, Option<Time>),
        probe: &mut impl Probe,
    ) {
        let frame = signal.frame.expect("only frames arrive");
        let packet = Packet {
            size: frame.size,
            ..Packet::default()
        };
        let extra = self.extra_mut(frame.over);
        let loss = extra.and_then(|extra| extra.loss.as_mut());
        if loss.is_some_and(|loss| loss.loses(now, &packet)) {
            return;
        }
        if signal.after.is_zero() {
            return self.take_effect(switch, now, (signal, ends), probe);
        }
        let at = now.saturating_add(signal.after);
        let requests = &mut self.switches[switch].requests;
        requests.schedule(at, Due::Effect { ends }, signal);
    }

    fn take_effect(
        &mut self,
        switch: usize,
        now: Time,
        (signal, ends): (Signal, Option<Time>),
        probe: &mut impl Probe,
    ) {
        let queue = self.apply_signal(now, signal, ends, probe);
        if let Some(ends) = ends {
            let requests = &mut self.switches[switch].requests;
            requests.schedule(ends, Due::Expiry, signal);
        }
        self.wake_if_free(queue, now, probe);
    }

    fn arm_switch(&mut self, switch: usize, now: Time) {
        let timer = self.timers + (self.parts_before_switches() + switch) as u32;
        let station = &mut self.switches[switch];
        let next = station.requests.due.front().map(|(at, ..)| *at);
        if next == Some(now) {
            // Its timer is about to expire, or is being handled.
            return;
        }
        station.alarm.set(&mut self.calendar, timer, now, next);
    }

    fn parts_before_switches(&self) -> usize {
        self.gates.len() + self.queues.len() + self.middleboxes.timers()
    }
}
