//! Queues that cut payloads off: the header stays in the queue, as a packet of its size.

use pacesim_units::Time;

use super::Network;
use crate::engine::EventQueue;
use crate::net::{Packet, Parts, Probe};

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Cuts a packet that a queue holds to this size.
    #[cold]
    pub(super) fn trim(
        &mut self,
        queue: usize,
        now: Time,
        place: u32,
        size: u16,
        probe: &mut impl Probe,
    ) {
        let packet = &mut self.transits.places_mut()[place as usize].packet;
        let cut = packet.size.checked_sub(u32::from(size));
        let cut = cut.expect("a header is no larger than its packet");
        packet.size = u32::from(size);
        packet.flags = packet.flags.trimmed();
        let header = *packet;
        let stage = &mut self.queues[queue];
        stage.hold.note_trim(now, cut);
        let link = stage.link;
        if !self.switches.is_empty() {
            // To the memory of a switch, what was cut off has left.
            let gone = Packet {
                size: cut,
                ..header
            };
            self.tell_drop(now, link, &gone, probe);
        }
        probe.trimmed(now, link, &header, cut);
    }
}
