//! The bend of the finest octaves of fractional Gaussian noise.
//!
//! The samples of a series replace the approximation that wavelet theory starts from, which takes
//! the energies of the finest octaves off their line (Veitch, Taqqu and Abry, *Applied and
//! Computational Harmonic Analysis* 8, 2000). For the covariances of fractional Gaussian noise the
//! deviation is known.

use crate::fractional_noise::covariance;

/// The octave from which energies are on the line, to 1e-5.
const STRAIGHT: usize = 9;

/// log2 of the energy in each octave from the first on, minus that on the line through the straight
/// octaves.
pub(super) fn bends(hurst: f64, low: &[f64; 6], high: &[f64; 6]) -> [f64; STRAIGHT] {
    let (low, high) = (autocorrelation(low), autocorrelation(high));
    let lags = 10 << STRAIGHT;
    let mut covariances: Vec<f64> = (0..lags).map(|lag| covariance(hurst, lag)).collect();
    let logs: [f64; STRAIGHT] = std::array::from_fn(|_| {
        let energy = filtered(&covariances, &high, 0);
        covariances = (0..covariances.len() / 2 - 5)
            .map(|lag| filtered(&covariances, &low, 2 * lag))
            .collect();
        libm::log2(energy)
    });
    let slope = 2.0 * hurst - 1.0;
    let last = logs[STRAIGHT - 1];
    let on_line = |octave: usize| last - slope * (STRAIGHT - octave) as f64;
    std::array::from_fn(|place| logs[place] - on_line(place + 1))
}

/// The autocorrelation from lag 0 on.
fn autocorrelation(taps: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|lag| taps.iter().zip(&taps[lag..]).map(|(a, b)| a * b).sum())
}

/// The covariance at a lag of a series after a filter of this autocorrelation.
fn filtered(covariances: &[f64], autocorrelation: &[f64; 6], lag: usize) -> f64 {
    let at = |shift: usize| covariances[lag + shift] + covariances[lag.abs_diff(shift)];
    let sides = (1..6).map(|shift| autocorrelation[shift] * at(shift));
    autocorrelation[0] * covariances[lag] + sides.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    /// Haar's wavelet, for which the sums have a closed form.
    const LOW: [f64; 6] = [HALF, HALF, 0.0, 0.0, 0.0, 0.0];
    const HIGH: [f64; 6] = [HALF, -HALF, 0.0, 0.0, 0.0, 0.0];

    #[test]
    fn white_noise_has_no_bend() {
        let bends = bends(0.5, &LOW, &HIGH);
        assert!(bends.iter().all(|bend| bend.abs() < 1e-12), "{bends:?}");
    }

    #[test]
    fn haars_energies_are_those_of_sums_of_the_noise() {
        // Half the variance of the difference of two sums of n samples: (4 n^2H - (2n)^2H) / 2n, a
        // power of n. No bend.
        let bends = bends(0.9, &LOW, &HIGH);
        assert!(bends.iter().all(|bend| bend.abs() < 1e-9), "{bends:?}");
    }
}
