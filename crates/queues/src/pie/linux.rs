//! PIE as in Linux, in its integers.

use pacesim_units::{Span, Time};

use super::{ArrivalDecision, PieConfig};
use crate::codel::Held;
use crate::queue::Waiting;

/// The integer for a probability of one: 2^56 - 1.
const ONE: u64 = (1 << 56) - 1;
/// Length of a clock tick, in picoseconds.
const TICK_PS: u64 = 64_000;
const TICKS_PER_SECOND: u64 = 15_625_000;
/// Length of the burst that passes without a drop.
const BURST: u64 = 150_000_000 / 64;
/// Backlog from which the rate is measured, in bytes.
const MEASURED: u64 = 1 << 14;

/// The state of the control. Times are in ticks of 64 ns.
#[derive(Clone, Debug)]
pub(super) struct LinuxControl {
    target: u64,
    /// A sixteenth of 1 Hz, as a change of the probability per tick.
    alpha: u64,
    beta: u64,
    mtu: u64,
    bytemode: bool,
    derandomize: bool,
    probability: u64,
    /// Accumulated probability since the last drop.
    sum: u64,
    burst: u64,
    delay: u64,
    old_delay: u64,
    sent: Option<u64>,
    estimator: Option<Estimator>,
}

/// An estimator of the departure rate.
#[derive(Clone, Copy, Debug, Default)]
struct Estimator {
    /// Number of bytes sent since the measurement began.
    count: Option<u64>,
    began: u64,
    /// Rate in bytes per tick, times 256.
    rate: u64,
}

fn ticks(span: Span) -> u64 {
    span.as_ps() / TICK_PS
}

impl LinuxControl {
    pub(super) fn new(config: &PieConfig) -> LinuxControl {
        // Weights beyond 4096 Hz would not fit the product.
        let scaled = |weight: u32| (u64::from(weight.min(1 << 16)) * (ONE / TICKS_PER_SECOND)) >> 4;
        LinuxControl {
            target: ticks(config.target),
            alpha: scaled(config.alpha),
            beta: scaled(config.beta),
            mtu: config.mtu.get().max(1),
            bytemode: config.bytemode,
            derandomize: config.derandomize,
            probability: 0,
            sum: 0,
            burst: BURST,
            delay: 0,
            old_delay: 0,
            sent: None,
            estimator: config.rate_estimator.then(Estimator::default),
        }
    }

    pub(super) fn probability(&self) -> f64 {
        self.probability as f64 / (ONE + 1) as f64
    }

    pub(super) fn may_mark(&self) -> bool {
        self.probability <= ONE / 10
    }

    /// True if an update changes nothing until a packet arrives.
    pub(super) fn is_at_rest(&self) -> bool {
        self.probability == 0 && self.delay == 0 && self.old_delay == 0 && self.burst == BURST
    }

    pub(super) fn judge(&mut self, backlog: Waiting, size: u32) -> ArrivalDecision {
        let is_low = self.delay < self.target / 2 && self.probability < ONE / 5;
        if self.burst > 0 || is_low || backlog.bytes.get() < 2 * self.mtu {
            return ArrivalDecision::Take;
        }
        let probability = if self.bytemode && u64::from(size) <= self.mtu {
            u64::from(size) * (self.probability / self.mtu)
        } else {
            self.probability
        };
        if !self.derandomize {
            return ArrivalDecision::Draw(probability, ONE + 1);
        }
        self.sum = match probability {
            0 => 0,
            _ => self.sum.saturating_add(probability),
        };
        if self.sum < (ONE / 100) * 85 {
            ArrivalDecision::Take
        } else if self.sum >= (ONE / 2) * 17 {
            ArrivalDecision::Strike
        } else {
            ArrivalDecision::Draw(probability, ONE + 1)
        }
    }

    /// Restarts the sum of probabilities after a drop or a mark by a draw.
    pub(super) fn start_over(&mut self) {
        self.sum = 0;
    }

    /// Notes that the line is idle, which changes nothing.
    pub(super) fn rest(&mut self) {}

