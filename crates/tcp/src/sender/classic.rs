//! Tahoe, Reno and NewReno: losses by counting duplicates.

use pacesim_units::Time;

use super::{Permit, Sender, UNLIMITED};
use crate::config::Variant;
use crate::control::{CongestionControl, LossKind};
use crate::event::{EventMask, SenderEvent, WindowReason};
use crate::packet::Ack;

impl Sender {
    /// Packets per ACK once duplicates have told of a loss.
    pub(super) fn burst(&self) -> u32 {
        match (self.config.variant, self.config.details.recovery_burst) {
            (Variant::NewReno, Some(burst)) if self.dupacks > 0 => burst,
            _ => UNLIMITED,
        }
    }

    /// A duplicate outside recovery.
    pub(super) fn classic_duplicate(&mut self, now: Time) {
        self.dupacks += 1;
        if self.dupacks < self.config.dupack_threshold {
            self.limited_transmit();
            return;
        }
        if self.dupacks == self.config.dupack_threshold && self.gate_is_open() {
            self.classic_fast_retransmit(now);
        }
        self.permit = Permit::Window(self.burst());
    }

    /// RFC 5681 §3.2 steps 2 and 3; Tahoe goes back and starts slowly.
    fn classic_fast_retransmit(&mut self, now: Time) {
        let tahoe = self.config.variant == Variant::Tahoe;
        self.begin_repair(
            now,
            if tahoe {
                LossKind::FastRestart
            } else {
                LossKind::FastRetransmit
            },
        );
        if tahoe {
            self.next = self.una;
        } else {
            self.recovering = true;
            self.inflation = self.config.dupack_threshold;
            self.repair_first = true;
        }
    }

    /// What every fast retransmit does first.
    pub(super) fn begin_repair(&mut self, now: Time, kind: LossKind) {
        self.counters.fast_retransmits += 1;
        self.recover = self.high;
        let seq = self.una;
        self.log
            .note(EventMask::RECOVERY, || SenderEvent::FastRetransmit {
                at: now,
                seq,
            });
        self.cut_window(now, kind, WindowReason::FastRetransmit);
        self.arm_timer(now);
    }

    pub(super) fn classic_recovery_ack(&mut self, now: Time, ack: &Ack) {
        if ack.next == self.una {
            self.dupacks += 1;
            self.inflation += 1;
            self.permit = Permit::Window(self.burst());
        } else if self.config.variant == Variant::NewReno && ack.next < self.recover {
            self.partial_ack(now, ack);
        } else {
            self.classic_leave(now, ack);
        }
    }

    /// RFC 6582 §3.2 step 3(2): the next hole is lost too.
    fn partial_ack(&mut self, now: Time, ack: &Ack) {
        let acked = self.advance(ack.next);
        self.deflate(acked);
        self.report_window(now, WindowReason::PartialAck);
        self.measure_partial(now, ack);
        if !self.impatient {
            self.restart_timer(now);
            self.impatient = true;
        }
        self.repair_first = true;
        self.permit = Permit::Window(self.burst());
    }

    /// Takes the acknowledged packets off the window and adds one back,
    /// from the inflation as far as it goes.
    fn deflate(&mut self, acked: u32) {
        if self.inflation > acked {
            self.inflation -= acked - 1;
        } else {
            self.control.deflate(f64::from(acked - self.inflation));
            self.inflation = 1;
        }
    }

    /// The ACK that ends fast recovery.
    fn classic_leave(&mut self, now: Time, ack: &Ack) {
        self.recovering = false;
        self.inflation = 0;
        self.impatient = false;
        self.report_recovered(now);
        if self.config.details.grow_on_exit {
            self.on_new_ack(now, ack);
            return;
        }
        self.advance(ack.next);
        self.measure(now, ack);
        self.restart_timer(now);
        self.dupacks = 0;
        self.control.on_recovered(self.next - self.una);
        self.report_window(now, WindowReason::Recovered);
        self.permit = Permit::Window(UNLIMITED);
    }

    pub(super) fn report_recovered(&mut self, now: Time) {
        self.log
            .note(EventMask::RECOVERY, || SenderEvent::Recovered { at: now });
    }
}
