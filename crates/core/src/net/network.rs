//! Links, routes and the calendar: the loop that forwards packets.

mod gates;

use pacesim_units::{LinkId, Time};

use super::{
    DropCause, Gate, Hold, Link, LinkSpec, Loss, NoGate, Packet, Passage, Probe, Script, Transit,
    Transits,
};
use crate::engine::{Calendar, EventQueue, Wake, Wheel};

/// Where a route starts in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteId(u32);

/// What the network cannot handle alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// A packet reached the end of its route at `now`; its last transmission began at
    /// `began`.
    Delivered {
        /// When.
        now: Time,
        /// When its last transmission began.
        began: Time,
        /// The packet.
        packet: Packet,
    },
    /// A timer ran out at `now` that was armed at `began`.
    Timer {
        /// When.
        now: Time,
        /// When it was armed.
        began: Time,
        /// Which.
        timer: u32,
    },
}

/// Links that forward packets along fixed routes. Some may have gates of type `G`.
#[derive(Debug)]
pub struct Network<Q = Wheel, G = NoGate> {
    links: Vec<Link>,
    transits: Transits,
    /// All routes one after the other, each a list of links and an [`END`].
    hops: Vec<u32>,
    calendar: Calendar<Q>,
    /// What few links have: scripted drops, random loss and gates.
    troubles: Vec<Option<Trouble>>,
    has_troubles: bool,
    /// The gates, each with a timer behind those of the network's user.
    gates: Vec<(LinkId, Hold<G>)>,
    timers: u32,
}

#[derive(Debug, Default)]
struct Trouble {
    script: Option<Script>,
    loss: Option<Loss>,
    gate: Option<usize>,
}

const END: u32 = u32::MAX;

impl<Q: EventQueue> Network<Q> {
    /// A network of these links, with so many timers.
    pub fn new(links: &[LinkSpec], timers: usize) -> Network<Q> {
        Network::gated(links, timers, Vec::new())
    }
}

impl<Q: EventQueue, G: Gate> Network<Q, G> {
    /// A network of these links, with so many timers, and with gates before some ports.
    pub fn gated(links: &[LinkSpec], timers: usize, gates: Vec<(LinkId, G)>) -> Network<Q, G> {
        let mut network = Network {
            links: links.iter().map(Link::new).collect(),
            transits: Transits::default(),
            hops: Vec::new(),
            calendar: Calendar::new(links.len(), timers + gates.len()),
            troubles: Vec::new(),
            has_troubles: false,
            gates: Vec::with_capacity(gates.len()),
            timers: u32::try_from(timers).expect("less than 4e9 timers"),
        };
        for (link, gate) in gates {
            network.trouble_of(link).gate = Some(network.gates.len());
            network.gates.push((link, Hold::new(gate)));
        }
        network
    }

    /// Adds a route.
    pub fn add_route(&mut self, path: &[LinkId]) -> RouteId {
        let start = u32::try_from(self.hops.len()).expect("routes of less than 4e9 hops in all");
        self.hops.extend(path.iter().map(|link| link.0));
        self.hops.push(END);
        RouteId(start)
    }

