//! Jain's fairness index.

/// (Σx)² / (n·Σx²): 1 if all shares are equal, 1/n if all but one are zero. `None` without shares,
/// or if all are zero.
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

/// Jain's fairness index of flows in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Fairness {
    /// Index of all flows together.
    pub all: Option<f64>,
    /// The index of the flows of each group.
    pub within: Vec<Option<f64>>,
    /// The index of the groups' means: 1 if the mean per flow is the same in each group. Groups
    /// without flows are left out.
    pub between: Option<f64>,
}

/// Fairness among all flows, within each group, and between the groups.
///
/// ```
/// let paced = vec![1.0, 1.0];
/// let unpaced = vec![3.0, 3.0, 3.0];
/// let fairness = pacesim_measure::fairness(&[paced, unpaced]);
/// assert_eq!(fairness.within, [Some(1.0), Some(1.0)]);
/// assert_eq!(fairness.between, Some(0.8)); // (1 + 3)² / (2·(1 + 9))
/// ```
pub fn fairness(groups: &[Vec<f64>]) -> Fairness {
    let mean = |shares: &Vec<f64>| {
        let sum: f64 = shares.iter().sum();
        (!shares.is_empty()).then(|| sum / shares.len() as f64)
    };
    let means: Vec<f64> = groups.iter().filter_map(mean).collect();
    Fairness {
        all: jain(&groups.concat()),
        within: groups.iter().map(|shares| jain(shares)).collect(),
        between: jain(&means),
    }
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

    #[test]
    fn groups_without_flows_or_shares_are_no_trouble() {
        let found = fairness(&[vec![], vec![2.0, 2.0], vec![]]);
        assert_eq!(found.within, [None, Some(1.0), None]);
        assert_eq!((found.all, found.between), (Some(1.0), Some(1.0)));
        assert_eq!(fairness(&[]).between, None);
        assert_eq!(fairness(&[vec![0.0]]).all, None);
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
            let expected = 1.0 / (1.0 + variance / (mean * mean));
            prop_assert!((index - expected).abs() < 1e-12, "{index}, not {expected}");
            prop_assert!(index >= 1.0 / n - 1e-12 && index <= 1.0 + 1e-12, "{index} of {n}");
        }
    }
}
