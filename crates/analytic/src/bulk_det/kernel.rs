//! What happens during one service: how far the queue climbs, and how long it
//! stays at each level on the way.

use crate::bulk::{Admission, BulkQueue};

/// Entries below this add nothing (module head of `bulk_det`).
const NEGLIGIBLE: f64 = 1e-290;

/// Tables over the *depth*: by how much the level in question exceeds the level
/// at the start of the service.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// `reach[a]`: the chance to be at the level or above when the service ends.
    pub(crate) reach: Vec<f64>,
    /// `hold[a]`: the mean time spent exactly at the level.
    pub(crate) hold: Vec<f64>,
}

/// The tables for every level: one for all that no rejection touches, one for
/// each of the highest.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    interior: Table,
    /// For the levels above `places - largest`, in order.
    near_full: Vec<Table>,
    free: usize,
}

impl Kernel {
    pub(crate) fn of(queue: &BulkQueue) -> Kernel {
        let arrivals = Arrivals::during_service(queue);
        let largest = queue.arriving().map(|c| c.size).max().unwrap_or(1);
        let free = queue.places - largest;
        let near_full = (free + 1..=queue.places).map(|level| arrivals.table(Some(level)));
        Kernel {
            interior: arrivals.table(None),
            near_full: near_full.collect(),
            free,
        }
    }

    pub(crate) fn at(&self, level: usize) -> &Table {
        match level.checked_sub(self.free + 1) {
            None => &self.interior,
            Some(above) => &self.near_full[above],
        }
    }

    /// How deep the deepest table goes.
    pub(crate) fn depth(&self) -> usize {
        let tables = self.near_full.iter().chain([&self.interior]);
        let depths = tables.map(|t| t.reach.len().max(t.hold.len()));
        depths.max().unwrap_or(0)
    }
}

/// The arrivals of one service time.
struct Arrivals<'a> {
    queue: &'a BulkQueue,
    /// (size, share of all bulks)
    sizes: Vec<(usize, f64)>,
    /// The chance of exactly k bulks in a service.
    count: Vec<f64>,
    /// The mean time during a service in which exactly k bulks have come.
    time_at: Vec<f64>,
}

impl Arrivals<'_> {
    fn during_service(queue: &BulkQueue) -> Arrivals<'_> {
        let rate: f64 = queue.arriving().map(|c| c.rate).sum();
        let count = poisson_to_the_end(rate / queue.service_rate);
        // The k-th interval ends within the service iff more than k bulks come.
        let mut later = 0.0;
        let mut time_at: Vec<f64> = vec![0.0; count.len()];
        for k in (0..count.len()).rev() {
            time_at[k] = later / rate;
            later += count[k];
        }
        Arrivals {
            queue,
            sizes: queue.arriving().map(|c| (c.size, c.rate / rate)).collect(),
            count,
            time_at,
        }
    }

    /// The table of one level; without a level, of one far from the limit.
    fn table(&self, level: Option<usize>) -> Table {
        // Partial acceptance fills up: what would overshoot the top ends at it.
        let clipped = self.queue.admission == Admission::PartialAcceptance
            && level == Some(self.queue.places);
        let overshoot = if clipped { 1.0 } else { 0.0 };
        Table {
            reach: self.mix(level, 1.0, &self.count),
            hold: self.mix(level, overshoot, &self.time_at),
        }
    }

    /// Σ_k weight(k) · u_k by depth, u_k being the chance to be at the level
    /// after k bulks, where jumping beyond it counts as `overshoot`.
    fn mix(&self, level: Option<usize>, overshoot: f64, weights: &[f64]) -> Vec<f64> {
        let largest = self.sizes.iter().map(|s| s.0).max().unwrap_or(1);
        let top = level.unwrap_or(self.queue.places);
        let depths = (weights.len() * largest).min(top) + 1;
        let mut now = vec![0.0; depths];
        now[0] = 1.0;
        let mut next = now.clone();
        let mut mixed = vec![0.0; depths];
        for (k, weight) in weights.iter().enumerate() {
            let touched = depths.min(k * largest + 1);
            let pairs = mixed[..touched].iter_mut().zip(&now);
            pairs.for_each(|(m, u)| *m += weight * u);
            let touched = depths.min((k + 1) * largest + 1);
            for (depth, u) in next[..touched].iter_mut().enumerate() {
                *u = self.after_one_bulk(level, overshoot, &now, depth);
            }
            std::mem::swap(&mut now, &mut next);
        }
        while mixed.last().is_some_and(|m| *m < NEGLIGIBLE) {
            mixed.pop();
        }
        mixed
    }

    fn after_one_bulk(
        &self,
        level: Option<usize>,
        overshoot: f64,
        now: &[f64],
        depth: usize,
    ) -> f64 {
        let rejects = |size: usize| {
            self.queue.admission == Admission::CompleteRejection
                && level.is_some_and(|l| l - depth + size > self.queue.places)
        };
        let mut chance = 0.0;
        for &(size, share) in &self.sizes {
            chance += share
                * match depth.checked_sub(size) {
                    _ if rejects(size) => now[depth],
                    Some(left) => now[left],
                    None => overshoot,
                };
        }
        chance
    }
}

/// Poisson probabilities from zero until they vanish altogether.
fn poisson_to_the_end(mean: f64) -> Vec<f64> {
    let mut chances = vec![libm::exp(-mean)];
    for k in 1.. {
        let next = chances[k - 1] * mean / k as f64;
        if next < 1e-300 {
            break;
        }
        chances.push(next);
    }
    chances
}
