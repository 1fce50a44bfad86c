//! Fractional Gaussian noise.

use pacesim_core::random::samplers::Normal;
use pacesim_core::random::{Distribution, Stream, unit_above_zero};
use pacesim_measure::fractional_noise;
use pacesim_units::{PS_PER_SECOND, Span};

use super::fluid::{Fluid, Packetised, Piece};
use crate::model::{self_similar::FractionalNoise, wire_size};

/// A volume for each slot, with the covariances of fractional Gaussian noise. What would be
/// below zero is zero, and the others are less by as much, so that the mean is kept.
#[derive(Debug)]
pub struct NoiseFluid {
    /// The volume of each slot, in packets; made before the run.
    volumes: std::vec::IntoIter<f32>,
    slot: Span,
}

/// The source of such noise.
pub(super) fn source(traffic: &FractionalNoise, mut random: Stream) -> Packetised<NoiseFluid> {
    let first = unit_above_zero(&mut random);
    let bits = traffic.rate.as_bps() as f64 * traffic.slot.as_ps() as f64 / PS_PER_SECOND as f64;
    let packets = bits / traffic.size.bits() as f64;
    let beta = traffic.beta_of_slot();
    let scale = packets / mean_above_zero(beta);
    let slots = usize::try_from(traffic.slots()).expect("a checked number of slots");
    let normal = Normal::new(0.0, 1.0).expect("the standard normal distribution");
    let noise = fractional_noise(traffic.hurst, slots, || normal.sample(&mut random));
    let volumes: Vec<f32> = noise
        .into_iter()
        .map(|x| (scale * (1.0 + beta * x).max(0.0)) as f32)
        .collect();
    let fluid = NoiseFluid {
        volumes: volumes.into_iter(),
        slot: traffic.slot,
    };
    Packetised::new(fluid, wire_size(traffic.size), first)
}

/// The mean of max(0, 1 + βX) for a standard normal X: Φ(1/β) + β φ(1/β).
fn mean_above_zero(beta: f64) -> f64 {
    let x = 1.0 / beta;
    let density = libm::exp(-x * x / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
    let standard = Normal::new(0.0, 1.0).expect("the standard normal distribution");
    standard.at_most(x) + beta * density
}

impl Fluid for NoiseFluid {
    fn next(&mut self) -> Option<Piece> {
        Some(Piece {
            length: self.slot,
            packets: f64::from(self.volumes.next()?),
        })
    }
}
