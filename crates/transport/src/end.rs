//! The trait of ends, and what passes between an end, the network and the application.

use pacesim_units::flags::Flags;
use pacesim_units::{Span, Time};

use crate::{Amount, Answers, Content, Counters, DataError, Gauges, Standing, Transfer};

/// The header of a packet that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Sequence number, or the number acknowledged.
    pub seq: u32,
    /// Size on the wire in bytes.
    pub size: u32,
    /// Sending time of data, and what an answer echoes.
    pub stamp: Time,
    /// Kind and ECN field of the packet, and the bits that its sender set.
    pub flags: Flags,
}

/// A packet to send now. The world adds its kind (data from the sending end, an acknowledgement from
/// the receiving one), its flow and its route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Sequence number, or the number acknowledged.
    pub seq: u32,
    /// Size on the wire in bytes.
    pub size: u32,
    /// Sending time of data, from which delays are counted; in an answer, a time that it echoes.
    pub stamp: Time,
    /// ECN field, and true for a retransmission.
    pub flags: Flags,
    /// Content of the packet.
    pub content: Content,
}

impl Datagram {
    /// A packet without content, sent now for the first time, that no queue may mark.
    pub fn new(now: Time, seq: u32, size: u32) -> Datagram {
        Datagram {
            seq,
            size,
            stamp: now,
            flags: Flags::default(),
            content: Content::None,
        }
    }

    /// The same packet with this content.
    pub fn with(self, content: Content) -> Datagram {
        Datagram { content, ..self }
    }
}

/// An order of the application to a sending end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// Send this amount, behind all that was handed over before.
    Send(Amount),
    /// Send no more than has been sent: the end of endless data.
    Stop,
    /// Tell the other end that no more data follow.
    Close,
    /// Let the window grow no more, since the other end has closed.
    Stand,
}

/// An event that an end reports. Receiving ends report `Closed` and `Failed` only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndEvent {
    /// A round trip was measured.
    RoundTrip(Span),
    /// All data of a transfer have been acknowledged.
    TransferDone(Transfer),
    /// The end sends nothing more of its own accord, though it may answer packets that arrive.
    Closed,
    /// The end cannot go on, for this reason: the run ends there.
    Failed(String),
}

/// A wish of a receiving end for turns to send, which the receiving ends of a host take one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// One more turn.
    Turn,
    /// None of those that it still waits for.
    NoTurns,
}

/// The state of an end once [`End::transmit`] has returned `None`.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// The current limit on sending, and all else that statistics of time distinguish.
    pub standing: Standing,
    /// False if [`End::event`] would return none.
    pub has_events: bool,
    /// Time of the next call, as [`End::next_wake`] returns it.
    pub next_wake: Option<Time>,
}

/// Data that arrived at a receiving end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Bytes of user data, each counted once.
    pub bytes: u64,
    /// Packets that arrived in order, from the first.
    pub packets: u32,
    /// True if the sending end has closed, and all its data have arrived.
    pub is_all: bool,
}

/// One end of a flow. It belongs to a node and talks to the other end by packets and timers alone:
/// the world calls it with the time, and it answers with packets and the time of its next wake-up.
///
/// After each of `command`, `receive` and `wake`, the world calls [`transmit`](End::transmit) until
/// `None`, [`event`](End::event) until `None`, and then reads [`next_wake`](End::next_wake).
///
/// An end that does not progress ends the run: more than 100 000 packets at one instant, or as many
/// wake-ups in a row without a packet or an event. So does a packet beyond the size given to the
/// constructor, one smaller than its content, one marked by its sender, and one that is sent after
/// [`EndEvent::Closed`] though nothing has arrived since.
pub trait End: Send {
    /// A packet of the other end has arrived.
    fn receive(&mut self, now: Time, packet: &Header, content: Content);

    /// The next packet to send now.
    fn transmit(&mut self, now: Time) -> Option<Datagram>;

