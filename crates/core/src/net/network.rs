//! Links, routes and the calendar: the loop that forwards packets.

mod ahead;
mod budget;
mod changes;
mod crossings;
mod equipment;
mod forks;
mod gates;
mod hosts;
mod junctions;
mod losses;
mod middleboxes;
mod pauses;
mod queues;
mod readings;
mod ready;
mod requests;
mod routes;
mod step;
mod switches;
mod timers;
mod trims;
mod turns;

pub use ahead::{Arrivals, Use};
pub use changes::Outage;
pub use crossings::Mail;
pub use forks::ChooserId;
pub use routes::{ForkId, Hop, MiddleboxId, RouteId};

use std::collections::VecDeque;

use pacesim_units::{LinkId, Time};

use super::wire::Carried;
use super::{
    Accepted, DropCause, HostDelays, LinkConfig, Links, LossProcess, Packet, Parts, Passage, Probe,
    Script, Transits,
};
use crate::engine::{Calendar, EventQueue, Wake, Wheel};
use crate::memory::prefetch;
use ahead::{Ahead, middlebox};
use forks::Forks;
use gates::GateStage;
use middleboxes::Middleboxes;
use queues::QueueStage;
use routes::{AHEAD, END, GONE, LOOK, MIDDLEBOX};
use step::StepMarking;
use switches::SwitchStation;

/// Number of links beyond which the memory that a hop touches is rarely in the caches.
const MANY_LINKS: usize = 2000;

/// An event that the network cannot handle alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// A packet reached the end of its route at `now`; its last transmission started at `began`.
    Delivered {
        /// Time at which the packet arrived at the end of its route.
        now: Time,
        /// Start of the packet's last transmission.
        began: Time,
        /// The packet that arrived.
        packet: Packet,
    },
    /// A timer that was armed at `began` expired at `now`.
    Timer {
        /// Time at which the timer expired.
        now: Time,
        /// Time at which the timer was armed.
        began: Time,
        /// Number of the expired timer.
        timer: u32,
    },
    /// Ports became ready that were to tell: [`Network::take_ready`] has them.
    Ready {
        /// Time at which they became ready.
        now: Time,
        /// Start of the activity by which they did.
        began: Time,
    },
}

/// Links that forward packets along fixed routes, with optional parts of the types in `P`.
#[derive(Debug)]
pub struct Network<Q = Wheel, P: Parts = ()> {
    links: Links,
    transits: Transits<P::Payload>,
    /// Hops of all routes, one route after another; `routes` defines the encoding of a hop.
    hops: Vec<u32>,
    calendar: Calendar<Q>,
    ahead: Ahead,
    /// True if the network has so many links that the memory of a hop is rarely in the caches.
    has_many_links: bool,
    /// Parts of the few links that have some; the routes through these links are flagged.
    extras: Vec<Option<Extra>>,
    /// True if some links have scripted drops, and true if some have random loss.
    has_scripts: bool,
    has_losses: bool,
    has_hosts: bool,
    /// The user's timers that exist from the start. Those of gates, of queues, of middleboxes and
    /// of switches follow, in this order.
    timers: u32,
    /// The number of the first timer that the user added later.
    added: u32,
    gates: Vec<GateStage<P::Gate>>,
    queues: Vec<QueueStage<P::Queue>>,
    middleboxes: Middleboxes<P::Middlebox>,
    switches: Vec<SwitchStation<P::Switch>>,
    forks: Forks,
    /// Ports that tell, and have become ready since the user last took them.
    ready: VecDeque<LinkId>,
    /// The most packets that may wait at a port, and the first time that more would.
    most_waiting: u32,
    overflow: Option<(Time, LinkId)>,
}

