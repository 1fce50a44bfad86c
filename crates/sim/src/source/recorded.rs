//! Arrivals recorded elsewhere.

use std::sync::Arc;

use pacesim_units::Span;

use super::{Emission, Source};
use crate::model::{Arrival, wire_size};

/// Replays arrivals, shared by all flows that replay the same.
#[derive(Debug)]
pub struct Recorded {
    arrivals: Arc<[Arrival]>,
    next: usize,
    before: Span,
}

impl Recorded {
    /// A source that replays from the first arrival on.
    pub fn new(arrivals: Arc<[Arrival]>) -> Recorded {
        Recorded {
            arrivals,
            next: 0,
            before: Span::ZERO,
        }
    }
}

impl Source for Recorded {
    fn next(&mut self) -> Option<Emission> {
        let arrival = self.arrivals.get(self.next)?;
        let gap = arrival.at - self.before;
        self.next += 1;
        self.before = arrival.at;
        Some(Emission {
            gap,
            size: wire_size(arrival.size),
        })
    }
}
