//! The discrete Fourier transform, radix 2.

use std::f64::consts::PI;
use std::ops::{Add, Mul, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    pub(crate) fn norm_squared(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// The number e^{i·angle}.
    pub(crate) fn turn(angle: f64) -> Complex {
        Complex {
            re: libm::cos(angle),
            im: libm::sin(angle),
        }
    }

    pub(crate) fn conjugate(self) -> Complex {
        Complex {
            re: self.re,
            im: -self.im,
        }
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Complex {
        Complex { re, im: 0.0 }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// X_k = Σ x_t e^{−2πi·kt/n} of any number of samples: Bluestein's chirp, which makes
/// it a convolution by transforms of a power of two.
pub(crate) fn transform(samples: &[f64]) -> Vec<Complex> {
    let n = samples.len();
    // kt = (k² + t² − (k − t)²)/2; squares modulo 2n, so that the angle keeps its digits.
    let chirp = |k: usize| {
        let square = (k as u128 * k as u128 % (2 * n as u128)) as f64;
        Complex::turn(-PI * square / n as f64)
    };
    let chirps: Vec<Complex> = (0..n).map(chirp).collect();
    let size = (2 * n).next_power_of_two();
    let mut signal = vec![Complex::default(); size];
    let mut kernel = vec![Complex::default(); size];
    for k in 0..n {
        signal[k] = chirps[k] * Complex::from(samples[k]);
        kernel[k] = chirps[k].conjugate();
        kernel[(size - k) % size] = chirps[k].conjugate();
    }
    let convolved = convolve(signal, kernel);
    chirps
        .iter()
        .zip(convolved)
        .map(|(&chirp, sum)| chirp * sum)
        .collect()
}

/// Computes the circular convolution.
fn convolve(mut a: Vec<Complex>, mut b: Vec<Complex>) -> Vec<Complex> {
    let scale = Complex::from(1.0 / a.len() as f64);
    fft(&mut a);
    fft(&mut b);
    // The inverse transform is the conjugate's transform's conjugate.
    for (x, &y) in a.iter_mut().zip(&b) {
        *x = (*x * y * scale).conjugate();
    }
    fft(&mut a);
    a.into_iter().map(Complex::conjugate).collect()
}

/// The transform in place, unnormalised, of a power of two of points (Cooley-Tukey).
pub(crate) fn fft(points: &mut [Complex]) {
    let n = points.len();
    assert!(n.is_power_of_two(), "the radix is two");
    reverse_bits(points);
    let roots: Vec<Complex> = (0..n / 2)
        .map(|k| Complex::turn(-2.0 * PI * k as f64 / n as f64))
        .collect();
    let mut half = 1;
    while half < n {
        for block in points.chunks_exact_mut(2 * half) {
            butterflies(block, &roots, n / (2 * half));
        }
        half *= 2;
    }
}

fn butterflies(block: &mut [Complex], roots: &[Complex], stride: usize) {
    let (low, high) = block.split_at_mut(block.len() / 2);
    let roots = roots.iter().step_by(stride);
    for ((a, b), &root) in low.iter_mut().zip(high).zip(roots) {
        let turned = *b * root;
        *b = *a - turned;
        *a = *a + turned;
    }
}

fn reverse_bits(points: &mut [Complex]) {
    let bits = points.len().trailing_zeros();
    for i in 1..points.len() {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            points.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn transforms_of_any_length_agree_with_the_sum(
            samples in prop::collection::vec(-1.0..1.0, 1..70),
        ) {
            let n = samples.len();
            let got = transform(&samples);
            for (k, x) in got.into_iter().enumerate() {
                let term = |(t, &sample): (usize, &f64)| {
                    Complex::turn(-2.0 * PI * (k * t % n) as f64 / n as f64) * Complex::from(sample)
                };
                let sum = samples.iter().enumerate().map(term).fold(Complex::default(), Add::add);
                prop_assert!((x - sum).norm_squared() < 1e-24, "{:?} {:?}", x, sum);
            }
        }
    }
}
