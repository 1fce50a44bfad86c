//! Ports that switches ask to hold their packets, and the frames that carry such requests.

use std::collections::{BTreeSet, VecDeque};

use pacesim_units::{LinkId, Time};

use super::Network;
use super::routes::LOOK;
use crate::engine::EventQueue;
use crate::net::{HeldClasses, Line, Parts, PauseCounters, Probe, Signal};

/// The requests at a port: those in force, and those that wait for its line.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    held: HeldClasses,
    since: Time,
    /// The same of each of the first classes, while it is held.
    since_of: [Time; PauseCounters::CLASSES],
    /// The bits of the requests that end by themselves, and the times at which they do.
    ends: Vec<(u32, Time)>,
    /// Requests of the port's own switch that leave over this line.
    frames: VecDeque<Signal>,
    counters: PauseCounters,
}

impl Pauses {
    /// True if the port holds all packets.
    pub(super) fn hold_all(&self) -> bool {
        self.held.holds_all()
    }

    /// True if the port holds the packets of a class.
    pub(super) fn holds(&self, class: u16) -> bool {
        self.held.asks_for(class)
    }

    /// True if the port holds the packets of one of the first classes, the last of which stands for all
    /// higher ones as well.
    fn holds_first(&self, class: usize) -> bool {
        let bits = match class + 1 == PauseCounters::CLASSES {
            true => self.held.asked >> class,
            false => self.held.asked & (1 << class),
        };
        bits != 0 || self.hold_all()
    }

    /// Notes a request for a class, or for all packets, and the time at which it ends by itself.
    fn note(&mut self, now: Time, class: Option<u16>, holds: bool, ends: Option<Time>) {
        let place = HeldClasses::place(class);
        let bit = 1 << place;
        self.ends.retain(|(other, _)| *other != place);
        self.ends.extend(ends.map(|ends| (place, ends)));
        let was_free = self.held.is_none();
        let was_held = std::array::from_fn(|class| self.holds_first(class));
        match holds {
            true => self.held.asked |= bit,
            false => self.held.asked &= !bit,
        }
        if was_free && !self.held.is_none() {
            (self.since, self.counters.pauses) = (now, self.counters.pauses + 1);
        } else if !was_free && self.held.is_none() {
            self.counters.held_ps += u128::from((now - self.since).as_ps());
        }
        self.note_classes(now, was_held);
    }

    /// Notes the first classes that are held or free from now on.
    fn note_classes(&mut self, now: Time, was_held: [bool; PauseCounters::CLASSES]) {
        for (class, was_held) in was_held.into_iter().enumerate() {
            match (was_held, self.holds_first(class)) {
                (false, true) => self.since_of[class] = now,
                (true, false) => {
                    let held = now - self.since_of[class];
                    self.counters.class_held_ps[class] += u128::from(held.as_ps());
                }
                _ => {}
            }
        }
    }

    /// True if the request for a class, or for all packets, has ended by itself.
    fn has_ended(&self, now: Time, class: Option<u16>) -> bool {
        let place = HeldClasses::place(class);
        self.ends
            .iter()
            .any(|(other, ends)| *other == place && *ends <= now)
    }

    /// Has the port send the frame of a request as soon as its line is free. A frame says the state at
    /// the time at which it leaves: a later request takes the place of one that still waits.
    pub(super) fn queue_frame(&mut self, signal: Signal) {
        let of_same =
            |waiting: &&mut Signal| (waiting.input, waiting.class) == (signal.input, signal.class);
        match self.frames.iter_mut().find(of_same) {
            Some(waiting) => *waiting = signal,
            None => self.frames.push_back(signal),
        }
    }

    /// Takes away the frames that wait for the line.
    pub(super) fn take_frames(&mut self) -> VecDeque<Signal> {
        std::mem::take(&mut self.frames)
    }

