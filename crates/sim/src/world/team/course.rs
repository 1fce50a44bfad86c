//! The windows in which all parts run at the same time.
//!
//! A packet takes longer than the look-ahead from a port to another part. So from the time of the first
//! event of all, every part can run alone for this long: packets that the others send it in the
//! meantime arrive later. Then all exchange packets, and meet. There is one meeting per window, and
//! each mailbox is locked twice.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pacesim_core::net::{Crossing, Probe};
use pacesim_units::{LinkId, Span, Time};

use super::hesitation::Hesitation;
use super::meeting::{Meeting, Member};
use super::schedule::{Counts, Schedule};
use crate::cut::Cut;
use crate::model::{Model, Payload};
use crate::world::World;

type Mail = Vec<Crossing<Payload>>;

/// For each part, the links that lead into each other part.
pub(in crate::world) struct WaysOut(Vec<Vec<(usize, Vec<LinkId>)>>);

impl WaysOut {
    pub(super) fn of(cut: &Cut, model: &Model) -> WaysOut {
        let parts = cut.parts() as usize;
        let mut ways = vec![vec![Vec::new(); parts]; parts];
        for id in cut.links() {
            let link = &model.links[id.index()];
            let [from, to] = [link.from, link.to].map(|node| cut.part_of(node) as usize);
            ways[from][to].push(*id);
        }
        let used = |ways: Vec<Vec<LinkId>>| {
            let ways = ways.into_iter().enumerate();
            ways.filter(|(_, links)| !links.is_empty()).collect()
        };
        WaysOut(ways.into_iter().map(used).collect())
    }
}

/// A value for even and one for odd windows: a part may be a window ahead of one that still reads.
type InTurn<T> = [T; 2];

/// The data that parts share.
struct Common {
    meeting: Meeting,
    /// The time of the first event of each part, or of a packet that it has just handed over.
    first: InTurn<Vec<AtomicU64>>,
    /// The time at which each part stops early, exclusive.
    stop: InTurn<Vec<AtomicU64>>,
    mail: InTurn<Vec<Mutex<Mail>>>,
    look_ahead: Span,
    until: Time,
    horizon: Time,
    hesitation: Option<u64>,
    counts: Option<InTurn<Counts>>,
}

/// Runs all parts up to and including `until`; nothing is computed ahead beyond the horizon.
pub(super) fn run_parts<P: Probe + Send>(
    parts: &mut [&mut World<P>],
    cut: &Cut,
    WaysOut(ways_out): &WaysOut,
    [until, horizon]: [Time; 2],
    schedule: Option<&mut Schedule>,
) {
    let count = parts.len();
    let numbers = || (0..count).map(|_| AtomicU64::new(0)).collect();
    let mail = || (0..count).map(|_| Mutex::default()).collect();
    let common = Common {
        meeting: Meeting::new(count),
        first: [numbers(), numbers()],
        stop: [numbers(), numbers()],
        mail: [mail(), mail()],
        look_ahead: cut.look_ahead(),
        until,
        horizon,
        hesitation: cut.hesitation(),
        counts: schedule
            .is_some()
            .then(|| [Counts::new(count), Counts::new(count)]),
    };
    let mut all = parts.iter_mut().zip(ways_out).enumerate();
    let first = all.next();
    std::thread::scope(|scope| {
        for (me, (world, ways)) in all {
            let common = &common;
            scope.spawn(move || common.run(me, world, ways, None));
        }
        if let Some((me, (world, ways))) = first {
            common.run(me, world, ways, schedule);
        }
    });
}

impl Common {
    fn run<P: Probe>(
        &self,
        me: usize,
        world: &mut World<P>,
        ways: &[(usize, Vec<LinkId>)],
        mut schedule: Option<&mut Schedule>,
    ) {
        let _member = Member(&self.meeting);
        world.network.set_horizon(self.horizon);
        let mut mail = Mail::new();
        let mut hesitation = Hesitation::new(self.hesitation, me);
        let mut done = world.network.packet_hops();
        for (window, turn) in (0_u64..).zip([0, 1].into_iter().cycle()) {
            let (sent, crossings) = self.hand_over(turn, (world, ways), &mut mail, &mut hesitation);
            if let Some(counts) = &self.counts {
                let all = world.network.packet_hops();
                counts[turn].note(me, [all.wrapping_sub(done), crossings]);
                done = all;
            }
            let next = world.network.next_event().unwrap_or(Time::NEVER);
            let stop = world.stops_early();
            self.first[turn][me].store(next.min(sent).as_ps(), Ordering::Relaxed);
            self.stop[turn][me].store(stop.as_ps(), Ordering::Relaxed);
            hesitation.wait();
            self.meeting.wait();
            hesitation.wait();
            if let (Some(counts), Some(schedule), 1..) = (&self.counts, &mut schedule, window) {
                counts[turn].add_to(schedule);
            }
            self.take_mail((turn, me), &mut mail);
            // Arrivals ahead of time may send packets over wires, which are handed over next.
            world.receive(&mut mail);
            let first = least(&self.first[turn]);
            if first > self.until || first >= least(&self.stop[turn]) {
                return;
            }
            // All events up to `end` are before any packet can arrive that is sent from now on.
            let end = first.saturating_add(self.look_ahead).as_ps() - 1;
            world.run_alone(Time::from_ps(end).min(self.until));
        }
    }

    /// Takes packets off wires into other parts. Returns when the first of them arrives, and how many
    /// they are.
    fn hand_over<P: Probe>(
        &self,
        turn: usize,
        (world, ways): (&mut World<P>, &[(usize, Vec<LinkId>)]),
        mail: &mut Mail,
        hesitation: &mut Hesitation,
    ) -> (Time, u64) {
        let (mut sent, mut crossings) = (Time::NEVER, 0);
        for (to, links) in ways {
            for link in links {
                world.network.take_crossings(*link, mail);
            }
            let earliest = mail.iter().map(|crossing| crossing.arrive).min();
            sent = sent.min(earliest.unwrap_or(Time::NEVER));
            crossings += mail.len() as u64;
            hesitation.wait();
            self.send((turn, *to), mail);
        }
        (sent, crossings)
    }

    fn send(&self, (turn, to): (usize, usize), mail: &mut Mail) {
        if !mail.is_empty() {
            let mut place = self.mail[turn][to]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            place.append(mail);
        }
    }

    fn take_mail(&self, (turn, me): (usize, usize), into: &mut Mail) {
        let mut place = self.mail[turn][me]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *place, into);
    }
}

fn least(times: &[AtomicU64]) -> Time {
    let times = times.iter().map(|time| time.load(Ordering::Relaxed));
    Time::from_ps(times.min().unwrap_or(u64::MAX))
}

impl<P: Probe> World<P> {
    /// Takes packets from other parts, and handles those that arrive ahead of time.
    fn receive(&mut self, mail: &mut Mail) {
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        for crossing in mail.drain(..) {
            self.network.receive(crossing, watchers);
        }
        while self.network.has_arrivals() {
            self.advance_once(Time::ZERO);
        }
    }

    /// Processes all events of this part up to `until`.
    fn run_alone(&mut self, until: Time) {
        loop {
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
