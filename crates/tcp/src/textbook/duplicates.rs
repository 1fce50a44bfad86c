//! Duplicate ACKs as the sign of a loss.

use pacesim_units::Time;

use super::common::Common;
use crate::control::LossKind;

/// The count of duplicates, and the bound from which they may begin a new episode of repair.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    pub(super) count: u32,
    /// `high` when the last episode began: duplicates report a new one only if `una` is
    /// beyond.
    pub(super) recover: u32,
}

impl Duplicates {
    /// True if `una` is beyond the last episode (RFC 6582 §3.2 step 1).
    pub(super) fn gate_is_open(&self, common: &Common) -> bool {
        let una = common.seq.una;
        una > self.recover || (una == 1 && common.config.details.first_ack_opens_gate)
    }

    /// Begins an episode, with all packets beyond the acknowledgement in flight.
    pub(super) fn begin_repair(&mut self, common: &mut Common, now: Time, kind: LossKind) {
        let in_flight = common.flight_from(common.seq.una);
        self.begin_repair_of(common, now, kind, in_flight);
    }

    /// Begins an episode, with `in_flight` packets.
    pub(super) fn begin_repair_of(
        &mut self,
        common: &mut Common,
        now: Time,
        kind: LossKind,
        in_flight: u32,
    ) {
        self.recover = common.seq.high;
        common.begin_repair(now, kind, in_flight);
    }

    /// Ends the episode at a timeout; packets sent before it begin none.
    pub(super) fn on_timeout(&mut self, common: &mut Common) {
        self.count = 0;
        self.recover = common.seq.high;
        common.recovering = false;
    }
}
