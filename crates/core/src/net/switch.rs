//! Switches: parts that the ports of a node share, such as one memory for the packets of all of them.

use pacesim_units::{LinkId, Span, Time};

use super::{Packet, Reason, Volume};

/// A packet at a port of a switch.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// The link over which it came; none if it starts at this node.
    pub from: Option<LinkId>,
    /// The link over which the packet continues: that of the port.
    pub to: LinkId,
    /// The packet that is offered.
    pub packet: &'a Packet,
    /// The packets that the port holds beside it, those before its queue included, without the one
    /// in transmission.
    pub queued: Volume,
}

/// A part that the ports of one node share. It admits or refuses each packet before the port's own
/// stages see it, and is told when an admitted packet leaves.
///
/// It is given the time and answers; the network schedules. The order of calls for a packet:
/// `admit`; then, if it was admitted and its port does not drop it, `starts`; then `left`. After
/// `admit` and `left`, `signal` until it returns none.
pub trait Switch {
    /// Admits an arriving packet, or refuses it.
    fn admit(&mut self, now: Time, offered: &Offered<'_>) -> Result<(), Reason>;

    /// The transmission of an admitted packet starts.
    fn starts(&mut self, now: Time, offered: &Offered<'_>) {
        let _ = (now, offered);
    }

    /// An admitted packet has left: its transmission has ended, or its port has dropped it.
    fn left(&mut self, now: Time, offered: &Offered<'_>);

    /// The next request to a port upstream, if any.
    fn signal(&mut self) -> Option<Signal> {
        None
    }
}

impl<S: Switch + ?Sized> Switch for Box<S> {
    fn admit(&mut self, now: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        (**self).admit(now, offered)
    }

    fn starts(&mut self, now: Time, offered: &Offered<'_>) {
        (**self).starts(now, offered);
    }

    fn left(&mut self, now: Time, offered: &Offered<'_>) {
        (**self).left(now, offered);
    }

    fn signal(&mut self) -> Option<Signal> {
        (**self).signal()
    }
}

/// A request to the port at the other end of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The link from that port to the switch. The port's queue is a stage.
    pub input: LinkId,
    /// True to hold packets, false to release them; a transmission in progress ends first.
    pub holds: bool,
    /// Time until the request takes effect there: that of its way, and of the answer. Never zero.
    pub after: Span,
}
