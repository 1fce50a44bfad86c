//! What a sender waits for.

use pacesim_units::{Bytes, Time};

use super::{Permit, Sender};

/// What keeps a sender from sending more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The application has handed over no more.
    Data,
    /// The receiver's window.
    Window,
    /// The congestion window, or the repair of losses.
    Congestion,
    /// The sender's own pacing.
    Pacing,
}

impl Limit {
    /// All limits; the place of each is `limit as usize`.
    pub const ALL: [Limit; 4] = [Limit::Data, Limit::Window, Limit::Congestion, Limit::Pacing];
}

impl Sender {
    /// What keeps it from sending more, when [`poll_transmit`](Self::poll_transmit) has said
    /// `None`.
    #[inline]
    pub fn limited_by(&self) -> Limit {
        let common = &self.common;
        if common.permit != Permit::Nothing || common.repair_first {
            Limit::Pacing
        } else if common.recovering {
            Limit::Congestion
        } else if !common.seq.has_new() {
            Limit::Data
        } else if common.window.size() < common.window.cap {
            Limit::Congestion
        } else {
            Limit::Window
        }
    }

    /// Data without end come to theirs with what has been sent.
    pub fn end_data(&mut self) {
        let seq = &mut self.common.seq;
        seq.limit = seq.limit.min(seq.high);
    }

    /// The transfers that are not wholly acknowledged, oldest first: the number of each among
    /// the flow's transfers, its size, and when the application handed it over.
    pub fn pending_transfers(&self) -> impl Iterator<Item = (u32, Bytes, Time)> + '_ {
        self.transfers.pending()
    }
}
