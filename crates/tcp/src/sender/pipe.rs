//! ns-2's Sack1: a pipe estimate that each ACK lowers and each packet raises.

use pacesim_units::Time;

use super::transmit::Choice;
use super::{Permit, Sender, UNLIMITED};
use crate::control::{CongestionControl, LossKind};
use crate::packet::Ack;

impl Sender {
    /// A duplicate outside recovery; it counts only if its blocks say something
    /// new, and not between a timeout and the next new ACK.
    pub(super) fn pipe_duplicate(&mut self, now: Time, ack: &Ack) {
        if self.after_timeout {
            return;
        }
        if !self.note_blocks(ack) {
            return;
        }
        self.dupacks += 1;
        if self.dupacks < self.config.dupack_threshold {
            self.limited_transmit();
        } else if self.dupacks == self.config.dupack_threshold && self.gate_is_open() {
            self.pipe_enter(now);
        }
    }

    fn pipe_enter(&mut self, now: Time) {
        self.begin_repair(now, LossKind::FastRetransmit);
        self.pipe = (self.high - self.una) as i32 - self.dupacks as i32;
        self.recovering = true;
        self.repair_first = true;
        let (una, next) = (self.una, self.next);
        let board = self.the_board();
        board.start_episode();
        board.retransmitted(una, next);
    }

    pub(super) fn pipe_recovery_ack(&mut self, now: Time, ack: &Ack) {
        self.pipe -= 1;
        if ack.next >= self.recover {
            self.pipe_leave(now, ack);
            return;
        }
        if ack.next > self.una {
            self.pipe -= 1;
            self.advance(ack.next);
            self.measure_partial(now, ack);
            self.restart_timer(now);
        }
        self.note_blocks(ack);
        self.permit = Permit::Repair;
    }

    /// Recovery ends without growth, and the very next duplicates may begin another.
    fn pipe_leave(&mut self, now: Time, ack: &Ack) {
        self.recovering = false;
        self.recover = 0;
        self.dupacks = 0;
        self.advance(ack.next);
        self.forget_blocks();
        self.measure(now, ack);
        self.restart_timer(now);
        self.report_recovered(now);
        self.permit = Permit::Window(UNLIMITED);
    }

    /// The lowest hole below the highest SACKed packet, else new data.
    pub(super) fn choose_by_pipe(&self) -> Option<Choice> {
        if self.pipe >= self.control.window() as i32 {
            return None;
        }
        self.choose_hole(UNLIMITED).or_else(|| self.choose_new())
    }
}
