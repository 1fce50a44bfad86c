//! Connections whose two ends answer each other: each direction is a flow, and data of one end may
//! wait for data of the other.

use std::sync::Arc;

use pacesim_units::{Bytes, FlowId, Span};

/// Data that one end of an exchange sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The flow of the other end, whose data arrive where this one begins.
    pub other: FlowId,
    /// Its units of data. The last may have no bytes: the end then has no more data, which closes
    /// the connection if the other end has declared the same before.
    pub steps: Arc<[Step]>,
    /// True if acknowledgements no longer open the end's window once the other end has closed, as
    /// in ns-2.
    pub stands_when_closed: bool,
}

/// A unit of data, and the time at which the application writes it to TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Event after which the wait begins.
    pub after: After,
    /// Time that the application waits.
    pub wait: Span,
    /// Size of the unit; zero if there is no more data.
    pub size: Bytes,
}

/// Event after which a wait begins. It never begins before the previous unit was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The previous unit of this end, or the flow's start for the first.
    OwnUnit,
    /// The arrival of this many units from the other end.
    Arrivals(u32),
}
