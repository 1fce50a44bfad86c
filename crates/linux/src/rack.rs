//! RACK, RFC 8985 as Linux has it: a packet is lost if one sent later was delivered, and it had time enough.

use super::clock::Micros;

/// Recoveries for which a wider window for reordering is kept.
pub(super) const KEPT: u8 = 16;

/// The packet sent last of all that were delivered, and the time given to packets that are late.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rack {
    pub(super) at: Micros,
    pub(super) end: u32,
    pub(super) rtt: Micros,
    /// Something was delivered since losses were last looked for.
    pub(super) advanced: bool,
    /// Quarters of the least round trip to wait for packets that are late.
    pub(super) steps: u8,
    pub(super) persists: u8,
    /// A duplicate was reported since, at so many packets delivered.
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
    /// A duplicate undid a recovery: the window for reordering stays wide for longer.
    pub(super) fn persist_longer(&mut self) {
        self.persists = (self.persists + 1).min(KEPT);
    }
}
