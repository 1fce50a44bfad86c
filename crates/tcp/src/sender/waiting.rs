//! What a sender waits for.

use pacesim_units::{Bytes, Time};

use super::{Permit, Sender};
use crate::control::CongestionControl;

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
        if self.permit != Permit::Nothing || self.repair_first {
            Limit::Pacing
        } else if self.recovering {
            Limit::Congestion
        } else if self.next >= self.limit {
            Limit::Data
        } else if self.control.window() < self.window_cap {
            Limit::Congestion
        } else {
            Limit::Window
        }
    }

    /// The transfers that are not wholly acknowledged, oldest first: the number of each among
    /// the flow's transfers, its size, and when the application handed it over.
    pub fn pending_transfers(&self) -> impl Iterator<Item = (u32, Bytes, Time)> + '_ {
        self.transfers.pending()
    }
}
