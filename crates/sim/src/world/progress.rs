//! How long transfers are in progress, and how much of that in slow start.

use pacesim_tcp::Sender;
use pacesim_units::Time;

/// What a sender is at, and the picoseconds that it has spent so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    is_busy: bool,
    in_slow_start: bool,
    since: Time,
    pub(super) busy_ps: u64,
    pub(super) slow_start_ps: u64,
}

impl Progress {
    /// Takes note of a sender that may have changed now. Data that are not wholly acknowledged
    /// make it busy.
    #[inline]
    pub(super) fn note(&mut self, now: Time, sender: &Sender) {
        let is_busy = !sender.is_done();
        let in_slow_start = sender.cwnd() < sender.ssthresh();
        if is_busy != self.is_busy || in_slow_start != self.in_slow_start {
            self.pass(now);
            (self.is_busy, self.in_slow_start) = (is_busy, in_slow_start);
        }
    }

    /// The same with the time up to now spent.
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
