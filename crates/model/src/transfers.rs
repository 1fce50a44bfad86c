//! Transfers: data that an application writes to TCP piece by piece.

use std::sync::Arc;

use pacesim_tape::Tape;
use pacesim_tcp::Amount;
use pacesim_units::Span;

use crate::Arrival;
use crate::application::Side;
use crate::distribution::{Distribution, Pause, Sizes};
use crate::exchange::Exchange;
use crate::tasks::Task;

/// Transfers with drawn sizes and times.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfers {
    /// Size of each transfer.
    pub size: TransferSizes,
    /// Time of the first transfer, after the flow's start.
    pub first: Pause,
    /// Pause before each later transfer.
    pub pause: Pause,
    /// Event of the previous transfer from which the pause is counted.
    pub pause_from: PauseFrom,
    /// Connections that carry the transfers.
    pub connection: Carrier,
    /// Number of transfers; unlimited if absent.
    pub count: Option<u32>,
}

/// The data that an application sends over a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// Data without end.
    Endless,
    /// One amount of data, once.
    Once(pacesim_tcp::Amount),
    /// Amounts that are handed over at known times.
    Scheduled(Schedule),
    /// Transfers one after the other, or as they arrive.
    Transfers(Box<Transfers>),
    /// One end of an exchange, a connection whose ends answer each other.
    Exchange(Exchange),
    /// Transfers that wait for others.
    Tasks(Arc<[Task]>),
    /// Messages of a user's own application.
    Messages(Side),
}

impl Load {
    /// The connections that carry its transfers.
    pub fn carrier(&self) -> Carrier {
        match self {
            Load::Endless
            | Load::Once(_)
            | Load::Exchange(_)
            | Load::Tasks(_)
            | Load::Messages(_) => Carrier::Same,
            Load::Scheduled(schedule) => schedule.connection,
            Load::Transfers(transfers) => transfers.connection,
        }
    }
}

impl From<Transfers> for Load {
    fn from(transfers: Transfers) -> Load {
        Load::Transfers(Box::new(transfers))
    }
}

impl Transfers {
    /// Endless consecutive transfers on one connection, without pauses.
    pub fn new(size: impl Into<TransferSizes>) -> Transfers {
        Transfers {
            size: size.into(),
            first: Pause::Constant(Span::ZERO),
            pause: Pause::Constant(Span::ZERO),
            pause_from: PauseFrom::LastAck,
            connection: Carrier::Same,
            count: None,
        }
    }
}

/// Transfers at known times.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// An amount at each of these times from the flow's start, in order.
    pub list: Arc<[(Span, Amount)]>,
    /// Connections that carry the transfers.
    pub connection: Carrier,
    /// The list's recording, kept to check that all of it could be read; few flows have one.
    pub recording: Option<Box<Tape<Arrival>>>,
}

impl FromIterator<(Span, Amount)> for Schedule {
    /// Carries all amounts on one connection.
    fn from_iter<I: IntoIterator<Item = (Span, Amount)>>(list: I) -> Schedule {
        Schedule {
            list: list.into_iter().collect(),
            connection: Carrier::Same,
            recording: None,
        }
    }
}

/// The sizes of transfers.
#[derive(Clone, Debug, PartialEq)]
pub enum TransferSizes {
    /// Sizes in bytes of payload.
    Bytes(Sizes),
    /// A number of full packets, the same for all.
    Packets(u32),
    /// Sizes in full packets: drawn, and rounded to whole ones, at least one.
    DrawnPackets(Distribution),
}

impl From<Sizes> for TransferSizes {
    fn from(sizes: Sizes) -> TransferSizes {
        TransferSizes::Bytes(sizes)
    }
}

/// The event from which a pause between transfers is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PauseFrom {
    /// The last acknowledgement of the previous transfer: a closed loop.
    #[default]
    LastAck,
    /// The start of the previous transfer, finished or not: an open loop.
    Start,
}

/// The connections that carry the transfers of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Carrier {
    /// One persistent connection: data that arrive before the previous transfer is finished are
    /// appended.
    #[default]
    Same,
    /// A new connection for each, open from its start to its last acknowledgement, in parallel with
    /// others if they overlap.
    New,
}
