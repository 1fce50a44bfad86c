//! The world: a network, its flows, and the loop that runs them.
//!
//! A [`World`] is built from a [`Model`], run to its end (or step by step, or until a
//! time) and then read. It owns all it needs, so two of them can run side by side,
//! and it may move to another thread.

mod application;
mod build;
mod calls;
mod changes;
mod classes;
mod closed_loop;
mod completions;
mod connection;
mod exchange;
mod exchange_end;
mod fec;
mod foresight;
mod giving_up;
mod limits;
mod loss;
mod open_loop;
mod pairs;
mod parts;
mod paths;
mod presence;
mod progress;
mod reading;
mod report;
mod reroute;
mod session;
mod tag;
mod tally;
mod tcp_log;
mod totals;
mod window;

pub use build::BuildError;
pub use giving_up::{Excess, GaveUp};
pub use reading::{FlowReading, SendersReading};
pub use tally::FlowTally;

use pacesim_core::engine::Wheel;
use pacesim_core::net::{
    Counters, HoldCounters, Kind, MiddleboxCounters, MiddleboxId, Network, Occurrence, Packet,
    Probe,
};
use pacesim_measure::BySize;
use pacesim_measure::record::TransferRow;
use pacesim_pacers::Pacer;
use pacesim_queues::Queue;
use pacesim_units::{FlowId, LinkId, Span, Time};

use crate::model::Model;
use calls::Pool;
use changes::Changes;
use closed_loop::totals;
use connection::Connection;
use giving_up::Instants;
use open_loop::Emitter;
use parts::WorldParts;
use reroute::Rerouting;
use session::Session;
use tally::Tallies;
use window::Window;

/// Links, some of them with pacers or queue disciplines, and routes, some of them through
/// middleboxes.
type WorldNetwork = Network<Wheel, WorldParts>;

/// A running simulation, watched by a probe of type `P`.
pub struct World<P: Probe = ()> {
    model: Model,
    network: WorldNetwork,
    changes: Changes,
    rerouting: Rerouting,
    agents: Vec<Agent>,
    emitters: Vec<Emitter>,
    /// What TCP flows have beside their connections, in the order of flows.
    sessions: Vec<Session>,
    /// The connections that persist, in the order of flows; then places of others.
    connections: Vec<Connection>,
    pool: Pool,
    /// The sessions of exchanges, in the order of flows.
    exchanges: Vec<u32>,
    /// Transfers that are done and that nobody took yet.
    finished: Vec<TransferRow>,
    /// How many of them count in the completion times of the groups, by size.
    noted: usize,
    completions: Vec<BySize>,
    tallies: Tallies,
    window: Window,
    instants: Instants,
    gave_up: Option<GaveUp>,
    now: Time,
    end: Time,
    probe: P,
}

/// What drives a flow. Small, for it is looked at for each packet.
#[derive(Clone, Copy)]
enum Agent {
    /// A source that waits for no answers: its place in the list of emitters.
    Open(u32),
    /// A TCP connection: its place in the list of connections.
    Tcp(u32),
    /// A TCP connection for each transfer: the place of the session.
    Calls(u32),
    /// One way of a connection whose ends answer each other: the place of the session.
    Exchange(u32),
}

impl World {
    /// A world without a probe.
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

    /// The model that is being run.
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

    /// Packets that are in the network now.
    pub fn in_flight(&self) -> u64 {
        self.network.in_flight()
    }

    /// A hash of what happened at every link: the same scenario, seed and replication
    /// give the same, everywhere.
    pub fn fingerprint(&self) -> u64 {
        self.network.fingerprint()
    }

    /// A hash of what happened at one link: where [fingerprints](World::fingerprint) differ, it tells
    /// which link was first.
    pub fn link_fingerprint(&self, link: LinkId) -> u64 {
        self.network.link_fingerprint(link)
    }

    /// The counters of a flow since the start.
    pub fn flow(&self, flow: FlowId) -> FlowTally {
        self.tallies.of(flow)
    }

    /// The counters of a link since the start; its maxima since the warm-up.
    pub fn link(&self, link: LinkId) -> Counters {
        self.network.counters(link, self.now)
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.run_until(self.end);
    }

