//! Samples of the rate of delivery, taken as packets are sent and delivered.

use super::connection::Connection;
use super::rate::RateSample;
use super::segments::{Marks, Sent, sent_after};

impl Connection {
    /// Stamps a packet on departure with the totals.
    #[inline]
    pub(super) fn stamp_rate(&mut self, sent: &mut Sent) {
        let rates = &mut self.rates;
        if self.packets_out == 0 {
            rates.first_at = sent.at;
            rates.delivered_at = sent.at;
        }
        sent.first_at = rates.first_at;
        sent.delivered_at = rates.delivered_at;
        sent.delivered = rates.delivered;
        sent.delivered_ce = rates.delivered_ce;
        match rates.app_limited {
            0 => sent.clear(Marks::APP_LIMITED),
            _ => sent.set(Marks::APP_LIMITED),
        }
    }

    /// Notes the delivery of packet `seq`: the sample is that of the most recently sent one.
    // Always inlined, like the plain ACK's steps.
    #[inline(always)]
    pub(super) fn sample_delivery(&mut self, seq: u32, sample: &mut RateSample) {
        let sent = *self.segments.get(seq);
        if sent.delivered_at == 0 {
            return;
        }
        let newer = sent_after(sent.at, seq + 1, self.rates.first_at, sample.last_end);
        if sample.prior_delivered == 0 || newer {
            sample.prior_delivered = sent.delivered;
            sample.prior_delivered_ce = sent.delivered_ce;
            sample.prior_at = sent.delivered_at;
            if let Some(flight) = self.segments.flight(seq) {
                sample.in_flight = flight.packets;
                sample.prior_lost = flight.lost;
            }
            sample.is_app_limited = sent.is(Marks::APP_LIMITED);
            sample.is_resent = sent.was_resent();
            sample.last_end = seq + 1;
            sample.send_phase = sent.at.saturating_sub(sent.first_at);
            self.rates.first_at = sent.at;
        }
        if sent.is(Marks::SACKED) {
            self.segments.get_mut(seq).delivered_at = 0;
        }
    }

    /// Completes the sample of an ACK.
    #[inline(always)]
    pub(super) fn finish_sample(
        &mut self,
        acked_sacked: u32,
        losses: u32,
        reneged: bool,
        sample: &mut RateSample,
    ) {
        let rates = &mut self.rates;
        if rates.app_limited != 0 && rates.delivered > rates.app_limited {
            rates.app_limited = 0;
        }
        if acked_sacked > 0 {
            rates.delivered_at = self.now;
        }
        sample.acked_sacked = acked_sacked;
        sample.losses = losses;
        if sample.is_marked && self.ecn.counted.is_none() {
            sample.marked = acked_sacked;
        }
        if sample.prior_at == 0 || reneged {
            return;
        }
        sample.delivered = rates.delivered - sample.prior_delivered;
        sample.lost = rates.lost - sample.prior_lost;
        sample.delivered_ce = rates.delivered_ce - sample.prior_delivered_ce;
        // Sending and acknowledging are two stages of a pipe; the slower one determines its rate.
        let interval = sample
            .send_phase
            .max(self.now.saturating_sub(sample.prior_at));
        sample.interval = (interval >= self.rtt.least()).then_some(interval);
    }

    /// Notes that the application has less than a packet to send, if that is so.
    pub(super) fn note_app_limit(&mut self) {
        let idle = !self.has_new()
            && self.in_flight() < self.window.size
            && self.lost_out <= self.resent_out;
        if idle {
            self.rates.app_limited = (self.rates.delivered + self.in_flight()).max(1);
        }
    }
}
