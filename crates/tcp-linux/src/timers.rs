//! Expiries of the timer: for the time-out, a tail loss probe, late packets, or a closed window.

use pacesim_units::Time;

use super::Linux;
use super::clock::Micros;
use super::connection::{Connection, State};
use super::control::LinuxControl;
use super::segments::Marks;
use super::timer::TimerPurpose;

/// The probe's allowance for the timer's own coarseness.
const SLACK: Micros = 2_000;
/// Number of time-outs of the SYN before they double.
const LINEAR_SYNS: u32 = 4;

impl Connection {
    /// Sets the timer, plus the remaining delay of pacing.
    #[inline]
    pub(super) fn arm(&mut self, pending: TimerPurpose, after: u64) {
        let paced = match self.pace.delay(self.now) {
            0 => 0,
            delay => self.ticks.whole(delay / 1000),
        };
        self.arm_exactly(pending, (after + paced).min(self.timer.greatest_rto));
    }

    #[inline]
    pub(super) fn arm_exactly(&mut self, pending: TimerPurpose, after: u64) {
        let end = self.tick + after;
        let timer = &mut self.timer;
        timer.pending = pending;
        timer.end = end;
        timer.armed = self.now;
        timer.fires = self.ticks.begin(self.ticks.rounded(self.tick, end));
    }

    #[inline]
    pub(super) fn set_rto(&mut self) {
        let rto = self.ticks.covering(self.rtt.time_out());
        self.timer.rto = rto.min(self.timer.greatest_rto);
    }

    /// Time until the time-out of the first packet; `None` if it is past.
    #[inline]
    fn until_time_out(&self) -> Option<Micros> {
        let head = self.segments.head()?;
        let end = head.at + self.ticks.micros(self.timer.rto);
        end.checked_sub(self.now).filter(|left| *left > 0)
    }

    /// Restarts the time-out, or its remaining part if the timer ran for something else.
    pub(super) fn rearm(&mut self) {
        if self.packets_out == 0 {
            self.timer.stop();
            return;
        }
        let mut after = self.timer.rto;
        if matches!(
            self.timer.pending,
            TimerPurpose::Reordering | TimerPurpose::Probe
        ) {
            after = self.ticks.covering(self.until_time_out().unwrap_or(1));
        }
        self.arm(TimerPurpose::Retransmission, after);
    }

    /// Sets the timer after progress: for a probe where one is due before the time-out.
    #[inline]
    pub(super) fn set_timer(&mut self, may_wait: bool) {
        if may_wait && self.probes() {
            self.timer.owes_probe = true
        } else {
            self.set_timer_now()
        }
    }

    fn set_timer_now(&mut self) {
        if !self.schedule_probe(true) {
            self.rearm();
        }
    }

    /// Sets the timer that the current ACK left to packets that it might release.
    #[inline]
    pub(super) fn settle_probe(&mut self) {
        if self.timer.owes_probe {
            self.schedule_probe(true);
        }
    }

    /// True if the timer of outstanding packets runs for a probe.
    #[inline]
    pub(super) fn probes(&self) -> bool {
        let calm = matches!(self.state, State::Open | State::Cwr);
        self.packets_out > 0 && self.sack && calm
    }

    /// RFC 8985 §7.2: two round trips, and more for a delayed ACK if one packet is out.
    // Always inlined: `progress` is a constant.
    #[inline(always)]
    pub(super) fn schedule_probe(&mut self, progress: bool) -> bool {
        self.timer.owes_probe = false;
        if !self.probes() {
            return false;
        }
        let mut after = match (self.rtt.srtt8(), self.packets_out) {
            (0, _) => self.ticks.micros(self.ticks.per_second()),
            (srtt8, 1) => (srtt8 >> 2) + self.ticks.micros(self.timer.least_rto),
            (srtt8, _) => (srtt8 >> 2) + SLACK,
        };
        let mut time_out = self.timer.rto;
        if !progress {
            time_out = u64::MAX;
            after = self.until_time_out().map_or(after, |left| after.min(left));
        }
        self.arm(
            TimerPurpose::Probe,
            self.ticks.covering(after).min(time_out),
        );
        true
    }

    /// Waits a little for a receiver that seems to have dropped SACKed packets.
    pub(super) fn wait_for_reneger(&mut self) {
        let half = self.ticks.covering(self.rtt.srtt8() >> 4);
        let after = half.max(self.ticks.covering(10_000));
        self.arm_exactly(TimerPurpose::Retransmission, after);
    }

