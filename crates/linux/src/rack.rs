//! RACK, RFC 8985 as in Linux: a packet is lost if one sent later was delivered, and the reordering
//! window has passed.

use super::clock::Micros;

/// Recoveries for which a wider reordering window is kept.
pub(super) const KEPT: u8 = 16;

/// The most recently sent packet of all delivered ones, and the time allowed to late packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rack {
    pub(super) at: Micros,
    pub(super) end: u32,
    pub(super) rtt: Micros,
    /// Set if packets were delivered since the last search for losses.
    pub(super) advanced: bool,
    /// Quarters of the minimum round trip to wait for late packets.
    pub(super) steps: u8,
    pub(super) persists: u8,
    /// A duplicate was reported since, at this number of packets delivered.
    pub(super) saw_duplicate: bool,
    pub(super) last_delivered: u32,
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
    pub(super) fn persist_longer(&mut self) {
        self.persists = (self.persists + 1).min(KEPT);
    }
}
