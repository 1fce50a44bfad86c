//! Loss recovery without SACK: duplicate ACKs are counted in place of SACKed packets.

use super::connection::{Connection, State};

impl Connection {
    /// Counts duplicate ACKs, each for a packet that arrived.
    pub(super) fn add_duplicates(&mut self, count: u32, marked: bool) {
        if count == 0 {
            return;
        }
        let prior = self.sacked_out;
        self.sacked_out += count;
        self.check_duplicates(0);
        if self.sacked_out > prior {
            self.count_delivered(self.sacked_out - prior, marked);
        }
    }

    /// Handles an ACK of `acked` packets: one filled the hole, the others had been counted.
    pub(super) fn drop_duplicates(&mut self, acked: u32, marked: bool) {
        if acked > 0 {
            self.count_delivered(acked.saturating_sub(self.sacked_out).max(1), marked);
            self.sacked_out = self.sacked_out.saturating_sub(acked - 1);
        }
        self.check_duplicates(acked);
    }

    /// Limits duplicates to the packets behind the hole; more show that packets were late.
    fn check_duplicates(&mut self, acked: u32) {
        let holes = self.lost_out.max(1).min(self.packets_out);
        if self.sacked_out + holes <= self.packets_out {
            return;
        }
        self.sacked_out = self.packets_out - holes;
        self.reordering = (self.packets_out + acked).min(300);
        self.reordering_seen += 1;
    }

    /// Marks the first packet lost, after three duplicates, or after progress while a hole is
    /// repaired.
    pub(super) fn mark_first_lost(&mut self, advanced: bool) {
        let enough = self.state < State::Recovery && self.sacked_out >= self.reordering;
        let partial = self.state == State::Recovery && advanced;
        if enough || partial {
            let first = self.una;
            if !self.segments.get(first).is(super::segments::Marks::LOST) {
                self.mark_lost(first);
            }
        }
    }
}
