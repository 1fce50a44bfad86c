//! RFC 6675, SACK-based recovery; FACK of the RFC profile differs only in what
//! it takes as lost.

use pacesim_units::Time;

use super::transmit::Choice;
use super::{Permit, Sender, UNLIMITED};
use crate::config::Variant;
use crate::control::{CongestionControl, LossKind};
use crate::packet::Ack;

impl Sender {
    /// §5: a duplicate counts if it brings news.
    pub(super) fn rfc6675_duplicate(&mut self, now: Time, ack: &Ack) {
        if !self.note_blocks(ack) {
            return;
        }
        self.dupacks += 1;
        let lost = self.judge_losses() || self.dupacks >= self.config.dupack_threshold;
        if lost && self.gate_is_open() {
            self.rfc6675_enter(now);
        } else if self.dupacks < self.config.dupack_threshold {
            self.limited_transmit();
        }
    }

    /// §4 `IsLost`, or below the forward-most by the threshold; whether the
    /// first unacknowledged packet is lost.
    fn judge_losses(&mut self) -> bool {
        let (fack, threshold) = (
            self.config.variant == Variant::Fack,
            self.config.dupack_threshold,
        );
        let board = self.the_board();
        if fack {
            board.lose_below_fack(threshold);
        } else {
            board.lose_below_sacked(threshold);
        }
        board.first_is_lost()
    }

    /// §5 step 4.
    fn rfc6675_enter(&mut self, now: Time) {
        self.begin_repair(now, LossKind::FastRetransmit);
        self.recovering = true;
        self.resend_first();
        self.permit = Permit::Repair;
    }

    /// §5 steps A to C.
    pub(super) fn rfc6675_recovery_ack(&mut self, now: Time, ack: &Ack) {
        if ack.next > self.una {
            self.advance(ack.next);
            self.measure(now, ack);
            self.restart_timer(now);
        }
        self.note_blocks(ack);
        self.judge_losses();
        self.permit = Permit::Repair;
        if self.una >= self.recover {
            self.recovering = false;
            self.dupacks = 0;
            self.the_board().start_episode();
            self.report_recovered(now);
            self.permit = Permit::Window(UNLIMITED);
        }
    }

    /// §4 `NextSeg` rules 1 to 3 while a packet fits the pipe.
    pub(super) fn choose_by_scoreboard(&self) -> Option<Choice> {
        let board = self.board.as_deref()?;
        if board.pipe(self.high) >= self.control.window() as u32 {
            return None;
        }
        self.choose_hole(board.edge())
            .or_else(|| self.choose_new())
            .or_else(|| self.choose_hole(UNLIMITED))
    }
}
