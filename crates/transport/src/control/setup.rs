//! The beginning of a congestion control.

use super::Halving;
use crate::profile::Profile;

/// The rules and first values that a congestion control is made with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// The rules that its flow follows.
    pub profile: Profile,
    /// The first window, in packets.
    pub window: f64,
    /// The first slow-start threshold, in packets.
    pub ssthresh: f64,
    /// The window, or the flight, that a loss halves.
    pub halving: Halving,
}
