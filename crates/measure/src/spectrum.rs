//! The spectrum of a series: its periodogram, averaged over bands of frequencies.

use std::f64::consts::LN_10;

use pacesim_units::Span;

use crate::fourier::transform;
use crate::special::{digamma, trigamma};

/// The spectrum of a series of samples at equal distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Bands of frequencies from the lowest up, those without a frequency left out.
    pub bands: Vec<Band>,
    /// The frequency in hertz with the most power, 0 excluded.
    pub peak_hz: f64,
    /// The share of the variance at that frequency.
    pub peak_ratio: f64,
}

/// A band of frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Geometric mean of its frequencies, in hertz.
    pub hz: f64,
    /// Mean of the one-sided periodogram: the variance per hertz.
    pub density: f64,
    /// Number of the frequencies.
    pub frequencies: u64,
}

impl Spectrum {
    /// The spectrum of these samples, `interval` apart, in bands that divide each factor of ten
    /// evenly on a logarithmic scale. `None` below four samples, or without variance.
    ///
    /// ```
    /// use pacesim_measure::Spectrum;
    /// use pacesim_units::Span;
    ///
    /// // A tone of 250 Hz: one period in four samples of 1 ms.
    /// let tone: Vec<f64> = [3.0, 5.0, 7.0, 5.0].repeat(100);
    /// let spectrum = Spectrum::of(&tone, Span::from_ms(1), 10).expect("it varies");
    /// assert_eq!(spectrum.peak_hz, 250.0);
    /// assert!((spectrum.peak_ratio - 1.0).abs() < 1e-12);
    /// ```
    pub fn of(samples: &[f64], interval: Span, per_decade: u32) -> Option<Spectrum> {
        let powers = periodogram(samples)?;
        let total: f64 = powers.iter().sum();
        let length = samples.len() as f64 * interval.as_secs_f64();
        let (peak, power) = powers
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))?;
        Some(Spectrum {
            bands: bands(&powers, length, per_decade),
            peak_hz: (peak + 1) as f64 / length,
            peak_ratio: power / total,
        })
    }

    /// The slope of the logarithm of the density against that of the frequency, over the bands
    /// that `is_in` selects by their frequency. `None` for fewer than two of them.
    ///
    /// The mean of m frequencies of noise is a gamma variable of shape m: its logarithm has the
    /// mean ψ(m) − ln m and the variance ψ′(m), by which bands are corrected and weighted.
    pub fn slope(&self, is_in: impl Fn(f64) -> bool) -> Option<f64> {
        let points = self.bands.iter().filter(|band| is_in(band.hz)).map(|band| {
            let m = band.frequencies as f64;
            let bias = digamma(m) - libm::log(m);
            let y = libm::log(band.density) - bias;
            (libm::log(band.hz), y, 1.0 / trigamma(m))
        });
        let points: Vec<(f64, f64, f64)> = points.filter(|(_, y, _)| y.is_finite()).collect();
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points
                .iter()
                .map(|(x, y, weight)| weight * of(*x, *y))
                .sum()
        };
        let weight = sum(&|_, _| 1.0);
        let (x, y) = (sum(&|x, _| x) / weight, sum(&|_, y| y) / weight);
        let xx = sum(&|each, _| (each - x) * (each - x));
        let xy = sum(&|each, other| (each - x) * (other - y));
        (points.len() > 1).then(|| xy / xx)
    }
}

/// The share of the variance at each frequency j/n of the n samples, from j = 1 to n/2: they add up
/// to the variance, with n as its divisor.
fn periodogram(samples: &[f64]) -> Option<Vec<f64>> {
    let n = samples.len();
    let mean = samples.iter().sum::<f64>() / n as f64;
    let centred: Vec<f64> = samples.iter().map(|sample| sample - mean).collect();
    if n < 4 || centred.iter().all(|sample| *sample == 0.0) {
        return None;
    }
    let amplitudes = transform(&centred);
    let square = (n as f64) * (n as f64);
    let power = |j: usize| {
        // The other half of the frequencies mirrors these, apart from that of half the rate.
        let sides = if 2 * j == n { 1.0 } else { 2.0 };
        sides * amplitudes[j].norm_squared() / square
    };
    Some((1..=n / 2).map(power).collect())
}

