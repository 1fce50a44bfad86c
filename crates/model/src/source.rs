//! What a source of traffic is, and one of the user's own.

mod own;

pub use own::{Feed, OwnSource};

use pacesim_units::Span;

/// The next packet of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emission {
    /// How long after the one before, or after the start.
    pub gap: Span,
    /// Bytes on the wire.
    pub size: u32,
}

/// A source of packets. The laws every source keeps are in `pacesim::source::laws`, to be run.
pub trait Source: Send {
    /// The next packet, or `None` if there are no more.
    fn next(&mut self) -> Option<Emission>;

    /// How many packets of the same bulk follow the last one without a gap, if it knows; a
    /// queue may refuse them all together.
    fn following(&self) -> u32 {
        0
    }
}
