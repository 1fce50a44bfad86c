//! A source that replays recorded arrivals.

use pacesim_tape::{Tape, TapeReader};
use pacesim_units::Span;

use super::{Emission, Source};
use crate::model::{Arrival, wire_size};

/// Replays recorded arrivals, which all flows of one recording share.
#[derive(Debug)]
pub struct Recorded {
    arrivals: TapeReader<Arrival>,
    before: Span,
}

impl Recorded {
    /// A source that replays from the first arrival.
    pub fn new(arrivals: &Tape<Arrival>) -> Recorded {
        Recorded {
            arrivals: arrivals.iter(),
            before: Span::ZERO,
        }
    }
}

impl Source for Recorded {
    fn next(&mut self) -> Option<Emission> {
        let arrival = self.arrivals.next()?;
        let gap = arrival.at - self.before;
        self.before = arrival.at;
        Some(Emission {
            gap,
            size: wire_size(arrival.size),
        })
    }
}