    /// Starts probes of the receiver's closed window while nothing is outstanding.
    pub(super) fn watch_closed_window(&mut self) {
        if self.packets_out == 0 && self.timer.pending == TimerPurpose::Nothing {
            let after = self.timer.rto.max(self.timer.least_rto);
            self.arm(TimerPurpose::ClosedWindow, after);
        }
    }

    /// Checks whether an ACK, while nothing was outstanding, has opened the window.
    pub(super) fn note_window_answer(&mut self) {
        if !self.has_new() {
            return;
        }
        if self.next < self.peer_end() {
            self.timer.backoff = 0;
            self.timer.stop();
        } else {
            let after = self.timer.patience();
            self.arm(TimerPurpose::ClosedWindow, after);
        }
    }

    /// Schedules the next probe of the window, with exponential back-off.
    fn watch_on(&mut self) {
        self.timer.backoff += 1;
        let after = self.timer.patience();
        self.arm(TimerPurpose::ClosedWindow, after);
    }
}

impl Linux {
    /// Handles the timer's expiry.
    pub(super) fn on_timer_end(&mut self) {
        let pending = self.conn.timer.pending;
        if self.control.follows_losses() {
            self.conn.note_app_limit();
        }
        self.conn.timer.fires = Time::NEVER;
        match pending {
            TimerPurpose::Nothing => {}
            TimerPurpose::Reordering => self.on_reordering_end(),
            TimerPurpose::Probe => self.send_probe(),
            TimerPurpose::Retransmission => {
                self.conn.timer.stop();
                self.on_time_out();
            }
            TimerPurpose::ClosedWindow => {
                self.conn.timer.stop();
                self.ask_closed_window();
            }
        }
    }

    /// Probes a window that seems closed, by a packet below the acknowledged one, which makes the
    /// receiver answer. If the window is open after all, new data do so.
    fn ask_closed_window(&mut self) {
        if self.conn.packets_out > 0 || !self.conn.has_new() {
            return;
        }
        if self.conn.next < self.conn.peer_end() {
            self.send_next(1, true);
            return;
        }
        self.send_window_probe();
        self.conn.watch_on();
    }

    /// Handles overtaken packets whose time has expired.
    fn on_reordering_end(&mut self) {
        let conn = &mut self.conn;
        let (in_flight, lost) = (conn.in_flight(), conn.rates.lost);
        conn.detect_losses();
        self.tell_losses();
        let conn = &mut self.conn;
        if conn.in_flight() != in_flight {
            if conn.state != State::Recovery {
                self.enter_recovery(false);
                if !self.control.rules_alone() {
                    let lost = self.conn.rates.lost - lost;
                    self.conn.reduce(1, lost, false);
                }
            }
            self.resend_lost();
        }
        if self.conn.timer.pending != TimerPurpose::Retransmission {
            self.conn.rearm();
        }
    }

    /// RFC 8985 §7.3: new data if any, otherwise the last packet again.
    fn send_probe(&mut self) {
        if self.conn.probe_end.is_none() && self.send_probe_packet() {
            let conn = &mut self.conn;
            conn.probe_end = Some(conn.next);
            conn.timer.pending = TimerPurpose::Nothing;
        }
        self.conn.rearm();
    }

    fn send_probe_packet(&mut self) -> bool {
        self.conn.probe_resent = false;
        if self.conn.has_new() && self.conn.next < self.conn.peer_end() {
            let out = self.conn.packets_out;
            self.send_new(true);
            return self.conn.packets_out > out;
        }
        if self.conn.packets_out == 0 {
            return false;
        }
        let last = self.conn.next - 1;
        let original = self.conn.segments.get(last);
        self.conn.probe_was_app_limited = original.is(Marks::APP_LIMITED);
        self.resend_uncounted(last);
        self.conn.probe_resent = true;
        true
    }

    fn on_time_out(&mut self) {
        if self.conn.packets_out == 0 {
            return;
        }
        let closed = self.conn.peer_window == 0 && !self.conn.opening;
        self.enter_loss();
        if !closed {
            self.conn.timeouts_in_a_row += 1;
        }
        self.counters.timeouts += 1;
        self.resend(self.conn.una);
        let timer = &mut self.conn.timer;
        if self.conn.opening {
            timer.opening += 1;
            if timer.opening > LINEAR_SYNS {
                timer.double();
            }
            self.conn.syn_lost = timer.opening > 1;
        } else {
            timer.double();
        }
        let rto = self.conn.timer.rto;
        self.conn.arm_exactly(TimerPurpose::Retransmission, rto);
        self.note_time_out();
    }
}
