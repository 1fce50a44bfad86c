//! The world: a network, its flows, and the loop that runs them.
//!
//! A [`World`] is built from a [`Model`], run to its end (or step by step, or until a
//! time) and then read. It owns all it needs, so two of them can run side by side,
//! and it may move to another thread.

mod build;
mod report;

mod tally;
mod window;

pub use build::BuildError;

pub use tally::FlowTally;

use pacesim_core::net::{Counters, Network, Occurrence, Packet, Probe, RouteId};
use pacesim_units::{FlowId, LinkId, Span, Time};

use crate::model::Model;
use crate::source::{AnySource, Source};
use tally::Tallies;
use window::Window;

/// A running simulation, watched by a probe of type `P`.
pub struct World<P: Probe = ()> {
    model: Model,
    network: Network,
    senders: Vec<Sender>,
    tallies: Tallies,
    window: Window,
    now: Time,
    end: Time,
    events: u64,
    probe: P,
}

/// The sending side of a flow.
struct Sender {
    route: RouteId,
    source: AnySource,
    /// The size of the packet that its timer will send.
    next_size: u32,
    next_seq: u32,
    stop: Time,
}

impl World {
    /// A world that nobody watches.
    pub fn new(model: Model) -> Result<World, BuildError> {
        World::watched(model, ())
    }
}

impl<P: Probe> World<P> {
    /// A world with a probe.
    pub fn watched(model: Model, probe: P) -> Result<World<P>, BuildError> {
        build::build(model, probe)
    }

    /// The time up to which everything has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// When the run ends.
    pub fn end(&self) -> Time {
        self.end
    }

    /// What is being run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The probe.
    pub fn probe(&self) -> &P {
        &self.probe
    }

    /// The probe, to change it or to take things out of it.
    pub fn probe_mut(&mut self) -> &mut P {
        &mut self.probe
    }

    /// Gives the probe back.
    pub fn into_probe(self) -> P {
        self.probe
    }

    /// Packets that reached the far end of a link, since the start.
    pub fn packet_hops(&self) -> u64 {
        self.network.packet_hops()
    }

    /// Wake-ups of the world since the start: packets that reached the end of their
    /// route, and timers.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Packets that are in the network now.
    pub fn in_flight(&self) -> u64 {
        self.network.in_flight()
    }

    /// A hash of what happened at every link: the same scenario, seed and replication
    /// give the same, everywhere.
    pub fn fingerprint(&self) -> u64 {
        self.network.fingerprint()
    }

    /// The counters of a flow since the start.
    pub fn flow(&self, flow: FlowId) -> &FlowTally {
        self.tallies.of(flow)
    }

    /// The counters of a link since the start; its maxima since the warm-up.
    pub fn link(&self, link: LinkId) -> Counters {
        let (links, pool) = self.network.links();
        links[link.index()].counters_at(pool, self.now)
    }

    /// Replaces a flow's source by one of the user's own. Call it before time starts.
    pub fn set_source(&mut self, flow: FlowId, source: Box<dyn Source>) {
        assert_eq!(self.now, Time::ZERO, "a source is replaced before the run");
        let start = self.model.flows[flow.index()].start;
        let sender = &mut self.senders[flow.index()];
        sender.source = AnySource::Custom(source);
        self.network.clear_timer(flow.0);
        self.arm_source(flow, start, Time::ZERO);
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.run_until(self.end);
    }

    /// Runs until everything up to and including `until`, or the end, has happened.
    pub fn run_until(&mut self, until: Time) {
        let until = until.min(self.end);
        if self.window.start <= until {
            self.reach_window();
        }
        self.advance(until);
    }

    /// Runs to the next time something happens to a flow and says when, or `None` at
    /// the end.
    pub fn step(&mut self) -> Option<Time> {
        if !self.window.is_open() {
            let last_before = self
                .window
                .last_before()
                .expect("a run without warm-up is measured from the start");
            if self.advance_once(last_before) {
                return Some(self.now);
            }
            self.reach_window();
        }
        if self.advance_once(self.end) {
            return Some(self.now);
        }
        self.now = self.end;
        None
    }

    /// Runs up to the start of statistics, without what happens at that very time.
    fn reach_window(&mut self) {
        if self.window.is_open() {
            return;
        }
        if let Some(last_before) = self.window.last_before() {
            self.advance(last_before);
        }
        self.now = self.window.start;
        self.window.open(&mut self.network, &mut self.tallies);
    }

    /// What waits at a link's port now: packets and bytes, without the one being sent.
    pub fn waiting(&self, link: LinkId) -> (u64, u64) {
        let (links, pool) = self.network.links();
        links[link.index()].waiting_at(pool, self.now)
    }

    fn advance(&mut self, until: Time) {
        while self.advance_once(until) {}
        self.now = self.now.max(until);
    }

    #[inline]
    fn advance_once(&mut self, until: Time) -> bool {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        let Some(occurrence) = self.network.next(until, watchers) else {
            return false;
        };
        self.events += 1;
        match occurrence {
            Occurrence::Delivered { now, packet, .. } => {
                self.now = now;
                self.tallies.delivered(now, &packet);
            }
            Occurrence::Timer { now, began, timer } => {
                self.now = now;
                self.send(FlowId(timer), now, began);
            }
        }
        true
    }

    /// Sends the packet that was due, and waits for the next.
    fn send(&mut self, flow: FlowId, now: Time, began: Time) {
        let sender = &mut self.senders[flow.index()];
        let packet = Packet {
            stamp: now,
            flow,
            seq: sender.next_seq,
            size: sender.next_size,
            ..Packet::default()
        };
        sender.next_seq = sender.next_seq.wrapping_add(1);
        self.tallies.sent(flow, packet.size);
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network
            .send(now, began, sender.route, packet, watchers);
        self.arm_source(flow, now, now);
    }

    /// Asks a flow's source for the packet after `previous`, and arms its timer.
    fn arm_source(&mut self, flow: FlowId, previous: Time, now: Time) {
        let sender = &mut self.senders[flow.index()];
        let Some(emission) = sender.source.next() else {
            return;
        };
        let at = previous.saturating_add(emission.gap);
        if at < sender.stop {
            sender.next_size = emission.size;
            self.network.set_timer(flow.0, at, now);
        }
    }

    /// How long statistics have been kept.
    pub fn measured(&self) -> Span {
        self.now.saturating_since(self.window.start)
    }
}
