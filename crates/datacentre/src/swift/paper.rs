//! Swift as its paper has it (algorithm 1, section 3.5), in real numbers.

use pacesim_units::{Span, Time};

use super::Scaling;

/// The settings of a sender. The paper gives no numbers for most of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwiftConfig {
    /// Additive increase ai in packets per round trip.
    pub additive: f64,
    /// Factor β of decreases.
    pub decrease: f64,
    /// The most that one decrease takes, max_mdf.
    pub most_decrease: f64,
    /// Base target delay.
    pub base: Span,
    /// Target delay of each hop, h.
    pub hop: Span,
    /// The most that flow scaling adds to the target.
    pub scaling: Span,
    /// Window in packets at and below which flow scaling adds all of it, fs_min.
    pub scaled_from: f64,
    /// Window in packets from which flow scaling adds nothing, fs_max.
    pub scaled_to: f64,
    /// The least window in packets.
    pub least: f64,
    /// The largest window in packets.
    pub most: f64,
    /// The first window in packets.
    pub first: f64,
}

/// Time-outs in a row after which the window is the least one.
pub const MOST_TIMEOUTS: u32 = 5;

/// A sender's window.
#[derive(Clone, Debug)]
pub struct Swift {
    config: SwiftConfig,
    scaling: Scaling,
    window: f64,
    reduced_at: Option<Time>,
    timeouts: u32,
    target_ps: f64,
    pacing_ps: f64,
}

impl Swift {
    /// A sender with its first window.
    pub fn new(config: SwiftConfig) -> Swift {
        let range = config.scaling.as_ps() as f64;
        Swift {
            scaling: Scaling::new(range, config.scaled_from, config.scaled_to),
            window: config.first,
            reduced_at: None,
            timeouts: 0,
            target_ps: 0.0,
            pacing_ps: 0.0,
            config,
        }
    }

    /// An ACK of so many packets has arrived, after a delay over a path of so many hops;
    /// `round_trip` is the time within which the window falls once.
    pub fn ack(&mut self, now: Time, delay: Span, acked: f64, hops: u32, round_trip: Span) {
        self.timeouts = 0;
        let config = self.config;
        let hop = config.hop.as_ps() as f64;
        let fixed = config.base.as_ps() as f64 + f64::from(hops) * hop;
        self.target_ps = fixed + self.scaling.at(self.window);
        let delay = delay.as_ps() as f64;
        if delay < self.target_ps {
            let packets = config.additive * acked;
            let window = self.window;
            self.bound(
                now,
                window
                    + if window >= 1.0 {
                        packets / window
                    } else {
                        packets
                    },
            );
        } else if self.may_fall(now, round_trip) {
            let factor = 1.0 - config.decrease * (delay - self.target_ps) / delay;
            self.bound(now, self.window * factor.max(1.0 - config.most_decrease));
        }
        self.pace(round_trip);
    }

    /// A packet was found lost by its ACKs: the window falls, once per round trip.
    pub fn lost(&mut self, now: Time, round_trip: Span) {
        if self.may_fall(now, round_trip) {
            self.bound(now, self.window * (1.0 - self.config.most_decrease));
        }
        self.pace(round_trip);
    }

    /// The retransmission timer has expired.
    pub fn timed_out(&mut self, now: Time, round_trip: Span) {
        self.timeouts += 1;
        if self.timeouts >= MOST_TIMEOUTS {
            self.bound(now, self.config.least);
        }
        self.lost(now, round_trip);
    }

    fn may_fall(&self, now: Time, round_trip: Span) -> bool {
        self.reduced_at.is_none_or(|last| now - last >= round_trip)
    }

    fn bound(&mut self, now: Time, window: f64) {
        let before = self.window;
        self.window = window.max(self.config.least).min(self.config.most);
        if self.window < before {
            self.reduced_at = Some(now);
        }
    }

    fn pace(&mut self, round_trip: Span) {
        self.pacing_ps = if self.window < 1.0 {
            round_trip.as_ps() as f64 / self.window
        } else {
            0.0
        };
    }

    /// The window in packets.
    pub fn window(&self) -> f64 {
        self.window
    }

    /// The target at the last ACK, in picoseconds.
    pub fn target_ps(&self) -> f64 {
        self.target_ps
    }

    /// The time between packets if the window is below one, in picoseconds; else zero.
    pub fn pacing_ps(&self) -> f64 {
        self.pacing_ps
    }
}
