//! The window's reduction: proportional to deliveries (PRR, RFC 6937 and 9937), by time-outs, after
//! idleness.

use super::Linux;
use super::connection::{Connection, State};
use super::control::LinuxControl;
use super::segments::Marks;
use crate::Reduction;

impl Linux {
    /// Starts a reduction to a new threshold, as packets are delivered.
    pub(super) fn start_reduction(&mut self) {
        let conn = &mut self.conn;
        conn.high_seq = conn.next;
        conn.probe_end = None;
        conn.window.credit = 0;
        conn.window.prior = conn.window.size;
        conn.window.reduced_delivered = 0;
        conn.window.reduced_sent = 0;
        conn.window.ssthresh = self.control.new_ssthresh(conn);
        conn.owe_cwr();
    }

    pub(super) fn end_reduction(&mut self) {
        if self.control.rules_alone() {
            return;
        }
        let conn = &mut self.conn;
        let reduced = conn.state == State::Cwr || conn.undo.from.is_some();
        if conn.window.ssthresh < super::connection::INFINITE && reduced {
            conn.window.size = conn.window.ssthresh;
            conn.window.checked = conn.tick;
        }
    }

    /// Enters CWR after the echo of a mark.
    pub(super) fn enter_cwr(&mut self) {
        self.conn.window.prior_ssthresh = 0;
        if self.conn.state < State::Cwr {
            self.conn.undo.from = None;
            self.start_reduction();
            self.set_state(State::Cwr);
        }
    }

    pub(super) fn enter_recovery(&mut self, marked: bool) {
        let conn = &mut self.conn;
        conn.forget_first_resent();
        conn.window.prior_ssthresh = 0;
        conn.start_undo();
        if !conn.is_reducing() {
            if !marked {
                conn.window.prior_ssthresh = conn.current_ssthresh();
            }
            self.start_reduction();
        }
        self.set_state(State::Recovery);
        self.note_recovery();
    }

    /// Enters Loss after an expiry of the timer: all packets but recent ones count as lost.
    pub(super) fn enter_loss(&mut self) {
        let conn = &mut self.conn;
        let newly = conn.state < State::Recovery;
        conn.mark_all_lost();
        self.tell_losses();
        let conn = &mut self.conn;
        let again = conn.state == State::Loss && conn.timeouts_in_a_row == 0;
        if conn.state <= State::Disorder || conn.high_seq <= conn.una || again {
            conn.window.prior_ssthresh = conn.current_ssthresh();
            conn.window.prior = conn.window.size;
            conn.window.ssthresh = self.control.new_ssthresh(conn);
            self.control.on_loss_event(conn);
            conn.start_undo();
        }
        conn.window.size = conn.in_flight() + 1;
        conn.window.credit = 0;
        conn.window.checked = conn.tick;
        if conn.state <= State::Disorder && conn.sacked_out >= super::connection::REORDERING {
            conn.reordering = conn.reordering.min(super::connection::REORDERING);
        }
        self.set_state(State::Loss);
        let conn = &mut self.conn;
        conn.high_seq = conn.next;
        conn.probe_end = None;
        conn.owe_cwr();
        conn.frto = newly || conn.timeouts_in_a_row > 0;
    }
}

impl Connection {
    /// PRR: the window is the packets in flight plus those that may be sent now.
    pub(super) fn reduce(&mut self, delivered: u32, lost: u32, advanced: bool) {
        if delivered == 0 || self.window.prior == 0 {
            return;
        }
        let in_flight = self.in_flight();
        let window = &mut self.window;
        window.reduced_delivered += delivered;
        let conserved = i64::from(window.reduced_delivered) - i64::from(window.reduced_sent);
        let above = i64::from(window.ssthresh) - i64::from(in_flight);
        let mut may_send = if above < 0 {
            let share = u64::from(window.ssthresh) * u64::from(window.reduced_delivered);
            share.div_ceil(u64::from(window.prior)) as i64 - i64::from(window.reduced_sent)
        } else {
            let progress = i64::from(advanced && lost == 0);
            (conserved.max(i64::from(delivered)) + progress).min(above)
        };
        // The first retransmission always leaves.
        may_send = may_send.max(i64::from(window.reduced_sent == 0));
        window.size = (i64::from(in_flight) + may_send).max(0) as u32;
    }

    /// Progress of the current reduction.
    pub(super) fn reduction(&self) -> Option<Reduction> {
        self.is_reducing().then_some(Reduction {
            delivered: self.window.reduced_delivered,
            out: self.window.reduced_sent,
        })
    }

    fn owe_cwr(&mut self) {
        self.ecn.owes_cwr = self.ecn.on;
    }

    /// Marks all packets lost after a time-out, except those so recent that their ACK may still
    /// arrive; after reneging, SACKed packets too.
    fn mark_all_lost(&mut self) {
        let first = self.una;
        let reneged = self
            .segments
            .head()
            .is_some_and(|sent| sent.is(Marks::SACKED));
        if reneged {
            self.sacked_out = 0;
            self.reneged = true;
        } else if !self.sack {
            self.sacked_out = 0;
        }
        for seq in first..self.next {
            let sent = self.segments.get_mut(seq);
            if reneged {
                sent.clear(Marks::SACKED);
            } else if seq != first && self.has_time_left(seq) {
                continue;
            }
            self.mark_lost(seq);
        }
    }

    fn has_time_left(&self, seq: u32) -> bool {
        self.remaining(self.segments.get(seq).at, 0).is_some()
    }

    /// Halves the window after idleness for each elapsed time-out, down to the initial window.
    pub(super) fn wake_from_idling(&mut self) {
        if !self.restarts_after_idle || self.packets_out > 0 {
            return;
        }
        let idle = self.tick.saturating_sub(self.last_sent);
        if idle > self.timer.rto {
            self.restart_window(idle);
        }
    }

    fn restart_window(&mut self, idle: u64) {
        let least = self.initial_window.min(self.window.size);
        self.window.ssthresh = self.current_ssthresh();
        let (mut left, mut size) = (idle, self.window.size);
        while left > self.timer.rto && size > least {
            left -= self.timer.rto;
            size >>= 1;
        }
        self.window.size = size.max(least);
        self.window.checked = self.tick;
        self.window.used = 0;
    }

    /// Notes whether the window limited sending, and reduces a window that was not used for a
    /// time-out.
    #[inline]
    pub(super) fn validate_window(&mut self, limits: bool) {
        let window = &mut self.window;
        let more = !window.limits && self.packets_out > window.most_out;
        if self.una >= window.used_until || limits || more {
            window.limits = limits;
            window.most_out = self.packets_out;
            window.used_until = self.next;
        }
        if !self.restarts_after_idle {
            return;
        }
        if self.window_limits() {
            self.window.used = 0;
            self.window.checked = self.tick;
            return;
        }
        self.window.used = self.window.used.max(self.packets_out);
        if self.tick - self.window.checked >= self.timer.rto {
            self.let_unused_window_go();
        }
    }

    fn let_unused_window_go(&mut self) {
        if self.state == State::Open {
            let used = self.window.used.max(self.initial_window);
            if used < self.window.size {
                self.window.ssthresh = self.current_ssthresh();
                self.window.size = (self.window.size + used) >> 1;
            }
            self.window.used = 0;
        }
        self.window.checked = self.tick;
    }
}
