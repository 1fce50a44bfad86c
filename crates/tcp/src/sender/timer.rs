//! The timers: retransmission and pacing.

use pacesim_units::Time;

use super::{Method, Permit, Sender};
use crate::config::Variant;
use crate::control::{CongestionControl, LossKind};
use crate::event::{EventMask, SenderEvent, WindowReason};

impl Sender {
    /// Time has passed; harmless if nothing is due.
    pub fn on_timer(&mut self, now: Time) {
        self.resume_pacing(now);
        if now >= self.rto_at {
            self.on_expiry(now);
        }
    }

    fn resume_pacing(&mut self, now: Time) {
        let due = self
            .pacer
            .as_ref()
            .is_some_and(|pacer| now >= pacer.deadline());
        if due && self.permit == Permit::Nothing {
            self.permit = self.standing_permit();
        }
    }

    fn on_expiry(&mut self, now: Time) {
        self.rto_at = Time::NEVER;
        if self.una == self.high {
            self.on_idle_expiry(now);
        } else {
            self.on_timeout(now);
        }
    }

    /// ns-2's timer runs on after all is acknowledged; then only the window falls.
    fn on_idle_expiry(&mut self, now: Time) {
        let window = match self.method {
            Method::Fack => self.config.initial_window.floor(),
            _ => 1.0,
        };
        self.control.restart(window);
        self.start_again();
        self.report_window(now, WindowReason::Idle);
    }

    /// RFC 5681 §3.1, RFC 6298 §5.4 to 5.7.
    fn on_timeout(&mut self, now: Time) {
        self.counters.timeouts += 1;
        self.syn_lost |= self.una == 0;
        let repeated = self.rtt.backoff() > 1;
        let kind = if repeated {
            LossKind::RepeatedTimeout
        } else {
            LossKind::Timeout
        };
        self.cut_window(now, kind, WindowReason::Timeout);
        self.rtt.back_off(&self.config);
        self.arm_timer(now);
        self.start_again();
        let (seq, rto) = (self.una, self.rtt.rto());
        self.log.note(EventMask::TIMEOUT, || SenderEvent::Timeout {
            at: now,
            seq,
            rto,
        });
    }

    /// Forgets what is known of the window beyond `una` and goes back there.
    fn start_again(&mut self) {
        let tahoe = self.config.variant == Variant::Tahoe;
        if !(tahoe && self.config.details.tahoe_keeps_dupacks) {
            self.dupacks = 0;
        }
        self.inflation = 0;
        self.impatient = false;
        self.after_timeout = true;
        self.forget_blocks();
        self.repair_first = false;
        self.next = self.una;
        // A timeout does not end the recovery of ns-2's Fack: it goes on to the same end.
        if self.method != Method::Fack {
            self.recover = self.high;
            self.recovering = false;
        }
        self.permit = self.standing_permit();
    }

    #[inline]
    pub(super) fn arm_timer(&mut self, now: Time) {
        self.rto_at = now.saturating_add(self.rtt.rto());
        self.rto_armed = now;
    }

    /// RFC 6298 §5.2 and 5.3.
    #[inline]
    pub(super) fn restart_timer(&mut self, now: Time) {
        if self.high > self.una || self.config.details.idle_timer {
            self.arm_timer(now);
        } else {
            self.rto_at = Time::NEVER;
        }
    }
}
