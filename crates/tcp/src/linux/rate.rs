//! The rate of delivery, measured for each ACK (draft-cheng-iccrg-delivery-rate-estimation).

use super::clock::Micros;
use super::connection::Connection;
use super::segments::{Marks, Sent};

/// Totals from which rates are taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rates {
    /// Packets delivered, SACKed ones included, and those that were reported as marked.
    pub(super) delivered: u32,
    pub(super) delivered_ce: u32,
    /// When the last was delivered, and when the flight began that it was sent in.
    pub(super) delivered_at: Micros,
    pub(super) first_at: Micros,
    /// Packets taken as lost.
    pub(super) lost: u32,
    /// The application had no more to send until so many are delivered; 0: it had.
    pub(super) app_limited: u32,
}

/// What one ACK shows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateSample {
    /// Totals when the packet was sent that was delivered last.
    pub(super) prior_delivered: u32,
    prior_delivered_ce: u32,
    prior_lost: u32,
    prior_at: Micros,
    last_end: u32,
    pub(super) is_app_limited: bool,
    is_resent: bool,
    /// Packets delivered over the interval, and the interval; none if the sample is not valid.
    pub(super) delivered: u32,
    pub(super) delivered_ce: u32,
    pub(super) interval: Option<Micros>,
    send_phase: Micros,
    /// Packets in flight when the packet was sent that was delivered last, and packets lost since; only for
    /// a control that follows losses.
    pub(super) in_flight: u32,
    pub(super) lost: u32,
    /// It echoes a mark; it answers a tail loss probe, but may be of the original.
    pub(super) is_marked: bool,
    pub(super) answers_probe: bool,
    /// Packets that this ACK delivers, and those it shows to be lost.
    pub(super) acked_sacked: u32,
    pub(super) losses: u32,
    /// Packets in flight before the ACK.
    pub(super) prior_in_flight: u32,
    /// The ACK seems to have waited for more data, so that its round trip is too long.
    pub(super) is_delayed: bool,
    /// The round trip of the packet delivered last.
    pub(super) rtt: Option<Micros>,
}

/// Whether a packet sent at `at` that ends at `end` was sent after another.
#[inline]
pub(super) fn sent_after(at: Micros, end: u32, than: Micros, than_end: u32) -> bool {
    at > than || (at == than && end > than_end)
}

#[cfg(test)]
impl RateSample {
    /// So many packets delivered by one ACK, over an interval.
    pub(super) fn of(packets: u32, interval: Micros) -> RateSample {
        RateSample {
            acked_sacked: packets,
            delivered: packets,
            interval: Some(interval),
            ..RateSample::default()
        }
    }
}

impl Connection {
    /// Stamps a packet that is sent now with the totals.
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

    /// Packet `seq` is delivered: the sample is of the one sent last of those.
    #[inline]
    pub(super) fn sample_delivery(&mut self, seq: u32, sample: &mut RateSample) {
        let sent = self.segments.get_mut(seq);
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
            let sent = self.segments.get_mut(seq);
            sample.is_app_limited = sent.is(Marks::APP_LIMITED);
            sample.is_resent = sent.was_resent();
            sample.last_end = seq + 1;
            sample.send_phase = sent.at.saturating_sub(sent.first_at);
            self.rates.first_at = sent.at;
        }
        let sent = self.segments.get_mut(seq);
        if sent.is(Marks::SACKED) {
            sent.delivered_at = 0;
        }
    }

    /// Completes the sample of an ACK.
    #[inline]
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
        if sample.prior_at == 0 || reneged {
            return;
        }
        sample.delivered = rates.delivered - sample.prior_delivered;
        sample.lost = rates.lost - sample.prior_lost;
        sample.delivered_ce = rates.delivered_ce - sample.prior_delivered_ce;
        // Sending and acknowledging are two stages of a pipe; the slower one tells its rate.
        let interval = sample
            .send_phase
            .max(self.now.saturating_sub(sample.prior_at));
        sample.interval = (interval >= self.rtt.least()).then_some(interval);
    }

    /// Notes that the application has less than a packet to send, if so.
    pub(super) fn note_app_limit(&mut self) {
        let idle = !self.has_new()
            && self.in_flight() < self.window.size
            && self.lost_out <= self.resent_out;
        if idle {
            self.rates.app_limited = (self.rates.delivered + self.in_flight()).max(1);
        }
    }
}
