//! The declaration of a built-in discipline, beside its code.

use pacesim_units::{Capacity, Rate};

use crate::chance::Chance;
use crate::queue::{Ecn, Queue};

/// The port whose line a discipline precedes.
#[derive(Debug)]
pub struct Site {
    /// The limit on waiting packets.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// Rate of the line.
    pub rate: Rate,
    /// Source of the random choices of a discipline.
    pub chance: Box<dyn Chance>,
}

/// A built-in discipline: its name, its parameters, and its construction for a port.
pub trait BuiltIn: Queue + Sized {
    /// Parameters of the discipline; values that the port has are replaced by the port's.
    type Config;

    /// Name of the discipline in scenarios and results.
    const NAME: &'static str;

    /// Builds an empty queue for this port.
    fn at(site: Site, config: &Self::Config) -> Self;

    /// True if the discipline marks packets, where permitted.
    fn marks(_config: &Self::Config) -> bool {
        false
    }

    /// The class, one of at most four, in which it keeps a packet of this class and field, if it
    /// keeps classes apart.
    fn class_of(_config: &Self::Config, _class: u16, _ecn: Ecn) -> Option<usize> {
        None
    }
}
