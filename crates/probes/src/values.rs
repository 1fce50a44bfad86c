//! The values of a distribution in a run, in bins shared by all runs.

use pacesim::measure::{Histogram, Moments, Quantiles};
use pacesim_runs::marks::has_enough;

use crate::measurement::{Cell, Measurement};

/// Number of bins in a factor of ten.
const PER_DECADE: u32 = 40;
/// The ends of the first and of the last bin, in the smallest units: a nanosecond and a million
/// seconds, or a bit/s and more than any rate.
const LEAST: u64 = 1_000;
const MOST: u64 = 1_000_000_000_000_000_000;

/// Values, and the size of their unit in those that results have.
#[derive(Clone, Debug)]
pub(crate) struct ValueStatistics {
    size: f64,
    bins: Histogram,
    moments: Moments,
    quantiles: Quantiles,
}

impl ValueStatistics {
    /// No values yet, whose results are divided by `size`.
    pub(crate) fn new(size: f64) -> ValueStatistics {
        let bins = Histogram::logarithmic(LEAST, MOST, PER_DECADE);
        ValueStatistics {
            size,
            bins: bins.expect("bins that ascend"),
            moments: Moments::new(),
            quantiles: Quantiles::new(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: u64) {
        self.bins.add(value);
        self.moments.add(value);
        self.quantiles.add(value);
    }

    /// The number of values, their mean, and the median, the 90th, 99th and 99.9th percentile, each
    /// of which is missing if fewer than five values lie beyond it; and the bins that have values.
    pub(crate) fn found(&self) -> Measurement {
        let count = self.bins.count() as f64;
        let quantile = |q: f64| -> Cell {
            let value = self.quantiles.quantile(q).filter(|_| has_enough(q, count));
            value.map(|value| value as f64 / self.size)
        };
        let mean = self.moments.mean().map(|mean| mean / self.size);
        Measurement {
            numbers: vec![
                Some(count),
                mean,
                quantile(0.5),
                quantile(0.9),
                quantile(0.99),
                quantile(0.999),
            ],
            rows: self.rows(count),
        }
    }

    fn rows(&self, count: f64) -> Vec<Vec<Cell>> {
        let row = |to: u64, n: u64| vec![Some(to as f64 / self.size), Some(n as f64 / count)];
        let bins: Vec<_> = self.bins.bins().collect();
        let below = bins
            .first()
            .map(|first| (first.from, self.bins.underflow()));
        let within = bins.iter().map(|bin| (bin.to, bin.count));
        let all = below.into_iter().chain(within).filter(|(_, n)| *n > 0);
        all.map(|(to, n)| row(to, n)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_all_values_and_far_quantiles_need_many() {
        let mut values = ValueStatistics::new(1e12);
        (1..=1000).for_each(|ms| values.add(ms * 1_000_000_000));
        let found = values.found();
        let shares: f64 = found.rows.iter().filter_map(|row| row[1]).sum();
        assert!((shares - 1.0).abs() < 1e-9, "shares add up to {shares}");
        assert_eq!(found.numbers[0], Some(1000.0));
        assert_eq!(found.numbers[1], Some(0.5005));
        let p99 = found.numbers[4].expect("ten values are beyond");
        assert!((0.98..1.0).contains(&p99), "{p99}");
        assert_eq!(found.numbers[5], None, "one value is beyond");
    }
}
