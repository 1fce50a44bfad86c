//! What an observer may see.

use pacesim_units::{LinkId, Time};

use super::{MiddleboxId, Packet};

/// Why a packet went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// The buffer was full.
    Full,
    /// The port's queue refused it on arrival though there was room.
    Early,
    /// The port's queue had taken it, and dropped it to make room for another.
    PushedOut,
    /// The port's queue had taken it, and dropped it though there was room.
    Departure,
    /// The port's gate had no room.
    Gate,
    /// A scripted drop.
    Script,
    /// Lost on the wire, after it was sent.
    Wire,
}

/// An observer of packets. All methods do nothing by default; with static dispatch
/// what is not overridden costs nothing. A probe sees, it never moves a packet.
pub trait Probe {
    /// A port took a packet; it will leave at `departure`.
    #[inline]
    fn accepted(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _departure: Time) {}

    /// A port's gate took a packet, and holds it until it is released.
    #[inline]
    fn held(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A packet that came to a port at `arrived` passed its gate; the queue's answer
    /// follows.
    #[inline]
    fn released(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _arrived: Time) {}

    /// A port's queue took a packet, and holds it until its turn comes. Only where the
    /// queue is not the plain FIFO, which knows at once when a packet leaves.
    #[inline]
    fn queued(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// The turn of a packet has come that such a queue took at `arrived`. What becomes of it
    /// follows: the line accepts it and sends it at once, or it is dropped.
    #[inline]
    fn dequeued(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _arrived: Time) {}

    /// A packet was dropped: at a port on arrival or later, or on the wire at the far end.
    #[inline]
    fn dropped(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _cause: DropCause) {}

    /// A middlebox made a packet.
    #[inline]
    fn created(&mut self, _now: Time, _at: MiddleboxId, _packet: &Packet) {}

    /// A middlebox absorbed a packet.
    #[inline]
    fn absorbed(&mut self, _now: Time, _at: MiddleboxId, _packet: &Packet) {}

    /// A packet reached the end of its route.
    #[inline]
    fn delivered(&mut self, _now: Time, _packet: &Packet) {}
}

/// No observer.
impl Probe for () {}

/// Two observers, the left one first.
impl<A: Probe, B: Probe> Probe for (A, B) {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, departure: Time) {
        self.0.accepted(now, link, packet, departure);
        self.1.accepted(now, link, packet, departure);
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
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.0.queued(now, link, packet);
        self.1.queued(now, link, packet);
    }

    #[inline]
    fn dequeued(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        self.0.dequeued(now, link, packet, arrived);
        self.1.dequeued(now, link, packet, arrived);
    }

    #[inline]
    fn created(&mut self, now: Time, at: MiddleboxId, packet: &Packet) {
        self.0.created(now, at, packet);
        self.1.created(now, at, packet);
    }

    #[inline]
    fn absorbed(&mut self, now: Time, at: MiddleboxId, packet: &Packet) {
        self.0.absorbed(now, at, packet);
        self.1.absorbed(now, at, packet);
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
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, departure: Time) {
        (**self).accepted(now, link, packet, departure);
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
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        (**self).queued(now, link, packet);
    }

    #[inline]
    fn dequeued(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        (**self).dequeued(now, link, packet, arrived);
    }

    #[inline]
    fn created(&mut self, now: Time, at: MiddleboxId, packet: &Packet) {
        (**self).created(now, at, packet);
    }

    #[inline]
    fn absorbed(&mut self, now: Time, at: MiddleboxId, packet: &Packet) {
        (**self).absorbed(now, at, packet);
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
