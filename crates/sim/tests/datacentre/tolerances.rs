//! Tolerances of the recordings, and the comparison of a row with them.

use crate::cases::Row;

/// Rates in bit/s of a source that truncates doubles.
pub(crate) const RATE_BPS: f64 = 2.0;
/// Alpha, gradients and utilisations, relative above 1.
pub(crate) const ESTIMATE: f64 = 1e-9;
/// All numbers of models that are real numbers, relative.
pub(crate) const REAL: f64 = 1e-9;
/// Times of such models in microseconds.
pub(crate) const TIME_US: f64 = 1e-6;
/// Target delays of htsim's Swift in picoseconds.
pub(crate) const TARGET_PS: f64 = 1.0;

/// A column and the bound of its distance from the number found.
pub(crate) enum Bound {
    /// The number itself.
    Exact,
    /// A distance.
    Absolute(f64),
    /// A distance that grows with numbers above 1.
    Relative(f64),
}

/// Fails with the first column whose number is not the one found.
pub(crate) fn compare(row: &Row<'_>, found: &[(&str, f64, Bound)]) -> Result<(), String> {
    for (column, found, bound) in found {
        let expected = row.real(column);
        let most = match bound {
            Bound::Exact => 0.0,
            Bound::Absolute(most) => *most,
            Bound::Relative(most) => most * expected.abs().max(1.0),
        };
        // A number that is none fails too.
        let is_near = (found - expected).abs() <= most;
        if !is_near {
            let row = row.number;
            return Err(format!("row {row}: {column} is {found}, not {expected}"));
        }
    }
    Ok(())
}
