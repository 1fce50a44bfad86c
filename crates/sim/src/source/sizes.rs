//! Sampler of packet sizes.

use pacesim_core::random::samplers::Sampler;
use pacesim_core::random::{Distribution, Stream};

use crate::model::range::SIZE;
use crate::model::{Sizes, wire_size};

/// Draws packet sizes: whole bytes, at least one.
#[derive(Debug)]
pub enum SizeSampler {
    /// All packets have this size.
    Constant(u32),
    /// Sizes are drawn from a distribution.
    Drawn(Box<(Sampler, Stream)>),
}

impl SizeSampler {
    /// The sampler of these sizes; `stream` is called only if it is needed.
    pub fn new(sizes: &Sizes, stream: impl FnOnce() -> Stream) -> SizeSampler {
        match sizes {
            Sizes::Constant(size) => SizeSampler::Constant(wire_size(*size)),
            Sizes::Drawn(distribution) => {
                SizeSampler::Drawn(Box::new((distribution.checked_sampler(), stream())))
            }
        }
    }

    /// The mean before rounding, at least the smallest packet: a normal distribution may have mean
    /// 0.
    pub fn mean(&self) -> f64 {
        match self {
            SizeSampler::Constant(size) => f64::from(*size),
            SizeSampler::Drawn(drawn) => drawn.0.mean().max(SIZE.least.0 as f64),
        }
    }

    /// Draws the next size.
    #[inline]
    pub fn draw(&mut self) -> u32 {
        match self {
            SizeSampler::Constant(size) => *size,
            SizeSampler::Drawn(drawn) => {
                let (sampler, stream) = &mut **drawn;
                SIZE.nearest(sampler.sample(stream)).get() as u32
            }
        }
    }
}
