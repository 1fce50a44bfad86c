//! A pacer's work for a packet in steps, to measure its growth with the packets waiting. A count is
//! the same on every machine, unlike a measured time.

use std::fmt::Debug;

/// A counter of steps. A step is one comparison of slopes, or one part of a search structure that
/// is visited, created or moved.
pub trait Steps: Clone + Debug + Default + Send {
    /// Adds this number of steps.
    fn add(&mut self, steps: usize);
}

/// Counts nothing at no cost: for the pacers of simulations.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStepCount;

impl Steps for NoStepCount {
    #[inline(always)]
    fn add(&mut self, _: usize) {}
}

/// A counter with the number of steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted(pub u64);

impl Steps for Counted {
    #[inline]
    fn add(&mut self, steps: usize) {
        self.0 += steps as u64;
    }
}
