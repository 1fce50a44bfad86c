//! The trait of traffic sources, and users' sources.

mod own;

pub use own::{Feed, OwnSource};

use pacesim_units::Span;

/// The next packet that a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emission {
    /// Time since the previous packet, or since the start.
    pub gap: Span,
    /// Size of the packet on the wire, in bytes.
    pub size: u32,
}

/// A source of packets. The executable laws of every source are in `pacesim::source::laws`.
pub trait Source: Send {
    /// The next packet, or `None` if there are no more.
    fn next(&mut self) -> Option<Emission>;

    /// Number of packets of the same bulk that follow the last one without a gap, if known; a queue
    /// may refuse them all together.
    fn following(&self) -> u32 {
        0
    }
}
