//! CUBIC as in Linux, in its integers (RFC 9438 has the same curve in real numbers).

use super::super::clock::Micros;
use super::super::connection::{Connection, State};
use super::LinuxControl;
use super::hystart::SlowStartEnd;
use crate::config::Hystart;

/// β = 717/1024, and C = 41/1024 per tenth of a round.
const BETA: u32 = 717;
const SCALE: u32 = 1024;
const C: u64 = 41 * 10;
/// Number of fraction bits of times in seconds, which are in 1/1024 s.
const TIME_BITS: u32 = 10;
/// Packets acknowledged for each packet that a Reno flow would have grown by: 8 (1 + β)/(3 (1 - β)), in eighths.
const RENO_EIGHTHS: u32 = 8 * (SCALE + BETA) / 3 / (SCALE - BETA);
/// Before the first loss, the most packets acknowledged per packet of growth.
const FIRST_GROWTH: u32 = 20;

#[derive(Debug)]
pub(in super::super) struct Cubic {
    curve: CubicEpoch,
    slow_start: SlowStartEnd,
    /// Minimum round trip; 0 before the first sample.
    least_rtt: Micros,
    hz: u64,
}

/// The cubic function since the last reduction.
#[derive(Clone, Copy, Debug, Default)]
struct CubicEpoch {
    /// Acknowledged packets per packet of growth.
    per: u32,
    last_max: u32,
    last_size: u32,
    /// Time of the last update of `per`, in ticks.
    found: u64,
    /// The window at the curve's plateau, and the time until then, in 1/1024 s.
    origin: u32,
    k: u64,
    /// Tick in which the epoch began.
    start: Option<u64>,
    acked: u32,
    /// Window of Reno under the same conditions.
    reno: u32,
}

impl Cubic {
    pub(super) fn new(hystart: Hystart, hz: u64) -> Cubic {
        Cubic {
            curve: CubicEpoch::default(),
            slow_start: SlowStartEnd::new(hystart),
            least_rtt: 0,
            hz,
        }
    }

    fn reset(&mut self) {
        self.curve = CubicEpoch::default();
        self.least_rtt = 0;
        self.slow_start.forget();
    }
}

impl LinuxControl for Cubic {
    fn curve(&self) -> Option<crate::CubicCurve> {
        let CubicEpoch {
            start,
            origin,
            last_max,
            k,
            ..
        } = self.curve;
        let w_max = if start.is_some() { origin } else { last_max };
        let k = start.map(|_| k);
        (w_max > 0).then_some(crate::CubicCurve { w_max, k })
    }

    fn on_open(&mut self, conn: &mut Connection) {
        self.reset();
        self.slow_start.start_round(conn);
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        let size = conn.window.size;
        let curve = &mut self.curve;
        curve.start = None;
        // Fast convergence: a flow with less than before yields.
        curve.last_max = if size < curve.last_max {
            (u64::from(size) * u64::from(SCALE + BETA) / u64::from(2 * SCALE)) as u32
        } else {
            size
        };
        ((u64::from(size) * u64::from(BETA) / u64::from(SCALE)) as u32).max(2)
    }

    #[inline]
    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        if !conn.window_limits() {
            return;
        }
        let mut left = acked;
        if conn.in_slow_start() {
            left = conn.slow_start(self.slow_start.slowed(acked));
            if left == 0 {
                return;
            }
        }
        let rtt = conn.ticks.covering(self.least_rtt);
        self.curve
            .update(conn.window.size, left, conn.tick, rtt, self.hz);
        conn.grow_by_credit(self.curve.per, left);
    }

    #[inline]
    fn on_packets_acked(&mut self, conn: &mut Connection, _packets: u32, rtt: Option<Micros>) {
        let Some(rtt) = rtt else {
            return;
        };
        // Round trips right after a repair reflect its queue.
        if self
            .curve
            .start
            .is_some_and(|start| conn.tick - start < self.hz)
        {
            return;
        }
        let rtt = rtt.max(1);
        if self.least_rtt == 0 || rtt < self.least_rtt {
            self.least_rtt = rtt;
        }
        if conn.in_slow_start() {
            self.slow_start.update(conn, rtt, self.least_rtt);
        }
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if state == State::Loss {
            self.reset();
            self.slow_start.start_round(conn);
        }
    }

    /// Excludes silence from the curve's time.
    fn on_start_of_flight(&mut self, conn: &mut Connection) {
        if let Some(start) = &mut self.curve.start {
            let idle = conn.tick.saturating_sub(conn.last_sent);
            *start = (*start + idle).min(conn.tick);
        }
    }
}

