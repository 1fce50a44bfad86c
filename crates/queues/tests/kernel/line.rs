//! The line of the recordings: room for one packet, which it sends in a whole number of nanoseconds.

use pacesim_queues::{Ecn, Line as State, Pending, Queue, Reason, Turn};
use pacesim_units::{FlowId, Time};

use crate::cases::{Arrival, Fate};

/// A discipline before a line, and what became of the packets.
pub(crate) struct Line<'a, Q> {
    pub(crate) queue: Q,
    arrivals: &'a [Arrival],
    rate: u64,
    /// When the packet being sent has left.
    busy: Option<i64>,
    /// When the line became free, if that was within the last few nanoseconds it is still warm.
    rested: i64,
    warmth: i64,
    pub(crate) fates: Vec<Fate>,
}

/// A time of the recordings.
pub(crate) fn time(ns: i64) -> Time {
    Time::from_ps(ns as u64 * 1000)
}

fn ns(time: Time) -> i64 {
    time.as_ps().div_ceil(1000) as i64
}

impl<'a, Q: Queue> Line<'a, Q> {
    pub(crate) fn new(queue: Q, arrivals: &'a [Arrival], rate: u64) -> Line<'a, Q> {
        let still = Fate { what: 'Q', ns: 0 };
        Line {
            queue,
            arrivals,
            rate,
            busy: None,
            rested: i64::MIN / 2,
            warmth: 0,
            fates: vec![still; arrivals.len()],
        }
    }

    /// A packet that comes within so many nanoseconds after the last has left starts when that left.
    pub(crate) fn warm_for(self, warmth: i64) -> Line<'a, Q> {
        Line { warmth, ..self }
    }

    /// Runs all arrivals, and what they left for a while.
    pub(crate) fn run(&mut self, drain: i64, mut before: impl FnMut(&mut Q, usize, &Arrival)) {
        for (i, arrival) in self.arrivals.iter().enumerate() {
            self.serve_until(arrival.ns);
            before(&mut self.queue, i, arrival);
            let packet = Pending {
                ecn: Ecn::from_bits(arrival.ecn),
                class: arrival.prio.into(),
                ..Pending::new(i as u32, FlowId(arrival.flow), arrival.size)
            };
            if self.queue.arrive(time(arrival.ns), packet).is_err() {
                self.settle(i as u32, 'E', arrival.ns);
            }
            self.ask(arrival.ns, Some(i as u32));
        }
        let end = self.arrivals.last().map_or(0, |last| last.ns) + drain;
        self.serve_until(end);
    }

    /// Serves what happens at the line up to this time.
    fn serve_until(&mut self, end: i64) {
        while let Some(at) = self.next().filter(|at| *at <= end) {
            if self.busy.take().is_some() {
                self.rested = at;
            }
            self.ask(at, None);
        }
    }

    /// The end of a transmission, or the time at which the queue wants to be asked.
    fn next(&self) -> Option<i64> {
        self.busy.or_else(|| self.queue.next_turn().map(ns))
    }

    fn ask(&mut self, now: i64, came: Option<u32>) {
        loop {
            let state = match self.busy {
                Some(_) => State::Busy,
                None => State::Free,
            };
            match self.queue.turn(time(now), state) {
                Turn::Hold => return,
                Turn::Go { key, marked } => self.send(key, marked, now),
                Turn::Drop(key, Reason::Full) if came == Some(key) => self.settle(key, 'E', now),
                Turn::Drop(key, Reason::Full) => self.settle(key, 'P', now),
                Turn::Drop(key, Reason::Early) => self.settle(key, 'X', now),
            }
        }
    }

    fn send(&mut self, key: u32, marked: bool, now: i64) {
        let bits = u64::from(self.arrivals[key as usize].size) * 8;
        let span = (bits * 1_000_000_000 + self.rate / 2) / self.rate;
        let is_warm = now - self.rested < self.warmth;
        let start = if is_warm { self.rested } else { now };
        let left = start + span as i64;
        self.busy = Some(left);
        self.settle(key, if marked { 'M' } else { 'D' }, left);
    }

    fn settle(&mut self, key: u32, what: char, ns: i64) {
        self.fates[key as usize] = Fate { what, ns };
    }
}
