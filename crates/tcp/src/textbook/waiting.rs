//! The reason for which a sender waits.

use super::{Permit, Textbook};
use crate::totals::{Limit, Standing};

impl Textbook {
    /// The current limit on sending, once [`poll_transmit`](Self::poll_transmit) has returned
    /// `None`.
    pub(crate) fn limited_by(&self) -> Limit {
        self.limit_of(self.common.window.size())
    }

    /// The limit on sending, and all else that statistics of time distinguish.
    #[inline(always)]
    pub(crate) fn standing(&self) -> Standing {
        let (window, ssthresh) = self.common.window.control.sizes();
        Standing::new(self.limit_of(window), !self.is_done(), window < ssthresh)
    }

    #[inline(always)]
    fn limit_of(&self, window: f64) -> Limit {
        let common = &self.common;
        if common.permit != Permit::Nothing || common.repair_first || common.waits_for_timer() {
            Limit::Pacing
        } else if common.recovering {
            Limit::Congestion
        } else if !common.seq.has_new() {
            Limit::Data
        } else if window < common.window.cap {
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
