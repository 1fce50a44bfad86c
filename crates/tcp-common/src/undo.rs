//! The state needed to undo spurious reductions of the window.

/// The state needed to undo a reduction of the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Undo {
    /// The first outstanding packet at the start of the reduction; none: no undo.
    pub from: Option<u32>,
    /// Number of retransmissions without a reported duplicate; none if nothing was retransmitted.
    pub resent: Option<u32>,
    /// Time at which the first retransmission departed, in milliseconds.
    pub first_resent: Option<u64>,
}
