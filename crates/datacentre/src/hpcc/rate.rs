//! HPCC as its authors' simulator has it: `UpdateRateHp` in `rdma-hw.cc` of
//! alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, with one rate for all hops
//! (`MULTI_RATE 0`, `SAMPLE_FEEDBACK 0`).

use pacesim_units::{Bytes, Rate, Span};

use super::int::Path;
use super::{Hop, IntFormat, Update};

/// The settings of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HpccRateConfig {
    /// Rate of the line, and the largest rate.
    pub line: Rate,
    /// The least rate.
    pub minimum: Rate,
    /// The window at the rate of the line: in the authors' script the product of rate and base
    /// round trip of the longest pair.
    pub window: Bytes,
    /// Base round trip T, also that of the longest pair.
    pub round_trip: Span,
    /// Additive increase R_AI in bit/s.
    pub additive_bps: u64,
    /// Target utilisation η.
    pub target: f64,
    /// Number of additive steps between two multiplicative ones.
    pub most_stages: u32,
    /// True if the rate moves with each ACK, false if once per round trip.
    pub reacts_fast: bool,
    /// The numbers that packets carry.
    pub format: IntFormat,
}

/// Target utilisation of the paper and of its authors' script.
pub const TARGET_UTILISATION: f64 = 0.95;

/// A sender's rate.
#[derive(Clone, Debug)]
pub struct HpccRate {
    config: HpccRateConfig,
    utilisation: f64,
    reference_bps: u64,
    rate_bps: u64,
    stage: u32,
    /// The next byte to be sent at the last full update; 0 before the first.
    updated_at: u64,
    path: Path,
}

impl HpccRate {
    /// A sender at the rate of its line.
    pub fn new(config: HpccRateConfig) -> HpccRate {
        let line = config.line.as_bps();
        HpccRate {
            utilisation: 1.0,
            reference_bps: line,
            rate_bps: line,
            stage: 0,
            updated_at: 0,
            path: Path::default(),
            config,
        }
    }

    /// An ACK of all before byte `acked` has arrived, while `next` is the next byte to be sent, with
    /// the telemetry that the packet carried, in the format of the configuration.
    pub fn ack(&mut self, acked: u64, next: u64, hops: &[Hop]) -> Update {
        let is_full = acked > self.updated_at;
        if !is_full && !self.config.reacts_fast {
            return Update::None;
        }
        if self.updated_at == 0 {
            self.updated_at = next;
            self.path.store(hops);
            return Update::Full;
        }
        self.measure(hops);
        self.path.store(hops);
        let (rate, stage) = self.step();
        self.rate_bps = rate;
        if !is_full {
            return Update::Fast;
        }
        self.reference_bps = rate;
        self.stage = stage;
        self.updated_at = self.updated_at.max(next);
        Update::Full
    }

    /// U from the busiest hop. A hop whose two records are of one time has no rate and is left out,
    /// where the authors' code divides by zero.
    fn measure(&mut self, hops: &[Hop]) {
        let line = self.config.line.as_bps() as f64;
        let window = self.config.window.get() as f64;
        let [mut busiest, mut time] = [0.0, 0.0];
        for (before, hop) in self.path.before(hops).iter().zip(hops) {
            let (ns, bytes) = self.config.format.between(before, hop);
            if ns <= 0 {
                continue;
            }
            let sent_bps = bytes as f64 * 8.0 / (ns as f64 * 1e-9);
            let queued = before.queued.min(hop.queued) as f64;
            let of_hop = hop.line_bps as f64;
            let use_of_hop = sent_bps / of_hop + queued * line / of_hop / window;
            if use_of_hop > busiest {
                [busiest, time] = [use_of_hop, ns as f64];
            }
        }
        let whole = self.config.round_trip.as_ps() as f64 / 1000.0;
        let time = time.min(whole);
        self.utilisation = (self.utilisation * (whole - time) + busiest * time) / whole;
    }

    /// The rate and the stage that follow from U.
    fn step(&self) -> (u64, u32) {
        let excess = self.utilisation / self.config.target;
        let is_multiplicative = excess >= 1.0 || self.stage >= self.config.most_stages;
        let (base, stage) = if is_multiplicative {
            ((self.reference_bps as f64 / excess) as u64, 0)
        } else {
            (self.reference_bps, self.stage + 1)
        };
        let rate = base.saturating_add(self.config.additive_bps);
        let [least, most] = [self.config.minimum, self.config.line].map(Rate::as_bps);
        (rate.max(least).min(most), stage)
    }

    /// The rate at which to send.
    pub fn rate(&self) -> Rate {
        Rate::from_bps(self.rate_bps).expect("at least the least rate")
    }

    /// The rate from which the next one follows, in bit/s.
    pub fn reference_bps(&self) -> u64 {
        self.reference_bps
    }

    /// The utilisation U.
    pub fn utilisation(&self) -> f64 {
        self.utilisation
    }

    /// The next byte to be sent at the last full update: an ACK beyond it is the next.
    pub fn updated_at(&self) -> u64 {
        self.updated_at
    }

    /// Additive steps since the last multiplicative one.
    pub fn stage(&self) -> u32 {
        self.stage
    }

    /// The most bytes in flight: the window in proportion to the rate.
    pub fn window(&self) -> Bytes {
        let [window, rate] = [self.config.window.get(), self.rate_bps].map(u128::from);
        let share = window * rate / u128::from(self.config.line.as_bps());
        Bytes((share as u64).max(1))
    }
}
