//! The mean queue of RED as in ns-2.35, in real numbers.

use pacesim_units::Time;

use super::{ArrivalDecision, RedConfig};
use crate::queue::Waiting;

/// The integer for a probability of one in draws.
const WHOLE: u64 = 1 << 53;

/// The mean queue, and values derived from it.
#[derive(Clone, Debug)]
pub(super) struct Ns2Average {
    min_th: f64,
    max_th: f64,
    in_bytes: bool,
    max_p: f64,
    weight: f64,
    gentle: bool,
    wait: bool,
    mean_packet: f64,
    /// Number of packets of mean size per second on an idle line.
    packets_per_second: f64,
    mean: f64,
    /// The time since which the line has been idle.
    idle: Option<Time>,
    /// Number of packets and of bytes since the last drop.
    count: f64,
    count_bytes: f64,
    /// True if the mean was above the lower threshold at the last arrival.
    was_above: bool,
}

impl Ns2Average {
    pub(super) fn new(config: &RedConfig) -> Ns2Average {
        let mean_packet = f64::from(config.mean_packet);
        Ns2Average {
            min_th: config.min_th,
            max_th: config.max_th,
            in_bytes: config.in_bytes,
            max_p: config.max_p,
            weight: config.weight,
            gentle: config.gentle,
            wait: config.wait,
            mean_packet,
            packets_per_second: config.rate.as_bps() as f64 / (8.0 * mean_packet),
            mean: 0.0,
            idle: Some(Time::ZERO),
            count: 0.0,
            count_bytes: 0.0,
            was_above: false,
        }
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn max_p(&self) -> f64 {
        self.max_p
    }

    /// Updates the mean for a packet of this size, which may not fit.
    pub(super) fn judge(
        &mut self,
        now: Time,
        held: Waiting,
        size: u32,
        fits: bool,
    ) -> ArrivalDecision {
        let queue = if self.in_bytes {
            held.bytes.get() as f64
        } else {
            held.packets as f64
        };
        self.estimate(now, queue);
        self.count += 1.0;
        self.count_bytes += f64::from(size);
        if !fits {
            return ArrivalDecision::Take;
        }
        // ns-2 drops nothing while the queue has at most one packet, or byte.
        if self.mean < self.min_th || queue <= 1.0 {
            self.was_above = false;
            return ArrivalDecision::Take;
        }
        let most = if self.gentle { 2.0 } else { 1.0 } * self.max_th;
        if self.mean >= most {
            return ArrivalDecision::Strike { may_mark: false };
        }
        if !self.was_above {
            (self.count, self.count_bytes) = (1.0, f64::from(size));
            self.was_above = true;
            return ArrivalDecision::Take;
        }
        let probability = self.spread(self.probability(), size).clamp(0.0, 1.0);
        ArrivalDecision::Draw((probability * WHOLE as f64) as u64, WHOLE)
    }

    /// The filter; after idle time it adds one empty sample for each packet of mean size that could
    /// have been sent.
    fn estimate(&mut self, now: Time, queue: f64) {
        let missed = self.idle.take().map_or(0, |since| {
            ((now - since).as_secs_f64() * self.packets_per_second) as u64
        });
        let kept = power(1.0 - self.weight, missed + 1);
        self.mean = self.mean * kept + self.weight * queue;
    }

    /// The probability for a packet of mean size, before drops are spread.
    fn probability(&self) -> f64 {
        let (mean, max_th) = (self.mean, self.max_th);
        if mean >= max_th {
            self.max_p + (1.0 - self.max_p) * (mean - max_th) / max_th
        } else {
            self.max_p * (mean - self.min_th) / (max_th - self.min_th)
        }
    }

    /// Spreads drops evenly over packets, or bytes.
    fn spread(&self, probability: f64, size: u32) -> f64 {
        let count = if self.in_bytes {
            self.count_bytes / self.mean_packet
        } else {
            self.count
        };
        let sum = count * probability;
        let spread = match self.wait {
            true if sum < 1.0 => 0.0,
            true if sum < 2.0 => probability / (2.0 - sum),
            false if sum < 1.0 => probability / (1.0 - sum),
            _ => 1.0,
        };
        if self.in_bytes && spread < 1.0 {
            spread * f64::from(size) / self.mean_packet
        } else {
            spread
        }
    }

    /// Notes that a packet was dropped or marked by a draw.
    pub(super) fn start_over(&mut self) {
        (self.count, self.count_bytes) = (0.0, 0.0);
    }

    pub(super) fn note_drop(&mut self, _now: Time) {
        self.start_over();
    }

    /// Notes that the line is idle.
    pub(super) fn rest(&mut self, now: Time) {
        self.idle.get_or_insert(now);
    }
}

/// Computes a power by repeated squaring: the result is the same on all machines.
fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    result
}
