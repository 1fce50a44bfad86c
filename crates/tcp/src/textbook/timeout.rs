//! The expiry of the timers of retransmission and pacing.

use pacesim_units::Time;

use super::common::Common;
use super::repair::Repair;
use super::{Permit, Textbook};
use crate::config::AfterIdle;
use crate::control::{CongestionControl, LossKind};
use crate::event::{EventMask, SenderEvent, WindowReason};

impl Textbook {
    /// Handles the timers; without effect if nothing is due.
    pub(crate) fn on_timer(&mut self, now: Time) {
        self.resume_pacing(now);
        if now >= self.common.timer.at {
            self.on_expiry(now);
        }
    }

    fn resume_pacing(&mut self, now: Time) {
        let pacer = self.common.pacer.as_ref();
        if pacer.is_some_and(|pacer| now >= pacer.deadline()) {
            self.permit_standing();
        }
    }

    fn on_expiry(&mut self, now: Time) {
        self.common.timer.stop();
        if self.common.seq.is_idle() {
            self.on_idle_expiry(now);
        } else {
            self.on_timeout(now);
        }
    }

    /// Only reduces the window, since ns-2's timer continues after everything is acknowledged.
    fn on_idle_expiry(&mut self, now: Time) {
        let config = &self.common.config;
        let window = if config.is_ns2_fack() {
            config.initial_window.floor()
        } else {
            1.0
        };
        self.common.window.control.restart(window);
        self.start_again();
        self.common.report_window(now, WindowReason::Idle);
    }

    /// Handles a time-out (RFC 5681 §3.1, RFC 6298 §5.4 to 5.7).
    fn on_timeout(&mut self, now: Time) {
        let in_flight = self.recovery.in_flight(&self.common);
        self.common.time_out(now, in_flight);
        self.start_again();
        self.common.report_timeout(now);
    }

    /// Forgets the state of the window beyond `una` and goes back there.
    fn start_again(&mut self) {
        let common = &mut self.common;
        common.repair_first = false;
        common.seq.next = common.seq.una;
        self.recovery.on_timeout(common);
        common.permit = self.recovery.standing_permit(common);
    }

    /// The permit to send without an ACK: after time has passed, or new data have arrived.
    pub(super) fn permit_standing(&mut self) {
        if self.common.permit == Permit::Nothing {
            self.common.permit = self.recovery.standing_permit(&self.common);
        }
    }
}

impl Common {
    fn time_out(&mut self, now: Time, in_flight: u32) {
        self.counters.timeouts += 1;
        self.syn_lost |= self.seq.una == 0;
        let repeated = self.timing.rtt.backoff() > 1;
        let kind = if repeated {
            LossKind::RepeatedTimeout
        } else {
            LossKind::Timeout
        };
        self.cut_window(now, kind, in_flight, WindowReason::Timeout);
        self.timing.rtt.back_off(&self.config);
        self.arm_timer(now);
    }

    fn report_timeout(&mut self, at: Time) {
        let (seq, rto) = (self.seq.una, self.timing.rtt.rto());
        self.log
            .note(EventMask::TIMEOUT, || SenderEvent::Timeout { at, seq, rto });
    }

    #[inline]
    pub(super) fn arm_timer(&mut self, now: Time) {
        self.timer.arm(now, self.timing.rtt.rto());
    }

    /// Restarts or stops the timer (RFC 6298 §5.2 and 5.3).
    #[inline]
    pub(super) fn restart_timer(&mut self, now: Time) {
        if self.seq.high > self.seq.una || self.config.after_idle == AfterIdle::One {
            self.arm_timer(now);
        } else {
            self.timer.stop();
        }
    }
}
