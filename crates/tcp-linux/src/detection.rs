//! Detection of losses by time (RFC 8985 §6).

use super::clock::Micros;
use super::connection::{Connection, State};
use super::rack::KEPT;
use super::rate::RateSample;
use super::segments::{Marks, sent_after};
use super::timer::TimerPurpose;

/// The least that the reordering timer adds to the remaining time.
const SLACK: Micros = 2_000;

impl Connection {
    /// Notes the delivery of packet `seq`, sent at `at`.
    #[inline]
    pub(super) fn advance_rack(&mut self, seq: u32, at: Micros, was_resent: bool) {
        let rtt = self.now.saturating_sub(at);
        // Faster than any round trip: the original was probably delivered.
        if was_resent && rtt < self.rtt.least() {
            return;
        }
        let rack = &mut self.rack;
        rack.advanced = true;
        rack.rtt = rtt;
        if sent_after(at, seq + 1, rack.at, rack.end) {
            (rack.at, rack.end) = (at, seq + 1);
        }
    }

    /// The time that packets overtaken by others are given to arrive.
    fn reordering_window(&self) -> Micros {
        let hasty = self.state >= State::Recovery || self.sacked_out >= self.reordering;
        if self.reordering_seen == 0 && hasty {
            return 0;
        }
        let quarters = (self.rtt.least() >> 2).saturating_mul(u64::from(self.rack.steps));
        quarters.min(self.rtt.srtt8() >> 3)
    }

    /// The remaining time of a packet sent at `at`, if any.
    pub(super) fn remaining(&self, at: Micros, window: Micros) -> Option<Micros> {
        let remaining = (self.rack.rtt + window).saturating_sub(self.now.saturating_sub(at));
        (remaining > 0).then_some(remaining)
    }

    /// Marks lost packets; returns the time until all suspected ones have expired.
    pub(super) fn detect_losses(&mut self) -> Micros {
        let window = self.reordering_window();
        let mut longest = 0;
        let mut place = self.segments.oldest();
        while let Some(seq) = place {
            place = self.segments.sent_after(seq);
            let sent = *self.segments.get(seq);
            if sent.is(Marks::LOST) && !sent.is(Marks::RESENT) {
                continue;
            }
            if !sent_after(self.rack.at, self.rack.end, sent.at, seq + 1) {
                break;
            }
            match self.remaining(sent.at, window) {
                None => {
                    self.mark_lost(seq);
                    self.segments.unlink(seq);
                }
                Some(remaining) => longest = longest.max(remaining),
            }
        }
        longest
    }

    /// Looks for losses after a delivery; true if the timer runs for suspected packets.
    pub(super) fn look_for_losses(&mut self) -> bool {
        if !self.rack.advanced {
            return false;
        }
        self.rack.advanced = false;
        let longest = self.detect_losses();
        if longest == 0 {
            return false;
        }
        let end = self.ticks.covering(longest + SLACK);
        self.arm_exactly(TimerPurpose::Reordering, end.min(self.timer.rto));
        true
    }

    /// Adapts the reordering window, at most once per round trip (RFC 8985 §6.2 step 4).
    #[inline]
    pub(super) fn adapt_reordering_window(&mut self, sample: &RateSample) {
        let adapted = self.rack.saw_duplicate || self.rack.steps != 1;
        if !adapted || sample.prior_delivered == 0 {
            return;
        }
        let delivered = self.rates.delivered;
        let rack = &mut self.rack;
        if sample.prior_delivered < rack.last_delivered {
            rack.saw_duplicate = false;
        }
        if rack.saw_duplicate {
            rack.steps = rack.steps.saturating_add(1);
            rack.saw_duplicate = false;
            rack.last_delivered = delivered;
            rack.persists = KEPT;
        } else if rack.persists == 0 {
            rack.steps = 1;
        }
    }
}
