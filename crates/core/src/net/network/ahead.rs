//! Work ahead of time: packets that arrive at a port over one link only.
//!
//! If all packets of a port arrive over the same FIFO link, in its order, their schedule at the
//! port follows from the time at which that link takes them: it is computed at once, without an
//! event. The same holds for an end of a route that answers at once or not at all, and for a
//! middlebox that only acts on packets. Work ahead never passes the horizon, the next time at which
//! the state may be observed.

use std::collections::{BTreeMap, VecDeque};

use pacesim_units::{LinkId, Time};

use super::routes::{AHEAD, END, GONE, LOOK, MIDDLEBOX};
use super::{Extra, MiddleboxId, Network, Occurrence, RouteId, head_word};
use crate::engine::EventQueue;
use crate::memory::prefer_huge_pages;
use crate::net::{Middlebox, Parts, Probe};

/// A use of a route: sending on it, and handling of its arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// Route that is used.
    pub route: RouteId,
    /// True if the user sends there spontaneously, and not only in answer to arrivals.
    pub sends: bool,
    /// Handling of packets that arrive over the route.
    pub arrivals: Arrivals,
}

/// Handling of the packets that arrive over a route by the network's user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrivals {
    /// Packets are only counted.
    Counted,
    /// Each may be answered at once by one packet on this route; the answer follows from the
    /// packets that arrived so far, and their arrival has no other effect.
    Answered(RouteId),
    /// Arrivals may have any other effect.
    Open,
}

/// State of work ahead of the clock.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Time beyond which nothing is done ahead.
    pub(super) horizon: Time,
    /// Arrivals ahead of time, in the order of each route, and the numbers of their payloads.
    pub(super) arrived: VecDeque<(Occurrence, u32)>,
    /// True for links that lead out of this part of the network; empty without parts.
    pub(super) is_cut: Vec<bool>,
}

/// The source of the packets of a port.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feeder {
    Nobody,
    /// One link, which forwards its packets to the port.
    Link(LinkId),
    /// Ends that answer the packets of one link.
    EndsOf(LinkId),
    /// Several sources, or a part with its own timing.
    Others,
}

impl Feeder {
    fn meet(&mut self, other: Feeder) {
        *self = match *self {
            Feeder::Nobody => other,
            same if same == other => same,
            _ => Feeder::Others,
        };
    }
}

/// For each middlebox that packets may pass ahead of time, the link over which all arrive.
type Passable = Vec<Option<LinkId>>;

