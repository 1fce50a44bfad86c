//! Time with transfers in progress, and the part of it in slow start.

use pacesim_tcp::Standing;
use pacesim_units::Time;

/// A sender's current state, and the picoseconds spent in progress and in slow start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    is_busy: bool,
    in_slow_start: bool,
    since: Time,
    pub(super) busy_ps: u64,
    pub(super) slow_start_ps: u64,
}

impl Progress {
    /// Notes the sender's state, which may have changed now. Data not fully acknowledged make it
    /// busy.
    pub(super) fn note(&mut self, now: Time, standing: Standing) {
        let (is_busy, in_slow_start) = (standing.is_busy(), standing.in_slow_start());
        if is_busy != self.is_busy || in_slow_start != self.in_slow_start {
            self.pass(now);
            (self.is_busy, self.in_slow_start) = (is_busy, in_slow_start);
        }
    }

    /// The same progress, with the time up to now accounted for.
    pub(super) fn until(mut self, now: Time) -> Progress {
        self.pass(now);
        self
    }

    fn pass(&mut self, now: Time) {
        let ps = now.saturating_since(self.since).as_ps();
        if self.is_busy {
            self.busy_ps += ps;
        }
        if self.is_busy && self.in_slow_start {
            self.slow_start_ps += ps;
        }
        self.since = now;
    }
}
