//! The trait of queue disciplines.

pub use pacesim_units::port::{Ecn, Line, Mark, Reason, Turn, Waiting};
use pacesim_units::{ConnectionId, FlowId, Time};

/// The properties of a packet that a discipline may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Handle of the packet in the world; a discipline only returns it.
    pub key: u32,
    /// Flow that the packet belongs to.
    pub flow: FlowId,
    /// The connection within that flow, by which fair queues separate packets as Linux's do by their
    /// five-tuple.
    pub connection: ConnectionId,
    /// Size on the wire in bytes.
    pub size: u32,
    /// Class of the packet's flow, for disciplines with several classes.
    pub class: u16,
    /// ECN field of the packet.
    pub ecn: Ecn,
    /// The number of packets of the same bulk that follow at the same instant.
    pub following: u32,
    /// Bytes of its transfer from this packet on, to a two-thousandth: 0 for acknowledgements, and the
    /// most for data without a known end. In a network with ports that sort by size it is the whole transfer.
    pub remaining: u32,
    /// True if its payload may be cut off.
    pub is_trimmable: bool,
}

impl Pending {
    /// A packet of class 0, not-ECT, of its flow's only connection.
    pub const fn new(key: u32, flow: FlowId, size: u32) -> Pending {
        Pending {
            key,
            flow,
            connection: ConnectionId::of_call(flow, 0),
            size,
            class: 0,
            ecn: Ecn::NotEct,
            following: 0,
            remaining: u32::MAX,
            is_trimmable: false,
        }
    }

    /// The same packet in this class.
    pub const fn of_class(self, class: u16) -> Pending {
        Pending { class, ..self }
    }

    /// The same packet, but of another connection.
    pub const fn of_connection(self, connection: ConnectionId) -> Pending {
        Pending { connection, ..self }
    }

    /// The same packet, but ahead of others of its bulk.
    pub const fn before(self, following: u32) -> Pending {
        Pending { following, ..self }
    }

    /// The same packet, but with so many bytes of its transfer from it on.
    pub const fn with_remaining(self, remaining: u32) -> Pending {
        Pending { remaining, ..self }
    }

    /// The same packet with this ECN field.
    pub const fn with_ecn(self, ecn: Ecn) -> Pending {
        Pending { ecn, ..self }
    }
}

/// A number that describes a discipline's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Name of the number, such as "codel_count".
    pub name: &'static str,
    /// Current value of the number.
    pub value: f64,
}

/// A queue discipline: it holds packets in front of a line, chooses the next one, and drops.
///
/// The caller supplies the time, which never runs backwards, and calls in the order given on the
/// [crate's page](crate). A discipline that must act between calls (to update a probability every
/// 15 ms, say) catches up at the next call: nothing has changed in the meantime. It leaves a free
/// line idle only if nothing waits, or until [`next_turn`](Queue::next_turn).
///
/// [`laws`](crate::laws) checks the laws that every discipline keeps.
pub trait Queue: Send {
    /// Takes a packet, or returns the reason for dropping it.
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason>;

    /// The next action of the queue; called again until it answers to hold.
    fn turn(&mut self, now: Time, line: Line) -> Turn;

    /// The packets and bytes that wait.
    fn waiting(&self) -> Waiting;

    /// The most informative number of its state, with its name and unit in series.
    fn state(&self) -> Option<State> {
        None
    }

    /// Holds the packets of a class from now on, or releases them, for a switch at the other end that
    /// pauses classes apart (PFC). False if the discipline does not keep classes apart.
    fn hold_class(&mut self, class: u16, holds: bool) -> bool {
        let _ = (class, holds);
        false
    }

    /// For disciplines that shape: the time of the next call if the line stays free and no packet
    /// arrives.
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
    fn hold_class(&mut self, class: u16, holds: bool) -> bool {
        (**self).hold_class(class, holds)
    }
}
