//! The Hurst parameter by the local Whittle estimator.

use std::f64::consts::PI;

use super::Estimate;
use crate::fourier::transform;

/// The usual number of frequencies for n samples: n^0.7, a compromise; use fewer if the series also
/// has a short-range structure.
pub fn whittle_frequencies(samples: usize) -> usize {
    libm::pow(samples as f64, 0.7) as usize
}

/// Maximum-likelihood H of the spectrum λ^{1−2H} from the lowest m frequencies of the series
/// (Robinson, *Annals of Statistics* 23, 1995): minimises over 0 < H < 1 log(Σ λ_j^{2H−1}·I_j / m)
/// − (2H − 1)·Σ log λ_j / m. `None` below two frequencies, if they exceed half the samples, or
/// without variance.
pub fn local_whittle(series: &[f64], frequencies: usize) -> Option<Estimate> {
    if frequencies < 2 || 2 * frequencies >= series.len() {
        return None;
    }
    let lowest = periodogram(series, frequencies)?;
    let m = frequencies as f64;
    let mean_log = lowest.iter().map(|(log, _)| log).sum::<f64>() / m;
    let contrast = |hurst: f64| {
        let d = 2.0 * hurst - 1.0;
        let sum: f64 = lowest
            .iter()
            .map(|(log, power)| libm::exp(d * (log - mean_log)) * power)
            .sum();
        // The mean log subtracted from each is the second term.
        libm::log(sum / m)
    };
    // The information in m frequencies, which approaches m only as they grow (Hurvich and Chen
    // 2000).
    let information: f64 = lowest.iter().map(|(log, _)| square(log - mean_log)).sum();
    Some(Estimate {
        hurst: minimum(contrast, 0.0, 1.0),
        std_dev: 0.5 / information.sqrt(),
    })
}

fn square(x: f64) -> f64 {
    x * x
}

/// (log λ_j, I_j up to a factor) at the lowest frequencies above zero.
fn periodogram(series: &[f64], frequencies: usize) -> Option<Vec<(f64, f64)>> {
    let n = series.len() as f64;
    let mean = series.iter().sum::<f64>() / n;
    let centred: Vec<f64> = series.iter().map(|x| x - mean).collect();
    if centred.iter().all(|&x| x == 0.0) {
        return None;
    }
    let spectrum = transform(&centred);
    let at = |j: usize| {
        let log_frequency = libm::log(2.0 * PI * j as f64 / n);
        (log_frequency, spectrum[j].norm_squared())
    };
    Some((1..=frequencies).map(at).collect())
}

/// The minimiser of a convex function, by golden section.
fn minimum(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let mut left = high - golden * (high - low);
    let mut right = low + golden * (high - low);
    let (mut f_left, mut f_right) = (f(left), f(right));
    while high - low > 1e-8 {
        if f_left < f_right {
            (high, right, f_right) = (right, left, f_left);
            left = high - golden * (high - low);
            f_left = f(left);
        } else {
            (low, left, f_left) = (left, right, f_right);
            right = low + golden * (high - low);
            f_right = f(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_a_parabola_is_found() {
        let found = minimum(|x| (x - 0.3) * (x - 0.3), 0.0, 1.0);
        assert!((found - 0.3).abs() < 1e-7, "{found}");
    }

    #[test]
    fn too_many_or_too_few_frequencies_are_refused() {
        let series: Vec<f64> = (0..100).map(f64::from).collect();
        let has_estimate = [1, 49, 50].map(|m| local_whittle(&series, m).is_some());
        assert_eq!(has_estimate, [false, true, false]);
    }
}
