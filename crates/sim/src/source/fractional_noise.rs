//! A source driven by fractional Gaussian noise.

use pacesim_core::random::samplers::Normal;
use pacesim_core::random::{Distribution, Stream, unit_above_zero};
use pacesim_measure::fractional_noise;
use pacesim_units::{PS_PER_SECOND, Span};

use super::fluid::{Fluid, Packetised, Piece};
use crate::model::{self_similar::FractionalNoise, wire_size};

/// A volume for each slot: fractional Gaussian noise clipped at zero. Mean and deviation before
/// clipping are chosen so that mean and burstiness are right after it.
#[derive(Debug)]
pub struct NoiseFluid {
    /// The volume of each slot, in packets, generated before the run.
    volumes: std::vec::IntoIter<f32>,
    slot: Span,
}

/// A source driven by fractional Gaussian noise.
pub(super) fn source(traffic: &FractionalNoise, mut random: Stream) -> Packetised<NoiseFluid> {
    let first = unit_above_zero(&mut random);
    let bits = traffic.rate.as_bps() as f64 * traffic.slot.as_ps() as f64 / PS_PER_SECOND as f64;
    let packets = bits / traffic.size.bits() as f64;
    let clipped = traffic
        .clipped()
        .expect("a burstiness that clipped noise can have");
    let scale = packets / clipped.clipped_mean;
    let slots = usize::try_from(traffic.slots()).expect("a checked number of slots");
    let normal = Normal::new(0.0, 1.0).expect("the standard normal distribution");
    let noise = fractional_noise(traffic.hurst, slots, || normal.sample(&mut random));
    let volumes: Vec<f32> = noise
        .into_iter()
        .map(|x| (scale * (clipped.mean + x).max(0.0)) as f32)
        .collect();
    let fluid = NoiseFluid {
        volumes: volumes.into_iter(),
        slot: traffic.slot,
    };
    Packetised::new(fluid, wire_size(traffic.size), first)
}

impl Fluid for NoiseFluid {
    fn next(&mut self) -> Option<Piece> {
        Some(Piece {
            length: self.slot,
            packets: f64::from(self.volumes.next()?),
        })
    }
}
