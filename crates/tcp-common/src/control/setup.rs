//! Construction of a congestion control.

use super::Halving;
use crate::profile::Profile;

/// The rules and initial values of a congestion control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// The rules of its flow.
    pub profile: Profile,
    /// The initial window, in packets.
    pub window: f64,
    /// The initial slow-start threshold, in packets.
    pub ssthresh: f64,
    /// The quantity that a loss halves.
    pub halving: Halving,
}
