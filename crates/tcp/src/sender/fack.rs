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
        self.fack_learn(now, ack);
        let beyond = self.the_board().fack() - self.una;
        if beyond > self.config.dupack_threshold {
            self.fack_enter(now);
        }
    }

    /// What every such ACK and each one in recovery brings: what arrived, a
    /// restart of the timer, and a round trip by its echo.
    fn fack_learn(&mut self, now: Time, ack: &Ack) {
        if ack.next > self.una {
            self.advance(ack.next);
        }
        let high = self.high;
        let board = self.the_board();
        let before = board.fack();
        board.note(&ack.sacks, high);
        board.note_lost_retransmission();
        let fack = board.fack();
        self.ramp = self.ramp.saturating_sub(fack - before);
        // After a timeout ns-2 sends from `una` on, but not what the forward-most
        // SACK shows to have been sent.
        self.next = self.next.max(fack);
        // The back-off that this ACK may end still counts for the timer.
        self.restart_timer(now);
        self.end_timing(ack);
        self.sample_rtt(now, ack.stamp);
    }

    /// The window falls to one and grows by every ACK: ssthresh is the target.
    /// No earlier episode forbids it: ns-2's Fack has no gate.
    fn fack_enter(&mut self, now: Time) {
        let beyond = self.next - self.the_board().fack();
        self.ramp = if self.config.details.rampdown {
            beyond
        } else {
            0
        };
        self.begin_repair(now, LossKind::FastRestart);
        self.recover = self.next;
        self.recovering = true;
        self.resend_first();
        self.permit = Permit::Nothing;
    }

    /// Sends `una` again as the only retransmission out.
    pub(super) fn resend_first(&mut self) {
        self.repair_first = true;
        let (una, next) = (self.una, self.next);
        let board = self.the_board();
        board.start_episode();
        board.retransmitted(una, next);
    }

    pub(super) fn fack_recovery_ack(&mut self, now: Time, ack: &Ack) {
        let acked = ack.next - self.una;
        self.fack_learn(now, ack);
        self.grow(now, acked, None);
        if ack.sacks.is_empty() && self.una > self.recover {
            self.fack_leave(now);
        }
        self.permit = Permit::Repair;
    }

    fn fack_leave(&mut self, now: Time) {
        self.recovering = false;
        self.ramp = 0;
        self.forget_blocks();
        self.report_recovered(now);
    }

    /// Holes first, then new data, while what may be in the network is less
    /// than the window; once a retransmission is lost nothing, until the timer ends.
    pub(super) fn choose_by_awnd(&self) -> Option<Choice> {
        let board = self.board.as_deref()?;
        if board.has_lost_retransmission() {
            return None;
        }
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
