//! The rate of delivery, measured for each ACK (draft-cheng-iccrg-delivery-rate-estimation).

use super::clock::Micros;

/// The rate sample of one ACK.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateSample {
    /// Totals at the departure of the packet delivered last.
    pub(super) prior_delivered: u32,
    pub(super) prior_delivered_ce: u32,
    pub(super) prior_lost: u32,
    pub(super) prior_at: Micros,
    pub(super) last_end: u32,
    pub(super) is_app_limited: bool,
    pub(super) is_resent: bool,
    /// Packets delivered in the interval, and the interval; none if the sample is invalid.
    pub(super) delivered: u32,
    pub(super) delivered_ce: u32,
    pub(super) interval: Option<Micros>,
    pub(super) send_phase: Micros,
    /// Packets in flight at the departure of the packet delivered last, and packets lost since;
    /// only where a control follows losses.
    pub(super) in_flight: u32,
    pub(super) lost: u32,
    /// It echoes a mark, and the number of marked packets that it stands for; it answers a tail loss probe, but perhaps its original.
    pub(super) is_marked: bool,
    pub(super) marked: u32,
    pub(super) answers_probe: bool,
    /// Number of packets newly delivered by this ACK, and of those newly lost.
    pub(super) acked_sacked: u32,
    pub(super) losses: u32,
    /// Number of packets in flight before the ACK.
    pub(super) prior_in_flight: u32,
    /// The ACK seems to have been delayed, so that its round trip is too long.
    pub(super) is_delayed: bool,
    /// Round trip of the packet delivered last.
    pub(super) rtt: Option<Micros>,
}

#[cfg(test)]
impl RateSample {
    /// A sample of this many packets delivered by one ACK, in an interval.
    pub(super) fn of(packets: u32, interval: Micros) -> RateSample {
        RateSample {
            acked_sacked: packets,
            delivered: packets,
            interval: Some(interval),
            ..RateSample::default()
        }
    }
}
