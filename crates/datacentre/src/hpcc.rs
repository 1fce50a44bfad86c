//! HPCC (Li et al., SIGCOMM 2019): telemetry of each hop (INT) gives the utilisation U of the
//! busiest, and the sender divides by it.
//!
//! For hop j, between two ACKs that are τ apart there: u_j = min(q, q_last) / (B_j T) + txRate / B_j,
//! U ← (1 − τ/T) U + (τ/T) max u_j with τ at most T. If U ≥ η, or after `maxStage` additive steps:
//! W = W_c / (U/η) + W_AI; else W = W_c + W_AI. W moves with each ACK, its reference W_c once per round
//! trip.
//!
//! [`HpccWindow`] is the paper's algorithm 1. The code of its authors, [`HpccRate`], keeps a rate in
//! whole bits per second instead, from which a window follows, and starts with U = 1; its switches
//! round INT to few bits ([`IntFormat`]).

mod int;
mod rate;
mod window;

pub use int::{Hop, IntFormat, MOST_HOPS};
pub use rate::{HpccRate, HpccRateConfig, TARGET_UTILISATION};
pub use window::{HpccWindow, HpccWindowConfig};

/// The effect of an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The reference moved: a round trip has passed.
    Full,
    /// The rate or window moved, and its reference stayed.
    Fast,
    /// None.
    None,
}
