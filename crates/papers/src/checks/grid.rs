//! Grids of equal steps.

/// The numbers from `from` to `to` in `steps` equal steps, both ends included.
pub(super) fn grid(from: f64, to: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| from + (to - from) * f64::from(i) / f64::from(steps))
}

/// Whether no value is below the one before it.
pub(super) fn rises(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] <= pair[1])
}

/// Whether no value is above the one before it.
pub(super) fn falls(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] >= pair[1])
}