    /// An order of the application. Only sending ends get orders.
    fn command(&mut self, _now: Time, _command: Command) -> Result<(), DataError> {
        Ok(())
    }

    /// Time has passed. A wake-up may come before its time, and then changes nothing.
    fn wake(&mut self, _now: Time) {}

    /// The time at which it wants to be woken; `None` if no timer runs.
    fn next_wake(&mut self) -> Option<Time> {
        None
    }

    /// The time at which that wake-up was decided, which orders simultaneous events; by default the
    /// time of the call that led to it.
    fn wake_decided(&self) -> Option<Time> {
        None
    }

    /// The next event, oldest first.
    fn event(&mut self) -> Option<EndEvent> {
        None
    }

    /// The current limit of a sending end, whether its data are in progress, and slow start. By default
    /// that of an end without data: a sending end must tell at least when it is busy
    /// ([`Standing::untold`]).
    fn standing(&self) -> Standing {
        Standing::untold(false)
    }

    /// Totals of a sending end so far. The world counts its packets itself.
    fn counters(&self) -> Counters {
        Counters::default()
    }

    /// Messages of their own that told a sending end of marks and missing packets so far.
    fn answers(&self) -> Answers {
        Answers::default()
    }

    /// Current numbers of a sending end, for samplers.
    fn gauges(&self) -> Gauges {
        Gauges::default()
    }

    /// The transfers of a sending end that are not fully acknowledged, oldest first.
    fn pending(&self) -> Vec<Transfer> {
        Vec::new()
    }

    /// Data that arrived at a receiving end so far.
    fn delivered(&self) -> Delivered {
        Delivered::default()
    }

    /// The next wish of a receiving end, asked for after [`receive`](End::receive) until `None`, if its
    /// transport takes turns.
    fn wish(&mut self) -> Option<Wish> {
        None
    }

    /// It is the receiving end's turn to send: either at once, before it transmits what it was asked for
    /// by the packet that has just arrived, or later.
    fn turn(&mut self, _now: Time) {}

    /// False if it may answer the same calls otherwise, as one that draws from the system. By default
    /// true: a second end of a flow's first connection is given the same first calls, and the run ends
    /// where the two differ.
    fn repeats(&self) -> bool {
        true
    }

    /// Numbers of a sending end that its transport declares by name, in the order of the names;
    /// `None` for one without a value.
    fn numbers(&self) -> Vec<Option<f64>> {
        Vec::new()
    }

    /// All that is read after each call, at the cost of one reading.
    #[inline]
    fn settled(&mut self) -> Settled {
        Settled {
            standing: self.standing(),
            has_events: true,
            next_wake: self.next_wake(),
        }
    }
}

impl<E: End + ?Sized> End for Box<E> {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        (**self).receive(now, packet, content);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        (**self).transmit(now)
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        (**self).command(now, command)
    }

    fn wake(&mut self, now: Time) {
        (**self).wake(now);
    }

    fn next_wake(&mut self) -> Option<Time> {
        (**self).next_wake()
    }

    fn wake_decided(&self) -> Option<Time> {
        (**self).wake_decided()
    }

    fn event(&mut self) -> Option<EndEvent> {
        (**self).event()
    }

    fn standing(&self) -> Standing {
        (**self).standing()
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn answers(&self) -> Answers {
        (**self).answers()
    }

    fn gauges(&self) -> Gauges {
        (**self).gauges()
    }

    fn pending(&self) -> Vec<Transfer> {
        (**self).pending()
    }

    fn delivered(&self) -> Delivered {
        (**self).delivered()
    }

    fn wish(&mut self) -> Option<Wish> {
        (**self).wish()
    }

    fn turn(&mut self, now: Time) {
        (**self).turn(now);
    }

    fn repeats(&self) -> bool {
        (**self).repeats()
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        (**self).numbers()
    }

    fn settled(&mut self) -> Settled {
        (**self).settled()
    }
}
