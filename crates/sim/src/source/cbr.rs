//! A source of constant bit rate.

use pacesim_units::{Bytes, Rate, Span, Transmitter};

use super::{Emission, Source};
use crate::model::wire_size;

/// Equal packets at equal gaps, the first at once. Fractions of a picosecond carry over from gap to
/// gap, so the long-run rate is exact.
#[derive(Debug)]
pub struct Cbr {
    clock: Transmitter,
    size: u32,
    started: bool,
}

impl Cbr {
    /// A source that sends packets of `size` at `rate`.
    pub fn new(rate: Rate, size: Bytes) -> Cbr {
        Cbr {
            clock: Transmitter::new(rate),
            size: wire_size(size),
            started: false,
        }
    }
}

impl Source for Cbr {
    #[inline]
    fn next(&mut self) -> Option<Emission> {
        let gap = if self.started {
            self.clock.send(self.size)
        } else {
            Span::ZERO
        };
        self.started = true;
        Some(Emission {
            gap,
            size: self.size,
        })
    }
}
