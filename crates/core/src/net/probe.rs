//! What an observer may see.

use pacesim_units::{LinkId, Time};

use super::{MiddleboxId, Packet};

/// Why a packet went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// The buffer was full for a packet that came to the port at `arrived`: now, unless a
    /// gate held it.
    Full {
        /// When the packet came.
        arrived: Time,
    },
    /// The port's queue refused it though there was room; it came to the port at `arrived`: now,
    /// unless a gate held it.
    Early {
        /// When the packet came.
        arrived: Time,
    },
    /// The port's queue had taken it, and dropped it to make room for another.
    PushedOut {
        /// When the packet came to the port.
        arrived: Time,
    },
    /// The port's queue had taken it, and dropped it later though there was room.
    Departure {
        /// When the packet came to the port.
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
    /// When it came to the port: now, unless a stage held it.
    pub arrived: Time,
    /// When it joined the port's queue: now, unless the queue is a stage that held it.
    pub joined: Time,
    /// When its last bit leaves.
    pub departure: Time,
}

/// An observer of packets. Each call says all there is to know: none has to be remembered
/// to understand the next. All methods do nothing by default; with static dispatch
/// what is not overridden costs nothing. A probe sees, it never moves a packet.
pub trait Probe {
    /// Whether it must see all packets in the order of time. One that only keeps things for each
    /// link or each flow apart, of which the packets come in order anyhow, need not: then the
    /// network may work ahead of time, which is faster. Always the same answer.
    fn in_order(&self) -> bool {
        true
    }

    /// A port's queue took a packet; where that is a stage, when its line did.
    #[inline]
    fn accepted(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _passage: Passage) {}

    /// A port's gate took a packet, and holds it until it is released.
    #[inline]
    fn held(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A packet that came to a port at `arrived` passed its gate.
    #[inline]
    fn released(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _arrived: Time) {}

    /// A port's queue took a packet, and holds it until its turn comes. Only where the
    /// queue is not the plain FIFO, which knows at once when a packet leaves.
    #[inline]
    fn queued(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// The turn of a packet has come that joined such a queue at `joined`: the line accepts it
    /// and sends it at once.
    #[inline]
    fn dequeued(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _joined: Time) {}

    /// A packet is marked at a port: it met congestion there.
    #[inline]
    fn marked(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

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
impl Probe for () {
    fn in_order(&self) -> bool {
        false
    }
}

/// Two observers, the left one first.
impl<A: Probe, B: Probe> Probe for (A, B) {
    fn in_order(&self) -> bool {
        self.0.in_order() || self.1.in_order()
    }

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
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.0.queued(now, link, packet);
        self.1.queued(now, link, packet);
    }

    #[inline]
    fn dequeued(&mut self, now: Time, link: LinkId, packet: &Packet, joined: Time) {
        self.0.dequeued(now, link, packet, joined);
        self.1.dequeued(now, link, packet, joined);
    }

    #[inline]
    fn marked(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.0.marked(now, link, packet);
        self.1.marked(now, link, packet);
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

    #[inline(always)]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.0.delivered(now, packet);
        self.1.delivered(now, packet);
    }
}

/// An observer kept elsewhere.
impl<P: Probe> Probe for &mut P {
    fn in_order(&self) -> bool {
        (**self).in_order()
    }

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
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        (**self).queued(now, link, packet);
    }

    #[inline]
    fn dequeued(&mut self, now: Time, link: LinkId, packet: &Packet, joined: Time) {
        (**self).dequeued(now, link, packet, joined);
    }

    #[inline]
    fn marked(&mut self, now: Time, link: LinkId, packet: &Packet) {
        (**self).marked(now, link, packet);
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

    #[inline(always)]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        (**self).delivered(now, packet);
    }
}
