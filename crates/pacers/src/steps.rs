//! How much a pacer does for a packet, for whoever wants to know how that grows with the packets
//! waiting. A count is the same on every machine, as a measured time is not.

use std::fmt::Debug;

/// What steps are reported to. A step is one comparison of slopes, or one part of a search
/// structure that is visited, made or moved.
pub trait Steps: Clone + Debug + Default + Send {
    /// So many steps have been made.
    fn add(&mut self, steps: usize);
}

/// Counts nothing, and costs nothing: the pacers of simulations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStepCount;

impl Steps for NoStepCount {
    #[inline(always)]
    fn add(&mut self, _: usize) {}
}

/// The number of steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted(pub u64);

impl Steps for Counted {
    #[inline]
    fn add(&mut self, steps: usize) {
        self.0 += steps as u64;
    }
}
