//! RACK, RFC 8985 as in Linux: a packet is lost if one sent later was delivered, and the reordering
//! window has passed.

use crate::clock::Micros;

/// Number of recoveries for which a wider reordering window is kept.
pub const KEPT: u8 = 16;

/// The most recently sent packet of all delivered ones, and the time allowed to late packets.
#[derive(Clone, Copy, Debug)]
pub struct Rack {
    /// Time at which the packet departed.
    pub at: Micros,
    /// One past the packet's number.
    pub end: u32,
    /// Round trip of the packet.
    pub rtt: Micros,
    /// Set if packets were delivered since the last search for losses.
    pub advanced: bool,
    /// Time to wait for late packets, in quarters of the minimum round trip.
    pub steps: u8,
    /// Number of recoveries for which that time is kept.
    pub persists: u8,
    /// True if a duplicate was reported since packets were last delivered.
    pub saw_duplicate: bool,
    /// Number of packets delivered at that time.
    pub last_delivered: u32,
}

impl Default for Rack {
    fn default() -> Rack {
        Rack {
            at: 0,
            end: 0,
            rtt: 0,
            advanced: false,
            steps: 1,
            persists: 0,
            saw_duplicate: false,
            last_delivered: 0,
        }
    }
}

impl Rack {
    /// Keeps the reordering window wide for longer, after a duplicate undid a recovery.
    pub fn persist_longer(&mut self) {
        self.persists = (self.persists + 1).min(KEPT);
    }
}
