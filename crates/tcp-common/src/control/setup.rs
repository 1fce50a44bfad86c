//! The setup from which a congestion control is built.

use super::Halving;
use crate::profile::Profile;

/// The rules and initial values of a congestion control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Profile whose rules the flow follows.
    pub profile: Profile,
    /// Initial window, in packets.
    pub window: f64,
    /// Initial slow-start threshold, in packets.
    pub ssthresh: f64,
    /// The quantity that a loss halves.
    pub halving: Halving,
}
