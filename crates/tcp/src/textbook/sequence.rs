//! The place of a sender in its data.

/// Sequence numbers, which count packets. ns-2's `highest_ack_`, `t_seqno_` and `maxseq_` are
/// `una - 1`, `next` and `high - 1`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    /// First packet not acknowledged.
    pub(super) una: u32,
    /// Next packet to send.
    pub(super) next: u32,
    /// First packet that was never sent.
    pub(super) high: u32,
    /// First packet beyond the application's data.
    pub(super) limit: u32,
}

impl Sequence {
    /// Notes that all packets below `una` are acknowledged; returns the number of new ones.
    #[inline]
    pub(super) fn advance(&mut self, una: u32) -> u32 {
        let acked = una - self.una;
        self.una = una;
        self.next = self.next.max(una);
        acked
    }

    /// Number of packets from the acknowledgement up to the next to send.
    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        self.next - self.una
    }

    /// Number of packets sent and not acknowledged.
    #[inline]
    pub(super) fn outstanding(&self) -> u32 {
        self.high - self.una
    }

    /// True if all packets sent are acknowledged.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.una == self.high
    }

    /// True if the application has given data that were never sent.
    #[inline]
    pub(super) fn has_new(&self) -> bool {
        self.next < self.limit
    }
}
