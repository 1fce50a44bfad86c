//! The rate of delivery, measured for each ACK (draft-cheng-iccrg-delivery-rate-estimation).

use super::clock::Micros;

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

/// The sample of one ACK.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateSample {
    /// Totals when the packet was sent that was delivered last.
    pub(super) prior_delivered: u32,
    pub(super) prior_delivered_ce: u32,
    pub(super) prior_lost: u32,
    pub(super) prior_at: Micros,
    pub(super) last_end: u32,
    pub(super) is_app_limited: bool,
    pub(super) is_resent: bool,
    /// Packets delivered over the interval, and the interval; none if the sample is not valid.
    pub(super) delivered: u32,
    pub(super) delivered_ce: u32,
    pub(super) interval: Option<Micros>,
    pub(super) send_phase: Micros,
    /// Packets in flight when the packet was sent that was delivered last, and packets lost since; only where
    /// a control follows losses.
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
