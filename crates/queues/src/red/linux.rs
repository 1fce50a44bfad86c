//! The mean queue of RED as in Linux, in its integers.

use pacesim_units::Time;

use super::{ArrivalDecision, RedConfig};
use crate::queue::Waiting;

/// The integer for a probability of one.
const ONE: u64 = 1 << 32;
/// Number of entries in the table for idle times.
const CELLS: usize = 256;

/// The mean queue in bytes, with as many binary places as the weight has.
#[derive(Clone, Debug)]
pub(super) struct LinuxAverage {
    /// Base-2 logarithm of the reciprocal of the weight.
    weight_log: u32,
    min_th: u64,
    max_th: u64,
    max_p: u64,
    hard_drop: bool,
    mean: u64,
    idle: Option<Time>,
    /// True if the line was idle at the last arrival.
    was_idle: bool,
    damping: Damping,
    /// Packets since the last successful draw; none while the mean is outside the thresholds.
    count: Option<u64>,
    /// Largest value that did not reach the drawn threshold.
    passed: Option<u64>,
    /// Divisor of the threshold, a number of 32 bits.
    divisor: u64,
}

/// A table by which the mean decreases in idle time.
#[derive(Clone, Debug)]
struct Damping {
    /// Base-2 logarithm of the time that an entry covers, in microseconds.
    cell_log: u32,
    /// Number of halvings for each entry.
    halvings: Box<[u8]>,
}

impl LinuxAverage {
    pub(super) fn new(config: &RedConfig) -> LinuxAverage {
        let is_reached = |log: &u32| 1.0 / (1u64 << log) as f64 <= config.weight;
        let weight_log = (0..31).find(is_reached).unwrap_or(31);
        LinuxAverage {
            weight_log,
            min_th: config.min_th as u64,
            max_th: config.max_th as u64,
            max_p: (config.max_p * (ONE - 1) as f64) as u64,
            hard_drop: config.hard_drop,
            mean: 0,
            idle: None,
            was_idle: false,
            damping: Damping::new(config, weight_log),
            count: None,
            passed: None,
            divisor: 1,
        }
    }

    pub(super) fn mean(&self) -> f64 {
        (self.mean >> self.weight_log) as f64
    }

    pub(super) fn max_p(&self) -> f64 {
        self.max_p as f64 / ONE as f64
    }

    /// Updates the mean for an arriving packet.
    pub(super) fn judge(
        &mut self,
        now: Time,
        held: Waiting,
        _size: u32,
        _fits: bool,
    ) -> ArrivalDecision {
        self.was_idle = self.idle.is_some();
        self.mean = match self.idle.take() {
            Some(since) => self.damping.after(self.mean, now, since),
            None => self.mean + held.bytes.get() - (self.mean >> self.weight_log),
        };
        if self.mean < self.min_th << self.weight_log {
            self.count = None;
            return ArrivalDecision::Take;
        }
        if self.mean >= self.max_th << self.weight_log {
            self.count = None;
            return ArrivalDecision::Strike {
                may_mark: !self.hard_drop,
            };
        }
        self.hazard()
    }

    /// A threshold was drawn, uniformly from 0; a packet is selected once the distance of the mean
    /// from `min_th`, times the number of packets since the last selection, reaches it. If no
    /// earlier packet was selected, selects this one with a probability that follows from the
    /// largest value so far.
    fn hazard(&mut self) -> ArrivalDecision {
        let Some(count) = self.count else {
            self.start_over();
            return ArrivalDecision::Take;
        };
        self.count = Some(count + 1);
        let distance = (self.mean - (self.min_th << self.weight_log)) >> self.weight_log;
        let reached = distance * (count + 1);
        let divisor = self.divisor;
        let below = |value: u64| ((value + 1).saturating_mul(divisor)).min(ONE);
        let passed = self.passed.map_or(0, below);
        let part = below(reached).saturating_sub(passed);
        self.passed = self.passed.max(Some(reached));
        ArrivalDecision::Draw(part, ONE - passed.min(ONE - 1))
    }

    /// Notes that a packet was dropped or marked by a draw: a new threshold is drawn.
    pub(super) fn start_over(&mut self) {
        self.count = Some(0);
        self.passed = None;
        self.divisor = (self.max_p / (self.max_th - self.min_th).max(1)).max(1);
    }

    /// Notes a drop: if the line is idle, it is idle from now on.
    pub(super) fn note_drop(&mut self, now: Time) {
        self.idle = self.was_idle.then_some(now);
    }

    /// Notes that the line is idle.
    pub(super) fn rest(&mut self, now: Time) {
        self.idle.get_or_insert(now);
    }

    /// Lets the probability follow the mean, towards a point between the thresholds.
    pub(super) fn adapt(&mut self, now: Time) {
        let mean = match self.idle {
            Some(since) => self.damping.after(self.mean, now, since),
            None => self.mean,
        };
        let (mean, fifth) = (mean >> self.weight_log, (self.max_th - self.min_th) / 5);
        let hundredth = ONE / 100;
        if mean > self.min_th + 3 * fifth && self.max_p <= ONE / 2 {
            self.max_p += hundredth.min(self.max_p / 4);
        } else if mean < self.min_th + 2 * fifth && self.max_p >= hundredth {
            self.max_p = self.max_p / 10 * 9;
        }
    }
}

impl Damping {
    /// The table as tc computes it: in ticks of 64 ns, which the kernel reads as microseconds.
    fn new(config: &RedConfig, weight_log: u32) -> Damping {
        let weight = 1.0 / (1u64 << weight_log) as f64;
        let packet_us = f64::from(config.mean_packet) * 8e6 / config.rate.as_bps() as f64;
        let packet_ticks = (packet_us * 15.625).max(1.0);
        let fall = -libm::log(1.0 - weight.min(0.5)) / packet_ticks;
        let longest = 31.0 / fall;
        let is_wide_enough = |log: &u32| longest < 512.0 * (1u64 << log) as f64;
        let cell_log = (0..32).find(is_wide_enough).unwrap_or(31);
        let halvings = |cell: usize| ((cell as u64) << cell_log) as f64 * fall;
        let mut table: Vec<u8> = (0..CELLS)
            .map(|cell| halvings(cell).min(31.0) as u8)
            .collect();
        table[CELLS - 1] = 31;
        Damping {
            cell_log,
            halvings: table.into(),
        }
    }

    /// The mean after an idle time.
    fn after(&self, mean: u64, now: Time, since: Time) -> u64 {
        let idle_us = (now.as_ps() / 1000 - since.as_ps() / 1000) / 1000;
        let idle_us = idle_us.min(255 << self.cell_log);
        let halvings = self.halvings[(idle_us >> self.cell_log) as usize & (CELLS - 1)];
        match halvings {
            0 => match (mean * idle_us) >> self.cell_log {
                fall if fall < mean >> 1 => mean - fall,
                _ => mean >> 1,
            },
            halvings => mean >> halvings,
        }
    }
}
