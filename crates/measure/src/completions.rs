//! Completion times of transfers.

use crate::{Moments, Quantiles};

/// Slowdowns are kept as integer multiples of 1/`PARTS`.
const PARTS: f64 = 1e6;

/// Completion times of transfers, from their start to the last acknowledgement, and their slowdowns
/// against the ideal.
///
/// ```
/// let mut files = pacesim_measure::Completions::new();
/// files.add(300_000_000_000, 200_000_000_000);
/// files.add(500_000_000_000, 200_000_000_000);
/// assert_eq!((files.finished(), files.mean_s()), (2, Some(0.4)));
/// assert_eq!(files.slowdown_mean(), Some(2.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Completions {
    /// Number of transfers that had not ended; they have no time.
    pub unfinished: u64,
    times_ps: Moments,
    times: Quantiles,
    slowdown_sum: f64,
    slowdowns: Quantiles,
}

impl Default for Completions {
    fn default() -> Completions {
        Completions::new()
    }
}

impl Completions {
    /// Counts without any transfer.
    pub fn new() -> Completions {
        Completions {
            unfinished: 0,
            times_ps: Moments::new(),
            times: Quantiles::new(),
            slowdown_sum: 0.0,
            slowdowns: Quantiles::new(),
        }
    }

    /// Adds a transfer that took `ps`, and would have taken `ideal_ps` (above zero) at best.
    pub fn add(&mut self, ps: u64, ideal_ps: u64) {
        let slowdown = ps as f64 / ideal_ps as f64;
        self.times_ps.add(ps);
        self.times.add(ps);
        self.slowdown_sum += slowdown;
        self.slowdowns.add((slowdown * PARTS + 0.5) as u64);
    }

    /// Adds the counts of others.
    pub fn merge(&mut self, other: &Completions) {
        self.unfinished += other.unfinished;
        self.times_ps.merge(&other.times_ps);
        self.times.merge(&other.times);
        self.slowdown_sum += other.slowdown_sum;
        self.slowdowns.merge(&other.slowdowns);
    }

    /// Number of transfers that have ended.
    pub fn finished(&self) -> u64 {
        self.times.count()
    }

    /// Mean time of transfers that have ended, in seconds.
    pub fn mean_s(&self) -> Option<f64> {
        self.times_ps.mean().map(|ps| ps / 1e12)
    }

    /// A quantile of their times, in seconds.
    pub fn quantile_s(&self, q: f64) -> Option<f64> {
        self.times.quantile(q).map(|ps| ps as f64 / 1e12)
    }

    /// The mean slowdown: completion time divided by the ideal one.
    pub fn slowdown_mean(&self) -> Option<f64> {
        let finished = self.finished();
        (finished > 0).then(|| self.slowdown_sum / finished as f64)
    }

    /// A quantile of the slowdowns.
    pub fn slowdown_quantile(&self, q: f64) -> Option<f64> {
        self.slowdowns.quantile(q).map(|parts| parts as f64 / PARTS)
    }
}

/// Completions by size: below 10 KB, to 100 KB, to 1 MB, and beyond.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BySize {
    /// Counts of the classes, smallest sizes first.
    pub classes: [Completions; BySize::CLASSES],
}

impl BySize {
    /// The number of classes.
    pub const CLASSES: usize = BySize::EDGES.len() + 1;
    /// Lower edge of each class but the first, in bytes of payload.
    pub const EDGES: [u64; 3] = [10_000, 100_000, 1_000_000];

    /// The class of a transfer of this many bytes.
    pub fn class(&mut self, bytes: u64) -> &mut Completions {
        let class = BySize::EDGES.partition_point(|edge| *edge <= bytes);
        &mut self.classes[class]
    }

    /// The counts of all classes together.
    pub fn all(&self) -> Completions {
        let mut all = Completions::new();
        self.classes.iter().for_each(|class| all.merge(class));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up_to_all() {
        let mut sizes = BySize::default();
        for (bytes, ps) in [(1, 10), (9_999, 20), (10_000, 40), (5_000_000, 80)] {
            sizes.class(bytes).add(ps, 5);
        }
        sizes.class(100_000).unfinished += 1;
        let finished = sizes.classes.each_ref().map(Completions::finished);
        assert_eq!(finished, [2, 1, 0, 1]);
        let all = sizes.all();
        assert_eq!((all.finished(), all.unfinished), (4, 1));
        assert_eq!(all.quantile_s(1.0), Some(80e-12));
        assert_eq!(all.slowdown_mean(), Some(7.5));
        assert_eq!(all.slowdown_quantile(1.0), Some(16.0));
        assert_eq!(sizes.classes[2].mean_s(), None);
    }
}
