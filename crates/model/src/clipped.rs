//! Fractional Gaussian noise clipped at zero: the mean and the variance of max(0, a + X).
//!
//! For standard normal X and Y of correlation ρ, the covariance of g(X) and g(Y) is Σ c_q² ρ^q over q ≥ 1, where c_q is
//! the coefficient of g on the normalised Hermite polynomial of degree q (Mehler's formula). For g(x) = max(0, a + x):
//! c_1 = Φ(a), and c_q = h_{q−2}(a) φ(a) / √(q (q − 1)) from q = 2 on, up to the sign.

use std::f64::consts::PI;

/// Terms of the series. The coefficients' squares fall as q^−5/2; later ones are taken as equal to
/// the last.
const TERMS: usize = 200;
/// The least correlation whose powers are not negligible.
const LEAST: f64 = 1e-18;
/// From this lag on a correlation follows its power law, to a relative 1e-8.
const FAR: f64 = 300.0;
/// Beyond this lag, lags are grouped in blocks with lengths proportional to their lags.
const SINGLY: u64 = 1024;

/// The volume of an interval that begins with a slot, relative to the noise's deviation per slot.
#[derive(Debug)]
pub(crate) struct ClippedVolume {
    /// Length of the interval, in slots.
    slots: f64,
    /// Contribution of pairs of a slot with itself; a partial slot counts by the square of its
    /// part.
    own: f64,
    /// Σ w_i w_j ρ^q over pairs of other slots, for q from 1 on.
    pairs: Vec<f64>,
}

impl ClippedVolume {
    pub(crate) fn new(hurst: f64, slots: f64) -> ClippedVolume {
        let whole = slots.floor();
        let part = slots - whole;
        let weight = |lag: f64| (whole - lag).max(0.0) + part;
        let power = |x: f64| libm::pow(x, 2.0 * hurst);
        let own = whole + part * part;
        let linear = power(whole)
            + part * part
            + part * (power(whole + 1.0) - power(whole) - f64::from(whole > 0.0));
        let mut pairs = vec![0.0; TERMS + 1];
        pairs[0] = if whole > 0.0 { linear - own } else { 0.0 };
        for (lag, together) in lags(whole as u64) {
            let rho = correlation(hurst, lag);
            let mut term = 2.0 * together * weight(lag) * rho;
            for sum in &mut pairs[1..] {
                term *= rho;
                if term < LEAST * own {
                    break;
                }
                *sum += term;
            }
        }
        ClippedVolume { slots, own, pairs }
    }

    /// The standard deviation divided by the mean, where a is the noise's mean. It falls as a
    /// grows.
    pub(crate) fn burstiness(&self, a: f64) -> f64 {
        let mean = mean(a);
        let own = (1.0 + a * a) * at_most(a) + a * density(a) - mean * mean;
        let squares = coefficients(a);
        let mut variance = self.own * own;
        let mut beyond = own;
        for (square, pairs) in squares.zip(&self.pairs) {
            variance += square * pairs;
            beyond -= square;
        }
        variance += beyond.max(0.0) * self.pairs[TERMS];
        libm::sqrt(variance.max(0.0)) / (self.slots * mean)
    }

