//! Counts of a connection, or of all connections of a flow.

use std::ops::AddAssign;

use super::limits::Spent;

/// The counts of a connection, or of all of a flow, since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) goodput_bytes: u64,
    pub(super) retransmitted: u64,
    pub(super) timeouts: u64,
    pub(super) fast_recoveries: u64,
    pub(super) notified: u64,
    pub(super) refused: u64,
    pub(super) limited: Spent,
    /// Picoseconds with data in progress, and the part of them in slow start.
    pub(super) busy_ps: u64,
    pub(super) slow_start_ps: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.goodput_bytes += other.goodput_bytes;
        self.retransmitted += other.retransmitted;
        self.timeouts += other.timeouts;
        self.fast_recoveries += other.fast_recoveries;
        self.notified += other.notified;
        self.refused += other.refused;
        self.busy_ps += other.busy_ps;
        self.slow_start_ps += other.slow_start_ps;
        for (sum, spent) in self.limited.iter_mut().zip(other.limited) {
            *sum += spent;
        }
    }
}
