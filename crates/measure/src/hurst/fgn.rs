//! Exact fractional Gaussian noise for tests (Davies and Harte's circulant embedding).

use super::fft::{Complex, fft};
use crate::testing::Random;

/// γ(k) = (|k+1|^{2H} − 2|k|^{2H} + |k−1|^{2H}) / 2.
fn covariance(hurst: f64, lag: usize) -> f64 {
    let power = |k: f64| libm::pow(k.abs(), 2.0 * hurst);
    let k = lag as f64;
    (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0
}

/// n samples of unit variance, n a power of two.
pub(super) fn series(hurst: f64, n: usize, random: &mut Random) -> Vec<f64> {
    let mut row: Vec<Complex> = (0..2 * n)
        .map(|k| covariance(hurst, k.min(2 * n - k)).into())
        .collect();
    fft(&mut row);
    let amplitude = |j: usize, share: f64| {
        assert!(row[j].re > -1e-9, "the eigenvalues of fGn are not negative");
        (row[j].re.max(0.0) / share).sqrt()
    };
    let full = 2.0 * n as f64;
    let mut weights = vec![Complex::default(); 2 * n];
    weights[0] = (amplitude(0, full) * random.normal()).into();
    weights[n] = (amplitude(n, full) * random.normal()).into();
    for j in 1..n {
        let scale = amplitude(j, 2.0 * full);
        let weight = Complex {
            re: scale * random.normal(),
            im: scale * random.normal(),
        };
        weights[j] = weight;
        weights[2 * n - j] = weight.conjugate();
    }
    fft(&mut weights);
    weights[..n].iter().map(|x| x.re).collect()
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
