//! Small numerical tools shared by several models.

/// A sum that carries its rounding error (Neumaier's variant of Kahan).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, x: f64) {
        let next = self.sum + x;
        self.lost += if self.sum.abs() >= x.abs() {
            (self.sum - next) + x
        } else {
            (x - next) + self.sum
        };
        self.sum = next;
    }

    pub(crate) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// The sum of many numbers, exact to about one rounding.
pub(crate) fn sum(terms: impl IntoIterator<Item = f64>) -> f64 {
    let mut total = Sum::default();
    terms.into_iter().for_each(|x| total.add(x));
    total.value()
}

/// `Σ newest_first(values)[i] · table[i]`, over the shorter of the two: the remaining contribution
/// of earlier values, with a table by age. Eight parallel sums, so that they do not wait for each
/// other.
pub(crate) fn by_age(values: &[f64], table: &[f64]) -> f64 {
    const LANES: usize = 8;
    let n = values.len().min(table.len());
    let (values, table) = (&values[values.len() - n..], &table[..n]);
    let mut lanes = [0.0; LANES];
    let mut new = values.rchunks_exact(LANES);
    let mut old = table.chunks_exact(LANES);
    for (v, t) in new.by_ref().zip(old.by_ref()) {
        for lane in 0..LANES {
            lanes[lane] += v[LANES - 1 - lane] * t[lane];
        }
    }
    let rest = new.remainder().iter().rev().zip(old.remainder());
    rest.map(|(v, t)| v * t).sum::<f64>() + lanes.iter().sum::<f64>()
}

/// The largest point of `[low, high]` at which `below` still holds, to the last
/// bit; `below` must hold up to some point and not after it.
pub(crate) fn last_where(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return low;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The Poisson probabilities around the mean, as (first index, weights): all of at least 1e-22 of
/// the largest one.
pub(crate) fn poisson_around(mean: f64) -> (usize, Vec<f64>) {
    const NEGLIGIBLE: f64 = 1e-22;
    let mode = mean as usize;
    let mut below = Vec::new();
    let (mut weight, mut n) = (1.0, mode);
    while n > 0 && weight > NEGLIGIBLE {
        weight *= n as f64 / mean;
        n -= 1;
        below.push(weight);
    }
    let first = mode - below.len();
    let mut weights: Vec<f64> = below.into_iter().rev().collect();
    (weight, n) = (1.0, mode);
    while weight > NEGLIGIBLE {
        weights.push(weight);
        n += 1;
        weight *= mean / n as f64;
    }
    // Ratios from the mode and then one division: no factorial of a large number.
    let total = sum(weights.iter().copied());
    weights.iter_mut().for_each(|w| *w /= total);
    (first, weights)
}

/// `1 - e^-x (1 + x)`, the probability of two or more Poisson arrivals, without cancellation for
/// small `x`.
pub(crate) fn two_or_more(x: f64) -> f64 {
    if x > 1.0 {
        return 1.0 - libm::exp(-x) * (1.0 + x);
    }
    let (mut term, mut series) = (x * x / 2.0, 0.0);
    let mut n = 2.0;
    while term > series * 1e-18 {
        series += term;
        n += 1.0;
        term *= x / n;
    }
    libm::exp(-x) * series
}

/// `1 - (1 - p)^n` without cancellation for small `p`.
pub(crate) fn any_of(n: f64, p: f64) -> f64 {
    -libm::expm1(n * libm::log1p(-p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poisson_weights_have_the_right_mean_and_sum() {
        for mean in [0.0, 0.3, 1.0, 17.5, 1e4, 1e6] {
            let (first, weights) = poisson_around(mean);
            let total = sum(weights.iter().copied());
            let first_moment = sum(weights
                .iter()
                .enumerate()
                .map(|(i, w)| (first + i) as f64 * w));
            assert!((total - 1.0).abs() < 1e-14, "{mean}: {total}");
            assert!(
                (first_moment - mean).abs() <= 1e-12 * (1.0 + mean),
                "{first_moment:?} and {mean:?}"
            );
        }
    }

    #[test]
    fn weighing_by_age_takes_the_newest_value_with_the_first_entry() {
        for (n, m) in [(0, 3), (3, 0), (5, 9), (9, 5), (40, 40), (41, 17)] {
            let values: Vec<f64> = (0..n).map(|i| 1.0 + f64::from(i)).collect();
            let table: Vec<f64> = (0..m).map(|i| 2.0 + 3.0 * f64::from(i)).collect();
            let naive: f64 = values.iter().rev().zip(&table).map(|(v, t)| v * t).sum();
            assert_eq!(by_age(&values, &table), naive, "whole numbers are exact");
        }
    }

    #[test]
    fn two_or_more_agrees_with_itself_where_the_branches_meet_and_is_x2_over_2_below() {
        let direct = |x: f64| 1.0 - libm::exp(-x) * (1.0 + x);
        assert!(
            (two_or_more(0.9) - direct(0.9)).abs() < 1e-15,
            "{:?}",
            two_or_more(0.9) - direct(0.9)
        );
        assert!(
            (two_or_more(1e-9) / 5e-19 - 1.0).abs() < 1e-8,
            "{:?}",
            two_or_more(1e-9)
        );
        assert_eq!(two_or_more(0.0), 0.0);
    }

    #[test]
    fn the_last_point_where_a_predicate_holds_is_found_to_the_bit() {
        let root = last_where(1.0, 2.0, |x| x * x <= 2.0);
        assert!(
            (root - 2f64.sqrt()).abs() < 1e-15,
            "{:?}",
            root - 2f64.sqrt()
        );
    }
}
