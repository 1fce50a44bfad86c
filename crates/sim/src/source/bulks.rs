//! Poisson arrivals of batches: several packets at one instant.

use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Stream};
use pacesim_units::{PS_PER_SECOND, Rate, Span};

use super::{Emission, SizeSampler, Source};

/// Exponential gaps between bulks, the first gap from the start.
#[derive(Debug)]
pub struct Bulks {
    gap_ps: Exponential,
    gaps: Stream,
    sizes: SizeSampler,
    count: u32,
    /// Number of packets of the current bulk that follow.
    following: u32,
}

impl Bulks {
    /// Bulks of `count` packets of these sizes, at this mean rate in total.
    pub fn new(rate: Rate, sizes: SizeSampler, count: u32, gaps: Stream) -> Bulks {
        let bits = sizes.mean() * 8.0 * f64::from(count);
        let mean_gap_ps = bits * PS_PER_SECOND as f64 / rate.as_bps() as f64;
        let gap_ps = Exponential::with_mean(mean_gap_ps).expect("a positive mean gap");
        Bulks {
            gap_ps,
            gaps,
            sizes,
            count,
            following: 0,
        }
    }
}

impl Source for Bulks {
    #[inline]
    fn next(&mut self) -> Option<Emission> {
        let gap = match self.following {
            0 => {
                self.following = self.count;
                Span::from_ps_f64(self.gap_ps.sample(&mut self.gaps)).unwrap_or(Span::MAX)
            }
            _ => Span::ZERO,
        };
        self.following -= 1;
        Some(Emission {
            gap,
            size: self.sizes.draw(),
        })
    }

    #[inline]
    fn following(&self) -> u32 {
        self.following
    }
}