/// The parts of a network beyond its links.
#[derive(Debug)]
pub struct Fittings<P: Parts> {
    /// Gates before the queues of these links, at most one each.
    pub gates: Vec<(LinkId, P::Gate)>,
    /// Queues instead of the drop-tail queues of these links, at most one each.
    pub queues: Vec<(LinkId, P::Queue)>,
    /// Middleboxes, each known by its [`MiddleboxId`]: its number here.
    pub middleboxes: Vec<P::Middlebox>,
    /// Switches, each with the links whose ports share it. Each of these ports has a queue above.
    pub switches: Vec<(Vec<LinkId>, P::Switch)>,
}

impl<P: Parts> Default for Fittings<P> {
    fn default() -> Fittings<P> {
        Fittings {
            gates: Vec::new(),
            queues: Vec::new(),
            middleboxes: Vec::new(),
            switches: Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
struct Extra {
    script: Option<Script>,
    loss: Option<LossProcess>,
    gate: Option<usize>,
    queue: Option<usize>,
    switch: Option<usize>,
    step: Option<StepMarking>,
    host: Option<Box<HostDelays>>,
    /// Number of packets on the link that are lost because it went down.
    doomed: u32,
}

impl Extra {
    /// True if a packet that arrives at the port does not simply join the FIFO.
    fn is_at_port(&self) -> bool {
        self.is_before_fifo() || self.host.is_some()
    }

    /// True if there is more before the FIFO than a host.
    #[inline]
    fn is_before_fifo(&self) -> bool {
        let is_staged = self.gate.is_some() || self.queue.is_some();
        is_staged || self.script.is_some() || self.step.is_some()
    }
}

impl<Q: EventQueue> Network<Q> {
    /// A network of these links with `timers` timers.
    pub fn new(links: &[LinkConfig], timers: usize) -> Network<Q> {
        Network::fitted(links.iter().copied(), timers, Fittings::default())
    }
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// A network of these links with `timers` timers, and with parts at some of its links and
    /// routes.
    pub fn fitted(
        links: impl ExactSizeIterator<Item = LinkConfig>,
        timers: usize,
        fittings: Fittings<P>,
    ) -> Network<Q, P> {
        let count = links.len();
        let middleboxes = Middleboxes::new(fittings.middleboxes);
        let own = fittings.gates.len()
            + fittings.queues.len()
            + middleboxes.timers()
            + fittings.switches.len();
        let mut network = Network {
            links: Links::new(links),
            transits: Transits::default(),
            hops: Vec::new(),
            calendar: Calendar::new(count, timers + own),
            ahead: Ahead::default(),
            has_many_links: count > MANY_LINKS,
            extras: Vec::new(),
            has_scripts: false,
            has_losses: false,
            has_hosts: false,
            timers: u32::try_from(timers).expect("less than 4e9 timers"),
            added: u32::try_from(timers + own).expect("less than 4e9 timers"),
            gates: Vec::with_capacity(fittings.gates.len()),
            queues: Vec::with_capacity(fittings.queues.len()),
            middleboxes,
            switches: Vec::with_capacity(fittings.switches.len()),
            forks: Forks::default(),
            ready: VecDeque::new(),
            most_waiting: u32::MAX,
            overflow: None,
        };
        for (link, gate) in fittings.gates {
            network.extra_of(link).gate = Some(network.gates.len());
            network.gates.push(GateStage::new(link, gate));
        }
        for (link, queue) in fittings.queues {
            network.extra_of(link).queue = Some(network.queues.len());
            network.queues.push(QueueStage::new(link, queue));
        }
        for (number, (links, switch)) in fittings.switches.into_iter().enumerate() {
            for link in links {
                let extra = network.extra_of(link);
                assert!(
                    extra.queue.is_some(),
                    "a port of a switch has a queue of its own"
                );
                let others = extra.switch.replace(number);
                assert!(others.is_none(), "a port belongs to one switch");
            }
            network.switches.push(SwitchStation::new(switch));
        }
        network
    }

    /// The number of a link's scripted drops whose packet has not come yet.
    pub fn pending_drops(&self, link: LinkId) -> usize {
        let script = self.extra(link).and_then(|extra| extra.script.as_ref());
        script.map_or(0, Script::pending)
    }

    fn extra_of(&mut self, link: LinkId) -> &mut Extra {
        assert!(self.hops.is_empty(), "routes know what their links have");
        self.extras.resize_with(self.links.len(), || None);
        self.extras[link.index()].get_or_insert_default()
    }

    fn extra_mut(&mut self, link: LinkId) -> Option<&mut Extra> {
        self.extras.get_mut(link.index())?.as_mut()
    }

    fn extra(&self, link: LinkId) -> Option<&Extra> {
        self.extras.get(link.index())?.as_ref()
    }

    /// Sends a packet and its payload along a route, as the effect of an activity that started at
    /// `began`.
    #[inline(always)]
    pub fn send(
        &mut self,
        now: Time,
        began: Time,
        route: RouteId,
        mut packet: Packet,
        payload: Option<P::Payload>,
        probe: &mut impl Probe,
    ) {
        // Assigned in place: a new value by `..packet` would be copied field by field.
        packet.hop = route.0;
        let place = self.transits.add(packet, payload);
        let first = self.hops[route.0 as usize];
        if first & LOOK != 0 {
            return self.send_over(now, began, first & !LOOK, place, probe);
        }
        self.forward(now, began, now, LinkId(first), place, probe);
    }

    /// Forwards packets until one arrives, a timer is due, or nothing happens up to `until`. An
    /// expired timer is disarmed. Arrivals computed ahead of time are returned at once.
    #[inline(always)]
    pub fn next(&mut self, until: Time, probe: &mut impl Probe) -> Option<Occurrence> {
        'events: loop {
            if let Some(arrival) = self.take_arrived(probe) {
                return Some(arrival);
            }
            let (now, began, place) = match self.calendar.next(until)? {
                (now, Wake::Link { link, began, word }) => {
                    if self.has_many_links || self.transits.is_large() {
                        self.fetch_next();
                    }
                    let (place, mut next) = self.hand_on(link, word);
                    'has_arrived: {
                        if next >= END {
                            if next > END {
                                next = self.look(now, began, (link, next), place, probe);
                            }
                            if next == END {
                                break 'has_arrived;
                            }
                            if next == GONE {
                                continue 'events;
                            }
                        }
                        self.forward(now, began, now, LinkId(next), place, probe);
                        continue 'events;
                    }
                    (now, began, place)
                }
                (now, Wake::Timer { timer, began }) => {
                    if timer < self.timers || timer >= self.added {
                        return Some(Occurrence::Timer { now, began, timer });
                    }
                    match self.wake_part(timer, now, began, probe) {
                        None if self.ready.is_empty() => continue,
                        None => return Some(Occurrence::Ready { now, began }),
                        Some(place) => (now, began, place),
                    }
                }
            };
            let (packet, payload) = self.transits.take(place);
            self.transits.payloads.deliver(payload);
            probe.delivered(now, &packet);
            return Some(Occurrence::Delivered { now, began, packet });
        }
    }

    /// The payload of the packet that [`next`](Network::next) delivered last.
    #[inline]
    pub fn payload(&self) -> Option<&P::Payload> {
        self.transits.payloads.delivered()
    }

    /// Takes the payload that [`next`](Network::next) delivered last, and leaves none.
    #[inline]
    pub fn take_payload(&mut self) -> Option<P::Payload> {
        self.transits.payloads.take_delivered()
    }

    /// Prefetches the memory that the next hops are likely to touch, which with many links or
    /// packets is far away: the packet of the hop after the next one, then the port it goes to.
    #[inline(always)]
    fn fetch_next(&self) {
        let transits = self.transits.places();
        let [next, second] = self.calendar.likely_next();
        if let Some(head) = second {
            prefetch(transits, head as u32 as usize);
            let onward = (head >> 32) as u32;
            match middlebox(onward) {
                Some(id) => self.middleboxes.prefetch(id),
                None => self.links.prefetch_port(onward),
            }
        }
        if let Some(head) = next {
            let packet = &transits[head as u32 as usize].packet;
            prefetch(&self.hops, packet.hop as usize + 2);
        }
    }

    /// Time of the next event, which stays pending. Sending may add earlier ones.
    pub fn next_event(&mut self) -> Option<Time> {
        self.calendar.first()
    }

    /// Handles the timer of a gate, a queue or a middlebox. Returns the packet to deliver, if any.
    #[cold]
    #[inline(never)]
    fn wake_part(
        &mut self,
        timer: u32,
        now: Time,
        began: Time,
        probe: &mut impl Probe,
    ) -> Option<u32> {
        let gate = (timer - self.timers) as usize;
        let Some(queue) = gate.checked_sub(self.gates.len()) else {
            self.open(gate, now, began, probe);
            return None;
        };
        let Some(middlebox) = queue.checked_sub(self.queues.len()) else {
            self.wake_queue(queue, now, probe);
            return None;
        };
        if let Some(switch) = middlebox.checked_sub(self.middleboxes.timers()) {
            self.wake_switch(switch, now, probe);
            return None;
        }
        self.wake_middlebox(middlebox, now, began, probe)
    }

    /// Adds `n` timers for the user behind all others, and returns the number of the first.
    pub fn add_timers(&mut self, n: u32) -> u32 {
        self.calendar.add_timers(n)
    }

    /// Arms or moves a timer.
    #[inline]
    pub fn set_timer(&mut self, timer: u32, at: Time, now: Time) {
        self.calendar.set_timer(timer, at, now);
    }

    /// Disarms a timer.
    #[inline]
    pub fn clear_timer(&mut self, timer: u32) {
        self.calendar.clear_timer(timer);
    }

    /// Takes the packet that is due off a link. Returns its place, and its next link or [`END`].
    #[inline(always)]
    fn hand_on(&mut self, id: LinkId, head: u64) -> (u32, u32) {
        let (place, next, behind) = self.take_off(id, head);
        if let Some(behind) = behind {
            self.arm(id, behind);
        }
        (place, next)
    }

    /// Takes the first packet off a link. Returns its place, its next link or [`END`], and the
    /// packet behind it.
    #[inline(always)]
    fn take_off(&mut self, id: LinkId, head: u64) -> (u32, u32, Option<Carried>) {
        let (place, onward) = (head as u32, (head >> 32) as u32);
        let transit = &mut self.transits.places_mut()[place as usize];
        transit.packet.hop += 1;
        let behind = self.links.wire_mut(id).take(transit);
        if onward & AHEAD != 0 {
            self.links.note_caught_up(id);
        }
        (place, onward & !AHEAD, behind)
    }

    /// Offers a packet that arrived at a port at `arrived` to the port's link, and then to those
    /// behind it, as far as possible ahead of time.
    #[inline(always)]
    fn forward(
        &mut self,
        mut now: Time,
        mut began: Time,
        mut arrived: Time,
        mut id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) {
        let mut packet = &mut self.transits.places_mut()[place as usize].packet;
        let (size, word) = (packet.size, packet.word());
        loop {
            let (port, backlogs) = self.links.port_mut(id);
            let Some(accepted) = port.offer((backlogs, id), now, began, (size, word)) else {
                return self.refuse(now, id, place, arrived, probe);
            };
            let passage = Passage {
                arrived,
                joined: now,
                departure: accepted.departure,
            };
            probe.accepted(now, id, packet, passage);
            let next = self.hops[packet.hop as usize + 1];
            if next & AHEAD == 0 {
                return self.put_on_wire(id, place, accepted, next);
            }
            let is_late = port.is_late;
            if accepted.arrive > self.ahead.horizon || is_late {
                if accepted.arrive > self.ahead.horizon || !self.catch_up(id, probe) {
                    self.links.note_late(id);
                    return self.put_on_wire(id, place, accepted, next);
                }
                packet = &mut self.transits.places_mut()[place as usize].packet;
            }
            packet.hop += 1;
            (now, began, arrived) = (accepted.arrive, accepted.began, accepted.arrive);
            id = LinkId(next & !AHEAD);
            if id.0 == END {
                return self.arrive_ahead(now, began, place);
            }
            if id.0 > END {
                id = LinkId(self.visit(now, began, id.0, place, probe));
                if id.0 == GONE {
                    return;
                }
                packet = &mut self.transits.places_mut()[place as usize].packet;
            }
        }
    }

    /// Puts a packet that a port took on its wire; `onward` is the next hop of its route.
    #[inline(always)]
    fn put_on_wire(&mut self, id: LinkId, place: u32, accepted: Accepted, onward: u32) {
        let Accepted { began, arrive, .. } = accepted;
        let packet = Carried {
            place,
            onward,
            arrive,
            began,
        };
        let transits = self.transits.places_mut();
        if self.links.wire_mut(id).append(transits, packet) {
            self.arm(id, packet);
        }
    }

    /// Arms the link for the next packet to reach its far end.
    #[inline(always)]
    fn arm(&mut self, id: LinkId, packet: Carried) {
        self.calendar
            .set_link(id, packet.arrive, packet.began, head_word(packet));
    }

    /// Handles a packet that reaches the far end of `from` and is not merely forwarded to `to`.
    /// Returns the port over which it continues, or [`END`] for delivery.
    #[inline]
    fn look(
        &mut self,
        now: Time,
        began: Time,
        (from, to): (LinkId, u32),
        place: u32,
        probe: &mut impl Probe,
    ) -> u32 {
        if self.has_losses && self.wire_loses(now, from, place, probe) {
            return GONE;
        }
        match to & MIDDLEBOX {
            0 => self.look_at_port(now, began, to & !LOOK, place, probe),
            _ => self.visit(now, began, to, place, probe),
        }
    }

    /// Handles a packet that arrives at a port with more than a line, or at the end of its route.
    #[cold]
    #[inline(never)]
    fn look_at_port(
        &mut self,
        now: Time,
        began: Time,
        to: u32,
        place: u32,
        probe: &mut impl Probe,
    ) -> u32 {
        if to == END {
            return END;
        }
        self.enter(now, began, to, place, probe);
        GONE
    }

    /// Handles a packet that arrives at a middlebox, or at a port with more than a line.
    #[cold]
    #[inline(never)]
    fn enter(&mut self, now: Time, began: Time, to: u32, place: u32, probe: &mut impl Probe) {
        if to & MIDDLEBOX != 0 {
            let next = self.visit(now, began, to, place, probe);
            if next != GONE {
                self.forward(now, began, now, LinkId(next), place, probe);
            }
            return;
        }
        let id = LinkId(to);
        let is_gone = (self.has_scripts && self.script_drops(now, id, place, probe))
            || (!self.switches.is_empty() && self.switch_refuses(now, began, id, place, probe))
            || self.gate_takes(now, began, id, place, probe);
        if !is_gone {
            self.join_queue(now, began, now, id, place, probe);
        }
    }

    /// Handles a packet that arrived at a port at `arrived` and reaches its queue.
    fn join_queue(
        &mut self,
        now: Time,
        began: Time,
        arrived: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) {
        if !self.queue_takes(now, began, arrived, (id, place), probe) {
            self.mark_by_step(now, began, (id, place), probe);
            if self.has_hosts && self.has_host(id) {
                return self.send_from_host((now, began, arrived), (id, place), probe);
            }
            self.forward(now, began, arrived, id, place, probe);
        }
    }

    #[cold]
    #[inline(never)]
    fn discard(
        &mut self,
        now: Time,
        id: LinkId,
        place: u32,
        cause: DropCause,
        probe: &mut impl Probe,
    ) {
        let packet = self.transits.remove(place);
        probe.dropped(now, id, &packet, cause);
    }
}

/// The calendar's word for the packet that a link delivers next: its place and its next hop, so
/// that neither has to be looked up.
#[inline(always)]
fn head_word(packet: Carried) -> u64 {
    u64::from(packet.onward) << 32 | u64::from(packet.place)
}
