//! Times at which a discipline updates its state; at each call it catches up with them.

use pacesim_units::{Span, Time};

/// Updates that fall due at equal intervals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Periods {
    next: Time,
    period: Span,
}

impl Periods {
    pub(crate) fn new(first: Time, period: Span) -> Periods {
        Periods {
            next: first,
            period,
        }
    }

    /// True if an update is due before this time.
    #[inline]
    pub(crate) fn is_due_before(&self, now: Time) -> bool {
        self.next < now
    }

    /// The next update due before this time: one at the same time comes later.
    #[inline]
    pub(crate) fn due_before(&mut self, now: Time) -> Option<Time> {
        if self.next >= now {
            return None;
        }
        let due = self.next;
        self.next = due.saturating_add(self.period);
        Some(due)
    }

    /// Skips the updates before this time, which change nothing.
    #[cold]
    pub(crate) fn skip_before(&mut self, now: Time) {
        let behind = now.saturating_since(self.next).as_ps();
        let count = behind / self.period.as_ps().max(1);
        let span = Span::from_ps(count * self.period.as_ps());
        self.next = self.next.saturating_add(span);
    }
}
