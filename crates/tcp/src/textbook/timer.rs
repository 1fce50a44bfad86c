//! The retransmission timer.

use pacesim_units::{Span, Time};

/// The retransmission timer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    /// Time at which the timer expires; never while it is stopped.
    pub(super) at: Time,
    pub(super) armed: Time,
}

impl Timer {
    pub(super) fn stopped() -> Timer {
        Timer {
            at: Time::NEVER,
            armed: Time::ZERO,
        }
    }

    #[inline]
    pub(super) fn arm(&mut self, now: Time, timeout: Span) {
        self.at = now.saturating_add(timeout);
        self.armed = now;
    }

    #[inline]
    pub(super) fn stop(&mut self) {
        self.at = Time::NEVER;
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.at == Time::NEVER
    }
}
