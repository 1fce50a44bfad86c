//! Calls to an observer of the network.

use pacesim_units::{LinkId, Time};

use super::{HeldClasses, MiddleboxId, Packet};

/// The reason why a packet's journey ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// The buffer was full for a packet that arrived at the port at `arrived`: now, unless a gate
    /// held it.
    Full {
        /// Time at which the packet arrived at the port.
        arrived: Time,
    },
    /// The port's queue refused it although it had room; it arrived at the port at `arrived`: now,
    /// unless a gate held it.
    Early {
        /// Time at which the packet arrived at the port.
        arrived: Time,
    },
    /// The port's queue had taken it, and dropped it to make room for another.
    PushedOut {
        /// Time at which the packet arrived at the port.
        arrived: Time,
    },
    /// The port's queue had taken it, and dropped it later although it had room.
    Departure {
        /// Time at which the packet arrived at the port.
        arrived: Time,
    },
    /// The port's gate had no room.
    Gate,
    /// The packet was dropped by a script.
    Script,
    /// The packet was lost on the wire, after transmission.
    Wire,
}

/// The times of a packet that a port took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Time of arrival at the port: now, unless a stage held the packet.
    pub arrived: Time,
    /// Time of entry into the port's queue: now, unless the queue is a stage that held the packet.
    pub joined: Time,
    /// Time at which the last bit departs.
    pub departure: Time,
}

/// An observer of packets. Each call is complete: it can be understood without earlier calls. All
/// methods do nothing by default; with static dispatch, methods that are not overridden cost
/// nothing. A probe observes and never moves a packet.
pub trait Probe {
    /// True if it must see all packets in the order of time. A probe that keeps data by link or by
    /// flow need not, because the packets of each are in order anyway; the network may then work
    /// ahead of time, which is faster. The answer never changes.
    fn in_order(&self) -> bool {
        true
    }

    /// A port's queue took a packet; where the queue is a stage, its line took it.
    #[inline]
    fn accepted(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _passage: Passage) {}

    /// A port's gate took a packet, and holds it until it is released.
    #[inline]
    fn held(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A packet that arrived at a port at `arrived` passed its gate.
    #[inline]
    fn released(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _arrived: Time) {}

    /// A port's queue took a packet, and holds it until its turn comes. Called only where the queue
    /// is not the plain FIFO, which knows a packet's departure at once.
    #[inline]
    fn queued(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A packet that joined such a queue at `joined` has its turn: the line accepts it and
    /// transmits it at once. The packet is shown as it waited, before any mark.
    #[inline]
    fn dequeued(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _joined: Time) {}

    /// A packet is marked at a port because of congestion. If the queue is a stage, it is shown
    /// before the mark.
    #[inline]
    fn marked(&mut self, _now: Time, _link: LinkId, _packet: &Packet) {}

    /// A queue has cut this many bytes off a packet that it holds, and which is shown as it is now.
    #[inline]
    fn trimmed(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _bytes: u32) {}

    /// A packet was dropped: at a port on arrival or later, or on the wire at the far end.
    #[inline]
    fn dropped(&mut self, _now: Time, _link: LinkId, _packet: &Packet, _cause: DropCause) {}

    /// A request of a switch takes effect at the port of a link, or ends there: it holds these
    /// packets from now on.
    #[inline]
    fn paused(&mut self, _now: Time, _link: LinkId, _held: HeldClasses) {}

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

/// The probe that observes nothing.
impl Probe for () {
    fn in_order(&self) -> bool {
        false
    }
}

/// Passes every call on to these observers, in their order.
macro_rules! pass_on {
    ($of:ident => $($to:expr),+) => {
        fn in_order(&self) -> bool {
            let $of = self;
            $( $to.in_order() )||+
        }

        pass_on!(@each #[inline] $of => ($($to),+);
            accepted(link: LinkId, packet: &Packet, passage: Passage),
            held(link: LinkId, packet: &Packet),
            released(link: LinkId, packet: &Packet, arrived: Time),
            queued(link: LinkId, packet: &Packet),
            dequeued(link: LinkId, packet: &Packet, joined: Time),
            marked(link: LinkId, packet: &Packet),
            trimmed(link: LinkId, packet: &Packet, bytes: u32),
            dropped(link: LinkId, packet: &Packet, cause: DropCause),
            paused(link: LinkId, held: HeldClasses),
            created(at: MiddleboxId, packet: &Packet),
            absorbed(at: MiddleboxId, packet: &Packet));
        pass_on!(@each #[inline(always)] $of => ($($to),+); delivered(packet: &Packet));
    };
    (@each #[$inline:meta] $of:ident => $to:tt; $( $call:ident $arguments:tt ),+) => {
        $( pass_on!(@one #[$inline] $of => $to; $call $arguments); )+
    };
    (@one #[$inline:meta] $of:ident => $to:tt; $call:ident($($name:ident: $type:ty),+)) => {
        #[$inline]
        fn $call(&mut self, now: Time, $($name: $type),+) {
            let $of = self;
            pass_on!(@call $to; $call (now, $($name),+));
        }
    };
    (@call ($($to:expr),+); $call:ident $arguments:tt) => { $( $to.$call $arguments; )+ };
}

/// Two observers, called one after the other, the left one first.
impl<A: Probe, B: Probe> Probe for (A, B) {
    pass_on!(both => both.0, both.1);
}

/// A borrowed observer.
impl<P: Probe> Probe for &mut P {
    pass_on!(it => (**it));
}
