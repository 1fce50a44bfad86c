//! Exact fractional Gaussian noise: Davies and Harte's circulant embedding.

use crate::fourier::{Complex, fft};

/// The noise of mean 0 and variance 1 with the covariances
/// γ(k) = (|k+1|^{2H} − 2|k|^{2H} + |k−1|^{2H}) / 2, whose sums are fractional Brownian motion.
///
/// The result is the first `samples` of a series whose length is the next power of two, so that all
/// lengths with the same next power begin alike. It draws two normals for each value of that
/// series.
///
/// # Panics
///
/// Panics unless 0 < H < 1, or if `samples` is zero.
pub fn fractional_noise(hurst: f64, samples: usize, mut normal: impl FnMut() -> f64) -> Vec<f64> {
    assert!(0.0 < hurst && hurst < 1.0, "H lies between 0 and 1");
    assert!(samples > 0, "a series has a first sample");
    let n = samples.next_power_of_two();
    let mut points: Vec<Complex> = (0..2 * n)
        .map(|k| covariance(hurst, k.min(2 * n - k)).into())
        .collect();
    fft(&mut points);
    // Each eigenvalue is replaced by its random weight.
    let amplitude = |eigenvalue: Complex, share: usize| {
        debug_assert!(
            eigenvalue.re > -1e-6,
            "the eigenvalues of fGn are not negative"
        );
        (eigenvalue.re.max(0.0) / share as f64).sqrt()
    };
    for end in [0, n] {
        points[end] = (amplitude(points[end], 2 * n) * normal()).into();
    }
    for j in 1..n {
        let scale = amplitude(points[j], 4 * n);
        let weight = Complex {
            re: scale * normal(),
            im: scale * normal(),
        };
        points[j] = weight;
        points[2 * n - j] = weight.conjugate();
    }
    fft(&mut points);
    points[..samples].iter().map(|point| point.re).collect()
}

/// The autocovariance γ(k).
pub(crate) fn covariance(hurst: f64, lag: usize) -> f64 {
    let (k, twice) = (lag as f64, 2.0 * hurst);
    if lag < 100 {
        let power = |k: f64| libm::pow(k.abs(), twice);
        return (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0;
    }
    // The difference of large numbers would lose its digits: Σ C(2H, 2j) k^{2H − 2j}.
    let (mut term, mut sum) = (libm::pow(k, twice), 0.0);
    for j in 1..=4 {
        let i = 2.0 * f64::from(j);
        term *= (twice - i + 2.0) * (twice - i + 1.0) / (i * (i - 1.0) * k * k);
        sum += term;
    }
    sum
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::Random;

    /// Samples for tests of estimators.
    pub(crate) fn series(hurst: f64, samples: usize, random: &mut Random) -> Vec<f64> {
        fractional_noise(hurst, samples, || random.normal())
    }

    #[test]
    fn covariances_are_the_published_ones() {
        let expected = [
            (1, 0.62450479),
            (2, 0.48749433),
            (3, 0.42952860),
            (5, 0.36761733),
            (10, 0.29830357),
            (100, 0.14945773),
        ];
        for (lag, gamma) in expected {
            assert!((covariance(0.85, lag) - gamma).abs() < 1e-8, "lag {lag}");
        }
    }

    #[test]
    fn the_noise_has_its_covariances_on_average() {
        // Over many short series, each product about its known mean of zero.
        let (hurst, n, runs, mut random) = (0.85, 128, 4000, Random::new(6));
        let mut sums = [0.0; 4];
        let lags = [0, 1, 5, 100];
        for _ in 0..runs {
            let noise = series(hurst, n, &mut random);
            for (sum, lag) in sums.iter_mut().zip(lags) {
                *sum += noise[0] * noise[lag] / f64::from(runs);
            }
        }
        for (sum, lag) in sums.into_iter().zip(lags) {
            // sd of a product of normals is at most √2, of the mean 0.022.
            assert!(
                (sum - covariance(hurst, lag)).abs() < 0.08,
                "lag {lag}: {sum}"
            );
        }
    }

    #[test]
    fn the_two_forms_of_the_covariance_meet() {
        for hurst in [0.5, 0.6, 0.85, 0.99] {
            let power = |k: f64| libm::pow(k, 2.0 * hurst);
            let direct = (power(101.0) - 2.0 * power(100.0) + power(99.0)) / 2.0;
            let series = covariance(hurst, 100);
            assert!((series - direct).abs() < 1e-11, "{series} {direct}");
        }
    }

    #[test]
    fn any_number_of_samples_begins_the_series_of_the_next_power_of_two() {
        let noise = |samples| series(0.7, samples, &mut Random::new(3));
        assert_eq!(noise(100)[..], noise(128)[..100]);
        assert_eq!(noise(1).len(), 1);
    }
}
