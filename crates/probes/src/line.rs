//! Straight lines by least squares.

/// A line fitted through points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedLine {
    /// Slope of the line.
    pub slope: f64,
    /// The share of the variance of y that it explains; 1 if y is constant.
    pub r_squared: f64,
}

impl FittedLine {
    /// The line through points with at least two different x.
    pub fn through(points: &[(f64, f64)]) -> Option<FittedLine> {
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points
                .iter()
                .map(|point| of(point.0 - x, point.1 - y))
                .sum()
        };
        let (xy, xx, yy) = (sum(&|x, y| x * y), sum(&|x, _| x * x), sum(&|_, y| y * y));
        (xx > 0.0).then(|| FittedLine {
            slope: xy / xx,
            r_squared: if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_explains_what_it_goes_through() {
        let line = FittedLine::through(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).expect("two x");
        assert_eq!((line.slope, line.r_squared), (2.0, 1.0));
        let flat = FittedLine::through(&[(0.0, 1.0), (1.0, 1.0)]).expect("two x");
        assert_eq!((flat.slope, flat.r_squared), (0.0, 1.0));
        // Least squares by hand: y = 1/3 + x/2, with a residual of 1/6 of 2/3.
        let bent = FittedLine::through(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)]).expect("two x");
        assert!((bent.slope - 0.5).abs() < 1e-12, "{}", bent.slope);
        assert!((bent.r_squared - 0.75).abs() < 1e-12, "{}", bent.r_squared);
    }

    #[test]
    fn one_place_has_no_line() {
        assert_eq!(FittedLine::through(&[]), None);
        assert_eq!(FittedLine::through(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }
}
