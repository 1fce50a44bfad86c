//! Middleboxes on routes: packets arrive, are forwarded, absorbed and created.

use std::collections::VecDeque;

use pacesim_units::{LinkId, Time};

use super::gates::Alarm;
use super::routes::{AHEAD, END, GONE, LOOK, MIDDLEBOX};
use super::{MiddleboxId, Network};
use crate::engine::EventQueue;
use crate::memory::{prefetch, prefetch_rest, with_room};
use crate::net::{Middlebox, MiddleboxCounters, Packet, Parts, Probe, Step};

/// The middleboxes, each with a timer; one more timer is for the packets they pass to the ends of
/// routes.
#[derive(Debug)]
pub(super) struct Middleboxes<M> {
    all: Vec<Station<M>>,
    /// Packets to deliver at this instant, each with the start of its arrival.
    arrived: VecDeque<(Time, u32)>,
}

/// The fields that every packet touches come first: for coders one cache line is enough.
#[derive(Debug)]
#[repr(C, align(64))]
struct Station<M> {
    middlebox: M,
    alarm: Alarm,
    /// Counters apart from the packets that [`passes`](Middlebox::passes) let pass.
    counters: MiddleboxCounters,
}

impl<M> Middleboxes<M> {
    pub(super) fn new(middleboxes: Vec<M>) -> Middleboxes<M> {
        let mut all = with_room(middleboxes.len());
        all.extend(middleboxes.into_iter().map(|middlebox| Station {
            middlebox,
            alarm: Alarm::default(),
            counters: MiddleboxCounters::default(),
        }));
        Middleboxes {
            all,
            arrived: VecDeque::new(),
        }
    }

