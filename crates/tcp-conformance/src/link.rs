//! The bottleneck: a line with a drop-tail buffer, and the losses and delays of packets there.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Rate, Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The bottleneck of a network: a line with its buffer, and the losses and delays on it.
#[derive(Clone, Debug)]
pub(crate) struct Bottleneck {
    pub(crate) rate: Rate,
    /// Packets that may wait, excluding the one in transmission.
    pub(crate) buffer: usize,
    /// Packets that can be marked are marked if at least this many wait.
    pub(crate) marks_from: Option<usize>,
    /// The share of packets lost at random.
    pub(crate) loss: f64,
    /// All packets that arrive in this period are lost.
    pub(crate) outage: Option<(Time, Time)>,
    /// The share of packets that are delayed further, by up to this time; later packets may overtake
    /// them unless they are kept in order.
    pub(crate) late: Option<(f64, Span)>,
    pub(crate) in_order: bool,
    /// New rates from these times on. Packets in the queue leave at the former rate.
    pub(crate) changes: VecDeque<(Time, Rate)>,
}

impl Bottleneck {
    pub(crate) fn new(rate: Rate, buffer: usize) -> Bottleneck {
        Bottleneck {
            rate,
            buffer,
            marks_from: None,
            loss: 0.0,
            outage: None,
            late: None,
            in_order: false,
            changes: VecDeque::new(),
        }
    }
}

/// A packet that passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    /// The end of its transmission, including an additional delay.
    pub(crate) at: Time,
    pub(crate) is_marked: bool,
}

/// The state of a line, and its totals from a time on.
#[derive(Debug)]
pub(crate) struct Link {
    line: Bottleneck,
    from: Time,
    /// Ends of transmission of the packets waiting or being sent.
    busy: VecDeque<Time>,
    last: Time,
    random: Xoshiro256PlusPlus,
    pub(crate) dropped: u64,
    pub(crate) sent: u64,
    pub(crate) waited: Span,
}

impl Link {
    /// Totals count packets that arrive from `from` on.
    pub(crate) fn new(line: Bottleneck, from: Time, seed: u64) -> Link {
        Link {
            line,
            from,
            busy: VecDeque::new(),
            last: Time::ZERO,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            dropped: 0,
            sent: 0,
            waited: Span::ZERO,
        }
    }

    /// The fate of a packet that arrives now; `None` if it is lost.
    pub(crate) fn take(&mut self, now: Time, size: Bytes, can_be_marked: bool) -> Option<Passed> {
        self.advance(now);
        let counts = now >= self.from;
        if self.is_lost(now) {
            self.dropped += u64::from(counts);
            return None;
        }
        let waiting = self.busy.len().saturating_sub(1);
        let is_marked = can_be_marked && self.line.marks_from.is_some_and(|from| waiting >= from);
        let start = self.busy.back().copied().unwrap_or(now);
        let time = self.line.rate.transmission_time(size);
        let end = start + time.expect("a packet passes in finite time");
        self.busy.push_back(end);
        if counts {
            self.sent += 1;
            self.waited += start.saturating_since(now);
        }
        let at = end + self.lateness();
        self.last = self.last.max(at);
        let at = if self.line.in_order { self.last } else { at };
        Some(Passed { at, is_marked })
    }

    fn advance(&mut self, now: Time) {
        let changes = &mut self.line.changes;
        while changes.front().is_some_and(|(at, _)| *at <= now) {
            self.line.rate = changes.pop_front().expect("it was just seen").1;
        }
        while self.busy.front().is_some_and(|end| *end <= now) {
            self.busy.pop_front();
        }
    }

    fn is_lost(&mut self, now: Time) -> bool {
        let outage = self.line.outage;
        let is_out = outage.is_some_and(|(from, to)| (from..to).contains(&now));
        let is_full = self.busy.len() > self.line.buffer;
        is_out || is_full || (self.line.loss > 0.0 && self.random.random_bool(self.line.loss))
    }

    fn lateness(&mut self) -> Span {
        let Some((share, most)) = self.line.late else {
            return Span::ZERO;
        };
        if self.random.random_bool(share) {
            Span::from_ps(self.random.random_range(0..=most.as_ps()))
        } else {
            Span::ZERO
        }
    }
}
