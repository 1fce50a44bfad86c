//! DCTCP's law for a rate instead of a window: `HandleAckDctcp` in `rdma-hw.cc` of
//! alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
//!
//! Once per round trip α ← (1 − g) α + g F, with F the marked ACKs over the packets of the round
//! trip. The first mark cuts R ← R (1 − α/2), once per round trip; a round trip without a cut adds a
//! constant. Unlike a TCP it starts at the rate of its line with α = 1, and no ACK clocks it.

use pacesim_units::{Bytes, Rate};

/// The settings of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DctcpRateConfig {
    /// Rate of the line, and the largest rate.
    pub line: Rate,
    /// The least rate.
    pub minimum: Rate,
    /// Gain g of alpha.
    pub gain: f64,
    /// Increase of a round trip without a cut, in bit/s.
    pub additive_bps: u64,
    /// Bytes of a packet without headers.
    pub packet: Bytes,
}

impl DctcpRateConfig {
    /// The settings of the authors' script on a line of this rate.
    pub fn new(line: Rate) -> DctcpRateConfig {
        DctcpRateConfig {
            line,
            minimum: Rate::from_mbps(1000),
            gain: 1.0 / 16.0,
            additive_bps: 615_000_000,
            packet: Bytes(1000),
        }
    }
}

/// A sender's rate.
#[derive(Clone, Debug)]
pub struct DctcpRate {
    config: DctcpRateConfig,
    rate_bps: u64,
    alpha: f64,
    /// The next byte to be sent at the last update of alpha; 0 before the first.
    updated_at: u64,
    /// Marked ACKs, and packets, of the round trip.
    marked: u64,
    packets: u64,
    /// The byte whose ACK allows the next cut, if there was one.
    reduced_until: Option<u64>,
}

impl DctcpRate {
    /// A sender at the rate of its line.
    pub fn new(config: DctcpRateConfig) -> DctcpRate {
        DctcpRate {
            rate_bps: config.line.as_bps(),
            alpha: 1.0,
            updated_at: 0,
            marked: 0,
            packets: 0,
            reduced_until: None,
            config,
        }
    }

    /// An ACK of all before byte `acked` has arrived, while `next` is the next byte to be sent.
    pub fn ack(&mut self, acked: u64, next: u64, is_marked: bool) {
        self.marked += u64::from(is_marked);
        let is_new = acked > self.updated_at;
        if is_new {
            self.update_alpha(acked, next);
        }
        if self.reduced_until.is_some_and(|until| acked > until) {
            self.reduced_until = None;
        }
        if is_marked && self.reduced_until.is_none() {
            let rate = (self.rate_bps as f64 * (1.0 - self.alpha / 2.0)) as u64;
            self.rate_bps = rate.max(self.config.minimum.as_bps());
            self.reduced_until = Some(next);
        }
        if is_new && self.reduced_until.is_none() {
            let rate = self.rate_bps.saturating_add(self.config.additive_bps);
            self.rate_bps = rate.min(self.config.line.as_bps());
        }
    }

    /// A round trip has passed. The first has no alpha, and all bytes up to `next` count as its
    /// packets; later ones those in flight, and one more.
    fn update_alpha(&mut self, acked: u64, next: u64) {
        let packet = self.config.packet.get();
        if self.updated_at == 0 {
            self.packets = next / packet + 1;
        } else {
            let gain = self.config.gain;
            let share = (self.marked as f64 / self.packets as f64).min(1.0);
            self.alpha = (1.0 - gain) * self.alpha + gain * share;
            self.marked = 0;
            self.packets = next.saturating_sub(acked) / packet + 1;
        }
        self.updated_at = next;
    }

    /// The rate at which to send.
    pub fn rate(&self) -> Rate {
        Rate::from_bps(self.rate_bps).expect("at least the least rate")
    }

    /// The share of marked packets, smoothed.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// True until the round trip of the last cut has passed.
    pub fn is_reduced(&self) -> bool {
        self.reduced_until.is_some()
    }

    /// Marked ACKs of this round trip, and its packets.
    pub fn batch(&self) -> [u64; 2] {
        [self.marked, self.packets]
    }
}
