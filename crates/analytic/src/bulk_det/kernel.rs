//! One service: the levels that the queue climbs, and the time spent at each.

use std::borrow::Cow;

use crate::bulk::{Admission, BulkQueue};

/// Entries below this add nothing (module head of `bulk_det`).
const NEGLIGIBLE: f64 = 1e-290;

/// Tables indexed by *depth*, the height of a level above the level at the start of the service.
/// One table serves all levels that no rejection touches; those of the few highest are computed on
/// demand.
pub(crate) struct Kernel<'a> {
    arrivals: ServiceArrivals<'a>,
    /// The highest level reached without any rejection up to there.
    free: usize,
    reach: Vec<f64>,
    hold: Vec<f64>,
}

impl Kernel<'_> {
    pub(crate) fn of(queue: &BulkQueue) -> Kernel<'_> {
        let arrivals = ServiceArrivals::during_service(queue);
        Kernel {
            free: queue.places - arrivals.largest,
            reach: arrivals.reach(None),
            hold: arrivals.hold(None),
            arrivals,
        }
    }

    /// The probability, by depth, of being at the level or above at the end of the service.
    pub(crate) fn reach(&self, level: usize) -> Cow<'_, [f64]> {
        if level <= self.free {
            return Cow::Borrowed(&self.reach);
        }
        Cow::Owned(self.arrivals.reach(Some(level)))
    }

    /// The mean time, by depth, spent exactly at the level.
    pub(crate) fn hold(&self, level: usize) -> Cow<'_, [f64]> {
        if level <= self.free {
            return Cow::Borrowed(&self.hold);
        }
        Cow::Owned(self.arrivals.hold(Some(level)))
    }

    /// The greatest depth in the tables.
    pub(crate) fn depth(&self) -> usize {
        self.arrivals.count.len() * self.arrivals.largest + 1
    }
}

/// The arrivals of one service time.
struct ServiceArrivals<'a> {
    queue: &'a BulkQueue,
    /// (size, share of all bulks)
    sizes: Vec<(usize, f64)>,
    /// The largest size.
    largest: usize,
    /// The probability of exactly k bulks in a service.
    count: Vec<f64>,
    /// The mean time during a service with exactly k arrived bulks.
    time_at: Vec<f64>,
}

impl ServiceArrivals<'_> {
    fn during_service(queue: &BulkQueue) -> ServiceArrivals<'_> {
        let rate: f64 = queue.arriving().map(|c| c.rate).sum();
        let count = poisson_to_the_end(rate / queue.service_rate);
        // The k-th interval ends within the service iff more than k bulks arrive.
        let mut later = 0.0;
        let mut time_at: Vec<f64> = vec![0.0; count.len()];
        for k in (0..count.len()).rev() {
            time_at[k] = later / rate;
            later += count[k];
        }
        ServiceArrivals {
            queue,
            sizes: queue.arriving().map(|c| (c.size, c.rate / rate)).collect(),
            largest: queue.arriving().map(|c| c.size).max().unwrap_or(1),
            count,
            time_at,
        }
    }

    /// The table of one level; without a level, of one far from the limit.
    fn reach(&self, level: Option<usize>) -> Vec<f64> {
        self.mix(level, 1.0, &self.count)
    }

    fn hold(&self, level: Option<usize>) -> Vec<f64> {
        // Partial acceptance fills up: a bulk that would overshoot the top ends at it.
        let clipped = self.queue.admission == Admission::PartialAcceptance
            && level == Some(self.queue.places);
        self.mix(level, if clipped { 1.0 } else { 0.0 }, &self.time_at)
    }

    /// Σ_k weight(k) · u_k by depth, where u_k is the probability of being at the level after k
    /// bulks; jumping beyond it counts as `overshoot`.
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
            add_scaled(&mut mixed[..touched], *weight, &now);
            let touched = depths.min((k + 1) * largest + 1);
            self.one_more_bulk(level, overshoot, &now, &mut next[..touched]);
            std::mem::swap(&mut now, &mut next);
        }
        while mixed.last().is_some_and(|m| *m < NEGLIGIBLE) {
            mixed.pop();
        }
        mixed
    }

    /// The probabilities by depth after one more bulk. At small depths, near the limit, it is
    /// rejected; from depths below its size it jumps beyond the level.
    fn one_more_bulk(&self, level: Option<usize>, overshoot: f64, now: &[f64], next: &mut [f64]) {
        next.fill(0.0);
        for &(size, share) in &self.sizes {
            let (rejected, rest) = next.split_at_mut(self.rejected(level, size).min(next.len()));
            let (beyond, reaching) = rest.split_at_mut((size - rejected.len()).min(rest.len()));
            add_scaled(rejected, share, now);
            beyond.iter_mut().for_each(|u| *u += share * overshoot);
            add_scaled(reaching, share, now);
        }
    }

    /// The depths, from 0, at which a bulk of this size does not fit.
    fn rejected(&self, level: Option<usize>, size: usize) -> usize {
        match (self.queue.admission, level) {
            (Admission::CompleteRejection, Some(level)) => {
                (level + size).saturating_sub(self.queue.places)
            }
            _ => 0,
        }
    }
}

fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t += factor * f);
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
