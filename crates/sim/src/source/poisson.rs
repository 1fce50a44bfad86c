//! A source with Poisson arrivals.

use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Stream};
use pacesim_units::{PS_PER_SECOND, Rate, Span};

use super::{Emission, SizeSampler, Source};

/// Exponential gaps between packets, the first gap from the start.
#[derive(Debug)]
pub struct Poisson {
    gap_ps: Exponential,
    gaps: Stream,
    sizes: SizeSampler,
}

impl Poisson {
    /// A source of packets of these sizes at this mean rate.
    pub fn new(rate: Rate, sizes: SizeSampler, gaps: Stream) -> Poisson {
        let mean_gap_ps = sizes.mean() * 8.0 * PS_PER_SECOND as f64 / rate.as_bps() as f64;
        let gap_ps = Exponential::with_mean(mean_gap_ps).expect("a positive mean gap");
        Poisson {
            gap_ps,
            gaps,
            sizes,
        }
    }
}

impl Source for Poisson {
    #[inline]
    fn next(&mut self) -> Option<Emission> {
        let gap = Span::from_ps_f64(self.gap_ps.sample(&mut self.gaps)).unwrap_or(Span::MAX);
        Some(Emission {
            gap,
            size: self.sizes.draw(),
        })
    }
}
