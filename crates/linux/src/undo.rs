//! Reductions of the window that turn out to have been for nothing are taken back.

/// The record by which a reduction is taken back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Undo {
    /// The first packet out when the reduction began; none: no way back.
    pub(super) from: Option<u32>,
    /// Retransmissions of which no duplicate was reported; none: nothing was resent.
    pub(super) resent: Option<u32>,
    /// When the first retransmission left, in milliseconds.
    pub(super) first_resent: Option<u64>,
}