impl CubicEpoch {
    /// Updates the number of acknowledged packets per packet of growth; the curve is evaluated once
    /// per tick.
    #[inline]
    fn update(&mut self, size: u32, acked: u32, tick: u64, rtt: u64, hz: u64) {
        self.acked = self.acked.wrapping_add(acked);
        if self.last_size == size && tick - self.found <= hz / 32 {
            return;
        }
        if self.start.is_none() || tick != self.found {
            self.last_size = size;
            self.found = tick;
            self.follow(size, acked, tick, rtt, hz);
        }
        self.keep_up_with_reno(size);
        self.per = self.per.max(2);
    }

    fn follow(&mut self, size: u32, acked: u32, tick: u64, rtt: u64, hz: u64) {
        let start = match self.start {
            Some(start) => start,
            None => self.begin(size, acked, tick),
        };
        let time = ((tick - start + rtt) << TIME_BITS) / hz;
        let distance = u128::from(time.abs_diff(self.k));
        let cube = distance * distance * distance;
        let delta = ((u128::from(C) * cube) >> (10 + 3 * TIME_BITS)) as u32;
        let target = if time < self.k {
            self.origin.wrapping_sub(delta)
        } else {
            self.origin.saturating_add(delta)
        };
        self.per = match target.checked_sub(size).filter(|more| *more > 0) {
            Some(more) => size / more,
            None => size.saturating_mul(100),
        };
        if self.last_max == 0 {
            self.per = self.per.min(FIRST_GROWTH);
        }
    }

    /// Starts an epoch from this window.
    fn begin(&mut self, size: u32, acked: u32, tick: u64) -> u64 {
        self.start = Some(tick);
        self.acked = acked;
        self.reno = size;
        if self.last_max <= size {
            self.k = 0;
            self.origin = size;
        } else {
            let factor = (1u64 << (10 + 3 * TIME_BITS)) / C;
            self.k = u64::from(cube_root(factor * u64::from(self.last_max - size)));
            self.origin = self.last_max;
        }
        tick
    }

    /// Makes growth at least as fast as Reno's.
    fn keep_up_with_reno(&mut self, size: u32) {
        let per = (u64::from(size) * u64::from(RENO_EIGHTHS)) >> 3;
        let per = (per as u32).max(1);
        while self.acked > per {
            self.acked -= per;
            self.reno += 1;
        }
        if let Some(more) = self.reno.checked_sub(size).filter(|more| *more > 0) {
            self.per = self.per.min(size / more);
        }
    }
}

/// Leading digits of cube roots, from which Linux makes its one Newton step: round(64 ∛(x/…)), with
/// manual corrections.
const ROOTS: [u8; 64] = [
    0, 54, 54, 54, 118, 118, 118, 118, 123, 129, 134, 138, 143, 147, 151, 156, 157, 161, 164, 168,
    170, 173, 176, 179, 181, 185, 187, 190, 192, 194, 197, 199, 200, 202, 204, 206, 209, 211, 213,
    215, 217, 219, 221, 222, 224, 225, 227, 229, 231, 232, 234, 236, 237, 239, 240, 242, 244, 245,
    246, 248, 250, 251, 252, 254,
];

/// The cube root by a table and one Newton step, with Linux's error of 0.2 %.
fn cube_root(a: u64) -> u32 {
    let bits = u64::BITS - a.leading_zeros();
    if bits < 7 {
        return (u32::from(ROOTS[a as usize]) + 35) >> 6;
    }
    let third = ((bits * 84) >> 8) - 1;
    let lead = (a >> (third * 3)) as usize;
    let guess = ((u32::from(ROOTS[lead]) + 10) << third) >> 6;
    let (x, divisor) = (u64::from(guess), u64::from(guess) * u64::from(guess - 1));
    let sum = 2 * x + a / divisor;
    ((sum * 341) >> 10) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_roots_are_within_half_a_percent() {
        for a in (1..40u32).map(|bits| (1u64 << bits) + 12_345) {
            let root = libm::cbrt(a as f64);
            let error = (f64::from(cube_root(a)) - root).abs() / root;
            assert!(
                error < 0.005 || a < 1_000_000,
                "{a}: {} for {root}",
                cube_root(a)
            );
        }
    }
}
