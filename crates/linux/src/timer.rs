//! The single timer of a connection, and its purpose.

use pacesim_units::Time;

use super::clock::{Micros, Ticks};
use crate::config::Config;

/// The purpose of the running timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    Nothing,
    Retransmission,
    /// The tail loss probe, RFC 8985 §7.
    Probe,
    /// Packets that were overtaken, RFC 8985 §6.3.
    Reordering,
    /// The receiver's window is closed.
    ClosedWindow,
}

/// The timer of a connection; its times are in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    pub(super) pending: Pending,
    /// The current ACK sets it for a probe, unless a new packet does.
    pub(super) owes_probe: bool,
    /// The tick that it is set to, before the wheel's rounding.
    pub(super) end: u64,
    pub(super) fires: Time,
    pub(super) armed: Micros,
    pub(super) rto: u64,
    pub(super) least_rto: u64,
    pub(super) greatest_rto: u64,
    pub(super) backoff: u32,
    /// Time-outs of the SYN.
    pub(super) opening: u32,
}

impl Timer {
    pub(super) fn new(config: &Config, ticks: &Ticks) -> Timer {
        let covering = |span: pacesim_units::Span| ticks.covering(span.as_ps() / 1_000_000);
        Timer {
            pending: Pending::Nothing,
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

    pub(super) fn stop(&mut self) {
        self.pending = Pending::Nothing;
        self.fires = Time::NEVER;
    }

    /// Its expiry without the wheel's rounding.
    pub(super) fn earliest(&self, ticks: &Ticks) -> Option<Time> {
        (self.fires != Time::NEVER).then(|| ticks.begin(self.end))
    }

    pub(super) fn double(&mut self) {
        self.backoff += 1;
        self.rto = (self.rto << 1).min(self.greatest_rto);
    }

    /// The wait before the next probe of a closed window.
    pub(super) fn patience(&self) -> u64 {
        let base = self.rto.max(self.least_rto);
        let most = (self.greatest_rto / self.least_rto.max(1)).max(1).ilog2() + 1;
        let shift = self.backoff.min(most);
        base.checked_shl(shift)
            .unwrap_or(u64::MAX)
            .min(self.greatest_rto)
    }
}
