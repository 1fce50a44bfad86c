//! Undo of window reductions: by duplicates, timestamps, or F-RTO.

use super::Linux;
use super::clock::{micros, millis};
use super::connection::{Connection, State};
use super::control::LinuxControl;
use super::segments::Marks;

impl Connection {
    /// Allows the undo of a reduction that starts here.
    pub(super) fn start_undo(&mut self) {
        let probe = u32::from(self.probe_end.is_some() && self.probe_resent);
        let resent = self.resent_out + probe;
        self.undo.from = Some(self.una);
        self.undo.resent = (resent > 0).then_some(resent);
    }

    /// Notes that the receiver got `packets` of those up to `end` twice.
    pub(super) fn note_duplicates(&mut self, end: u32, packets: u32) {
        if let (Some(from), Some(resent)) = (self.undo.from, &mut self.undo.resent)
            && end > from
        {
            *resent = resent.saturating_sub(packets);
        }
    }

    /// True if all retransmissions were spurious.
    fn duplicates_explain_all(&self) -> bool {
        self.undo.resent == Some(0)
    }

    /// The timestamp echoed by the current ACK, in milliseconds.
    pub(super) fn echo(&self) -> Option<u64> {
        self.stamps.then(|| millis(micros(self.echo)))
    }

    /// True if the current ACK echoes a stamp before the given one.
    pub(super) fn echoes_before(&self, stamp: u64) -> bool {
        self.echo().is_some_and(|echo| echo < stamp)
    }

    /// True if nothing was retransmitted, or the current ACK is for an original (Eifel, RFC 3522).
    fn was_only_late(&self) -> bool {
        match self.undo.first_resent {
            Some(stamp) => self.echoes_before(stamp),
            None => self.sack || self.una < self.high_seq,
        }
    }

    fn may_undo(&self) -> bool {
        self.undo.from.is_some() && (self.duplicates_explain_all() || self.was_only_late())
    }

    pub(super) fn forget_first_resent(&mut self) {
        if !self.anything_resent() {
            self.undo.first_resent = None;
        }
    }

    /// Counts a retransmission.
    pub(super) fn count_resent(&mut self) {
        let now = millis(self.now);
        self.undo.first_resent.get_or_insert(now);
        self.undo.resent = Some(self.undo.resent.unwrap_or(0) + 1);
    }

    /// True if the state is held until a later packet is acknowledged, without SACK (RFC 6582).
    fn waits_beyond_high(&mut self) -> bool {
        if self.sack || self.una != self.high_seq {
            return false;
        }
        self.forget_first_resent();
        true
    }

    /// Clears the marks of losses that turned out spurious.
    fn unmark_losses(&mut self) {
        for seq in self.segments.range() {
            self.segments.get_mut(seq).clear(Marks::LOST);
        }
        self.lost_out = 0;
    }
}

impl Linux {
    /// Undoes the reduction of the window.
    fn undo_reduction(&mut self, losses_too: bool) {
        let conn = &mut self.conn;
        if losses_too {
            conn.unmark_losses();
        }
        if conn.window.prior_ssthresh > 0 {
            let size = self.control.undo_window(conn);
            conn.window.size = size;
            if conn.window.prior_ssthresh > conn.window.ssthresh {
                conn.window.ssthresh = conn.window.prior_ssthresh;
                conn.ecn.owes_cwr = false;
            }
        }
        conn.window.checked = conn.tick;
        conn.undo.from = None;
        conn.rack.advanced = true;
    }

    /// Ends a repair once all packets outstanding at its start are acknowledged; true if its state
    /// is held.
    pub(super) fn end_repair(&mut self) -> bool {
        if self.conn.may_undo() {
            self.undo_reduction(false);
        } else {
            let rack = &mut self.conn.rack;
            rack.persists = rack.persists.saturating_sub(1);
        }
        if self.conn.waits_beyond_high() {
            return true;
        }
        self.set_state(State::Open);
        self.conn.reneged = false;
        false
    }

    /// Undoes a reduction if duplicates were reported of all retransmissions.
    pub(super) fn undo_by_duplicates(&mut self) -> bool {
        if self.conn.undo.from.is_none() || !self.conn.duplicates_explain_all() {
            return false;
        }
        self.conn.rack.persist_longer();
        self.undo_reduction(false);
        true
    }

    /// Undoes a spurious time-out, found by F-RTO or by acknowledgements.
    pub(super) fn undo_time_out(&mut self, by_frto: bool) -> bool {
        if !by_frto && !self.conn.may_undo() {
            return false;
        }
        self.undo_reduction(true);
        self.conn.timeouts_in_a_row = 0;
        if self.conn.waits_beyond_high() {
            return true;
        }
        if by_frto || self.conn.sack {
            self.set_state(State::Open);
            self.conn.reneged = false;
        }
        true
    }

    /// Undoes part of a recovery after a late packet filled a hole; true if retransmissions are
    /// still outstanding.
    pub(super) fn undo_partly(&mut self, prior_una: u32) -> bool {
        if self.conn.undo.from.is_none() || !self.conn.was_only_late() {
            return false;
        }
        self.conn.note_reordering(prior_una);
        if self.conn.resent_out > 0 {
            return true;
        }
        self.conn.forget_first_resent();
        self.undo_reduction(true);
        self.keep_open();
        false
    }
}