    /// The links of a route, in their order.
    pub fn path(&self, route: RouteId) -> impl Iterator<Item = LinkId> + '_ {
        let hops = self.hops[route.0 as usize..].iter().copied();
        hops.take_while(|hop| *hop != END).map(LinkId)
    }

    /// Gives a link scripted drops.
    pub fn set_script(&mut self, link: LinkId, script: Script) {
        self.trouble_of(link).script = Some(script);
    }

    /// Gives a link random loss.
    pub fn set_loss(&mut self, link: LinkId, loss: Loss) {
        self.trouble_of(link).loss = Some(loss);
    }

    fn trouble_of(&mut self, link: LinkId) -> &mut Trouble {
        if !self.has_troubles {
            self.has_troubles = true;
            self.troubles.resize_with(self.links.len(), || None);
        }
        self.troubles[link.index()].get_or_insert_default()
    }

    /// Sends a packet along a route, by something that began at `began`.
    #[inline(always)]
    pub fn send(
        &mut self,
        now: Time,
        began: Time,
        route: RouteId,
        packet: Packet,
        probe: &mut impl Probe,
    ) {
        let place = self.transits.add(Packet {
            hop: route.0,
            ..packet
        });
        let first = LinkId(self.hops[route.0 as usize]);
        if self.has_troubles && self.port_hinders(now, began, first, place, probe) {
            return;
        }
        self.forward(now, began, now, first, place, probe);
    }

    /// Forwards packets until one arrives, a timer is due, or nothing happens up to
    /// `until`. A timer that ran out is disarmed.
    #[inline(always)]
    pub fn next(&mut self, until: Time, probe: &mut impl Probe) -> Option<Occurrence> {
        loop {
            match self.calendar.next(until)? {
                (now, Wake::Link(link)) => {
                    let (place, began, next) = self.hand_on(link);
                    let hop = (link, next);
                    if self.has_troubles && self.hinders(now, began, hop, place, probe) {
                        continue;
                    }
                    if next == END {
                        let packet = self.transits.remove(place);
                        probe.delivered(now, &packet);
                        return Some(Occurrence::Delivered { now, began, packet });
                    }
                    self.forward(now, began, now, LinkId(next), place, probe);
                }
                (now, Wake::Timer { timer, began }) => {
                    if timer >= self.timers {
                        self.open((timer - self.timers) as usize, now, began, probe);
                        continue;
                    }
                    return Some(Occurrence::Timer { now, began, timer });
                }
            }
        }
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

    /// The links, and the packets on them.
    pub fn links(&self) -> (&[Link], &[Transit]) {
        (&self.links, self.transits.places())
    }

    /// Starts all maxima afresh at `now`.
    pub fn restart_maxima(&mut self, now: Time) {
        for link in &mut self.links {
            link.restart_maxima(self.transits.places(), now);
        }
        for (_, hold) in &mut self.gates {
            hold.restart_maxima(now);
        }
    }

    /// How many packets have left a link at its far end.
    pub fn packet_hops(&self) -> u64 {
        self.links.iter().map(Link::handed_on).sum()
    }

    /// How many packets are in the network.
    pub fn in_flight(&self) -> u64 {
        self.transits.in_flight()
    }

    /// A hash of what happened at all links, in their order.
    pub fn fingerprint(&self) -> u64 {
        let mix =
            |hash: u64, link: &Link| hash.rotate_left(7).wrapping_mul(31) ^ link.fingerprint();
        self.links.iter().fold(0, mix)
    }

    /// Takes the packet that is due off a link. Says where it is, when its transmission
    /// began, and its next link or [`END`].
    #[inline(always)]
    fn hand_on(&mut self, id: LinkId) -> (u32, Time, u32) {
        let link = &mut self.links[id.index()];
        let transits = self.transits.places_mut();
        let place = link.hand_on(transits);
        let transit = &mut transits[place as usize];
        transit.packet.hop += 1;
        let (began, hop) = (transit.began, transit.packet.hop);
        if let Some(following) = link.head(transits) {
            self.calendar
                .set_link(id, following.arrive, following.began);
        }
        (place, began, self.hops[hop as usize])
    }

    /// Offers a packet that came to a port at `arrived` to the port's link.
    #[inline(always)]
    fn forward(
        &mut self,
        now: Time,
        began: Time,
        arrived: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) {
        let link = &mut self.links[id.index()];
        let transits = self.transits.places_mut();
        let Some(accepted) = link.offer(transits, now, began, place) else {
            return self.discard(now, id, place, DropCause::Full { arrived }, probe);
        };
        if accepted.is_first {
            self.calendar.set_link(id, accepted.arrive, accepted.began);
        }
        let packet = &transits[place as usize].packet;
        let departure = accepted.departure;
        probe.accepted(now, id, packet, Passage { arrived, departure });
    }

    /// Whether a packet that reaches the far end of `from` does not go straight on: lost on
    /// the wire, or hindered at the port of the link `to`.
    #[cold]
    #[inline(never)]
    fn hinders(
        &mut self,
        now: Time,
        began: Time,
        (from, to): (LinkId, u32),
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        self.wire_loses(now, from, place, probe)
            || (to != END && self.port_hinders(now, began, LinkId(to), place, probe))
    }

    /// Whether a packet does not join a port's queue at once: dropped by the script, or
    /// in the hands of the gate.
    #[cold]
    fn port_hinders(
        &mut self,
        now: Time,
        began: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        self.script_drops(now, id, place, probe) || self.gate_takes(now, began, id, place, probe)
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

    /// Drops a packet that arrives at a port if the script says so.
    #[cold]
    fn script_drops(&mut self, now: Time, id: LinkId, place: u32, probe: &mut impl Probe) -> bool {
        let packet = self.transits.places()[place as usize].packet;
        let script = self.troubles[id.index()]
            .as_mut()
            .and_then(|t| t.script.as_mut());
        let drops = script.is_some_and(|script| script.drops(&packet));
        if drops {
            self.links[id.index()].drop_packet(now, &packet);
            self.discard(now, id, place, DropCause::Script, probe);
        }
        drops
    }

    /// Loses a packet that reaches the far end of a wire if its loss process says so.
    fn wire_loses(&mut self, now: Time, id: LinkId, place: u32, probe: &mut impl Probe) -> bool {
        let loss = self.troubles[id.index()]
            .as_mut()
            .and_then(|t| t.loss.as_mut());
        let loses = loss.is_some_and(Loss::next_is_lost);
        if loses {
            let packet = self.transits.places()[place as usize].packet;
            self.links[id.index()].note_loss(now, &packet);
            self.discard(now, id, place, DropCause::Wire, probe);
        }
        loses
    }
}
