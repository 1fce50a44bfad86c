//! The port in front of a line, for which parts are built.

use pacesim_core::random::Stream;
use pacesim_units::Rate;

use crate::Buffer;

/// A port that gets a pacer or a queue discipline.
#[derive(Clone, Debug)]
pub struct Port {
    /// Name of the port's link.
    pub link: String,
    /// Rate of the port's line.
    pub rate: Rate,
    /// Size of the port's queue.
    pub buffer: Buffer,
    /// Stream of random numbers used nowhere else in the world.
    pub stream: Stream,
}
