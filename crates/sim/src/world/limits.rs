//! The limits that keep a TCP sender from sending more, and the time spent at each.

use pacesim_tcp::Limit;
use pacesim_units::Time;

/// Picoseconds spent at each limit, in the order of [`Limit::ALL`].
pub(super) type Spent = [u64; Limit::ALL.len()];

/// A sender's current limit, and the time spent at each limit.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Limits {
    at: Limit,
    since: Time,
    spent: Spent,
}

impl Limits {
    /// The limits of a sender that starts at this time.
    pub(super) fn new(start: Time) -> Limits {
        Limits {
            at: Limit::Data,
            since: start,
            spent: Spent::default(),
        }
    }

    /// Notes that the sender is at this limit from now on.
    #[inline]
    pub(super) fn note(&mut self, now: Time, limit: Limit) {
        if limit != self.at {
            self.pass(now);
            self.at = limit;
        }
    }

    /// A time-out armed at `armed` expired now: the limit in between was a loss, in place of the
    /// one noted.
    pub(super) fn note_timeout(&mut self, armed: Time, now: Time) {
        self.pass(armed.min(now));
        self.at = Limit::Congestion;
    }

    /// Notes that nothing limits the sender from now on.
    pub(super) fn end(&mut self, now: Time) {
        self.pass(now);
        self.since = Time::NEVER;
    }

    /// Forgets all time: the limit of the sender is unknown, from now on and in hindsight.
    pub(super) fn forget(&mut self) {
        (self.spent, self.since) = (Spent::default(), Time::NEVER);
    }

    /// Settles the time spent up to now, so that no later time-out reassigns it.
    pub(super) fn settle(&mut self, now: Time) {
        self.pass(now);
    }

    /// The time spent at each limit up to now.
    pub(super) fn spent(&self, now: Time) -> Spent {
        let mut limits = *self;
        limits.pass(now);
        limits.spent
    }

    fn pass(&mut self, now: Time) {
        self.spent[self.at as usize] += now.saturating_since(self.since).as_ps();
        self.since = self.since.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::Span;

    #[test]
    fn time_goes_to_the_limit_that_held_and_waits_for_a_time_out_to_the_loss() {
        let at = |s| Time::ZERO + Span::from_secs(s);
        let mut limits = Limits::new(at(2));
        limits.note(at(2), Limit::Congestion);
        limits.note(at(3), Limit::Window);
        limits.note(at(4), Limit::Window);
        // The last acknowledgement arrived at 5 s, the time-out at 9 s.
        limits.note_timeout(at(5), at(9));
        limits.note(at(9), Limit::Congestion);
        let seconds = limits.spent(at(10)).map(|ps| ps / 1_000_000_000_000);
        let [data, window, congestion, pacing] = seconds;
        assert_eq!((data, window, congestion, pacing), (0, 2, 6, 0));
        assert_eq!(
            limits.spent(at(1)),
            limits.spent(at(5)),
            "asking changes nothing"
        );
        limits.end(at(11));
        let at_end = limits.spent(at(11));
        limits.note(at(12), Limit::Window);
        assert_eq!(limits.spent(at(20)), at_end, "what is over counts no more");
        limits.forget();
        limits.note(at(21), Limit::Pacing);
        assert_eq!(
            limits.spent(at(22)),
            [0; 4],
            "an unknown limit takes no time"
        );
    }
}
