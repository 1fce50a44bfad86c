//! Totals of a connection for its rate of delivery (draft-cheng-iccrg-delivery-rate-estimation).

use crate::clock::Micros;

/// Totals from which rates of delivery are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Number of packets delivered, including SACKed ones.
    pub delivered: u32,
    /// Number of delivered packets reported as marked.
    pub delivered_ce: u32,
    /// Time of the last delivery.
    pub delivered_at: Micros,
    /// The start of its packet's flight.
    pub first_at: Micros,
    /// Number of packets marked lost.
    pub lost: u32,
    /// The application lacks data until this many packets are delivered; 0: it has data.
    pub app_limited: u32,
}
