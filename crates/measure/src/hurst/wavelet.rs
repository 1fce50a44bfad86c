//! The wavelet estimator of Abry and Veitch.

use super::Estimate;
use super::bend::bends;
use super::line::{ScalePoint, fit};
use crate::special::{digamma, trigamma};

/// Octaves of the fit; octave j has details of about 2^j samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Octaves {
    /// The first octave. Short-range structure of a series may need a higher one.
    pub first: u32,
    /// The last octave, if it has enough details.
    pub last: u32,
}

impl Default for Octaves {
    /// The octaves from the third to the last with eight details.
    fn default() -> Octaves {
        Octaves {
            first: 3,
            last: u32::MAX,
        }
    }
}

/// With fewer details, the logarithm of their mean energy is far from Gaussian.
const LEAST_DETAILS: usize = 8;

/// The Abry-Veitch estimator (*IEEE Trans. Information Theory* 44 and 45, 1998-99): the log2 energy
/// of the details of octave j has slope 2H − 1 in j, fitted with weights from the variance of each,
/// for independent Gaussian details. The finest octaves are assumed to bend as those of fractional
/// Gaussian noise. The wavelet is Daubechies' with three vanishing moments, which is blind to a
/// trend up to a parabola. `None` below three octaves with eight details, or if one of them has no
/// energy.
pub fn wavelet(series: &[f64], octaves: Octaves) -> Option<Estimate> {
    let filter = scaling_filter();
    let mut approximation = series.to_vec();
    let mut points = Vec::new();
    for octave in 1..=octaves.last {
        let (coarser, details) = step(&approximation, &filter);
        if details.len() < LEAST_DETAILS {
            break;
        }
        if octave >= octaves.first {
            points.push(point(octave, &details, flatness(&approximation))?);
        }
        approximation = coarser;
    }
    let mut slope = fit(&points)?;
    // The bend changes little with H, so it converges at once.
    for _ in 0..3 {
        let hurst = ((slope.value + 1.0) / 2.0).clamp(0.01, 0.99);
        let bends = bends(hurst, &filter, &mirror(&filter));
        let straight = points.iter().map(|point| ScalePoint {
            y: point.y - bends.get(point.x as usize - 1).unwrap_or(&0.0),
            ..*point
        });
        slope = fit(&straight.collect::<Vec<_>>())?;
    }
    Some(Estimate {
        hurst: (slope.value + 1.0) / 2.0,
        std_dev: slope.std_dev / 2.0,
    })
}

/// Rounding error of the energy in the details of a constant.
fn flatness(approximation: &[f64]) -> f64 {
    let largest = approximation.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    let rounding = 8.0 * f64::EPSILON * largest;
    rounding * rounding
}

/// Unbiased log2 of the mean energy, and 1/variance of it: for n Gaussian details the energy is
/// chi-square, whose logarithm has mean ψ(n/2) + log(2/n) and variance ψ′(n/2).
fn point(octave: u32, details: &[f64], rounding: f64) -> Option<ScalePoint> {
    const LN_2: f64 = std::f64::consts::LN_2;
    let half = details.len() as f64 / 2.0;
    let energy = details.iter().map(|d| d * d).sum::<f64>() / details.len() as f64;
    let bias = digamma(half) / LN_2 - libm::log2(half);
    (energy > rounding).then(|| ScalePoint {
        x: f64::from(octave),
        y: libm::log2(energy) - bias,
        weight: LN_2 * LN_2 / trigamma(half),
    })
}

/// Daubechies' scaling filter with three vanishing moments, in closed form (*Ten
/// Lectures on Wavelets*, 1992, §6.4).
fn scaling_filter() -> [f64; 6] {
    let a = 10f64.sqrt();
    let b = (5.0 + 2.0 * a).sqrt();
    let scale = 16.0 * std::f64::consts::SQRT_2;
    [
        1.0 + a + b,
        5.0 + a + 3.0 * b,
        10.0 - 2.0 * a + 2.0 * b,
        10.0 - 2.0 * a - 2.0 * b,
        5.0 + a - 3.0 * b,
        1.0 + a - b,
    ]
    .map(|tap| tap / scale)
}

/// The quadrature mirror: reversed, with alternating signs.
fn mirror(low: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|i| if i % 2 == 0 { low[5 - i] } else { -low[5 - i] })
}

/// Approximation and details one octave up, only where the filter lies entirely inside.
fn step(series: &[f64], low: &[f64; 6]) -> (Vec<f64>, Vec<f64>) {
    let high = mirror(low);
    let filtered = |taps: &[f64; 6]| {
        let windows = series.windows(6).step_by(2);
        windows
            .map(|window| window.iter().zip(taps).map(|(x, tap)| x * tap).sum())
            .collect()
    };
    (filtered(low), filtered(&high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn few_gaussian_details_give_an_unbiased_point_with_its_weight() {
        let mut random = Random::new(12);
        let mut ys = crate::Running::new();
        let mut weight = 0.0;
        for _ in 0..20_000 {
            let details: Vec<f64> = (0..8).map(|_| random.normal()).collect();
            let point = point(1, &details, 0.0).expect("energy");
            ys.add(point.y);
            weight = point.weight;
        }
        // The sd of the mean is 0.006; without the correction it would be 0.19 low.
        assert!(
            ys.mean().expect("runs").abs() < 0.02,
            "{:?}",
            ys.mean().expect("runs").abs()
        );
        // The sd of the variance is about one percent of it.
        assert!(
            (ys.variance().expect("runs") * weight - 1.0).abs() < 0.05,
            "{:?}",
            ys.variance().expect("runs") * weight
        );
    }

    #[test]
    fn the_filter_is_orthonormal_with_three_vanishing_moments() {
        let low = scaling_filter();
        let dot = |shift: usize| -> f64 { low.iter().zip(&low[shift..]).map(|(a, b)| a * b).sum() };
        assert!((dot(0) - 1.0).abs() < 1e-14, "{:?}", dot(0));
        for shift in [2, 4] {
            assert!(dot(shift).abs() < 1e-14, "{} at {shift}", dot(shift));
        }
        assert!(
            (low.iter().sum::<f64>() - std::f64::consts::SQRT_2).abs() < 1e-14,
            "{:?} and {:?}",
            low.iter().sum::<f64>(),
            std::f64::consts::SQRT_2
        );
        let parabola: Vec<f64> = (0..40).map(|i| f64::from(3 + i * (i - 7))).collect();
        let details = step(&parabola, &low).1;
        let none = details.iter().all(|detail| detail.abs() < 1e-11);
        assert!(none, "{details:?}");
        let cubic: Vec<f64> = (0..40).map(|i| f64::from(i * i * i)).collect();
        let details = step(&cubic, &low).1;
        let some = details.iter().all(|detail| detail.abs() > 1.0);
        assert!(some, "{details:?}");
    }
}
