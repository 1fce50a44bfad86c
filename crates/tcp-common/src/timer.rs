//! The timer of a Linux connection, which serves one purpose at a time.

use pacesim_units::Time;

use crate::clock::{Micros, Ticks};
use crate::config::Config;

/// The purpose for which the timer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerPurpose {
    /// No timer runs.
    Nothing,
    /// The time-out, after which packets are retransmitted.
    Retransmission,
    /// The tail loss probe (RFC 8985 §7).
    Probe,
    /// The wait for packets that were overtaken (RFC 8985 §6.3).
    Reordering,
    /// The next probe of the receiver's window, which is closed.
    ClosedWindow,
}

/// The timer of a connection; its times are in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    /// Its purpose.
    pub pending: TimerPurpose,
    /// The current ACK sets it for a probe, unless a new packet does.
    pub owes_probe: bool,
    /// Tick at which the timer is to expire, before the wheel's rounding.
    pub end: u64,
    /// Time at which the timer expires, rounded by the wheel.
    pub fires: Time,
    /// Time at which the timer was set.
    pub armed: Micros,
    /// Time-out in force, in ticks, and its bounds.
    pub rto: u64,
    /// Least time-out, in ticks.
    pub least_rto: u64,
    /// Greatest time-out, in ticks.
    pub greatest_rto: u64,
    /// Number of times that the time-out was doubled.
    pub backoff: u32,
    /// Number of time-outs of the SYN.
    pub opening: u32,
}

impl Timer {
    /// A timer that does not run.
    pub fn new(config: &Config, ticks: &Ticks) -> Timer {
        let covering = |span: pacesim_units::Span| ticks.covering(span.as_ps() / 1_000_000);
        Timer {
            pending: TimerPurpose::Nothing,
            owes_probe: false,
            end: 0,
            fires: Time::NEVER,
            armed: 0,
            rto: covering(config.initial_rto),
            least_rto: covering(config.min_rto),
            greatest_rto: covering(config.max_rto),
            backoff: 0,
            opening: 0,
        }
    }

    /// Stops the timer.
    #[inline]
    pub fn stop(&mut self) {
        self.pending = TimerPurpose::Nothing;
        self.fires = Time::NEVER;
    }

    /// Time at which the timer would expire without the wheel's rounding.
    pub fn earliest(&self, ticks: &Ticks) -> Option<Time> {
        (self.fires != Time::NEVER).then(|| ticks.begin(self.end))
    }

    /// Doubles the time-out.
    pub fn double(&mut self) {
        self.backoff += 1;
        self.rto = (self.rto << 1).min(self.greatest_rto);
    }

    /// The wait before the next probe of a closed window.
    pub fn patience(&self) -> u64 {
        let base = self.rto.max(self.least_rto);
        let most = (self.greatest_rto / self.least_rto.max(1)).max(1).ilog2() + 1;
        let shift = self.backoff.min(most);
        base.checked_shl(shift)
            .unwrap_or(u64::MAX)
            .min(self.greatest_rto)
    }
}
