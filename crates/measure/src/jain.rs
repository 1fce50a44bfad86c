//! Jain's fairness index.

/// (Σx)² / (n·Σx²): 1 where all have the same, 1/n where one has all. `None` without
/// shares, or if nobody has anything.
///
/// ```
/// assert_eq!(pacesim_measure::jain(&[3.0, 3.0]), Some(1.0));
/// assert_eq!(pacesim_measure::jain(&[0.0, 7.0, 0.0, 0.0]), Some(0.25));
/// ```
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nobody_and_nothing_have_no_fairness() {
        assert_eq!(jain(&[]), None);
        assert_eq!(jain(&[0.0, 0.0]), None);
    }

    proptest! {
        #[test]
        fn fairness_is_one_over_one_plus_squared_variation(
            shares in prop::collection::vec(0.01..1e3, 1..50),
        ) {
            let index = jain(&shares).expect("shares");
            let n = shares.len() as f64;
            let mean = shares.iter().sum::<f64>() / n;
            let variance = shares.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            prop_assert!((index - 1.0 / (1.0 + variance / (mean * mean))).abs() < 1e-12);
            prop_assert!(index >= 1.0 / n - 1e-12 && index <= 1.0 + 1e-12);
        }
    }
}
