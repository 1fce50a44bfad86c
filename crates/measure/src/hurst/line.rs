//! Straight lines through points.

/// A point with its weight, which is 1/variance if that is known.
pub(super) struct ScalePoint {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) weight: f64,
}

/// The slope of the weighted least-squares line, and its standard deviation if the weights are
/// 1/variance.
pub(super) struct Slope {
    pub(super) value: f64,
    pub(super) std_dev: f64,
}

/// `None` below three points: two always make a line.
pub(super) fn fit(points: &[ScalePoint]) -> Option<Slope> {
    if points.len() < 3 {
        return None;
    }
    let weight: f64 = points.iter().map(|p| p.weight).sum();
    let x_mean = points.iter().map(|p| p.weight * p.x).sum::<f64>() / weight;
    let spread: f64 = points
        .iter()
        .map(|p| p.weight * (p.x - x_mean) * (p.x - x_mean))
        .sum();
    let product: f64 = points.iter().map(|p| p.weight * (p.x - x_mean) * p.y).sum();
    Some(Slope {
        value: product / spread,
        std_dev: 1.0 / spread.sqrt(),
    })
}

/// The slope of log2 y against log2 x with equal weights; `None` if a y is not positive.
pub(super) fn log_slope(pairs: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let point = |(x, y): (f64, f64)| {
        (y > 0.0).then(|| ScalePoint {
            x: libm::log2(x),
            y: libm::log2(y),
            weight: 1.0,
        })
    };
    let points: Vec<ScalePoint> = pairs.map(point).collect::<Option<_>>()?;
    Some(fit(&points)?.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_a_line() {
        let pairs = || (1..9).map(|x| (f64::from(x), 3.0 * libm::pow(f64::from(x), -0.3)));
        assert!(
            (log_slope(pairs()).expect("points") + 0.3).abs() < 1e-12,
            "{:?}",
            log_slope(pairs()).expect("points") + 0.3
        );
        assert_eq!(
            log_slope([(1.0, 1.0), (2.0, 0.0), (3.0, 1.0)].into_iter()),
            None
        );
        assert_eq!(log_slope([(1.0, 1.0), (2.0, 2.0)].into_iter()), None);
    }

    #[test]
    fn an_outlier_without_weight_does_not_count() {
        let point = |x, y, weight| ScalePoint { x, y, weight };
        let points = [
            point(0.0, 1.0, 4.0),
            point(1.0, 3.0, 4.0),
            point(9.0, 0.0, 0.0),
        ];
        let slope = fit(&points).expect("three");
        // Two points of variance 1/4, one apart: the variance of their difference is 1/2.
        assert_eq!(slope.value, 2.0);
        assert!(
            (slope.std_dev - 0.5f64.sqrt()).abs() < 1e-15,
            "{:?}",
            slope.std_dev - 0.5f64.sqrt()
        );
    }
}
