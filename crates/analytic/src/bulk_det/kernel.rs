//! What happens during one service: how far the queue climbs, and how long it
//! stays at each level on the way.

use std::borrow::Cow;

use crate::bulk::{Admission, BulkQueue};

/// Entries below this add nothing (module head of `bulk_det`).
const NEGLIGIBLE: f64 = 1e-290;

/// Tables over the *depth*: by how much the level in question exceeds the level
/// at the start of the service. One for all levels that no rejection touches;
/// those of the few highest are made when asked for.
pub(crate) struct Kernel<'a> {
    arrivals: Arrivals<'a>,
    /// The highest level reached without any rejection on the way.
    free: usize,
    reach: Vec<f64>,
    hold: Vec<f64>,
}

impl Kernel<'_> {
    pub(crate) fn of(queue: &BulkQueue) -> Kernel<'_> {
        let arrivals = Arrivals::during_service(queue);
        Kernel {
            free: queue.places - arrivals.largest,
            reach: arrivals.reach(None),
            hold: arrivals.hold(None),
            arrivals,
        }
    }

    /// By depth: the chance to be at the level or above when the service ends.
    pub(crate) fn reach(&self, level: usize) -> Cow<'_, [f64]> {
        if level <= self.free {
            return Cow::Borrowed(&self.reach);
        }
        Cow::Owned(self.arrivals.reach(Some(level)))
    }

    /// By depth: the mean time spent exactly at the level.
    pub(crate) fn hold(&self, level: usize) -> Cow<'_, [f64]> {
        if level <= self.free {
            return Cow::Borrowed(&self.hold);
        }
        Cow::Owned(self.arrivals.hold(Some(level)))
    }

    /// No table goes deeper.
    pub(crate) fn depth(&self) -> usize {
        self.arrivals.count.len() * self.arrivals.largest + 1
    }
}

/// The arrivals of one service time.
struct Arrivals<'a> {
    queue: &'a BulkQueue,
    /// (size, share of all bulks)
    sizes: Vec<(usize, f64)>,
    /// The largest size.
    largest: usize,
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
            largest: queue.arriving().map(|c| c.size).max().unwrap_or(1),
            count,
            time_at,
        }
    }

    /// For one level; without a level, for one far from the limit.
    fn reach(&self, level: Option<usize>) -> Vec<f64> {
        self.mix(level, 1.0, &self.count)
    }

    fn hold(&self, level: Option<usize>) -> Vec<f64> {
        // Partial acceptance fills up: what would overshoot the top ends at it.
        let clipped = self.queue.admission == Admission::PartialAcceptance
            && level == Some(self.queue.places);
        self.mix(level, if clipped { 1.0 } else { 0.0 }, &self.time_at)
    }

    /// Σ_k weight(k) · u_k by depth, u_k being the chance to be at the level
    /// after k bulks, where jumping beyond it counts as `overshoot`.
    fn mix(&self, level: Option<usize>, overshoot: f64, weights: &[f64]) -> Vec<f64> {
        let largest = self.largest;
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
