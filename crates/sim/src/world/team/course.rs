//! The rounds in which all parts run at the same time.
//!
//! A packet takes longer than the look-ahead from a port to another part. So for this long each part can run
//! alone: packets that others send it in the meantime arrive later. Then it hands its packets over, and
//! waits until its neighbours have ended the round too. From time to time all parts meet, and go on from the first event
//! of all: this passes over a time without events, which rounds alone would cross one look-ahead at a
//! time.

use std::sync::atomic::{AtomicU64, Ordering};

use pacesim_core::net::{Mail, Probe};
use pacesim_units::{Span, Time};

use super::hesitation::Hesitation;
use super::rounds::{Member, Rounds};
use super::schedule::{Counter, Schedule, SharedChain, Work};
use super::ways::{InTurn, Ways};
use crate::cut::Cut;
use crate::lanes::joined;
use crate::model::{Model, Payload};
use crate::world::World;

/// The most rounds between two meetings of all parts.
const MOST_ROUNDS: u64 = 64;

/// Packets handed over in a round from which on it is run in steps, so many in each: packets are taken
/// off their wires while they are in the caches.
const PER_STEP: u64 = 512;
/// The most steps of a round.
const MOST_STEPS: u64 = 16;

/// The data that parts share, from one slice of a run to the next.
pub(in crate::world) struct Common {
    ways: Ways,
    rounds: Rounds,
    all: Vec<usize>,
    /// The chains that end with the rounds of parts.
    chains: InTurn<Vec<SharedChain>>,
    reports: InTurn<Vec<Report>>,
    look_ahead: Span,
    hesitation: Option<u64>,
    is_counting: bool,
}

/// A part's words to all others when they meet.
#[derive(Default)]
#[repr(align(128))]
struct Report {
    /// The time of its first event, or of a packet that it has just handed over.
    first: AtomicU64,
    /// The time at which it stops early, exclusive.
    stop: AtomicU64,
    chain: SharedChain,
}

impl Common {
    pub(super) fn of(cut: &Cut, model: &Model) -> Common {
        fn each<T: Default>(parts: u32) -> InTurn<Vec<T>> {
            [0, 1].map(|_| (0..parts).map(|_| T::default()).collect())
        }
        let parts = cut.parts();
        Common {
            ways: Ways::of(cut, model),
            rounds: Rounds::new(parts as usize),
            all: (0..parts as usize).collect(),
            chains: each(parts),
            reports: each(parts),
            look_ahead: cut.look_ahead(),
            hesitation: cut.hesitation(),
            is_counting: cut.is_counting(),
        }
    }
}

/// Runs all parts up to and including `until`; nothing is computed ahead beyond the horizon.
pub(super) fn run_parts<P: Probe + Send>(
    parts: &mut [&mut World<P>],
    common: &Common,
    [until, horizon]: [Time; 2],
    schedule: Option<&mut Schedule>,
) {
    let mut all = parts.iter_mut().enumerate();
    let first = all.next();
    let works: Vec<Work> = std::thread::scope(|scope| {
        let run = |me, world: &mut World<P>| {
            world.network.set_horizon(horizon);
            Course::of(common, me, world, until).run()
        };
        let others = all.map(|(me, world)| scope.spawn(move || run(me, world)));
        let others: Vec<_> = others.collect();
        let first = first.map(|(me, world)| run(me, world));
        let others = others.into_iter().map(joined);
        first.into_iter().chain(others).collect()
    });
    if let Some(schedule) = schedule {
        schedule.add(&works);
    }
}

/// A part on its way through a slice of a run.
struct Course<'c, P: Probe> {
    common: &'c Common,
    me: usize,
    world: &'c mut World<P>,
    until: Time,
    /// The place among those [in turn](InTurn).
    turn: usize,
    /// When the first packet handed over in this round arrives.
    sent: Time,
    /// The steps in which the next round is run.
    steps: u64,
    hesitation: Hesitation,
    counter: Option<Counter>,
}

