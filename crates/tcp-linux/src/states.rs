//! The effects of an unusual ACK on the state of congestion (tcp_fastretrans_alert).

use super::connection::State;
use super::control::LinuxControl;
use super::{Linux, Resend, Seen};

impl Linux {
    /// Decides whether a reduction of the window starts, continues, or is undone.
    pub(super) fn judge(&mut self, prior_una: u32, duplicates: u32, seen: &mut Seen) -> Resend {
        let conn = &mut self.conn;
        if conn.packets_out == 0 {
            conn.sacked_out = 0;
        }
        if seen.marked {
            conn.window.prior_ssthresh = 0;
        }
        if seen.reneged && seen.advanced {
            conn.wait_for_reneger();
            seen.sets_timer = false;
            return Resend::Nothing;
        }
        if self.leave_state() {
            return Resend::Nothing;
        }
        match self.conn.state {
            State::Recovery => self.go_on_with_recovery(prior_una, duplicates, seen),
            State::Loss => self.go_on_with_loss(duplicates, seen),
            _ => self.look_for_trouble(duplicates, seen),
        }
    }

    /// Leaves the state once all packets outstanding on its entry are acknowledged; true if the ACK
    /// needs no further work.
    fn leave_state(&mut self) -> bool {
        let conn = &mut self.conn;
        if conn.state == State::Open {
            conn.undo.first_resent = None;
            return false;
        }
        if conn.una < conn.high_seq {
            return false;
        }
        match conn.state {
            // Held until a later packet is acknowledged, so that the receiver sees CWR.
            State::Cwr if conn.una != conn.high_seq => {
                self.end_reduction();
                self.set_state(State::Open);
            }
            State::Recovery => {
                if !conn.sack {
                    conn.sacked_out = 0;
                }
                if self.end_repair() {
                    return true;
                }
                self.end_reduction();
            }
            _ => {}
        }
        false
    }

    fn go_on_with_recovery(&mut self, prior_una: u32, duplicates: u32, seen: &mut Seen) -> Resend {
        if !seen.advanced {
            if !self.conn.sack {
                self.conn.add_duplicates(duplicates, seen.marked);
            }
        } else if self.undo_partly(prior_una) {
            return Resend::Nothing;
        }
        if self.undo_by_duplicates() {
            self.try_to_open(seen);
        }
        self.find_losses(seen);
        if self.conn.state != State::Recovery {
            if self.conn.lost_out == 0 {
                return Resend::Nothing;
            }
            self.enter_recovery(seen.marked);
        }
        Resend::Lost
    }

    fn go_on_with_loss(&mut self, duplicates: u32, seen: &mut Seen) -> Resend {
        let resend = self.repair_after_time_out(duplicates, seen);
        self.find_losses(seen);
        if self.conn.state == State::Open || seen.retransmission_lost {
            return self.look_for_trouble(duplicates, seen).or(resend);
        }
        resend
    }

    /// Handles Open, Disorder and CWR, including states just changed to one of them.
    fn look_for_trouble(&mut self, duplicates: u32, seen: &mut Seen) -> Resend {
        let conn = &mut self.conn;
        if !conn.sack {
            if seen.advanced {
                conn.sacked_out = 0;
            }
            conn.add_duplicates(duplicates, seen.marked);
        }
        if conn.state <= State::Disorder {
            self.undo_by_duplicates();
        }
        self.find_losses(seen);
        if self.conn.lost_out == 0 {
            self.try_to_open(seen);
            return Resend::Nothing;
        }
        self.enter_recovery(seen.marked);
        Resend::Lost
    }

    /// Handles an ACK after a time-out: F-RTO (RFC 5682 §3.1, with SACK) and go-back.
    fn repair_after_time_out(&mut self, duplicates: u32, seen: &mut Seen) -> Resend {
        let recovered = self.conn.una >= self.conn.high_seq;
        if seen.advanced && self.undo_time_out(false) {
            return Resend::Nothing;
        }
        if self.conn.frto {
            if seen.original && self.undo_time_out(true) {
                return Resend::Nothing;
            }
            let conn = &mut self.conn;
            if conn.next > conn.high_seq {
                if seen.sacked || duplicates > 0 {
                    conn.frto = false;
                }
            } else if seen.advanced && !recovered {
                conn.high_seq = conn.next;
                if conn.has_new() && conn.peer_end() > conn.next {
                    return Resend::New;
                }
                conn.frto = false;
            }
        }
        if recovered {
            self.end_repair();
            return Resend::Nothing;
        }
        let conn = &mut self.conn;
        if !conn.sack {
            if conn.next > conn.high_seq && duplicates > 0 {
                conn.add_duplicates(duplicates, seen.marked);
            } else if seen.advanced {
                conn.sacked_out = 0;
            }
        }
        Resend::Lost
    }

    fn find_losses(&mut self, seen: &mut Seen) {
        self.conn.find_losses(seen);
        self.tell_losses();
    }

    /// Reports each lost packet to the control.
    pub(super) fn tell_losses(&mut self) {
        if self.conn.losses.is_empty() {
            return;
        }
        let mut losses = std::mem::take(&mut self.conn.losses);
        for lost in losses.drain(..) {
            self.control.on_packet_lost(&mut self.conn, &lost);
        }
        self.conn.losses = losses;
    }

    fn try_to_open(&mut self, seen: &Seen) {
        self.conn.forget_first_resent();
        if seen.marked {
            self.enter_cwr();
        }
        if self.conn.state != State::Cwr {
            self.keep_open();
        }
    }

    /// Sets Open, or Disorder while packets are missing.
    pub(super) fn keep_open(&mut self) {
        let conn = &mut self.conn;
        let missing = conn.sacked_out + conn.lost_out > 0 || conn.anything_resent();
        let state = if missing {
            State::Disorder
        } else {
            State::Open
        };
        if conn.state != state {
            self.set_state(state);
            self.conn.high_seq = self.conn.next;
        }
    }

    pub(super) fn set_state(&mut self, state: State) {
        self.control.on_state(&mut self.conn, state);
        self.conn.state = state;
    }
}

impl super::connection::Connection {
    fn find_losses(&mut self, seen: &mut Seen) {
        if self.packets_out == 0 {
            return;
        }
        if !self.sack {
            self.mark_first_lost(seen.advanced);
            return;
        }
        let resent = self.resent_out;
        if self.look_for_losses() {
            seen.sets_timer = false;
        }
        seen.retransmission_lost |= self.resent_out < resent;
    }
}