/// The powers of the frequencies j / `length`, from j = 1, by bands.
fn bands(powers: &[f64], length: f64, per_decade: u32) -> Vec<Band> {
    let band = |j: usize| (libm::log10(j as f64) * f64::from(per_decade)) as u32;
    let mut found: Vec<Band> = Vec::new();
    let mut first = 1;
    while first <= powers.len() {
        let this = band(first);
        let end = (first..=powers.len()).find(|j| band(*j) != this);
        let end = end.unwrap_or(powers.len() + 1);
        let count = (end - first) as f64;
        let logs: f64 = (first..end).map(|j| libm::log10(j as f64)).sum();
        found.push(Band {
            hz: libm::exp(logs / count * LN_10) / length,
            density: powers[first - 1..end - 1].iter().sum::<f64>() / count * length,
            frequencies: (end - first) as u64,
        });
        first = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fractional_noise;
    use crate::testing::Random;

    const MS: Span = Span::from_ms(1);

    fn normals(seed: u64) -> impl FnMut() -> f64 {
        let mut random = Random::new(seed);
        move || random.normal()
    }

    #[test]
    fn bands_hold_the_whole_variance() {
        for samples in [
            vec![1.0, 4.0, 2.0, 9.0],
            vec![5.0, 1.0, 1.0, 7.0, 3.0, 3.0, 8.0],
        ] {
            let n = samples.len() as f64;
            let mean = samples.iter().sum::<f64>() / n;
            let variance = samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            let spectrum = Spectrum::of(&samples, MS, 10).expect("it varies");
            let width = 1.0 / (n * MS.as_secs_f64());
            let held = |band: &Band| band.density * band.frequencies as f64 * width;
            let all: f64 = spectrum.bands.iter().map(held).sum();
            assert!((all / variance - 1.0).abs() < 1e-12, "{all} of {variance}");
        }
    }

    #[test]
    fn white_noise_is_flat() {
        let mut normal = normals(1);
        let samples: Vec<f64> = (0..100_000).map(|_| 3.0 * normal()).collect();
        let spectrum = Spectrum::of(&samples, MS, 5).expect("it varies");
        // Variance 9 over 500 Hz.
        for band in &spectrum.bands {
            let error = band.density / (9.0 / 500.0) - 1.0;
            let allowed = 4.5 / (band.frequencies as f64).sqrt();
            assert!(error.abs() < allowed, "{band:?}");
        }
        let slope = spectrum.slope(|_| true).expect("bands");
        assert!(slope.abs() < 0.02, "{slope}");
        assert!(spectrum.peak_ratio < 0.001);
    }

    #[test]
    fn a_tone_stands_in_its_band_alone() {
        let mut normal = normals(2);
        let tone = |i: u32| 2.0 * libm::sin(std::f64::consts::TAU * 0.04 * f64::from(i));
        let samples: Vec<f64> = (0..50_000).map(|i| tone(i) + 0.01 * normal()).collect();
        let spectrum = Spectrum::of(&samples, MS, 10).expect("it varies");
        assert!((spectrum.peak_hz - 40.0).abs() < 1e-9);
        assert!(spectrum.peak_ratio > 0.999);
        let loud = spectrum.bands.iter().filter(|band| band.density > 1e-4);
        let [loud] = loud.collect::<Vec<_>>()[..] else {
            panic!("one band");
        };
        // The power of the tone: half the square of its amplitude, over the width of the band.
        let width = loud.frequencies as f64 / 50.0;
        assert!((loud.density * width - 2.0).abs() < 0.01, "{loud:?}");
    }

    #[test]
    fn fractional_noise_has_the_slope_of_its_hurst_parameter() {
        for hurst in [0.6, 0.75, 0.9] {
            let samples = fractional_noise(hurst, 1 << 17, normals(3));
            let spectrum = Spectrum::of(&samples, MS, 10).expect("it varies");
            // f^(1 − 2H) holds for low frequencies; that of exact noise bends above.
            let slope = spectrum.slope(|hz| hz < 20.0).expect("bands");
            let error = slope - (1.0 - 2.0 * hurst);
            assert!(error.abs() < 0.05, "H = {hurst}: {slope}");
        }
    }

    #[test]
    fn there_is_no_spectrum_without_variance() {
        assert_eq!(Spectrum::of(&[7.0; 100], MS, 10), None);
        assert_eq!(Spectrum::of(&[1.0, 2.0, 3.0], MS, 10), None);
        assert_eq!(Spectrum::of(&[], MS, 10), None);
    }
}
