//! Switches: parts that the ports of a node share, such as one memory for the packets of all of them.

use pacesim_units::{LinkId, Span, Time};

use super::{Mark, Packet, Reason, Volume};

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

/// The moment at which a switch may mark a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Its arrival at the port, which has taken it.
    Arrival,
    /// The start of its transmission.
    Start,
}

/// Counters of a memory that ports share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounters {
    /// The size of the memory in bytes.
    pub size: u64,
    /// The bytes in use now.
    pub used: u64,
    /// The most bytes in use at once.
    pub most_used: u64,
    /// Integral of the bytes in use, in byte-picoseconds.
    pub used_byte_ps: u128,
}

/// A part that the ports of one node share. It admits or refuses each packet before the port's own
/// stages see it, and is told when an admitted packet leaves.
///
/// It is given the time and answers; the network schedules. The order of calls for a packet:
/// `admit`; then, if it was admitted and its port takes it, `mark` at its arrival; then `mark` at
/// its start, `starts` and `left`, or `dropped`. After `admit`, `starts`, `left` and `dropped`,
/// `signal` until it returns none.
pub trait Switch {
    /// Admits an arriving packet, or refuses it.
    fn admit(&mut self, now: Time, offered: &Offered<'_>) -> Result<(), Reason>;

    /// The transmission of an admitted packet starts.
    fn starts(&mut self, now: Time, offered: &Offered<'_>) {
        let _ = (now, offered);
    }

    /// An admitted packet has left: its transmission has ended.
    fn left(&mut self, now: Time, offered: &Offered<'_>);

    /// The port has dropped an admitted packet before its transmission. By default as if it had
    /// left.
    fn dropped(&mut self, now: Time, offered: &Offered<'_>) {
        self.left(now, offered);
    }

    /// The reason to mark a packet that may be marked, if there is one.
    fn mark(&mut self, now: Time, offered: &Offered<'_>, at: Moment) -> Option<Mark> {
        let _ = (now, offered, at);
        None
    }

    /// The counters of the memory that the ports share, if the switch has one.
    fn memory(&self, now: Time) -> Option<MemoryCounters> {
        let _ = now;
        None
    }

    /// Restarts the maxima of its counters.
    fn restart_maxima(&mut self) {}

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

    fn dropped(&mut self, now: Time, offered: &Offered<'_>) {
        (**self).dropped(now, offered);
    }

    fn mark(&mut self, now: Time, offered: &Offered<'_>, at: Moment) -> Option<Mark> {
        (**self).mark(now, offered, at)
    }

    fn memory(&self, now: Time) -> Option<MemoryCounters> {
        (**self).memory(now)
    }

    fn restart_maxima(&mut self) {
        (**self).restart_maxima();
    }

    fn signal(&mut self) -> Option<Signal> {
        (**self).signal()
    }
}

/// A request to the port at the other end of an input. The port's queue is a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The link from that port to the switch.
    pub input: LinkId,
    /// The class whose packets are meant; all packets if none, or if the port's queue does not keep
    /// classes apart.
    pub class: Option<u16>,
    /// True to hold packets, false to release them; a transmission in progress ends first.
    pub holds: bool,
    /// The time after which a request to hold ends by itself, in quanta of 512 bit times of the input's
    /// line; without it only a request to release ends it. The network sends it again after half of
    /// that time, until the switch releases.
    pub quanta: Option<u16>,
    /// The frame that carries the request; without one it just takes effect after a time.
    pub frame: Option<Frame>,
    /// Time until the request takes effect: without a frame that of its way, never zero, and in any
    /// case that of the answer.
    pub after: Span,
}

/// A frame that carries a request over a link of the switch. It leaves behind the packet in
/// transmission and before all that wait, whatever the port itself was asked to hold. It belongs to
/// no flow and is no packet of any counter but those of [`PauseCounters`]. A wire that loses packets
/// loses frames as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The link, from the switch to the node of that port.
    pub over: LinkId,
    /// Size on the wire in bytes.
    pub size: u32,
}

/// The packets that a port holds because switches ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldClasses {
    /// The classes that it was asked to hold, one bit each; the highest stands for all packets.
    pub(super) asked: u64,
    /// True if its queue holds classes apart; otherwise a request for one of them holds all packets.
    pub(super) is_apart: bool,
}

impl HeldClasses {
    /// The bit that means all packets.
    pub(super) const ALL: u32 = 63;

    /// True if the port may send whatever it has.
    pub const fn is_none(self) -> bool {
        self.asked == 0
    }

    /// True if the port holds all packets.
    pub const fn holds_all(self) -> bool {
        self.asked & (1 << Self::ALL) != 0 || (self.asked != 0 && !self.is_apart)
    }

    /// True if the port holds packets of a class.
    pub fn holds(self, class: u16) -> bool {
        self.holds_all() || self.asks_for(class)
    }

    /// True if a switch asked for this class by itself.
    pub(super) fn asks_for(self, class: u16) -> bool {
        self.asked & (1 << Self::place(Some(class))) != 0
    }

    /// The bit of a class, or of all packets.
    pub(super) fn place(class: Option<u16>) -> u32 {
        class.map_or(Self::ALL, |class| u32::from(class).min(Self::ALL - 1))
    }
}

/// Counters of requests at a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PauseCounters {
    /// Frames with requests that the port has sent.
    pub frames: Volume,
    /// Number of times at which the port was asked to hold packets that it was free to send.
    pub pauses: u64,
    /// Time for which it was asked to hold packets, of any class, in picoseconds.
    pub held_ps: u128,
    /// The same of each of the first classes, the last of which stands for all higher ones as well. A
    /// port whose queue keeps no classes apart holds all of them.
    pub class_held_ps: [u128; PauseCounters::CLASSES],
    /// Number of requests that ended by themselves.
    pub expired: u64,
}

impl PauseCounters {
    /// Number of classes whose times are counted apart.
    pub const CLASSES: usize = 4;
}

impl std::ops::Sub for PauseCounters {
    type Output = PauseCounters;
    fn sub(self, earlier: PauseCounters) -> PauseCounters {
        PauseCounters {
            frames: self.frames - earlier.frames,
            pauses: self.pauses - earlier.pauses,
            held_ps: self.held_ps - earlier.held_ps,
            class_held_ps: std::array::from_fn(|class| {
                self.class_held_ps[class] - earlier.class_held_ps[class]
            }),
            expired: self.expired - earlier.expired,
        }
    }
}