    /// The mean that gives this burstiness; `None` if it is below zero, where most slots are empty.
    pub(crate) fn level(&self, burstiness: f64) -> Option<f64> {
        if self.burstiness(0.0) < burstiness {
            return None;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while self.burstiness(high) > burstiness {
            (low, high) = (high, 2.0 * high);
        }
        while high - low > high * 1e-14 {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if self.burstiness(middle) > burstiness {
                low = middle
            } else {
                high = middle
            }
        }
        Some(high)
    }
}

/// The mean of max(0, a + X): a Φ(a) + φ(a).
pub(crate) fn mean(a: f64) -> f64 {
    a * at_most(a) + density(a)
}

/// The middle of each block of lags up to the last, and its number of lags.
fn lags(last: u64) -> impl Iterator<Item = (f64, f64)> {
    let mut next = 1;
    std::iter::from_fn(move || {
        let together = (next / SINGLY).max(1).min((last + 1).saturating_sub(next));
        let middle = next as f64 + (together.saturating_sub(1)) as f64 / 2.0;
        next += together;
        (together > 0).then_some((middle, together as f64))
    })
}

/// The correlation ρ(k) = (|k+1|^2H − 2|k|^2H + |k−1|^2H) / 2.
fn correlation(hurst: f64, lag: f64) -> f64 {
    let (k, h) = (lag, 2.0 * hurst);
    if k < FAR {
        let power = |x: f64| libm::pow(x, h);
        return (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0;
    }
    let next = (h - 2.0) * (h - 3.0) / (12.0 * k * k);
    h * (h - 1.0) / 2.0 * libm::pow(k, h - 2.0) * (1.0 + next)
}

/// The coefficients c_q², for q from 1 to [`TERMS`].
fn coefficients(a: f64) -> impl Iterator<Item = f64> {
    let first = at_most(a);
    // The density is a factor from the start: far from zero the polynomials alone would overflow.
    let mut hermite = (0.0, density(a));
    let higher = (2..=TERMS).map(move |q| {
        let (before, now) = hermite;
        let n = (q - 2) as f64;
        hermite = (
            now,
            (a * now - libm::sqrt(n) * before) / libm::sqrt(n + 1.0),
        );
        now * now / (q * (q - 1)) as f64
    });
    std::iter::once(first * first).chain(higher)
}

fn density(x: f64) -> f64 {
    libm::exp(-x * x / 2.0) / libm::sqrt(2.0 * PI)
}

fn at_most(x: f64) -> f64 {
    libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E g(X) g(Y) by a sum over a fine grid of both.
    fn covariance_by_sum(a: f64, rho: f64) -> f64 {
        let (steps, reach) = (1600, 8.0);
        let step = 2.0 * reach / f64::from(steps);
        let grid = || (0..steps).map(|i| -reach + (f64::from(i) + 0.5) * step);
        let other = libm::sqrt(1.0 - rho * rho);
        let sum: f64 = grid()
            .map(|x| {
                let given: f64 = grid()
                    .map(|z| density(z) * (a + rho * x + other * z).max(0.0))
                    .sum();
                density(x) * (a + x).max(0.0) * given
            })
            .sum();
        sum * step * step - mean(a) * mean(a)
    }

    #[test]
    fn the_series_is_the_covariance_of_the_clipped_pair() {
        for (a, rho) in [(0.0, 0.5), (0.3, 0.9), (1.0, -0.4), (2.5, 0.62)] {
            let powers = (1..).map(|q| libm::pow(rho, f64::from(q)));
            let series: f64 = coefficients(a).zip(powers).map(|(c, p)| c * p).sum();
            let sum = covariance_by_sum(a, rho);
            assert!(
                (series - sum).abs() < 2e-5 * (1.0 + sum.abs()),
                "a {a}, rho {rho}: {series} against {sum}"
            );
        }
    }

    #[test]
    fn far_correlations_follow_their_power_law() {
        for hurst in [0.55, 0.75, 0.95] {
            let k = FAR;
            let power = |x: f64| libm::pow(x, 2.0 * hurst);
            let exact = (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0;
            let law = correlation(hurst, FAR);
            assert!((law / exact - 1.0).abs() < 1e-8, "{law} {exact}");
        }
    }

    #[test]
    fn noise_that_never_is_below_zero_has_the_power_law() {
        // A mean of 12 deviations: no clipping.
        let volume = ClippedVolume::new(0.85, 100.0);
        let expected = libm::pow(100.0, 0.85 - 1.0) / 12.0;
        assert!(
            (volume.burstiness(12.0) / expected - 1.0).abs() < 1e-12,
            "{:?} and {:?}",
            volume.burstiness(12.0),
            expected
        );
        let half = ClippedVolume::new(0.85, 0.5);
        assert!(
            (half.burstiness(12.0) * 12.0 - 1.0).abs() < 1e-12,
            "{:?}",
            half.burstiness(12.0) * 12.0
        );
    }

    #[test]
    fn a_cut_slot_counts_by_its_part() {
        // Two slots and a half, pair by pair.
        let (hurst, a) = (0.8, 5.0);
        let weights = [1.0, 1.0, 0.5];
        let mut sum = 0.0;
        for (i, one) in weights.iter().enumerate() {
            for (j, other) in weights.iter().enumerate() {
                let rho = match i.abs_diff(j) {
                    0 => 1.0,
                    lag => correlation(hurst, lag as f64),
                };
                sum += one * other * rho;
            }
        }
        let found = ClippedVolume::new(hurst, 2.5).burstiness(a);
        let expected = libm::sqrt(sum) / (2.5 * a);
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    }

    #[test]
    fn lags_taken_together_add_up() {
        let (mut next, mut sum) = (1.0, 0.0);
        for (middle, together) in lags(10_000) {
            assert_eq!(middle, next + (together - 1.0) / 2.0, "without a gap");
            next += together;
            sum += together;
        }
        assert_eq!(sum, 10_000.0);
        // Far too many for a sum over single lags.
        let volume = ClippedVolume::new(0.85, 1e15);
        assert!(
            volume.burstiness(0.5) < 1e-2,
            "{:?} and {:?}",
            volume.burstiness(0.5),
            1e-2
        );
        // The square of a correlation: pair by pair, and in blocks.
        let singly: f64 = (1..=10_000)
            .map(|k| {
                let rho = correlation(0.85, f64::from(k));
                2.0 * (10_000.0 - f64::from(k)) * rho * rho
            })
            .sum();
        let blocks = ClippedVolume::new(0.85, 10_000.0).pairs[1];
        assert!((blocks / singly - 1.0).abs() < 1e-6, "{blocks} {singly}");
    }

    #[test]
    fn a_single_slot_can_have_at_most_the_root_of_pi_less_one() {
        let slot = ClippedVolume::new(0.7, 1.0);
        assert!(
            (slot.burstiness(0.0) - (PI - 1.0).sqrt()).abs() < 1e-12,
            "{}",
            slot.burstiness(0.0)
        );
        assert_eq!(slot.level(1.47), None);
        for burstiness in [1.4, 0.3, 0.01] {
            let level = slot.level(burstiness).expect("it can be had");
            let found = slot.burstiness(level);
            assert!(
                (found / burstiness - 1.0).abs() < 1e-9,
                "{found} for {burstiness}"
            );
        }
    }
}