/// The number of the middlebox at a hop, if the hop is one.
#[inline(always)]
pub(super) fn middlebox(hop: u32) -> Option<usize> {
    let number = hop & !(LOOK | AHEAD);
    (number & MIDDLEBOX != 0).then(|| (number - MIDDLEBOX) as usize)
}

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Allows work ahead of time, up to the [horizon](Network::set_horizon). Call it when all
    /// routes have been added, with all their uses.
    ///
    /// After adding routes later, call it again with old and new uses. A port's only feeder among
    /// old and new uses was its only feeder before, or fed nothing, so no packet is overtaken.
    pub fn work_ahead(&mut self, uses: &[Use]) {
        self.hops.iter_mut().for_each(|hop| *hop &= !AHEAD);
        prefer_huge_pages(&self.hops);
        let arrivals = self.merged(uses);
        let mut passable = self.passable();
        let feeders = loop {
            let feeders = self.feeders(uses, &arrivals, &passable);
            if !self.close_passages(&mut passable, &feeders) {
                break feeders;
            }
        };
        self.mark_hops(&feeders, &passable);
        for (route, arrivals) in arrivals {
            if self.is_foreseen(route, arrivals, &feeders) {
                let end = self.end_of(route);
                self.hops[end] = END | AHEAD;
            }
        }
    }

    /// Sets the time beyond which nothing is done ahead. Work already done stays.
    #[inline]
    pub fn set_horizon(&mut self, horizon: Time) {
        self.ahead.horizon = horizon.min(self.calendar.last());
    }

    /// Handles a packet that reaches the end of its route ahead of time.
    #[inline]
    pub(super) fn arrive_ahead(&mut self, now: Time, began: Time, place: u32) {
        let (packet, payload) = self.transits.take(place);
        let arrival = Occurrence::Delivered { now, began, packet };
        self.ahead.arrived.push_back((arrival, payload));
    }

    /// Forwards the packets that stayed on a link's wire because their arrival was beyond the
    /// horizon, and no longer is. False if other packets are between them.
    #[cold]
    #[inline(never)]
    pub(super) fn catch_up(&mut self, id: LinkId, probe: &mut impl Probe) -> bool {
        if !self.links.wire_mut(id).is_all_late() {
            return false;
        }
        let (mut arrive, mut began, mut head) = self.calendar.take_link(id);
        loop {
            debug_assert!(arrive <= self.ahead.horizon, "a wire keeps its order");
            if !self.may_go_on(head as u32) {
                self.calendar.set_link(id, arrive, began, head);
                return false;
            }
            let (place, next, behind) = self.take_off(id, head);
            match next {
                END => self.arrive_ahead(arrive, began, place),
                hop if hop > END => self.visit_ahead(arrive, began, hop, place, probe),
                next => self.forward(arrive, began, arrive, LinkId(next), place, probe),
            }
            let Some(behind) = behind else { return true };
            (arrive, began, head) = (behind.arrive, behind.began, head_word(behind));
        }
    }

    /// Handles a packet that arrives at a middlebox ahead of time and continues from there.
    #[cold]
    #[inline(never)]
    pub(super) fn visit_ahead(
        &mut self,
        now: Time,
        began: Time,
        hop: u32,
        place: u32,
        probe: &mut impl Probe,
    ) {
        let next = self.visit(now, began, hop, place, probe);
        if next != GONE {
            self.forward(now, began, now, LinkId(next), place, probe);
        }
    }

    /// True if the packet at this place may proceed ahead of time: routes may have changed since it
    /// was sent.
    fn may_go_on(&self, place: u32) -> bool {
        let packet = &self.transits.places()[place as usize].packet;
        self.hops[packet.hop as usize + 1] & AHEAD != 0
    }

    /// The next packet that has arrived ahead of time.
    #[inline(always)]
    pub(super) fn take_arrived(&mut self, probe: &mut impl Probe) -> Option<Occurrence> {
        let (arrival, payload) = self.ahead.arrived.pop_front()?;
        self.transits.payloads.deliver(payload);
        if let Occurrence::Delivered { now, packet, .. } = &arrival {
            probe.delivered(*now, packet);
        }
        Some(arrival)
    }

    /// The number of the middlebox at a hop, if the hop is one, and no fork.
    fn box_at(&self, hop: u32) -> Option<usize> {
        middlebox(hop).filter(|id| *id < self.middleboxes.len())
    }

    /// For each middlebox that packets may pass ahead of time, the link over which all arrive.
    fn passable(&self) -> Passable {
        let mut feeders = vec![Feeder::Nobody; self.middleboxes.len()];
        let before = std::iter::once(&END).chain(&self.hops);
        for (from, to) in before.zip(&self.hops) {
            let from = from & !LOOK;
            if let Some(id) = self.box_at(*to) {
                let is_fed = from < END && self.is_fifo(LinkId(from)) && self.is_pure(from);
                let feeder = is_fed.then_some(Feeder::Link(LinkId(from)));
                feeders[id].meet(feeder.unwrap_or(Feeder::Others));
            }
        }
        let link = |(id, feeder): (usize, Feeder)| match feeder {
            Feeder::Link(link) if self.middlebox(MiddleboxId(id as u32)).is_prompt() => Some(link),
            _ => None,
        };
        feeders.into_iter().enumerate().map(link).collect()
    }

    /// Removes middleboxes behind which packets would arrive at a port with other feeders. True if
    /// any were removed: the feeders of ports are then different.
    fn close_passages(&self, passable: &mut Passable, feeders: &[Feeder]) -> bool {
        let mut is_other = false;
        for pair in self.hops.windows(2) {
            if let Some(id) = self.box_at(pair[0])
                && let Some(link) = passable[id]
            {
                let goes_on =
                    self.is_pure(pair[1]) && feeders[pair[1] as usize] == Feeder::Link(link);
                if !goes_on {
                    passable[id] = None;
                    is_other = true;
                }
            }
        }
        is_other
    }

    /// Finds the feeder of the port of each link.
    fn feeders(
        &self,
        uses: &[Use],
        arrivals: &BTreeMap<RouteId, Arrivals>,
        passable: &Passable,
    ) -> Vec<Feeder> {
        let mut feeders = vec![Feeder::Nobody; self.links.len()];
        self.note_links_that_feed(&mut feeders, passable);
        for each in uses {
            self.note_use(each, arrivals, &mut feeders);
        }
        feeders
    }

    /// Notes links that forward packets to other links' ports. Behind a wire with losses, or a part
    /// with its own timing, nothing is known ahead.
    fn note_links_that_feed(&self, feeders: &mut [Feeder], passable: &Passable) {
        for pair in self.hops.windows(2) {
            let (from, to) = (pair[0] & !LOOK, pair[1] & !LOOK);
            if from == END || to >= END {
                continue;
            }
            let is_plain = pair[1] & LOOK == 0;
            let link = match self.box_at(pair[0]) {
                Some(id) => passable[id],
                None => Some(LinkId(from)).filter(|link| self.is_fifo(*link)),
            };
            let feeder = link.filter(|_| is_plain).map(Feeder::Link);
            feeders[to as usize].meet(feeder.unwrap_or(Feeder::Others));
        }
        for (from, to) in self.forks.turns.pairs() {
            let is_plain = !self.extra(to).is_some_and(Extra::is_at_port);
            let link = from.filter(|from| self.is_fifo(*from) && self.is_pure(from.0));
            let feeder = link.filter(|_| is_plain).map(Feeder::Link);
            feeders[to.index()].meet(feeder.unwrap_or(Feeder::Others));
        }
    }

    /// Handling of the arrivals over each route; where uses differ, their union. Routes whose arrivals are
    /// open in all uses, of which several paths have millions, are left out.
    fn merged(&self, uses: &[Use]) -> BTreeMap<RouteId, Arrivals> {
        let is_open = |each: &&Use| each.arrivals == Arrivals::Open;
        let mut all = BTreeMap::new();
        for each in uses.iter().filter(|each| !is_open(each)) {
            let arrivals = all.entry(each.route).or_insert(each.arrivals);
            if *arrivals != each.arrivals {
                *arrivals = Arrivals::Open;
            }
        }
        for each in uses.iter().filter(is_open) {
            if let Some(arrivals) = all.get_mut(&each.route) {
                *arrivals = Arrivals::Open;
            }
        }
        all
    }

    /// Notes the packets that a use puts into the first ports of routes.
    fn note_use(&self, each: &Use, arrivals: &BTreeMap<RouteId, Arrivals>, feeders: &mut [Feeder]) {
        let mut feed = |route: RouteId, feeder| {
            let first = self.hops[route.0 as usize] & !LOOK;
            if first < END {
                feeders[first as usize].meet(feeder);
            }
        };
        if each.sends {
            feed(each.route, Feeder::Others);
        }
        if let Arrivals::Answered(answer) = each.arrivals {
            let last = self.last_link(each.route);
            let last = last.filter(|_| arrivals[&each.route] == each.arrivals);
            feed(answer, last.map_or(Feeder::Others, Feeder::EndsOf));
        }
    }

    /// True if the effects of arrivals over a route can be worked out ahead of time. Answers enter
    /// their port in the order of the packets that they answer, so it may have no other feeder.
    fn is_foreseen(&self, route: RouteId, arrivals: Arrivals, feeders: &[Feeder]) -> bool {
        let last = self.last_link(route).filter(|last| !self.is_cut(last.0));
        let Some(last) = last else {
            return false;
        };
        match arrivals {
            Arrivals::Counted => true,
            Arrivals::Answered(answer) => {
                let first = self.hops[answer.0 as usize];
                self.is_pure(first) && feeders[first as usize] == Feeder::EndsOf(last)
            }
            Arrivals::Open => false,
        }
    }

    /// Marks the hops at which packets arrive at a port or a middlebox over its only feeder.
    fn mark_hops(&mut self, feeders: &[Feeder], passable: &Passable) {
        for i in 1..self.hops.len() {
            let (from, to) = (self.hops[i - 1] & !(LOOK | AHEAD), self.hops[i]);
            let feeder = match self.box_at(to) {
                Some(id) => passable[id].map(Feeder::Link),
                None if to & MIDDLEBOX != 0 => self.feeder_behind(from, to, feeders),
                None => self.is_pure(to).then(|| feeders[to as usize]),
            };
            let is_here = from < END && !self.is_cut(from);
            if is_here && feeder == Some(Feeder::Link(LinkId(from))) {
                self.hops[i] |= AHEAD;
            }
        }
    }

    /// This link, if packets turn behind it at a junction only to ports of which it is the only feeder.
    fn feeder_behind(&self, link: u32, fork: u32, feeders: &[Feeder]) -> Option<Feeder> {
        let feeder = Feeder::Link(Some(LinkId(link)).filter(|link| link.0 < END)?);
        let is_fed = |port: LinkId| self.is_pure(port.0) && feeders[port.index()] == feeder;
        let mut ports = self.forks.turns.from(LinkId(link)).map(is_fed).peekable();
        let is_alone = ports.peek().is_some() && ports.all(|is_fed| is_fed);
        (is_alone && self.is_junction(fork)).then_some(feeder)
    }

    /// The last link of a route, if packets arrive over it in its order and without loss.
    fn last_link(&self, route: RouteId) -> Option<LinkId> {
        let end = self.end_of(route);
        let last = self.hops[end - 1] & !(LOOK | AHEAD);
        let is_plain = self.hops[end] & LOOK == 0 && last & MIDDLEBOX == 0;
        (is_plain && self.is_fifo(LinkId(last))).then_some(LinkId(last))
    }

    fn end_of(&self, route: RouteId) -> usize {
        let start = route.0 as usize;
        let mut hops = self.hops[start..].iter();
        let is_end = |hop: &u32| hop & !(LOOK | AHEAD) == END;
        start + hops.position(is_end).expect("each route has an end")
    }

    /// True if the times of a link's packets are known when its port takes them.
    fn is_fifo(&self, link: LinkId) -> bool {
        self.extra(link).is_none_or(|extra| extra.queue.is_none())
    }

    /// True if a link leads into another part of the network, which alone knows what happens there.
    fn is_cut(&self, link: u32) -> bool {
        self.ahead.is_cut.get(link as usize).is_some_and(|cut| *cut)
    }

    /// True if the outcome for packets at this hop depends on earlier packets only. A loss on the
    /// wire is part of the link's history, at its own time.
    fn is_pure(&self, hop: u32) -> bool {
        hop < END
            && self
                .extra(LinkId(hop))
                .is_none_or(|extra| extra.loss.is_none())
    }
}
