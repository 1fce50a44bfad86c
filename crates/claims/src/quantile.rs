//! Quantiles over independent replications, with intervals from order statistics.
//!
//! The number of replications below a quantile is binomial whatever the distribution, so two of the
//! sorted values enclose it with a known probability. Between neighbouring values the ends are
//! interpolated (Nyblom 1992, Scandinavian Journal of Statistics 19), since with whole order
//! statistics the probability would mostly be greater than asked for.

use crate::claims::Estimate;

/// The fewest values with an interval for a quantile: the least must lie below it, and the greatest
/// above it, with enough probability.
pub fn values_needed(quantile: f64, level: f64) -> u64 {
    let farther = quantile.max(1.0 - quantile);
    libm::ceil(libm::log(0.5 * (1.0 - level)) / libm::log(farther)) as u64
}

/// The quantile of a distribution from independent values, without an interval if these are too
/// few; `None` without values.
pub fn quantile(values: &[f64], quantile: f64, level: f64) -> Option<Estimate> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let value = interpolated(&sorted, quantile * (sorted.len().checked_sub(1)?) as f64);
    let has_enough = sorted.len() as u64 >= values_needed(quantile, level);
    let tail = 0.5 * (1.0 - level);
    let end = |reached: f64| interpolated(&sorted, rank(sorted.len(), quantile, reached) - 1.0);
    Some(Estimate {
        value,
        interval: has_enough.then(|| (end(1.0 - tail), end(tail))),
    })
}

/// The value at a place between two of the sorted ones, counted from 0.
fn interpolated(sorted: &[f64], place: f64) -> f64 {
    let below = (place.max(0.0) as usize).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    let share = (place - below as f64).clamp(0.0, 1.0);
    sorted[below] + share * (sorted[above] - sorted[below])
}

/// The rank, counted from 1, of the value that is at most the quantile with this probability: the
/// k-th is if at least k of n values are below.
fn rank(n: usize, quantile: f64, wanted: f64) -> f64 {
    // The probability that at least `k` values are below, by the binomial distribution.
    let mut reached = 1.0;
    for below in 0..n {
        let next = reached - exactly(n, below, quantile);
        if next <= wanted && below > 0 {
            let (k, n) = (below as f64, n as f64);
            let odds = k * (1.0 - quantile) * (wanted - next);
            let against = (n - k) * quantile * (reached - wanted);
            return k + against / (odds + against);
        }
        reached = next;
    }
    n as f64
}

/// The probability that exactly `k` of `n` values are below a quantile.
fn exactly(n: usize, k: usize, quantile: f64) -> f64 {
    let (n, k) = (n as f64, k as f64);
    let ways = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    libm::exp(ways + k * libm::log(quantile) + (n - k) * libm::log1p(-quantile))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: f64 = 0.95;
    const STUDIES: u64 = 1000;

    /// The next number of Splitmix64, uniform between 0 and 1.
    fn uniform(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((bits ^ (bits >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// The share of studies of `n` replications whose interval contains the true quantile. Each
    /// value is an increasing function, `of`, of a uniform number.
    fn covered(n: usize, q: f64, of: fn(f64) -> f64) -> f64 {
        let mut state = n as u64 + (1000.0 * q) as u64;
        let truth = of(q);
        let holds = |_: &u64| {
            let values: Vec<f64> = (0..n).map(|_| of(uniform(&mut state))).collect();
            let found = quantile(&values, q, LEVEL).expect("values");
            let (low, high) = found.interval.expect("enough values");
            low <= truth && truth <= high
        };
        (0..STUDIES).filter(holds).count() as f64 / STUDIES as f64
    }

    fn exponential(u: f64) -> f64 {
        -libm::log1p(-u)
    }

    fn heavy(u: f64) -> f64 {
        libm::pow(1.0 - u, -1.0 / 1.3)
    }

    #[test]
    fn intervals_hold_the_quantile_as_often_as_they_say() {
        for of in [|u| u, exponential, heavy] {
            for (n, q) in [
                (6, 0.5),
                (10, 0.5),
                (20, 0.5),
                (36, 0.9),
                (40, 0.5),
                (40, 0.9),
            ] {
                let share = covered(n, q, of);
                let most = if n >= 40 { 0.97 } else { 1.0 };
                assert!(
                    (0.92..=most).contains(&share),
                    "{share} of n = {n}, q = {q}"
                );
            }
            for (n, q) in [(100, 0.25), (100, 0.95), (400, 0.99)] {
                let share = covered(n, q, of);
                assert!(
                    (0.92..=0.97).contains(&share),
                    "{share} of n = {n}, q = {q}"
                );
            }
        }
    }

    #[test]
    fn far_quantiles_need_many_replications() {
        assert_eq!(values_needed(0.5, LEVEL), 6);
        assert_eq!(values_needed(0.9, LEVEL), 36);
        assert_eq!(values_needed(0.999, LEVEL), 3688);
        let few: Vec<f64> = (0..10).map(f64::from).collect();
        let found = quantile(&few, 0.999, LEVEL).expect("values");
        assert_eq!(found.interval, None);
        assert!((8.9..=9.0).contains(&found.value), "{}", found.value);
        assert!(quantile(&[], 0.5, LEVEL).is_none());
    }

    #[test]
    fn the_median_of_many_is_enclosed_by_values_beside_it() {
        let values: Vec<f64> = (1..=40).map(f64::from).collect();
        let found = quantile(&values, 0.5, LEVEL).expect("values");
        assert_eq!(found.value, 20.5);
        // The 14th and the 27th value enclose it with 96.2 %.
        let (low, high) = found.interval.expect("enough values");
        assert!(
            (14.0..15.0).contains(&low) && (26.0..27.0).contains(&high),
            "{low} {high}"
        );
        assert!((low + high - 41.0).abs() < 1e-9, "{low} {high}");
    }
}
