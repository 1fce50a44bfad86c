//! Tahoe, Reno and NewReno: losses by counting duplicates.

use pacesim_units::Time;

use super::common::Common;
use super::duplicates::Duplicates;
use super::repair::{Choice, Repair};
use super::{Permit, UNLIMITED};
use crate::config::{Config, Variant};
use crate::control::{CongestionControl, LossKind};
use crate::event::WindowReason;
use crate::packet::Ack;

/// Loss state of Tahoe, Reno and NewReno.
#[derive(Debug, Default)]
pub(super) struct Classic {
    duplicates: Duplicates,
    /// Number of packets by which recovery widens the window.
    inflation: u32,
    /// NewReno: set once a partial ACK of this episode has restarted the timer.
    impatient: bool,
}

impl Repair for Classic {
    #[inline]
    fn on_new_ack(&mut self, _common: &Common, _ack: &Ack) {
        self.duplicates.count = 0;
    }

    fn on_duplicate(&mut self, common: &mut Common, now: Time, _ack: &Ack) {
        self.duplicates.count += 1;
        let (count, threshold) = (self.duplicates.count, common.config.dupack_threshold);
        if count < threshold {
            common.limited_transmit(count);
            return;
        }
        if count == threshold && self.duplicates.gate_is_open(common) {
            self.fast_retransmit(common, now);
        }
        common.permit = self.standing_permit(common);
    }

    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        if ack.next == common.seq.una {
            self.widen(common);
        } else if common.config.variant == Variant::NewReno && ack.next < self.duplicates.recover {
            self.on_partial_ack(common, now, ack);
        } else {
            self.leave(common, now, ack);
        }
    }

    fn episode_end(&self) -> u32 {
        self.duplicates.recover
    }

    fn on_timeout(&mut self, common: &mut Common) {
        let kept = self.count_beyond_timeout(&common.config);
        self.duplicates.on_timeout(common);
        self.duplicates.count = kept;
        self.inflation = 0;
        self.impatient = false;
    }

    /// Chooses the next packet of new data in the inflated window.
    fn choose(&self, common: &Common) -> Option<Choice> {
        common.choose_below(common.window.usable_with(self.inflation))
    }

    fn standing_permit(&self, common: &Common) -> Permit {
        let burst = self.burst(&common.config);
        if common.recovering {
            Permit::Repair(burst)
        } else {
            Permit::Window(burst)
        }
    }
}

impl Classic {
    /// Number of packets per ACK after duplicates have reported a loss.
    fn burst(&self, config: &Config) -> u32 {
        match (config.variant, config.details.recovery_burst) {
            (Variant::NewReno, Some(burst)) if self.duplicates.count > 0 => burst,
            _ => UNLIMITED,
        }
    }

    /// RFC 5681 §3.2 steps 2 and 3; Tahoe goes back to slow start.
    fn fast_retransmit(&mut self, common: &mut Common, now: Time) {
        if common.config.variant == Variant::Tahoe {
            self.duplicates
                .begin_repair(common, now, LossKind::FastRestart);
            common.seq.next = common.seq.una;
        } else {
            self.duplicates
                .begin_repair(common, now, LossKind::FastRetransmit);
            common.recovering = true;
            common.repair_first = true;
            self.inflation = common.config.dupack_threshold;
        }
    }

    /// Inflates the window, as another packet has left the network (RFC 5681 §3.2 step 4).
    fn widen(&mut self, common: &mut Common) {
        self.duplicates.count += 1;
        self.inflation += 1;
        common.permit = self.standing_permit(common);
    }

    /// Retransmits the next hole, which is lost too (RFC 6582 §3.2 step 3(2)).
    fn on_partial_ack(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        let acked = common.seq.advance(ack.next);
        self.deflate(common, acked);
        common.report_window(now, WindowReason::PartialAck);
        common.measure_partial(now, ack);
        if !self.impatient {
            common.restart_timer(now);
            self.impatient = true;
        }
        common.repair_first = true;
        common.permit = self.standing_permit(common);
    }

    /// Takes the acknowledged packets off the window and adds one back, from the inflation if
    /// possible.
    fn deflate(&mut self, common: &mut Common, acked: u32) {
        if self.inflation > acked {
            self.inflation -= acked - 1;
            // ns-2 also raises a window below one packet here.
            common.window.control.deflate(0.0);
        } else {
            let rest = f64::from(acked - self.inflation);
            common.window.control.deflate(rest);
            self.inflation = 1;
        }
    }

    /// Handles the ACK that ends fast recovery.
    fn leave(&mut self, common: &mut Common, now: Time, ack: &Ack) {
        self.duplicates.count = 0;
        self.inflation = 0;
        self.impatient = false;
        common.end_recovery(now);
        if common.config.details.grow_on_exit {
            common.on_new_ack(now, ack);
            return;
        }
        common.seq.advance(ack.next);
        common.measure(now, ack);
        common.restart_timer(now);
        common.window.control.on_recovered(common.seq.in_flight());
        common.report_window(now, WindowReason::Recovered);
        common.permit = Permit::Window(UNLIMITED);
    }

    /// True if duplicates count on after a timeout, as in ns-2's Tahoe.
    fn count_beyond_timeout(&self, config: &Config) -> u32 {
        if config.variant == Variant::Tahoe && config.details.tahoe_keeps_dupacks {
            self.duplicates.count
        } else {
            0
        }
    }
}
