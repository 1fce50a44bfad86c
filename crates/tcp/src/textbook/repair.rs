//! The steps in which methods of repair differ.

use pacesim_units::Time;

use super::common::Common;
use super::{Permit, UNLIMITED};
use crate::packet::Ack;

/// The packet to send next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first unacknowledged packet, to be sent at once.
    First,
    /// The next packet in sequence.
    Next,
    /// A packet that fills this hole.
    Hole(u32),
}

/// A method of repair.
pub(super) trait Repair {
    /// True if an ACK of new data outside recovery counts as a duplicate.
    fn takes_as_duplicate(&self, _ack: &Ack) -> bool {
        false
    }
    /// Handles an ACK of new data outside recovery.
    fn on_new_ack(&mut self, common: &Common, ack: &Ack);
    /// Handles an ACK of nothing new outside recovery.
    fn on_duplicate(&mut self, common: &mut Common, now: Time, ack: &Ack);
    /// Handles an ACK of any kind in recovery.
    fn on_recovery_ack(&mut self, common: &mut Common, now: Time, ack: &Ack);
    /// Handles the expiry of the timer, after which sending restarts from `una`.
    fn on_timeout(&mut self, common: &mut Common);
    /// A hole is filled, or a packet leaves in recovery; `next` is the next new one.
    fn on_sent(&mut self, _choice: Choice, _next: u32) {}
    /// The first packet after the last episode of repair and all that it covers.
    fn episode_end(&self) -> u32;
    /// Number of packets in flight, for the reduction at a time-out.
    fn in_flight(&self, common: &Common) -> u32 {
        common.flight_from(common.seq.una)
    }
    /// Chooses the packet to send next, under [`Permit::Repair`].
    fn choose(&self, common: &Common) -> Option<Choice>;
    /// True if the window admits another packet. ns-2's methods with SACK do not ask for data here.
    fn has_room(&self, common: &Common) -> bool {
        match self.standing_permit(common) {
            Permit::Repair(_) => self.choose(common).is_some(),
            _ => common.choose_below(common.window.usable()).is_some(),
        }
    }
    /// The permit to send without an ACK: after time has passed, or new data have arrived.
    fn standing_permit(&self, common: &Common) -> Permit {
        if common.recovering {
            Permit::Repair(UNLIMITED)
        } else {
            Permit::Window(UNLIMITED)
        }
    }
}
