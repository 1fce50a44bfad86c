//! The state for the undo of spurious reductions of the window.

/// The record for the undo of a reduction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Undo {
    /// The first outstanding packet at the start of the reduction; none: no undo.
    pub from: Option<u32>,
    /// Retransmissions without a reported duplicate; none: no retransmissions.
    pub resent: Option<u32>,
    /// Departure of the first retransmission, in milliseconds.
    pub first_resent: Option<u64>,
}
