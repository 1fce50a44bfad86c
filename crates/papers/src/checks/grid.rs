//! Grids of equal steps, and the course of numbers along them.

/// The numbers from `from` to `to` in `steps` equal steps, both ends included.
pub(super) fn grid(from: f64, to: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| from + (to - from) * f64::from(i) / f64::from(steps))
}

/// "rises" or "falls" at each step, or "turns".
pub(super) fn course(values: &[f64]) -> &'static str {
    let steps = || values.windows(2).map(|pair| pair[1] - pair[0]);
    match (
        steps().all(|step| step > 0.0),
        steps().all(|step| step < 0.0),
    ) {
        (true, _) => "rises",
        (_, true) => "falls",
        _ => "turns",
    }
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
    fn a_course_that_stands_still_neither_rises_nor_falls() {
        assert_eq!(course(&[1.0, 2.0, 3.0]), "rises");
        assert_eq!(course(&[3.0, 2.0, 1.0]), "falls");
        assert_eq!(course(&[1.0, 2.0, 2.0]), "turns");
    }

    #[test]
    fn a_slope_is_that_of_the_line() {
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), 2.0);
    }
}
