//! What an observer may see.

use pacesim_units::{LinkId, Time};

use super::Packet;

/// Why a packet went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// The buffer was full for a packet that came to the port at `arrived`: now, unless a
    /// gate held it.
    Full {
        /// When it came.
        arrived: Time,
    },
    /// The port's gate had no room.
    Gate,
    /// A scripted drop.
    Script,
    /// Lost on the wire, after it was sent.
    Wire,
}

/// The times of a packet that a port took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// When it came to the port: now, unless a gate held it.
    pub arrived: Time,
    /// When its last bit leaves.
    pub departure: Time,
}

/// An observer of packets. Each call says all there is to know: none has to be remembered
/// to understand the next. All methods do nothing by default; with static dispatch
/// what is not overridden costs nothing. A probe sees, it never moves a packet.
pub trait Probe {
    /// A port's queue took a packet.
    #[inline]
    fn accepted(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _passage: Passage) {}

    /// A port's gate took a packet, and holds it until it is released.
    #[inline]
    fn held(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A packet that came to a port at `arrived` passed its gate.
    #[inline]
    fn released(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _arrived: Time) {}

    /// A packet was dropped: at a port on arrival, or on the wire at the far end.
    #[inline]
    fn dropped(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _cause: DropCause) {}

    /// A packet reached the end of its route.
    #[inline]
    fn delivered(&mut self, _now: Time, _packet: &Packet) {}
}

/// No observer.
impl Probe for () {}

/// Two observers, the left one first.
impl<A: Probe, B: Probe> Probe for (A, B) {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        self.0.accepted(now, link, packet, passage);
        self.1.accepted(now, link, packet, passage);
    }

    #[inline]
    fn held(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.0.held(now, link, packet);
        self.1.held(now, link, packet);
    }

    #[inline]
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        self.0.released(now, link, packet, arrived);
        self.1.released(now, link, packet, arrived);
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.0.dropped(now, link, packet, cause);
        self.1.dropped(now, link, packet, cause);
    }

    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.0.delivered(now, packet);
        self.1.delivered(now, packet);
    }
}

/// An observer kept elsewhere.
impl<P: Probe + ?Sized> Probe for &mut P {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        (**self).accepted(now, link, packet, passage);
    }

    #[inline]
    fn held(&mut self, now: Time, link: LinkId, packet: &Packet) {
        (**self).held(now, link, packet);
    }

    #[inline]
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        (**self).released(now, link, packet, arrived);
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        (**self).dropped(now, link, packet, cause);
    }

    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        (**self).delivered(now, packet);
    }
}
