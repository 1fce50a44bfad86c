//! The timers of a sender.

use pacesim_units::{Span, Time};

/// A timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Alpha falls, or rises after a CNP.
    Alpha,
    /// The rate is cut if a CNP came since the last check.
    Check,
    /// The rate increases.
    Increase,
}

const TIMERS: [Timer; 3] = [Timer::Alpha, Timer::Check, Timer::Increase];

/// The timers that run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timers {
    /// Times at which they expire, and at which they were armed.
    armed: [Option<(Time, Time)>; 3],
    /// The place of the next to expire, and its time.
    next: Option<(usize, Time)>,
    /// True if timers of one time expire in the order in which they were armed; else alpha is first.
    first_armed_first: bool,
}

impl Timers {
    pub(super) fn new(first_armed_first: bool) -> Timers {
        Timers {
            armed: [None; 3],
            next: None,
            first_armed_first,
        }
    }

    /// Starts a timer, or starts it again.
    pub(super) fn arm(&mut self, timer: Timer, now: Time, period: Span) {
        self.armed[timer as usize] = Some((now.saturating_add(period), now));
        self.find_next();
    }

    fn find_next(&mut self) {
        let armed = self.armed.iter().enumerate();
        let runs = armed.filter_map(|(i, times)| times.map(|(at, since)| (at, since, i)));
        let first = runs.min_by_key(|&(at, since, i)| match self.first_armed_first {
            true => (at, since, i),
            false => (at, Time::ZERO, i),
        });
        self.next = first.map(|(at, _, i)| (i, at));
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.next.map(|(_, at)| at)
    }

    /// The earliest timer due by now, which runs no more, and its time.
    pub(super) fn take_due(&mut self, now: Time) -> Option<(Timer, Time)> {
        let (i, at) = self.next.filter(|(_, at)| *at <= now)?;
        self.armed[i] = None;
        self.find_next();
        Some((TIMERS[i], at))
    }
}
