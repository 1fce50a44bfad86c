//! ns-2's Fack: what lies below the forward-most SACKed packet has left the network.

use pacesim_units::Time;

use super::transmit::Choice;
use super::{Permit, Sender, UNLIMITED};
use crate::control::{CongestionControl, LossKind};
use crate::packet::Ack;

impl Sender {
    /// Outside recovery, a duplicate or an ACK with blocks: it moves what is
    /// known and the timer, but neither opens the window nor lets anything out.
    pub(super) fn fack_notice(&mut self, now: Time, ack: &Ack) {
        if ack.next > self.una {
            self.advance(ack.next);
            self.dupacks = 0;
        } else {
            self.dupacks += 1;
        }
        self.note_blocks(ack);
        self.skip_to_fack();
        self.restart_timer(now);
        self.end_timing(ack);
        self.sample_rtt(now, ack.stamp);
        let threshold = self.config.dupack_threshold;
        let lost = self.the_board().fack() - self.una > threshold || self.dupacks == threshold;
        if lost && self.gate_is_open() {
            self.fack_enter(now);
        }
    }

    /// After a timeout ns-2 sends from `una` on, but not what the forward-most
    /// SACK shows to have been sent.
    fn skip_to_fack(&mut self) {
        self.next = self.next.max(self.the_board().fack());
    }

    /// The window falls to one and grows by every ACK: ssthresh is the target.
    fn fack_enter(&mut self, now: Time) {
        let beyond = self.next - self.the_board().fack();
        self.ramp = if self.config.details.rampdown {
            beyond
        } else {
            0
        };
        self.begin_repair(now, LossKind::FastRestart);
        self.recovering = true;
        self.resend_first();
        self.permit = Permit::Repair;
    }

    /// Sends `una` again as the only retransmission out.
    pub(super) fn resend_first(&mut self) {
        self.repair_first = true;
        let (una, next) = (self.una, self.next);
        let board = self.the_board();
        board.start_episode();
        board.retransmitted(una, next);
    }

    /// A timeout does not end ns-2's recovery: it goes on to the same end.
    pub(super) fn fack_start_again(&mut self) {
        self.resend_first();
        self.next = self.una + 1;
        self.permit = Permit::Nothing;
    }

    pub(super) fn fack_recovery_ack(&mut self, now: Time, ack: &Ack) {
        let acked = ack.next - self.una;
        let fack = self.the_board().fack();
        if acked > 0 {
            self.advance(ack.next);
            self.dupacks = 0;
        }
        self.note_blocks(ack);
        let news = self.the_board().fack() - fack;
        self.ramp = self.ramp.saturating_sub(news);
        self.skip_to_fack();
        self.grow(now, acked, None);
        // The back-off that this ACK may end still counts for the timer.
        self.restart_timer(now);
        self.end_timing(ack);
        self.sample_rtt(now, ack.stamp);
        self.fack_leave_if_repaired(now);
        self.permit = Permit::Repair;
        if self.the_board().retransmission_lost() {
            // ns-2 falls silent until its timer runs out.
            self.permit = Permit::Nothing;
        }
    }

    fn fack_leave_if_repaired(&mut self, now: Time) {
        let fack = self.the_board().fack();
        if self.una >= fack && self.una > self.recover {
            self.recovering = false;
            self.forget_blocks();
            self.report_recovered(now);
        }
    }

    /// Holes first, then new data, while what may be in the network is less
    /// than the window.
    pub(super) fn choose_by_awnd(&self) -> Option<Choice> {
        let board = self.board.as_deref()?;
        let beyond = i64::from(self.next) - i64::from(board.fack());
        let awnd = beyond + i64::from(board.retransmissions_out());
        let ramp = f64::from(self.ramp) / 2.0;
        let window = (self.control.window().min(self.window_cap) + ramp) as i64;
        if awnd >= window {
            return None;
        }
        self.choose_hole(UNLIMITED).or_else(|| self.choose_new())
    }
}
