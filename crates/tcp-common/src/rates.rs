//! A connection's totals for its rate of delivery (draft-cheng-iccrg-delivery-rate-estimation).

use crate::clock::Micros;

/// Totals for the rates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Packets delivered, including SACKed ones.
    pub delivered: u32,
    /// Those reported as marked.
    pub delivered_ce: u32,
    /// Time of the last delivery.
    pub delivered_at: Micros,
    /// The start of its packet's flight.
    pub first_at: Micros,
    /// Packets marked lost.
    pub lost: u32,
    /// The application lacks data until this many packets are delivered; 0: it has data.
    pub app_limited: u32,
}
