//! The world: a network, its flows, and the loop that runs them.
//!
//! A [`World`] is built from a [`Model`], run (to its end, step by step, or until a time) and then
//! read. It owns all its state, so several can run side by side, and it may move to another thread.

mod amounts;
mod application;
mod beginning;
mod behind;
mod build;
mod calls;
mod cards;
mod changes;
mod chosen_paths;
mod circle;
mod classes;
mod closed_loop;
mod completions;
mod connection;
mod dialogue;
mod end_log;
mod ends;
mod exchange;
mod exchange_end;
mod fec;
mod foresight;
mod giving_up;
mod limits;
mod loss;
mod messages;
mod open_loop;
mod outer;
mod own_check;
mod own_end;
mod own_loop;
mod own_twin;
mod pairs;
mod panics;
mod parts;
mod paths;
mod presence;
mod progress;
mod reading;
mod report;
mod reroute;
mod session;
mod several_paths;
mod tag;
mod tally;
mod task_queue;
mod tasks;
mod tcp_log;
mod team;
mod totals;
mod turns;
mod window;

pub use amounts::Amounts;
pub use build::BuildError;
pub use giving_up::{Excess, GaveUp};
pub use outer::{Exit, Exits, Fate, Outside};
pub use reading::{FlowReading, SendersReading};
pub use tally::FlowTally;
pub use team::{Divisible, Schedule};

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::engine::Wheel;
use pacesim_core::net::{
    Counters, HoldCounters, Kind, MemoryCounters, MiddleboxCounters, MiddleboxId, Network,
    Occurrence, Packet, Probe,
};
use pacesim_measure::BySize;
use pacesim_measure::record::TransferRow;
use pacesim_pacers::Pacer;
use pacesim_queues::Queue;
use pacesim_units::{FlowId, LinkId, Span, Time};

use crate::model::{Model, Stated};
use calls::Pool;
use cards::Card;
use changes::Changes;
use closed_loop::totals;
use connection::Connection;
use giving_up::Instants;
use open_loop::Emitter;
use parts::WorldParts;
use reroute::Rerouting;
use session::Session;
use several_paths::SeveralPaths;
use tally::Tallies;
use tasks::Barriers;
use team::Team;
use turns::Turns;
use window::Window;

/// The network of a world: links with optional pacers and queue disciplines, routes with optional
/// middleboxes.
type WorldNetwork = Network<Wheel, WorldParts>;

/// A running simulation, watched by a probe of type `P`.
pub struct World<P: Probe = ()> {
    model: Arc<Model>,
    network: WorldNetwork,
    changes: Changes,
    rerouting: Rerouting,
    several_paths: SeveralPaths,
    /// The data of their transfer that packets state.
    stated: Stated,
    barriers: Barriers,
    agents: Vec<Agent>,
    emitters: Vec<Emitter>,
    /// State of TCP flows except their connections, in the order of flows.
    sessions: Vec<Session>,
    /// Persistent connections in the order of flows, followed by the places of other connections.
    connections: Vec<Connection>,
    pool: Pool,
    cards: Vec<Card>,
    turns: Vec<Turns>,
    /// Sessions of exchanges, in the order of flows.
    exchanges: Vec<u32>,
    /// Finished transfers that have not been taken yet.
    finished: Vec<TransferRow>,
    /// The number of these already counted in the completion times of groups, by size.
    noted: usize,
    completions: Vec<BySize>,
    tallies: Tallies,
    window: Window,
    instants: Instants,
    /// A hash of the contents that users' own ends have sent.
    contents: u64,
    /// The other parts, if this is the face of several.
    team: Option<Box<Team<P>>>,
    gave_up: Option<GaveUp>,
    /// Goodput of flows from outside, in bytes, as their receivers counted it.
    outside_goodput: BTreeMap<FlowId, u64>,
    now: Time,
    end: Time,
    probe: P,
}

