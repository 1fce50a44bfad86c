//! The limit on waiting packets at a port, beyond which a network gives up.
//!
//! Packets are counted at one port, and not in the whole network: the packets waiting at a port at
//! an arrival follow from that port's own history, regardless of work ahead of time elsewhere.

use pacesim_units::{LinkId, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{DropCause, Parts, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Gives up when more than `most` packets wait at a port, or are held by its gate or its queue:
    /// nothing happens after that time. Call it before time starts.
    pub fn limit_waiting(&mut self, most: u32) {
        self.most_waiting = most;
        self.links.cut_to(most);
    }

    /// The port and the time at which more packets would wait than allowed. Events up to that time
    /// are still processed, and may reveal an earlier excess at another port.
    pub fn overflow(&self) -> Option<(Time, LinkId)> {
        self.overflow
    }

    /// Refuses a packet for which a port has no room.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(
        &mut self,
        now: Time,
        id: LinkId,
        place: u32,
        arrived: Time,
        probe: &mut impl Probe,
    ) {
        self.note_waiting(now, id, self.links.is_beyond(id));
        self.discard(now, id, place, DropCause::Full { arrived }, probe);
    }

    /// Notes that a port may have more packets than may wait.
    #[inline]
    pub(super) fn note_waiting(&mut self, now: Time, id: LinkId, is_beyond: bool) {
        if is_beyond {
            self.give_up(now, id);
        }
    }

    #[cold]
    fn give_up(&mut self, now: Time, id: LinkId) {
        let first = self.overflow.unwrap_or((now, id));
        self.overflow = Some(first.min((now, id)));
        self.calendar.stop_after(now);
        self.set_horizon(self.ahead.horizon);
    }
}
