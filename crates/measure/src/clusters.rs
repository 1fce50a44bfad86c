//! Means of two clusters, which describe neither.

/// Samples in two clusters that are far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoClusters {
    /// The mean of the lower cluster.
    pub low: f64,
    /// The mean of the upper cluster.
    pub high: f64,
    /// The number of samples in the lower cluster.
    pub below: u64,
    /// The number of samples in the upper one.
    pub above: u64,
}

/// The gap between clusters of two samples or more, over the wider of both, that 1 in 1000 sets of
/// normal samples exceed, for four samples and more. With ten samples or more it is the last.
const GAPS: [f64; 7] = [32.0, 12.0, 6.5, 4.5, 3.5, 2.7, 2.2];

/// The same gap for one sample apart from four or more: 1 in 1000 sets of five normal samples
/// exceed it, and fewer of more.
const GAP_OF_ONE: f64 = 12.0;

/// The gap over the mean below which two clusters are one for all purposes.
const LEAST_GAP: f64 = 0.25;

/// The two clusters that samples form, if the widest gap between neighbours is far wider than
/// either side of it.
///
/// Fewer than 1 in 400 sets of normal samples are said to have clusters, at any number of samples;
/// fewer than 1 in 40 sets of exponential ones. Whole numbers next to each other are never apart,
/// nor are values that differ by less than a quarter of their mean.
///
/// ```
/// use pacesim_measure::two_clusters;
///
/// let clusters = two_clusters(&[3.4, 208.0, 3.5, 207.0, 3.4, 209.0]).expect("two");
/// assert_eq!((clusters.below, clusters.above), (3, 3));
/// assert_eq!(two_clusters(&[3.4, 3.1, 3.9, 3.6, 3.3, 3.5]), None);
/// ```
pub fn two_clusters(samples: &[f64]) -> Option<TwoClusters> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let gap_before = |place: usize| sorted[place] - sorted[place - 1];
    let excess = |place: &usize| {
        let (below, above) = (
            sorted[place - 1] - sorted[0],
            sorted[n - 1] - sorted[*place],
        );
        let wanted = match place.min(&(n - place)) {
            1 => (n >= 5).then_some(GAP_OF_ONE)?,
            _ => GAPS[(n - 4).min(GAPS.len() - 1)],
        };
        let excess = gap_before(*place) - wanted * below.max(above);
        (excess > 0.0).then_some((*place, excess))
    };
    let apart = (1..n).filter_map(|place| excess(&place));
    let (place, _) = apart.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let all_whole = sorted.iter().all(|x| libm::floor(*x) == *x);
    let least = (LEAST_GAP * mean(&sorted).abs()).max(f64::from(all_whole));
    let (below, above) = sorted.split_at(place);
    (gap_before(place) > least).then(|| TwoClusters {
        low: mean(below),
        high: mean(above),
        below: below.len() as u64,
        above: above.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn share_with_clusters(n: usize, sets: u32, mut sample: impl FnMut() -> f64) -> f64 {
        let has = |_: &u32| {
            let samples: Vec<f64> = (0..n).map(|_| sample()).collect();
            two_clusters(&samples).is_some()
        };
        (0..sets).filter(has).count() as f64 / f64::from(sets)
    }

    #[test]
    fn samples_of_one_kind_are_seldom_said_to_have_clusters() {
        let mut random = Random::new(5);
        for n in [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 50] {
            // A mean of zero, so that no gap is small beside it.
            let normal = share_with_clusters(n, 20_000, || random.normal());
            assert!(normal < 1.0 / 400.0, "normal, n = {n}: {normal}");
            let skewed = share_with_clusters(n, 20_000, || random.exponential());
            assert!(skewed < 1.0 / 40.0, "exponential, n = {n}: {skewed}");
        }
    }

    #[test]
    fn clusters_are_found_if_both_are_narrow_beside_the_gap() {
        let mut random = Random::new(6);
        for n in [6, 8, 10, 20] {
            let mut number = 0;
            let sample = || {
                number += 1;
                let centre = if number % 3 == 0 { 208.0 } else { 3.4 };
                centre * (1.0 + 0.05 * random.normal())
            };
            let found = share_with_clusters(n, 1000, sample);
            assert!(found > 0.95, "n = {n}: {found}");
        }
    }

    #[test]
    fn one_far_from_many_is_a_cluster_and_one_of_few_is_not() {
        let one = two_clusters(&[3.4, 3.5, 3.6, 3.5, 208.0]).expect("two");
        assert_eq!((one.below, one.above, one.high), (4, 1, 208.0));
        assert_eq!(two_clusters(&[3.4, 3.5, 208.0]), None);
        assert_eq!(two_clusters(&[1.0]), None);
        assert_eq!(two_clusters(&[]), None);
    }

    #[test]
    fn counts_next_to_each_other_are_one_cluster() {
        assert_eq!(two_clusters(&[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]), None);
        assert_eq!(two_clusters(&[5.0; 8]), None);
        assert_eq!(two_clusters(&[10.0, 10.5, 10.0, 10.5, 10.0, 10.5]), None);
        assert!(two_clusters(&[0.0, 9.0, 0.0, 9.0, 1.0, 9.0]).is_some());
    }
}
