//! The line of the recordings: room for one packet, which it sends in a whole number of nanoseconds.

use pacesim_queues::{Ecn, Line as State, Pending, Queue, Reason, Turn};
use pacesim_units::{FlowId, Time};

use crate::cases::{Arrival, Fate};

/// A discipline in front of a line, and the fates of the packets.
pub(crate) struct Line<'a, Q> {
    pub(crate) queue: Q,
    arrivals: &'a [Arrival],
    rate: u64,
    /// The end of the current transmission.
    busy: Option<i64>,
    /// The time at which the line became free, if it is recent enough to be still warm.
    rested: i64,
    warmth: i64,
    /// The lead of the discipline's clock at the end of a transmission.
    ahead: i64,
    /// The delay of the timer of a discipline that shapes, unless another event occurs first.
    slack: i64,
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
            ahead: 0,
            slack: 0,
            fates: vec![still; arrivals.len()],
        }
    }

    /// A packet that arrives within this many nanoseconds after the end of a transmission starts at
    /// that end.
    pub(crate) fn warm_for(self, warmth: i64) -> Line<'a, Q> {
        Line { warmth, ..self }
    }

    /// The discipline's clock is this many nanoseconds ahead when the line becomes free.
    pub(crate) fn ahead_by(self, ahead: i64) -> Line<'a, Q> {
        Line { ahead, ..self }
    }

    /// The discipline's timer expires this many nanoseconds late.
    pub(crate) fn late_by(self, slack: i64) -> Line<'a, Q> {
        Line { slack, ..self }
    }

    /// Runs all arrivals, and serves the remaining packets for a while.
    pub(crate) fn run(&mut self, drain: i64) {
        for (i, arrival) in self.arrivals.iter().enumerate() {
            self.serve_until(arrival.ns);
            self.ring_early(arrival.ns);
            let packet = Pending {
                ecn: Ecn::from_bits(arrival.ecn),
                class: arrival.prio.into(),
                ..Pending::new(i as u32, FlowId(arrival.flow), arrival.size)
            };
            if self.queue.arrive(time(arrival.ns), packet).is_err() {
                self.settle(i as u32, 'E', arrival.ns);
            }
            self.ask((arrival.ns, arrival.ns), Some(i as u32));
        }
        let end = self.end(drain);
        self.serve_until(end);
    }

    /// Calls once more at the end, so that the discipline catches up.
    pub(crate) fn look_at_end(&mut self, drain: i64) {
        let end = self.end(drain);
        self.ask((end, end), None);
    }

    fn end(&self, drain: i64) -> i64 {
        self.arrivals.last().map_or(0, |last| last.ns) + drain
    }

    /// A timer that is due expires with the interrupt of an arrival, before that is handled.
    fn ring_early(&mut self, now: i64) {
        let is_due = self.queue.next_turn().is_some_and(|time| ns(time) <= now);
        if is_due && self.busy.is_none() {
            self.ask((now, now), None);
        }
    }

    /// Serves the events of the line up to this time.
    fn serve_until(&mut self, end: i64) {
        while let Some(at) = self.next().filter(|at| *at <= end) {
            let ahead = match self.busy.take() {
                None => 0,
                Some(_) => {
                    self.rested = at;
                    self.ahead
                }
            };
            self.ask((at, at + ahead), None);
        }
    }

    /// The end of a transmission, or the time at which the queue asks to be called.
    fn next(&self) -> Option<i64> {
        let asks = || self.queue.next_turn().map(|time| ns(time) + self.slack);
        self.busy.or_else(asks)
    }

    /// Calls `turn` at a time, which may differ on the discipline's clock.
    fn ask(&mut self, (now, clock): (i64, i64), came: Option<u32>) {
        loop {
            let state = match self.busy {
                Some(_) => State::Busy,
                None => State::Free,
            };
            match self.queue.turn(time(clock), state) {
                Turn::Hold => return,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Go { key, mark } => self.send(key, mark.is_some(), now),
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