    pub(super) fn counters_at(&self, now: Time) -> PauseCounters {
        let mut counters = self.counters;
        if !self.held.is_none() {
            counters.held_ps += u128::from(now.saturating_since(self.since).as_ps());
        }
        for (class, held) in counters.class_held_ps.iter_mut().enumerate() {
            if self.holds_first(class) {
                *held += u128::from(now.saturating_since(self.since_of[class]).as_ps());
            }
        }
        counters
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The counters of requests at a link's port up to `now`, if its queue is a stage.
    pub fn pause_counters(&self, link: LinkId, now: Time) -> Option<PauseCounters> {
        let queue = self.extra(link)?.queue?;
        Some(self.queues[queue].pauses.counters_at(now))
    }

    /// True if a switch asks the port of a link to hold packets, of any class.
    pub fn is_paused(&self, link: LinkId) -> bool {
        let queue = self.extra(link).and_then(|extra| extra.queue);
        queue.is_some_and(|queue| !self.queues[queue].pauses.held.is_none())
    }

    /// The pairs of paused ports of which the first waits for the second: packets that came over the
    /// link of the first wait at the second, and fill the memory for whose sake the first is paused.
    pub fn waits_of_pauses(&self) -> BTreeSet<(LinkId, LinkId)> {
        let rests = |link: LinkId| {
            let queue = self.extra(link).and_then(|extra| extra.queue);
            queue.is_some_and(|queue| {
                let stage = &self.queues[queue];
                let is_held = !stage.pauses.held.is_none() && stage.hold.held().packets > 0;
                is_held && stage.line() == Line::Free
            })
        };
        let ports = self.transits.packets().filter_map(|packet| {
            let at = LinkId(self.hops[packet.hop as usize] & !LOOK);
            Some((self.input_of(packet)?, at))
        });
        let ports: BTreeSet<(LinkId, LinkId)> = ports.collect();
        ports
            .into_iter()
            .filter(|(input, at)| rests(*input) && rests(*at))
            .collect()
    }

    /// Transmits the next frame with a request on a free line, if one waits. The line may have
    /// `rested`.
    pub(super) fn send_frame(&mut self, queue: usize, now: Time, rested: bool) {
        let stage = &mut self.queues[queue];
        let Some(signal) = stage.pauses.frames.pop_front() else {
            return;
        };
        let frame = signal.frame.expect("only requests in frames wait");
        stage.pauses.counters.frames.add(frame.size);
        let link = stage.link;
        let sent = self.links.send_frame(link, now, frame.size, rested);
        let arrives = self.queues[queue].start_frame(now, &sent);
        let switch = self.extra(link).and_then(|extra| extra.switch);
        let switch = switch.expect("frames leave over ports of switches");
        self.dispatch(switch, now, arrives, signal);
    }

    /// A pause that was not renewed ends, with this request. Returns the queue of its port.
    pub(super) fn expire_pause(
        &mut self,
        now: Time,
        released: Signal,
        probe: &mut impl Probe,
    ) -> Option<usize> {
        let queue = self.queue_at(released.input);
        let pauses = &mut self.queues[queue].pauses;
        if !pauses.has_ended(now, released.class) {
            return None;
        }
        pauses.counters.expired += 1;
        Some(self.apply_signal(now, released, None, probe))
    }

    /// A request takes effect: the port holds packets until it `ends`, or has some to send again.
    /// Returns its queue.
    pub(super) fn apply_signal(
        &mut self,
        now: Time,
        signal: Signal,
        ends: Option<Time>,
        probe: &mut impl Probe,
    ) -> usize {
        let queue = self.queue_at(signal.input);
        let stage = &mut self.queues[queue];
        if let Some(class) = signal.class {
            stage.pauses.held.is_apart = stage.hold_class(now, class, signal.holds);
        }
        stage.pauses.note(now, signal.class, signal.holds, ends);
        probe.paused(now, signal.input, stage.pauses.held);
        queue
    }

    pub(super) fn queue_at(&self, link: LinkId) -> usize {
        let queue = self.extra(link).and_then(|extra| extra.queue);
        queue.expect("a port that sends or hears requests has a queue of its own")
    }
}
