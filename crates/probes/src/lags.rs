//! Numbers and rows of autocovariances at some lags, for any varying quantity.

use pacesim::measure::{Autocovariance, Divisor};
use pacesim::units::Span;

use crate::schema::{Cell, Measurement};

/// The names of the numbers at these lags; the unit is that of a covariance.
pub(crate) fn names(lags: &[u32], unit: &str) -> Vec<String> {
    let of = |lag: &u32| {
        [
            format!("autocovariance_{lag}_{unit}"),
            format!("autocorrelation_{lag}"),
        ]
    };
    lags.iter().flat_map(of).collect()
}

/// A row for each of these lags, in steps of this length: the lag, its time, autocovariance and
/// autocorrelation.
pub(crate) fn found(products: &Autocovariance, lags: &[u32], step: Span) -> Measurement {
    let by_lag = products.at_lags(Divisor::Pairs);
    let variance = by_lag.first().copied().flatten();
    let row = |lag: &u32| {
        let covariance = by_lag[*lag as usize];
        let both = covariance.zip(variance.filter(|variance| *variance > 0.0));
        vec![
            Some(f64::from(*lag)),
            Some(f64::from(*lag) * step.as_secs_f64()),
            covariance,
            both.map(|(covariance, variance)| covariance / variance),
        ]
    };
    let rows: Vec<Vec<Cell>> = lags.iter().map(row).collect();
    Measurement {
        numbers: rows.iter().flat_map(|row| [row[2], row[3]]).collect(),
        rows,
    }
}
