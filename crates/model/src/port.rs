//! What a part before a line is made for.

use pacesim_core::random::Stream;
use pacesim_units::Rate;

use crate::Buffer;

/// A port that gets a pacer or a queue discipline.
#[derive(Clone, Debug)]
pub struct Port {
    /// The link's name.
    pub link: String,
    /// The rate of its line.
    pub rate: Rate,
    /// How much its queue may hold.
    pub buffer: Buffer,
    /// Random numbers that nothing else in the world draws.
    pub stream: Stream,
}