    /// Prefetches the middlebox at which a packet will soon arrive.
    #[inline(always)]
    pub(super) fn prefetch(&self, id: usize) {
        prefetch(&self.all, id);
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn timers(&self) -> usize {
        match self.all.len() {
            0 => 0,
            n => n + 1,
        }
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// The middlebox of this number.
    pub fn middlebox(&self, id: MiddleboxId) -> &P::Middlebox {
        &self.middleboxes.all[id.0 as usize].middlebox
    }

    /// The middlebox of this number, mutable for changes of its counters.
    pub fn middlebox_mut(&mut self, id: MiddleboxId) -> &mut P::Middlebox {
        &mut self.middleboxes.all[id.0 as usize].middlebox
    }

    /// The counters of a middlebox.
    pub fn middlebox_counters(&self, id: MiddleboxId) -> MiddleboxCounters {
        let station = &self.middleboxes.all[id.0 as usize];
        let passed = station.middlebox.passed();
        MiddleboxCounters {
            came: station.counters.came + passed,
            passed: station.counters.passed + passed,
            ..station.counters
        }
    }

    /// Handles a packet that arrives at the middlebox of this hop, as the effect of an activity
    /// that started at `began`. Most only pass: returns the plain port over which it continues, if
    /// that is all.
    #[inline(always)]
    pub(super) fn visit(
        &mut self,
        now: Time,
        began: Time,
        hop: u32,
        place: u32,
        probe: &mut impl Probe,
    ) -> u32 {
        let next = self.pass(now, hop, place);
        if next < END {
            return next;
        }
        self.attend(now, began, (hop, next), place, probe);
        GONE
    }

    /// The next hop of a packet that arrived at a middlebox and only passes, or at a junction. A
    /// middlebox's calls nothing, not even a panic, so that few registers hold all values; and it is
    /// kept out of the path of packets that meet no middlebox.
    #[cold]
    #[inline(never)]
    fn pass(&mut self, now: Time, hop: u32, place: u32) -> u32 {
        let id = (hop & !(LOOK | MIDDLEBOX)) as usize;
        let Some(station) = self.middleboxes.all.get_mut(id) else {
            return self.turn(id as u32, place);
        };
        if let Some(transit) = self.transits.places_mut().get_mut(place as usize)
            && let (packet, header) = (&mut transit.packet, &mut transit.header)
            && let Some(&next) = self.hops.get(packet.hop as usize + 1)
            && transit.payload == 0
        {
            // Done while the middlebox works: the prefetch ahead cannot see behind it.
            self.links.prefetch_port(next);
            if station.middlebox.passes(now, packet, header) {
                packet.hop += 1;
                return next;
            }
        }
        GONE
    }

    /// Handles a packet that does not continue from a middlebox over a plain port: it has passed,
    /// or has further effects.
    #[cold]
    #[inline(never)]
    fn attend(
        &mut self,
        now: Time,
        began: Time,
        (hop, next): (u32, u32),
        place: u32,
        probe: &mut impl Probe,
    ) {
        if next != GONE {
            return self.go_elsewhere(now, began, next & !LOOK, place, probe);
        }
        let id = (hop & !(LOOK | MIDDLEBOX)) as usize;
        if id >= self.middleboxes.all.len() {
            return self.take_branch(now, began, id as u32, place, probe);
        }
        let station = &mut self.middleboxes.all[id];
        prefetch_rest(station);
        let (transit, payload) = self.transits.with_payload(place);
        let (packet, header) = (&transit.packet, &mut transit.header);
        match payload {
            None => (station.middlebox).arrive(now, place, packet, header),
            Some(payload) => {
                (station.middlebox).arrive_with_payload(now, place, packet, payload, header)
            }
        }
        station.counters.came.add(packet.size);
        self.work(now, began, id, probe);
    }

    /// Handles the timer of a middlebox, or that of deliveries, and then returns the packet
    /// delivered.
    pub(super) fn wake_middlebox(
        &mut self,
        id: usize,
        now: Time,
        began: Time,
        probe: &mut impl Probe,
    ) -> Option<u32> {
        if id < self.middleboxes.all.len() {
            self.work(now, began, id, probe);
            return None;
        }
        let (_, place) = self.middleboxes.arrived.pop_front()?;
        self.arm_deliveries(now);
        Some(place)
    }

    /// Carries out a middlebox's actions, and sets its timer.
    #[inline(never)]
    fn work(&mut self, now: Time, began: Time, id: usize, probe: &mut impl Probe) {
        let name = MiddleboxId(id as u32);
        loop {
            match self.middleboxes.all[id].middlebox.step(now) {
                Step::Wait => break,
                Step::Pass(place) => {
                    let size = self.transits.places()[place as usize].packet.size;
                    self.middleboxes.all[id].counters.passed.add(size);
                    self.go_on(now, began, place, probe);
                }
                Step::Absorb(place) => {
                    let packet = self.transits.remove(place);
                    self.middleboxes.all[id].counters.absorbed.add(packet.size);
                    probe.absorbed(now, name, &packet);
                }
                Step::Send(packet) => self.create(now, began, name, packet, probe),
            }
        }
        let timer = self.timers + (self.gates.len() + self.queues.len() + id) as u32;
        let station = &mut self.middleboxes.all[id];
        let next = station.middlebox.next_wake();
        station.alarm.set(&mut self.calendar, timer, now, next);
    }

    fn create(
        &mut self,
        now: Time,
        began: Time,
        id: MiddleboxId,
        packet: Packet,
        probe: &mut impl Probe,
    ) {
        let hop = self.hops.get(packet.hop as usize);
        assert_eq!(
            hop.map(|hop| hop & !AHEAD),
            Some(LOOK | MIDDLEBOX | id.0),
            "a middlebox sends a packet on a route that does not lead through it"
        );
        let station = &mut self.middleboxes.all[id.0 as usize];
        station.counters.created.add(packet.size);
        let payload = station.middlebox.payload();
        probe.created(now, id, &packet);
        let place = self.transits.add(packet, payload);
        self.go_on(now, began, place, probe);
    }

    /// Moves a packet from a middlebox to the next hop of its route.
    #[inline(never)]
    fn go_on(&mut self, now: Time, began: Time, place: u32, probe: &mut impl Probe) {
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        packet.hop += 1;
        let next = self.hops[packet.hop as usize];
        if next < END {
            return self.forward(now, began, now, LinkId(next), place, probe);
        }
        self.go_elsewhere(now, began, next & !LOOK, place, probe);
    }

    /// Moves a packet from a middlebox to a port that may have more than a line, to another
    /// middlebox, or to the end of its route.
    #[cold]
    #[inline(never)]
    fn go_elsewhere(
        &mut self,
        now: Time,
        began: Time,
        next: u32,
        place: u32,
        probe: &mut impl Probe,
    ) {
        if next != END {
            return self.enter(now, began, next, place, probe);
        }
        self.middleboxes.arrived.push_back((began, place));
        if self.middleboxes.arrived.len() == 1 {
            self.arm_deliveries(now);
        }
    }

    /// Deliveries are separate events, at the same instant: the network's user gets one at a time.
    fn arm_deliveries(&mut self, now: Time) {
        let parts = self.gates.len() + self.queues.len() + self.middleboxes.all.len();
        if let Some(&(began, _)) = self.middleboxes.arrived.front() {
            self.calendar
                .set_timer(self.timers + parts as u32, now, began);
        }
    }
}
