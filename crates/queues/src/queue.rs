//! The trait of queue disciplines.

pub use pacesim_units::port::{Ecn, Line, Mark, Reason, Turn, Waiting};
use pacesim_units::{FlowId, Time};

/// All that a discipline may know of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The world's handle of the packet; a discipline only hands it back.
    pub key: u32,
    /// The flow that the packet belongs to.
    pub flow: FlowId,
    /// Bytes on the wire.
    pub size: u32,
    /// The class of its flow, for disciplines that have several.
    pub class: u16,
    /// Its field for explicit congestion notification.
    pub ecn: Ecn,
    /// The number of packets of the same bulk that come at the same instant, behind it.
    pub following: u32,
}

impl Pending {
    /// A packet of class 0, not-ECT.
    pub const fn new(key: u32, flow: FlowId, size: u32) -> Pending {
        Pending {
            key,
            flow,
            size,
            class: 0,
            ecn: Ecn::NotEct,
            following: 0,
        }
    }

    /// The same packet in a class.
    pub const fn of_class(self, class: u16) -> Pending {
        Pending { class, ..self }
    }

    /// The same packet, before others of its bulk.
    pub const fn before(self, following: u32) -> Pending {
        Pending { following, ..self }
    }

    /// The same packet with this field for explicit congestion notification.
    pub const fn with_ecn(self, ecn: Ecn) -> Pending {
        Pending { ecn, ..self }
    }
}

/// A number of a discipline's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Its name, as "codel_count".
    pub name: &'static str,
    /// Its value now.
    pub value: f64,
}

/// A queue discipline: it holds packets before a line, says whose turn it is, and drops.
///
/// The caller brings the time, which never runs backwards, and calls in the order that the
/// [crate's page](crate) says. A discipline that must act between calls (to update a
/// probability every 15 ms, say) catches up when it is called next: nothing has changed
/// meanwhile. It leaves a free line without work only if nothing waits, or until
/// [`next_turn`](Queue::next_turn).
///
/// The laws every discipline keeps are in [`laws`](crate::laws), to be run.
pub trait Queue: Send {
    /// Takes a packet, or says why it is dropped.
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason>;

    /// Whose turn it is; asked again until it answers to hold.
    fn turn(&mut self, now: Time, line: Line) -> Turn;

    /// The packets and bytes that wait.
    fn waiting(&self) -> Waiting;

    /// The number that says most of its state, with its name and unit as a series has it.
    fn state(&self) -> Option<State> {
        None
    }

    /// For those that shape what they send: when to be asked again though the line stays free and nothing comes.
    fn next_turn(&self) -> Option<Time> {
        None
    }
}

impl<Q: Queue + ?Sized> Queue for Box<Q> {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        (**self).arrive(now, packet)
    }
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        (**self).turn(now, line)
    }
    fn waiting(&self) -> Waiting {
        (**self).waiting()
    }
    fn next_turn(&self) -> Option<Time> {
        (**self).next_turn()
    }
    fn state(&self) -> Option<State> {
        (**self).state()
    }
}