impl<'c, P: Probe> Course<'c, P> {
    fn of(common: &'c Common, me: usize, world: &'c mut World<P>, until: Time) -> Course<'c, P> {
        let counter = common.is_counting.then(|| Counter::of(&world.network));
        Course {
            common,
            me,
            world,
            until,
            // The same in all parts.
            turn: (common.rounds.of(me) % 2) as usize,
            sent: Time::NEVER,
            steps: 1,
            hesitation: Hesitation::new(common.hesitation, me),
            counter,
        }
    }

    fn run(mut self) -> Work {
        let _member = Member(&self.common.rounds);
        let look_ahead = self.common.look_ahead;
        let (mut rounds, mut reached) = (1, Time::NEVER);
        for meeting in [0, 1].into_iter().cycle() {
            let Some(first) = self.meet(meeting) else {
                break;
            };
            // Meetings are rare unless they pass over much time.
            rounds = match first > reached.saturating_add(look_ahead) {
                true => (rounds / 2).max(1),
                false => (2 * rounds).min(MOST_ROUNDS),
            };
            let left = self.until.saturating_since(first).as_ps() / look_ahead.as_ps() + 1;
            rounds = rounds.min(left);
            for round in 1..=rounds {
                if round > 1 {
                    self.exchange();
                }
                // All before this time is before any packet can arrive that is sent from now on.
                reached = first.saturating_add(look_ahead * round);
                self.run_round(reached);
            }
        }
        self.counter.map(Counter::work).unwrap_or_default()
    }

    /// Runs alone up to the end of a round.
    fn run_round(&mut self, end: Time) {
        let left_after = self.common.look_ahead / self.steps;
        for later in (1..self.steps).rev() {
            let reached = end.as_ps() - (left_after * later).as_ps();
            self.world.run_alone(Time::from_ps(reached).min(self.until));
            self.take_off();
        }
        let last = Time::from_ps(end.as_ps() - 1).min(self.until);
        self.world.run_alone(last);
    }

    /// Exchanges packets with neighbours.
    fn exchange(&mut self) {
        let common = self.common;
        let neighbours = common.ways.neighbours(self.me);
        self.hand_over();
        let chains = &common.chains[self.turn];
        if let Some(counter) = &self.counter {
            chains[self.me].set(counter.chain());
        }
        self.wait(neighbours);
        if let Some(counter) = &mut self.counter {
            counter.wait_for(neighbours.iter().map(|of| &chains[*of]));
        }
        self.take_in();
    }

    /// Exchanges packets in a meeting of all parts. Returns the time of the first event of all; none if
    /// the slice is over.
    fn meet(&mut self, meeting: usize) -> Option<Time> {
        let common = self.common;
        self.hand_over();
        let next = self.world.network.next_event().unwrap_or(Time::NEVER);
        let reports = &common.reports[meeting];
        let report = &reports[self.me];
        report
            .first
            .store(next.min(self.sent).as_ps(), Ordering::Relaxed);
        let stop = self.world.stops_early().as_ps();
        report.stop.store(stop, Ordering::Relaxed);
        if let Some(counter) = &self.counter {
            report.chain.set(counter.chain());
        }
        self.wait(&common.all);
        if let Some(counter) = &mut self.counter {
            counter.wait_for(reports.iter().map(|report| &report.chain));
        }
        self.take_in();
        let first = least(reports.iter().map(|report| &report.first));
        let stop = least(reports.iter().map(|report| &report.stop));
        (first <= self.until && first < stop).then_some(first)
    }

    /// Hands over all packets for other parts.
    fn hand_over(&mut self) {
        let crossings = self.take_off();
        self.steps = (crossings / PER_STEP).clamp(1, MOST_STEPS);
        if let Some(counter) = &mut self.counter {
            counter.add(&self.world.network, crossings);
        }
    }

    /// Takes all packets for other parts off their wires. Returns how many there are in this round.
    fn take_off(&mut self) -> u64 {
        let mut crossings = 0;
        for way in self.common.ways.outward(self.me) {
            self.hesitation.wait();
            let (first, count) = way.hand_over(self.turn, self.world);
            self.sent = self.sent.min(first);
            crossings += count;
        }
        crossings
    }

    fn wait(&mut self, others: &[usize]) {
        self.hesitation.wait();
        self.common.rounds.meet(self.me, others);
        self.hesitation.wait();
    }

    /// Takes in all packets from other parts. Those that continue ahead of time may send packets over wires,
    /// which are handed over next.
    fn take_in(&mut self) {
        for way in self.common.ways.inward(self.me) {
            way.take_in(self.turn, self.world);
        }
        self.turn = 1 - self.turn;
        self.sent = Time::NEVER;
    }
}

fn least<'t>(times: impl Iterator<Item = &'t AtomicU64>) -> Time {
    let times = times.map(|time| time.load(Ordering::Relaxed));
    Time::from_ps(times.min().unwrap_or(u64::MAX))
}

impl<P: Probe> World<P> {
    /// Takes packets from other parts, and handles those that arrive ahead of time.
    pub(super) fn receive(&mut self, mail: &mut Mail<Payload>) {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network.receive(mail, watchers);
        while self.network.has_arrivals() {
            self.advance_once(Time::ZERO);
        }
    }

    /// Processes all events of this part up to `until`, unless it has given up.
    fn run_alone(&mut self, until: Time) {
        while self.gave_up.is_none() {
            while self.advance_once(until).is_some() {}
            if !self.comes_to_rest() {
                return;
            }
        }
    }

    /// The time from which on nothing more is to happen anywhere, since this part gave up.
    fn stops_early(&self) -> Time {
        match (&self.gave_up, self.network.overflow()) {
            (Some(_), _) => Time::ZERO,
            (None, Some((at, _))) => at.saturating_add(Span::from_ps(1)),
            (None, None) => Time::NEVER,
        }
    }
}
