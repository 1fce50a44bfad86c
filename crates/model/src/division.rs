//! The division of a run among threads, as far as it is given.

use pacesim_units::NodeId;

/// The threads of a run, as far as they are given. They change no result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// The most threads; by default as many as there are sets of nodes, or one.
    pub threads: Option<u32>,
    /// Sets of nodes that run on a thread of their own each.
    pub sets: Vec<Vec<NodeId>>,
}

impl Division {
    /// The most threads of a run, unless its caller says otherwise.
    pub fn most(&self) -> u32 {
        self.threads.unwrap_or(self.sets.len().max(1) as u32)
    }
}