    /// Notes a departure after which this many bytes remain.
    pub(super) fn send(&mut self, now: Time, packet: &Held, behind: u64) {
        let now = now.as_ps() / TICK_PS;
        let elapsed = match &mut self.estimator {
            None => {
                let came = packet.came.as_ps() / TICK_PS;
                self.delay = if behind > 0 { now - came } else { 0 };
                let sent = self.sent.replace(now);
                sent.map_or(0, |sent| now - sent)
            }
            Some(estimator) => estimator.note(now, packet.size, behind),
        };
        self.burst = self.burst.saturating_sub(elapsed);
    }

    /// Updates the probability, with this many bytes waiting.
    pub(super) fn update(&mut self, backlog: u64) {
        let (delay, old_delay) = match self.estimator {
            None => (self.delay, self.old_delay),
            Some(estimator) => {
                self.old_delay = self.delay;
                (estimator.delay(backlog), self.delay)
            }
        };
        let delta = self.delta(delay, old_delay);
        let is_full = !self.add(delta);
        let may_decay = (delay > 0 || backlog == 0) && !is_full;
        if delay == 0 && old_delay == 0 && may_decay {
            self.probability -= self.probability / 64;
        }
        self.delay = delay;
        let is_low = |delay: u64| delay < self.target / 2;
        let is_measured = self.estimator.is_none_or(|estimator| estimator.rate > 0);
        if is_low(self.delay) && is_low(self.old_delay) && self.probability == 0 && is_measured {
            self.restart();
        }
        if self.estimator.is_none() {
            self.old_delay = delay;
        }
    }

    fn restart(&mut self) {
        self.burst = BURST;
        self.sum = 0;
        self.sent = None;
        self.estimator = self.estimator.map(|_| Estimator::default());
    }

    /// The change of the probability (RFC 8033, section 4.2), with weights that are reduced while
    /// it is small.
    fn delta(&self, delay: u64, old_delay: u64) -> i64 {
        let (mut alpha, mut beta) = (self.alpha, self.beta);
        if self.probability < ONE / 10 {
            (alpha, beta) = (alpha >> 1, beta >> 1);
            let mut power = 100;
            while power <= 1_000_000 && self.probability < ONE / power {
                (alpha, beta) = (alpha >> 2, beta >> 2);
                power *= 10;
            }
        }
        let above = delay as i64 - self.target as i64;
        let grown = delay as i64 - old_delay as i64;
        let mut delta = (alpha as i64).wrapping_mul(above);
        delta = delta.wrapping_add((beta as i64).wrapping_mul(grown));
        if delta > (ONE / 50) as i64 && self.probability >= ONE / 10 {
            delta = (ONE / 100 * 2) as i64;
        }
        if delay > 250_000_000 / 64 {
            delta = delta.wrapping_add((ONE / 50) as i64);
        }
        delta
    }

    /// Changes the probability, which is not limited to one. False if it overflows.
    fn add(&mut self, delta: i64) -> bool {
        match self.probability.checked_add_signed(delta) {
            Some(probability) => self.probability = probability,
            None if delta > 0 => {
                self.probability = ONE;
                return false;
            }
            None => self.probability = 0,
        }
        true
    }
}

impl Estimator {
    /// Notes a departure after which this many bytes remain. Returns the duration of a measurement
    /// that ends here.
    fn note(&mut self, now: u64, size: u32, behind: u64) -> u64 {
        if behind >= MEASURED && self.count.is_none() {
            self.began = now;
            self.count = Some(0);
        }
        let Some(count) = &mut self.count else {
            return 0;
        };
        *count += u64::from(size);
        let elapsed = now - self.began;
        if *count < MEASURED || elapsed == 0 {
            return 0;
        }
        let rate = (*count << 8) / elapsed;
        self.rate = match self.rate {
            0 => rate,
            old => old - (old >> 3) + (rate >> 3),
        };
        self.began = now;
        self.count = (behind >= MEASURED).then_some(0);
        elapsed
    }

    fn delay(&self, backlog: u64) -> u64 {
        (backlog << 8).checked_div(self.rate).unwrap_or(0)
    }
}
