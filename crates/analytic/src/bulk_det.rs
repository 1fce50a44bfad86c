//! The bulk queue with deterministic service: `M^[X]/D/1/B`.
//!
//! Here zerobuf's last assumption is relaxed: every customer takes the same
//! time. Seen just after departures the queue is a Markov chain; between two of
//! them only arrivals move it. The flow over each cut gives the numbers left
//! behind, `q`, and the time spent at each level during a service turns `q` into
//! time averages `p` (Markov renewal argument):
//!
//! ```text
//! q(n)·P(no admission in a service at n) = Σ_{i<n} q(i)·P(i climbs to n + 1 or above in a service)
//! p(n) ∝ Σ_{i≤n} q(i)·E(time at n in a service begun at i),   p(0) ∝ q(0)/λ
//! ```
//!
//! An empty system first waits for a bulk and starts its service from there. All terms are
//! positive: stable at any number of places, unlike the closed alternating sum for M/D/1/K. The
//! tables hold transition probabilities down to 1e-290; for loads from 1e-3 the omitted rest is
//! below the rounding error.
//!
//! The cost is states × (bulks that a service can possibly see, about 100) × the largest bulk; near
//! the limit its square, so bulks are limited to 1000.

mod kernel;

use crate::bulk::{BulkQueue, BulkSolution};
use crate::error::require;
use crate::stationary::{Recent, Stationary, Weights};
use crate::{Range, SolveError, numeric};
use kernel::Kernel;

const LARGEST_BULK: usize = 1000;

/// The long run of a queue whose services all last `1 / service_rate`.
pub fn solve(queue: &BulkQueue) -> Result<BulkSolution, SolveError> {
    queue.check()?;
    Range::closed(1e-3, 100.0).check("load", queue.load())?;
    let largest = queue.arriving().map(|c| c.size).max().unwrap_or(1);
    require(
        largest <= LARGEST_BULK,
        "bulk size <= 1000 for deterministic service",
        || format!("a bulk of {largest}"),
        || format!("bulks of 1 to {LARGEST_BULK} customers: larger units of work"),
    )?;
    Ok(queue.measures(stationary(queue)))
}

fn stationary(queue: &BulkQueue) -> Stationary {
    let kernel = Kernel::of(queue);
    let first = FirstBulk::of(queue);
    let band = kernel.depth() + first.largest();
    let mut left_behind = Recent::new(queue.places, band);
    let mut times = Weights::with_capacity(queue.places + 1);
    left_behind.push(1.0);
    times.push(1.0 / first.rate);
    for n in 1..=queue.places {
        if n < queue.places {
            let q = climb(&kernel.reach(n + 1), &first, &left_behind, n + 1, 1.0);
            left_behind.push(q / none_admitted(queue, n));
        }
        let time = climb(&kernel.hold(n), &first, &left_behind, n, 0.0);
        let leader = left_behind.get(n.min(queue.places - 1));
        if let Some(factor) = times.push_in_step(time, leader) {
            left_behind.scale(factor);
        }
    }
    times.normalise()
}

/// Contribution to `level` of all services begun at or below it.
fn climb(table: &[f64], first: &FirstBulk, q: &Recent, level: usize, beyond: f64) -> f64 {
    let known = q.len().min(level + 1);
    let lowest = (level + 1).saturating_sub(table.len()).clamp(1, known);
    let by_depth = &table[table.len().min(level + 1 - known)..];
    let mut total = numeric::by_age(q.range(lowest..known), by_depth);
    if level <= table.len() + first.largest() {
        total += q.get(0) * first.climb(table, level, beyond);
    }
    total
}

/// The probability that a service begun with `n` customers sees no admission.
fn none_admitted(queue: &BulkQueue, n: usize) -> f64 {
    let admitted = queue.arriving().filter(|c| n <= queue.last_admitting(c));
    let rate: f64 = admitted.map(|c| c.rate).sum();
    libm::exp(-rate / queue.service_rate)
}

/// The bulk that ends an idle time: a service then starts from its size.
struct FirstBulk {
    rate: f64,
    /// (size, chance)
    sizes: Vec<(usize, f64)>,
}

impl FirstBulk {
    fn of(queue: &BulkQueue) -> FirstBulk {
        let rate: f64 = queue.arriving().map(|c| c.rate).sum();
        FirstBulk {
            rate,
            sizes: queue.arriving().map(|c| (c.size, c.rate / rate)).collect(),
        }
    }

    fn largest(&self) -> usize {
        self.sizes.iter().map(|s| s.0).max().unwrap_or(1)
    }

    /// The table's value from the bulk's size; `beyond` if that is past the level.
    fn climb(&self, table: &[f64], level: usize, beyond: f64) -> f64 {
        let value = |size: usize| match level.checked_sub(size) {
            Some(depth) => table.get(depth).copied().unwrap_or(0.0),
            None => beyond,
        };
        self.sizes.iter().map(|&(s, share)| share * value(s)).sum()
    }
}
