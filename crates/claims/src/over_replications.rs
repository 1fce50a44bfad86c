//! Estimates from one number for each replication, which may be missing.

use pacesim::measure::{mean_interval, nonnegative_mean_interval};

use crate::claims::Estimate;
use crate::quantile::quantile;

/// The values that a number may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any value, as a difference may have.
    Any,
    /// No value below 0, so that no interval reaches there.
    NonNegative,
}

/// The mean of the defined numbers, with its interval at this level.
pub fn estimate(numbers: &[Option<f64>], range: Range, confidence: f64) -> Estimate {
    let known: Vec<f64> = numbers.iter().copied().flatten().collect();
    let interval = match range {
        Range::Any => mean_interval(&known, confidence),
        Range::NonNegative => nonnegative_mean_interval(&known, confidence),
    };
    match interval {
        // No interval if some replications lack the number: which ones do may not be random.
        Some(interval) if known.len() == numbers.len() => interval.into(),
        Some(interval) => interval.estimate.into(),
        None => known.first().copied().unwrap_or(f64::NAN).into(),
    }
}

/// The quantile of the defined numbers, with its interval at this level.
pub fn estimate_of_quantile(numbers: &[Option<f64>], of: f64, confidence: f64) -> Estimate {
    let known: Vec<f64> = numbers.iter().copied().flatten().collect();
    let found = quantile(&known, of, confidence).unwrap_or(f64::NAN.into());
    Estimate {
        interval: found.interval.filter(|_| known.len() == numbers.len()),
        ..found
    }
}
