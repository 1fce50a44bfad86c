//! Swift as htsim has it (`swift.cpp` of Broadcom/csg-htsim at 841d9e7): bytes and picoseconds in
//! integers.
//!
//! It differs from the paper: the window in flow scaling is rounded down to whole packets, so that the
//! target moves in steps, and below one packet it is the largest; the round trip that limits decreases
//! is the smoothed one before the sample; a delay equal to the target takes the branch of decreases.

use pacesim_units::{Bytes, Span, Time};

use super::Scaling;

/// The settings of a sender. Those of [`SwiftHtsimConfig::new`] are the constants of the code, which
/// calls most of them guesses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwiftHtsimConfig {
    /// Bytes of a packet.
    pub packet: Bytes,
    /// The first window.
    pub first: Bytes,
    /// The least and the largest window.
    pub least: Bytes,
    /// The largest window.
    pub most: Bytes,
    /// Additive increase in packets per round trip.
    pub additive: f64,
    /// Factor of decreases.
    pub decrease: f64,
    /// The most that one decrease takes.
    pub most_decrease: f64,
    /// Base target delay.
    pub base: Span,
    /// The base target delay over the target delay of each hop.
    pub hop_divisor: f64,
    /// The most that flow scaling adds to the target.
    pub scaling: Span,
    /// Window in packets at and below which flow scaling adds all of it.
    pub scaled_from: f64,
    /// Window in packets from which flow scaling adds nothing.
    pub scaled_to: f64,
}

impl SwiftHtsimConfig {
    /// The constants of the code for packets of this size and a base target delay.
    pub fn new(packet: Bytes, base: Span) -> SwiftHtsimConfig {
        SwiftHtsimConfig {
            packet,
            first: packet * 10,
            least: Bytes(10),
            most: packet * 1000,
            additive: 1.0,
            decrease: 0.8,
            most_decrease: 0.5,
            base,
            hop_divisor: 6.55,
            scaling: base * 5,
            scaled_from: 0.1,
            scaled_to: 100.0,
        }
    }
}

/// A sender's window.
#[derive(Clone, Debug)]
pub struct SwiftHtsim {
    config: SwiftHtsimConfig,
    scaling: Scaling,
    window: u64,
    /// Smoothed round trip in picoseconds; zero before the first sample.
    smoothed: u64,
    reduced_at: Time,
    target: u64,
}

impl SwiftHtsim {
    /// A sender with its first window.
    pub fn new(config: SwiftHtsimConfig) -> SwiftHtsim {
        let range = config.scaling.as_ps() as f64;
        SwiftHtsim {
            scaling: Scaling::new(range, config.scaled_from, config.scaled_to),
            window: config.first.get(),
            smoothed: 0,
            reduced_at: Time::ZERO,
            target: 0,
            config,
        }
    }

    /// An ACK of so many bytes has arrived, after a round trip over a path of so many hops.
    pub fn ack(&mut self, now: Time, delay: Span, acked: Bytes, hops: u32) {
        let config = self.config;
        let may_fall = (now - self.reduced_at).as_ps() >= self.smoothed;
        let delay = delay.as_ps();
        self.smooth(delay);
        self.target = self.target_at(self.window, hops);
        let before = self.window;
        let [window, packet] = [before as f64, config.packet.get() as f64];
        if delay < self.target {
            let bytes = config.additive * acked.get() as f64;
            let is_whole = before >= config.packet.get();
            let step = if is_whole {
                packet * bytes / window
            } else {
                bytes
            };
            self.window = (window + step) as u64;
        } else if may_fall {
            let excess = (delay - self.target) as f64;
            let factor = 1.0 - config.decrease * excess / delay as f64;
            self.window = (window * factor.max(1.0 - config.most_decrease)) as u64;
        }
        let [least, most] = [config.least, config.most].map(Bytes::get);
        self.window = self.window.max(least).min(most);
        if self.window < before {
            self.reduced_at = now;
        }
    }

    fn smooth(&mut self, delay: u64) {
        if self.smoothed > 0 {
            self.smoothed = 7 * self.smoothed / 8 + delay / 8;
        } else {
            self.smoothed = delay;
        }
    }

    fn target_at(&self, window: u64, hops: u32) -> u64 {
        let base = self.config.base.as_ps() as f64;
        let whole_packets = window / self.config.packet.get();
        let scaling = self.scaling.at(whole_packets as f64);
        let of_hops = (f64::from(hops) * (base / self.config.hop_divisor)).trunc();
        (base + scaling + of_hops) as u64
    }

    /// The window.
    pub fn window(&self) -> Bytes {
        Bytes(self.window)
    }

    /// The target at the last ACK.
    pub fn target(&self) -> Span {
        Span::from_ps(self.target)
    }

    /// The smoothed round trip.
    pub fn smoothed(&self) -> Span {
        Span::from_ps(self.smoothed)
    }

    /// The time between packets if the window is below one; else zero.
    pub fn pacing(&self) -> Span {
        let packet = self.config.packet.get();
        if self.window >= packet {
            return Span::ZERO;
        }
        let ps = u128::from(self.smoothed) * u128::from(packet) / u128::from(self.window);
        Span::from_ps(ps as u64)
    }
}