/// The driver of a flow. Small, since every packet looks it up.
#[derive(Clone, Copy)]
enum Agent {
    /// An open-loop source: its place in the list of emitters.
    Open(u32),
    /// A TCP connection: its place in the list of connections.
    Tcp(u32),
    /// A TCP connection for whose data others wait: its place in the list of connections.
    Heard(u32),
    /// A TCP connection for each transfer: the place of the session.
    Calls(u32),
    /// One direction of an exchange, a connection whose ends answer each other: the place of the
    /// session.
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
        build::build(Arc::new(model), probe, None)
    }

    /// The time up to which all events have happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The time at which the run ends.
    pub fn end(&self) -> Time {
        self.end
    }

    /// The model that is being run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The probe that watches the world.
    pub fn probe(&self) -> &P {
        &self.probe
    }

    /// The probe that watches the world, mutable.
    pub fn probe_mut(&mut self) -> &mut P {
        &mut self.probe
    }

    /// Consumes the world and returns the probe.
    pub fn into_probe(self) -> P {
        self.probe
    }

    /// Packets that have reached the far end of a link since the start, summed over links.
    pub fn packet_hops(&self) -> u64 {
        let hops = self.parts().map(|part| part.network.packet_hops());
        hops.fold(0, u64::wrapping_add)
    }

    /// Packets that are in the network now.
    pub fn in_flight(&self) -> u64 {
        self.parts().map(|part| part.network.in_flight()).sum()
    }

    /// A hash of the events at every link: the same on any machine for the same scenario, seed and
    /// replication. It covers the bytes that transports of users' own send.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint_of_links() ^ self.contents
    }

    /// A hash of the events at one link. Where [fingerprints](World::fingerprint) differ, it
    /// locates the link that differed first.
    pub fn link_fingerprint(&self, link: LinkId) -> u64 {
        self.at_port(link).network.link_fingerprint(link)
    }

    /// The counters of a flow since the start.
    pub fn flow(&self, flow: FlowId) -> FlowTally {
        self.tally(flow)
    }

    /// The counters of a link since the start; its maxima are since the warm-up.
    pub fn link(&self, link: LinkId) -> Counters {
        self.counters(link)
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.run_until(self.end);
    }

    /// Processes all events up to and including `until`, or up to the end.
    pub fn run_until(&mut self, until: Time) {
        while !self.run_towards(until, until) {}
    }

    /// Processes all events up to and including `until`, or up to the end, and possibly some up to
    /// `next_look`. Between slices of a run made by this function, only [`World::now`] and data
    /// taken from flows' senders may be read.
    ///
    /// Returns early with `false` after very many events, so that the caller can end the run;
    /// otherwise call it again with the same times.
    pub fn run_towards(&mut self, until: Time, next_look: Time) -> bool {
        if self.team.is_some() {
            return self.run_team(until, next_look);
        }
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

    /// Runs to the next event of a flow and returns its time; `None` at the end.
    pub fn step(&mut self) -> Option<Time> {
        self.must_be_whole("does not run step by step");
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

    /// Runs up to the start of statistics, without the events of that instant. Returns true if it
    /// got there.
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

    /// Processes all events before `time`, or before the end, but none at that instant. This ends
    /// one measured window; [`World::restart_statistics`] begins the next.
    pub fn run_before(&mut self, time: Time) {
        let time = time.min(self.end);
        if let Some(last_before) = time.as_ps().checked_sub(1) {
            self.run_until(Time::from_ps(last_before));
        }
        self.now = self.now.max(time);
    }

    /// Restarts statistics now, as the end of the warm-up does: rows then cover what follows.
    /// Packets are not affected. A probe keeps its own statistics and has to be restarted by its
    /// owner.
    ///
    /// # Panics
    ///
    /// Panics during the warm-up, which restarts statistics at its end.
    pub fn restart_statistics(&mut self) {
        self.must_be_whole("does not restart its statistics");
        assert!(self.window.is_open(), "statistics have not started yet");
        self.window.start = self.now;
        self.open_window();
    }

    /// The number of a link's scripted drops whose packet has not come yet.
    pub fn pending_drops(&self, link: LinkId) -> usize {
        self.at_port(link).network.pending_drops(link)
    }

    /// Packets and bytes that wait at a link's port now, without the packet in transmission.
    pub fn waiting(&self, link: LinkId) -> (u64, u64) {
        self.at_port(link).network.waiting(link, self.now)
    }

    /// The counters of a link's pacer since the start, if it has one; its maxima are since the
    /// warm-up.
    pub fn held(&self, link: LinkId) -> Option<HoldCounters> {
        self.at_port(link).network.gate_counters(link, self.now)
    }

    /// The pacer of a link, for its backlog and next release.
    pub fn pacer(&self, link: LinkId) -> Option<&dyn Pacer> {
        let gate = self.at_port(link).network.gate(link)?;
        Some(&gate.pacer)
    }

    /// The counters of a link's queue discipline since the start, if it has one; its maxima are
    /// since the warm-up.
    pub fn queued(&self, link: LinkId) -> Option<HoldCounters> {
        self.at_port(link).network.queue_counters(link, self.now)
    }

    /// The counters of the memory that a link's port shares with others, if it does; its maximum is
    /// since the warm-up.
    pub fn shared_memory(&self, link: LinkId) -> Option<MemoryCounters> {
        self.at_port(link).network.memory_counters(link, self.now)
    }

    /// True if the switch at the other end of a link asks its port to hold packets, of any class.
    pub fn is_paused(&self, link: LinkId) -> bool {
        self.at_port(link).network.is_paused(link)
    }

    /// The queue discipline of a link, for its backlog.
    pub fn queue(&self, link: LinkId) -> Option<&dyn Queue> {
        let queue = self.at_port(link).network.queue(link)?;
        Some(&queue.queue)
    }

    /// The packets that wait in each class, if the link has a queue discipline that keeps classes apart.
    pub fn waiting_in_classes(&self, link: LinkId) -> Option<[u64; 4]> {
        let classes = self.at_port(link).tallies.classes(link)?;
        Some(classes.each_ref().map(|class| class.waiting))
    }

    /// The counters of a middlebox since the start, by its index in the model.
    pub fn middlebox(&self, place: usize) -> MiddleboxCounters {
        let at = self.at_node(self.model.middleboxes[place].node);
        at.network.middlebox_counters(MiddleboxId(place as u32))
    }

    /// Encoder and decoder of a pair, by its index in the model.
    fn pair(&self, i: usize) -> [MiddleboxId; 2] {
        fec::ids(self.model.middleboxes.len(), i)
    }

    /// Processes all events up to `until`, but none after the horizon. True if all were processed,
    /// or if the run gave up.
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

    /// Processes the next event of a flow if it is due by `until`, and returns its time.
    #[inline(always)]
    fn advance_once(&mut self, until: Time) -> Option<Time> {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        Some(match self.network.next(until, watchers)? {
            Occurrence::Delivered { now, began, packet } => {
                self.take_in(now, began, &packet);
                now
            }
            Occurrence::Ready { now, began } => {
                self.serve_cards(now, began);
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
            Agent::Calls(place) => self.take_in_call(place, now, began, packet),
            Agent::Exchange(place) => self.take_in_exchange(place, now, began, packet),
            Agent::Heard(connection) => self.take_in_heard(connection, now, began, packet),
            Agent::Open(_) => {}
        }
    }

    /// A timer has expired. Each flow has one, for its sending end or its next connection. The
    /// timers of the receiving ends of persistent connections follow, then those of exchanges, then
    /// those of turns, and last two for each place of the other connections.
    #[inline]
    fn wake(&mut self, timer: u32, now: Time, began: Time) {
        match self.agents.get(timer as usize) {
            Some(Agent::Open(emitter)) => self.emit(*emitter, now, began),
            Some(Agent::Tcp(id)) => self.wake_sender(*id, now, began),
            Some(Agent::Heard(id)) => self.wake_heard(*id, now, began),
            Some(Agent::Exchange(place)) => self.wake_exchange_end(*place, now, began),
            Some(Agent::Calls(place)) => self.call(*place, now, began),
            None => {
                let receiver = timer - self.agents.len() as u32;
                match receiver.checked_sub(self.pool.first_place()) {
                    None => self.wake_receiver(receiver, now, began),
                    Some(other) => match self.exchanges.get(other as usize).copied() {
                        Some(place) => self.wake_listener(place, now, began),
                        None if self.wake_turns(timer, now, began) => {}
                        None => self.wake_call(timer, now, began),
                    },
                }
            }
        }
    }

    /// The time for which statistics have been kept.
    pub fn measured(&self) -> Span {
        self.now.saturating_since(self.window.start)
    }
}

/// The last instant before this time.
fn before(time: Time) -> Time {
    Time::from_ps(time.as_ps() - 1)
}