    /// Runs until everything up to and including `until`, or the end, has happened.
    pub fn run_until(&mut self, until: Time) {
        while !self.run_towards(until, until) {}
    }

    /// Runs until everything up to and including `until`, or the end, has happened, and
    /// perhaps some of what will happen by `next_look` as well: a slice of a run, between which nobody
    /// reads anything but [`World::now`] and what was taken from flows' senders.
    ///
    /// Where very much happens it comes back earlier, with `false`: to be called again with the same times, once
    /// somebody had a chance to end it all.
    pub fn run_towards(&mut self, until: Time, next_look: Time) -> bool {
        let until = until.min(self.end);
        if self.window.start <= until && !self.reach_window() {
            return false;
        }
        let look = match self.window.last_before() {
            Some(last_before) if !self.window.is_open() => next_look.min(last_before),
            _ => next_look,
        };
        self.advance(until, look.min(self.end).max(until))
    }

    /// Runs to the next time something happens to a flow and says when, or `None` at
    /// the end.
    pub fn step(&mut self) -> Option<Time> {
        if !self.window.is_open() {
            let last_before = self
                .window
                .last_before()
                .expect("a run without warm-up is measured from the start");
            if let Some(now) = self.step_until(last_before) {
                return Some(now);
            }
            self.reach_window();
        }
        let now = self.step_until(self.end);
        if now.is_none() {
            self.now = self.end;
            self.stop_if_beyond(self.end);
        }
        now
    }

    #[inline(never)]
    fn step_until(&mut self, until: Time) -> Option<Time> {
        self.network.set_horizon(Time::ZERO);
        let now = loop {
            let change = self.changes.next_by(until);
            if let Some(now) = self.advance_once(change.map_or(until, before)) {
                break now;
            }
            if self.comes_to_rest() {
                break self.now;
            }
            self.make_changes(change?);
        };
        self.now = now;
        Some(now)
    }

    /// Runs up to the start of statistics, without what happens at that very time.
    /// Says whether it came there.
    fn reach_window(&mut self) -> bool {
        if self.window.is_open() {
            return true;
        }
        if let Some(last_before) = self.window.last_before()
            && !self.advance(last_before, last_before)
        {
            return false;
        }
        self.now = self.window.start;
        self.open_window();
        true
    }

    fn open_window(&mut self) {
        let now = self.window.start;
        self.sessions.iter_mut().for_each(Session::open_window);
        self.restart_completions();
        let connections = self.connections.iter_mut();
        connections.for_each(|connection| connection.open_window(now));
        let totals = || totals(&self.sessions, &self.connections, now);
        let pairs = (0..self.model.protections.len()).map(|i| self.pair(i));
        let pairs = pairs.collect::<Vec<_>>().into_iter();
        self.window
            .open(&mut self.network, &mut self.tallies, totals, pairs);
    }

    /// Runs until everything before `time`, or before the end, has happened, but nothing of that
    /// very time: the end of one measured window, where [`World::restart_statistics`] begins the next.
    pub fn run_before(&mut self, time: Time) {
        let time = time.min(self.end);
        if let Some(last_before) = time.as_ps().checked_sub(1) {
            self.run_until(Time::from_ps(last_before));
        }
        self.now = self.now.max(time);
    }

    /// Statistics start afresh now, as they do at the warm-up's end: rows are then of what follows.
    /// No packet is moved by it. What a probe keeps is for the probe's owner to restart.
    ///
    /// # Panics
    ///
    /// In the warm-up, at whose end statistics start by themselves.
    pub fn restart_statistics(&mut self) {
        assert!(self.window.is_open(), "statistics have not started yet");
        self.window.start = self.now;
        self.open_window();
    }

    /// What waits at a link's port now: packets and bytes, without the one being sent.
    pub fn waiting(&self, link: LinkId) -> (u64, u64) {
        self.network.waiting(link, self.now)
    }

    /// The counters of a link's pacer since the start, if it has one; its maxima since
    /// the warm-up.
    pub fn held(&self, link: LinkId) -> Option<HoldCounters> {
        self.network.gate_counters(link, self.now)
    }

    /// The pacer of a link, to ask it what it holds and when it releases.
    pub fn pacer(&self, link: LinkId) -> Option<&dyn Pacer> {
        let gate = self.network.gate(link)?;
        Some(&gate.pacer)
    }

