//! A pacer as the gate of a port.

use std::sync::Arc;

use pacesim_core::net::{Gate, Packet};
use pacesim_pacers::{AnyPacer, Pacer, Pending, Release};
use pacesim_units::Time;

/// The pacer before a port.
#[derive(Debug)]
pub(super) struct PortGate {
    pub(super) pacer: AnyPacer,
    /// The delay class of each flow; empty if all are in class 0.
    pub(super) classes: Arc<[u16]>,
}

impl Gate for PortGate {
    #[inline]
    fn take(&mut self, now: Time, place: u32, packet: &Packet) -> bool {
        let class = self.classes.get(packet.flow.index()).copied();
        let pending = Pending::new(place, packet.flow, packet.size).of_class(class.unwrap_or(0));
        self.pacer.enqueue(now, pending).is_ok()
    }

    #[inline]
    fn release(&mut self, now: Time) -> Option<u32> {
        self.pacer.dequeue(now).map(|pending| pending.key)
    }

    #[inline]
    fn next_release(&self) -> Option<Time> {
        match self.pacer.next_release() {
            Release::Idle => None,
            Release::At(time) => Some(time),
        }
    }
}
