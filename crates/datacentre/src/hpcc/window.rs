//! HPCC's window: algorithm 1 of the paper, in real numbers.

use pacesim_units::{Rate, Span};

use super::int::Path;
use super::{Hop, IntFormat, Update};

/// The settings of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HpccWindowConfig {
    /// Rate of the line: with the base round trip it gives the first window, and the largest.
    pub line: Rate,
    /// Base round trip T.
    pub round_trip: Span,
    /// Additive increase W_AI in bytes.
    pub additive: f64,
    /// Target utilisation η.
    pub target: f64,
    /// Number of additive steps between two multiplicative ones.
    pub most_stages: u32,
}

/// A sender's window.
#[derive(Clone, Debug)]
pub struct HpccWindow {
    config: HpccWindowConfig,
    first: f64,
    window: f64,
    reference: f64,
    utilisation: f64,
    stage: u32,
    /// The next byte to be sent at the last full update; none before the first ACK.
    updated_at: Option<u64>,
    path: Path,
}

impl HpccWindow {
    /// A sender with a window of the line's rate times the base round trip.
    pub fn new(config: HpccWindowConfig) -> HpccWindow {
        let nanoseconds = config.round_trip.as_ps() as f64 / 1000.0;
        let first = config.line.as_bps() as f64 / 8.0 * nanoseconds * 1e-9;
        HpccWindow {
            config,
            first,
            window: first,
            reference: first,
            utilisation: 0.0,
            stage: 0,
            updated_at: None,
            path: Path::default(),
        }
    }

    /// An ACK of all before byte `acked` has arrived, while `next` is the next byte to be sent, with
    /// the telemetry that the packet carried.
    pub fn ack(&mut self, acked: u64, next: u64, hops: &[Hop]) -> Update {
        let Some(updated_at) = self.updated_at else {
            self.updated_at = Some(next);
            self.path.store(hops);
            return Update::Full;
        };
        self.measure(hops);
        self.path.store(hops);
        let excess = self.utilisation / self.config.target;
        let is_multiplicative = excess >= 1.0 || self.stage >= self.config.most_stages;
        let (base, stage) = if is_multiplicative {
            (self.reference / excess, 0)
        } else {
            (self.reference, self.stage + 1)
        };
        self.window = (base + self.config.additive).min(self.first);
        if acked <= updated_at {
            return Update::Fast;
        }
        self.reference = self.window;
        self.stage = stage;
        self.updated_at = Some(next);
        Update::Full
    }

    fn measure(&mut self, hops: &[Hop]) {
        let whole = self.config.round_trip.as_ps() as f64 / 1000.0;
        let [mut busiest, mut time] = [0.0, 0.0];
        for (before, hop) in self.path.before(hops).iter().zip(hops) {
            let (ns, bytes) = IntFormat::Exact.between(before, hop);
            if ns <= 0 {
                continue;
            }
            let of_hop = hop.line_bps as f64;
            let sent_bps = bytes as f64 * 8.0 / (ns as f64 * 1e-9);
            let queued = before.queued.min(hop.queued) as f64 * 8.0;
            let use_of_hop = queued / (of_hop * whole * 1e-9) + sent_bps / of_hop;
            if use_of_hop > busiest {
                [busiest, time] = [use_of_hop, ns as f64];
            }
        }
        let share = time.min(whole) / whole;
        self.utilisation = (1.0 - share) * self.utilisation + share * busiest;
    }

    /// The most bytes in flight.
    pub fn window(&self) -> f64 {
        self.window
    }

    /// The rate at which the paper paces: the window over the base round trip.
    pub fn rate(&self) -> Rate {
        let seconds = self.config.round_trip.as_secs_f64();
        let bps = (self.window * 8.0 / seconds) as u64;
        Rate::from_bps(bps.max(1)).expect("above zero")
    }

    /// The window from which the next one follows.
    pub fn reference(&self) -> f64 {
        self.reference
    }

    /// The utilisation U.
    pub fn utilisation(&self) -> f64 {
        self.utilisation
    }

    /// Additive steps since the last multiplicative one.
    pub fn stage(&self) -> u32 {
        self.stage
    }
}
