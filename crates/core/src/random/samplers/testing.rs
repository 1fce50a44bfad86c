//! Tests common to all samplers: distribution, mean, bits.

use super::*;
use crate::random::{Stream, Streams};

pub(super) const SAMPLES: usize = 200_000;

pub(super) fn stream() -> Stream {
    let streams = Streams {
        seed: 42,
        replication: 0,
    };
    streams.stream("sampler", "test")
}

fn samples(sampler: &impl Distribution<f64>) -> Vec<f64> {
    sampler.sample_iter(stream()).take(SAMPLES).collect()
}

/// Kolmogorov–Smirnov test: the largest distance between the empirical and the true distribution
/// exceeds 1.95 / sqrt(n) in one stream of a thousand.
pub(super) fn assert_follows(sampler: &impl Distribution<f64>, cdf: impl Fn(f64) -> f64) {
    let mut values = samples(sampler);
    values.sort_by(f64::total_cmp);
    let n = SAMPLES as f64;
    let distance = values.iter().enumerate().fold(0.0_f64, |worst, (i, &x)| {
        let (p, below) = (cdf(x), i as f64 / n);
        worst.max(p - below).max(below + 1.0 / n - p)
    });
    assert!(distance < 1.95 / n.sqrt(), "distance {distance}");
}

/// The mean of the samples is within four of its own standard deviations.
pub(super) fn assert_mean(sampler: &impl Distribution<f64>, mean: f64, deviation: f64) {
    let n = SAMPLES as f64;
    let measured = samples(sampler).iter().sum::<f64>() / n;
    let tolerance = 4.0 * deviation / n.sqrt();
    assert!((measured - mean).abs() < tolerance, "{measured} for {mean}");
}

/// The first values are these to the last bit, on every machine. A second implementation, on
/// another mathematics library, agrees with every pinned number to a relative 1e-14.
pub(super) fn assert_pinned(sampler: &impl Distribution<f64>, first: [f64; 4]) {
    let mut rng = stream();
    let values = [(); 4].map(|()| sampler.sample(&mut rng));
    assert_eq!(
        values.map(f64::to_bits),
        first.map(f64::to_bits),
        "{values:?}"
    );
}

#[test]
fn a_sampler_is_the_one_it_holds() {
    let normal = Normal::new(1.0, 2.0).unwrap();
    assert_eq!(samples(&Sampler::from(normal)), samples(&normal));
    let exponential = Sampler::from(Exponential::with_mean(3.0).unwrap());
    assert_eq!(exponential.mean(), 3.0);
    assert_eq!(Sampler::from(Constant::new(4.0).unwrap()).mean(), 4.0);
}

/// The distribution function that a sampler reports agrees with its values.
#[test]
fn the_share_of_values_up_to_a_point_is_the_one_that_is_reported() {
    let samplers: [Sampler; 8] = [
        Constant::new(4.0).unwrap().into(),
        Uniform::new(1.0, 9.0).unwrap().into(),
        Exponential::with_mean(4.0).unwrap().into(),
        Pareto::with_mean(4.0, 1.5).unwrap().into(),
        BoundedPareto::new(1.0, 20.0, 1.2).unwrap().into(),
        Normal::new(4.0, 2.0).unwrap().into(),
        LogNormal::with_mean_and_sigma(4.0, 0.5).unwrap().into(),
        Geometric::with_mean(4.0).unwrap().into(),
    ];
    for sampler in samplers {
        let values = samples(&sampler);
        for x in [-1.0, 0.5, 1.0, 2.0, 3.5, 4.0, 6.0, 15.0, 1e6] {
            let share = values.iter().filter(|&&value| value <= x).count() as f64 / SAMPLES as f64;
            let stated = sampler.at_most(x);
            // Four standard deviations of the share.
            let tolerance = 4.0 * (stated * (1.0 - stated) / SAMPLES as f64).sqrt() + 1e-9;
            assert!(
                (share - stated).abs() <= tolerance,
                "{sampler:?} at {x}: {share}, stated {stated}"
            );
        }
    }
}
