//! Place of a part in front of a line.

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
    /// Size of its queue.
    pub buffer: Buffer,
    /// Random numbers used nowhere else in the world.
    pub stream: Stream,
}
