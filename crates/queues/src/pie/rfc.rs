//! PIE as in RFC 8033, in real numbers.

use pacesim_units::Time;

use super::{ArrivalDecision, PieConfig};
use crate::codel::Held;
use crate::queue::Waiting;

/// Length of the burst that passes without a drop, in seconds.
const BURST_S: f64 = 0.15;
/// The integer for a probability of one in draws.
const WHOLE: u64 = 1 << 53;
/// The factors by which weights are reduced below these probabilities (RFC 8033, section 4.2).
const SCALES: [(f64, f64); 6] = [
    (1e-6, 2048.0),
    (1e-5, 512.0),
    (1e-4, 128.0),
    (1e-3, 32.0),
    (1e-2, 8.0),
    (1e-1, 2.0),
];

/// The state of the control. Times are in seconds.
#[derive(Clone, Debug)]
pub(super) struct RfcControl {
    target: f64,
    alpha: f64,
    beta: f64,
    period: f64,
    mtu: u64,
    bytemode: bool,
    derandomize: bool,
    probability: f64,
    /// Accumulated probability since the last drop.
    sum: f64,
    burst: f64,
    /// The delay of the last departure, and the delay at the last update.
    delay: f64,
    old_delay: f64,
}

impl RfcControl {
    pub(super) fn new(config: &PieConfig) -> RfcControl {
        RfcControl {
            target: config.target.as_secs_f64(),
            alpha: f64::from(config.alpha) / 16.0,
            beta: f64::from(config.beta) / 16.0,
            period: config.update.as_secs_f64(),
            mtu: config.mtu.get().max(1),
            bytemode: config.bytemode,
            derandomize: config.derandomize,
            probability: 0.0,
            sum: 0.0,
            burst: BURST_S,
            delay: 0.0,
            old_delay: 0.0,
        }
    }

    pub(super) fn probability(&self) -> f64 {
        self.probability
    }

    /// True below a tenth: above, packets are dropped and not marked (RFC 8033, section 5.1).
    pub(super) fn may_mark(&self) -> bool {
        self.probability < 0.1
    }

    /// True if an update changes nothing until a packet arrives.
    pub(super) fn is_at_rest(&self) -> bool {
        let is_quiet = self.delay == 0.0 && self.old_delay == 0.0;
        is_quiet && self.probability == 0.0 && self.burst == BURST_S
    }

    pub(super) fn judge(&mut self, backlog: Waiting, size: u32) -> ArrivalDecision {
        let is_low = self.old_delay < self.target / 2.0 && self.probability < 0.2;
        if self.burst > 0.0 || is_low || backlog.bytes.get() <= 2 * self.mtu {
            return ArrivalDecision::Take;
        }
        let share = if self.bytemode {
            (f64::from(size) / self.mtu as f64).min(1.0)
        } else {
            1.0
        };
        let probability = self.probability * share;
        let draw = ArrivalDecision::Draw((probability * WHOLE as f64) as u64, WHOLE);
        if !self.derandomize {
            return draw;
        }
        self.sum = if self.probability > 0.0 {
            self.sum + probability
        } else {
            0.0
        };
        match self.sum {
            sum if sum < 0.85 => ArrivalDecision::Take,
            sum if sum >= 8.5 => ArrivalDecision::Strike,
            _ => draw,
        }
    }

    /// Restarts the sum of probabilities after a drop or a mark.
    pub(super) fn start_over(&mut self) {
        self.sum = 0.0;
    }

    /// Notes that the line is idle: nothing waits any longer.
    pub(super) fn rest(&mut self) {
        self.delay = 0.0;
    }

    /// Notes a departure.
    pub(super) fn send(&mut self, now: Time, packet: &Held, _behind: u64) {
        self.delay = (now - packet.came).as_secs_f64();
    }

    /// Updates the probability (RFC 8033, section 4.2).
    pub(super) fn update(&mut self, _backlog: u64) {
        if self.burst > 0.0 {
            self.probability = 0.0;
        } else {
            self.probability += self.delta();
        }
        if self.delay == 0.0 && self.old_delay == 0.0 {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        let is_low = |delay: f64| delay < self.target / 2.0;
        let is_calm = self.probability == 0.0 && is_low(self.delay) && is_low(self.old_delay);
        self.burst = if is_calm {
            BURST_S
        } else {
            (self.burst - self.period).max(0.0)
        };
        self.old_delay = self.delay;
    }

    fn delta(&self) -> f64 {
        let delta =
            self.alpha * (self.delay - self.target) + self.beta * (self.delay - self.old_delay);
        let scale = SCALES.iter().find(|(below, _)| self.probability < *below);
        match scale {
            Some((_, scale)) => delta / scale,
            None => delta.min(0.02),
        }
    }
}
