//! Packets that scripts drop at ports, and that wires lose.

use pacesim_units::{LinkId, Time};

use super::Network;
use crate::engine::EventQueue;
use crate::net::{DropCause, Parts, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Drops a packet that arrives at a port if the script says so.
    #[cold]
    pub(super) fn script_drops(
        &mut self,
        now: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        let packet = self.transits.places()[place as usize].packet;
        let script = self.extra_mut(id).and_then(|extra| extra.script.as_mut());
        let drops = script.is_some_and(|script| script.drops(&packet));
        if drops {
            self.links.drop_packet(id, now, &packet);
            self.discard(now, id, place, DropCause::Script, probe);
        }
        drops
    }

    /// Loses a packet that reaches the far end of a wire if its loss process says so.
    #[inline(never)]
    pub(super) fn wire_loses(
        &mut self,
        now: Time,
        id: LinkId,
        place: u32,
        probe: &mut impl Probe,
    ) -> bool {
        let packet = self.transits.places()[place as usize].packet;
        let loses = self.extra_mut(id).is_some_and(|extra| {
            let is_lost = (extra.loss.as_mut()).is_some_and(|loss| loss.loses(now, &packet));
            let is_doomed = extra.doomed > 0;
            extra.doomed = extra.doomed.saturating_sub(1);
            is_lost || is_doomed
        });
        if loses {
            self.links.note_loss(id, now, &packet);
            self.discard(now, id, place, DropCause::Wire, probe);
        }
        loses
    }
}
