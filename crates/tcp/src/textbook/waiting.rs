//! Reasons for a sender to wait.

use super::{Permit, Textbook};
use crate::totals::Limit;

impl Textbook {
    /// The current limit on sending, once [`poll_transmit`](Self::poll_transmit) has returned
    /// `None`.
    #[inline]
    pub(crate) fn limited_by(&self) -> Limit {
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

    /// Ends endless data with the last packet sent.
    pub(crate) fn end_data(&mut self) {
        let seq = &mut self.common.seq;
        seq.limit = seq.limit.min(seq.high);
    }
}