    /// The counters of a link's queue discipline since the start, if it has one; its maxima
    /// since the warm-up.
    pub fn queued(&self, link: LinkId) -> Option<HoldCounters> {
        self.network.queue_counters(link, self.now)
    }

    /// The queue discipline of a link, to ask it what waits.
    pub fn queue(&self, link: LinkId) -> Option<&dyn Queue> {
        let queue = self.network.queue(link)?;
        Some(&queue.queue)
    }

    /// The counters of a middlebox since the start, by its place in the model.
    pub fn middlebox(&self, place: usize) -> MiddleboxCounters {
        self.network.middlebox_counters(MiddleboxId(place as u32))
    }

    /// Encoder and decoder of a pair, by its place in the model.
    fn pair(&self, i: usize) -> [MiddleboxId; 2] {
        fec::ids(self.model.middleboxes.len(), i)
    }

    /// Lets everything up to `until` happen, and nothing after the horizon. Says whether it has, or the run has
    /// given up.
    fn advance(&mut self, until: Time, horizon: Time) -> bool {
        if self.gave_up.is_some() {
            return true;
        }
        while let Some(change) = self.changes.next_by(until) {
            self.network.set_horizon(before(change));
            while self.advance_once(before(change)).is_some() {}
            if self.comes_to_rest() {
                return false;
            }
            self.stop_if_beyond(before(change));
            if self.gave_up.is_some() {
                return true;
            }
            self.make_changes(change);
        }
        let change = self.changes.next_by(horizon).map(before);
        self.network.set_horizon(change.unwrap_or(horizon));
        while self.advance_once(until).is_some() {}
        if self.comes_to_rest() {
            return false;
        }
        self.now = self.now.max(until);
        self.stop_if_beyond(until);
        true
    }

    /// Lets the next thing happen to a flow that is due by `until`, and says when.
    #[inline(always)]
    fn advance_once(&mut self, until: Time) -> Option<Time> {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        Some(match self.network.next(until, watchers)? {
            Occurrence::Delivered { now, began, packet } => {
                self.take_in(now, began, &packet);
                now
            }
            Occurrence::Timer { now, began, timer } => {
                self.wake(timer, now, began);
                if self.instants.is_due() && self.must_stop(now, timer) {
                    return None;
                }
                now
            }
        })
    }

    /// A packet has reached the end of its route.
    #[inline]
    fn take_in(&mut self, now: Time, began: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            self.tallies.delivered(now, packet);
        } else if packet.kind() == Kind::Auxiliary {
            return self.tallies.absorb(packet);
        }
        match self.agents[packet.flow.index()] {
            Agent::Tcp(connection) => self.take_in_tcp(connection, now, began, packet),
            Agent::Calls(_) => self.take_in_call(now, began, packet),
            Agent::Exchange(place) => self.take_in_exchange(place, now, began, packet),
            Agent::Open(_) => {}
        }
    }

    /// A timer has run out. Each flow has one for its sending end, or its next connection; those
    /// of the receiving ends of connections that persist follow, then those of exchanges, and last the two of each
    /// place of other connections.
    #[inline]
    fn wake(&mut self, timer: u32, now: Time, began: Time) {
        match self.agents.get(timer as usize) {
            Some(Agent::Open(emitter)) => self.emit(*emitter, now, began),
            Some(Agent::Tcp(id)) => self.wake_sender(*id, now, began),
            Some(Agent::Exchange(place)) => self.wake_exchange_end(*place, now, began),
            Some(Agent::Calls(place)) => self.call(*place, now, began),
            None => {
                let receiver = timer - self.agents.len() as u32;
                match receiver.checked_sub(self.pool.first_place()) {
                    None => self.wake_receiver(receiver, now, began),
                    Some(other) => match self.exchanges.get(other as usize) {
                        Some(place) => self.wake_listener(*place, now, began),
                        None => self.wake_call(timer, now, began),
                    },
                }
            }
        }
    }

    /// How long statistics have been kept.
    pub fn measured(&self) -> Span {
        self.now.saturating_since(self.window.start)
    }
}

/// The last moment before this one.
fn before(time: Time) -> Time {
    Time::from_ps(time.as_ps() - 1)
}
