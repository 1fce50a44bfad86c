//! Equidistant grids, and slopes along them.

/// The numbers from `from` to `to` in `steps` equal steps, both ends included.
pub(super) fn grid(from: f64, to: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| from + (to - from) * f64::from(i) / f64::from(steps))
}

/// The slope of the straight line through points, by least squares.
pub(super) fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let along = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>();
    along / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_that_of_the_line() {
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), 2.0);
    }
}
