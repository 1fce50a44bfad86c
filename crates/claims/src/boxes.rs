//! The spread of values as a box: quartiles, median, and the ends of its whiskers.

/// The least value, the quartiles with the median between them, and the greatest; or the same five
/// with quantiles in place of the ends.
pub type Five = [f64; 5];

/// The quantiles drawn as a box where it shows values of many runs. The outer ones exclude one
/// hundredth at either end, since extremes grow with the number of runs.
const WITHIN: Five = [0.01, 0.25, 0.5, 0.75, 0.99];

/// The ratio of the ends of a bin: 40 bins make a factor of ten.
const PER_DECADE: f64 = 40.0;

/// The lower end of the bin that ends here.
pub(crate) fn start_of_bin(to: f64) -> f64 {
    to * libm::pow(10.0, -1.0 / PER_DECADE)
}

/// The least and the greatest value, and the quartiles between them by linear interpolation.
pub fn of_values(values: &[Option<f64>]) -> Option<Five> {
    let mut sorted: Vec<f64> = values.iter().copied().flatten().collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |share: f64| {
        let place = share * last as f64;
        let (below, above) = (
            sorted[place as usize],
            sorted[(place as usize + 1).min(last)],
        );
        below + (place - libm::floor(place)) * (above - below)
    };
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(at))
}

/// The 1st and the 99th percentile, and the quartiles between them, of values in bins. A bin has
/// its upper end and, for each run, its share of the run's values. All runs count alike.
pub fn of_bins(bins: &[(f64, Vec<Option<f64>>)]) -> Option<Five> {
    let shares = bins
        .iter()
        .map(|(to, of)| (*to, of.iter().flatten().sum::<f64>()));
    let shares: Vec<(f64, f64)> = shares.collect();
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    let one = |wanted: f64| {
        let mut sum = 0.0;
        for (to, share) in &shares {
            let missing = wanted * all - sum;
            if missing <= *share {
                // Values are assumed to be spread evenly over a bin, whose ends have a fixed ratio.
                let from = start_of_bin(*to);
                return from + (to - from) * missing / share;
            }
            sum += share;
        }
        shares.last().map_or(f64::NAN, |(to, _)| *to)
    };
    (all > 0.0).then(|| WITHIN.map(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_of_values_has_their_quartiles_and_ends() {
        let values = [5.0, 1.0, 3.0, 2.0, 4.0].map(Some);
        assert_eq!(of_values(&values), Some([1.0, 2.0, 3.0, 4.0, 5.0]));
        let missing = [Some(7.0), None];
        assert_eq!(of_values(&missing), Some([7.0; 5]));
        let four = [1.0, 2.0, 3.0, 4.0].map(Some);
        assert_eq!(of_values(&four), Some([1.0, 1.75, 2.5, 3.25, 4.0]));
        assert_eq!(of_values(&[]), None);
    }

    #[test]
    fn a_box_of_bins_is_that_of_the_values_in_them_but_for_the_width_of_a_bin() {
        // Values 1 to 100 000 in bins of the ratio.
        let ratio = libm::pow(10.0, 1.0 / PER_DECADE);
        let mut bins = Vec::new();
        let (mut to, mut next) = (1.0, 1u32);
        while next <= 100_000 {
            let first = next;
            while f64::from(next) <= to && next <= 100_000 {
                next += 1;
            }
            let share = f64::from(next - first) / 100_000.0;
            if share > 0.0 {
                bins.push((to, vec![Some(share), None, Some(share)]));
            }
            to *= ratio;
        }
        let found = of_bins(&bins).expect("values");
        for (value, share) in found.into_iter().zip(WITHIN) {
            let exact = share * 1e5;
            assert!((value / exact - 1.0).abs() < 0.01, "{share}: {value}");
        }
        assert_eq!(of_bins(&[(1.0, vec![None])]), None);
    }
}
