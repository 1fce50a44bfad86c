//! Connections whose two ends answer each other: each way is a flow, and what one end sends may
//! wait for what the other has sent.

use std::sync::Arc;

use pacesim_units::{Bytes, FlowId, Span};

/// What one end of such a connection sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The flow of the other end, whose data come where this one begins.
    pub other: FlowId,
    /// Unit by unit. The last may be of no bytes: then the end says that it has no more, which closes the
    /// connection if the other end has said so before.
    pub steps: Arc<[Step]>,
    /// Whether acknowledgements open the end's window no more once the other end has closed, as in ns-2.
    pub stands_when_closed: bool,
}

/// A unit of data, and when an application hands it to TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What has to be before the wait begins.
    pub after: After,
    /// How long the application then waits.
    pub wait: Span,
    /// How much it hands over; nothing, if it has no more.
    pub size: Bytes,
}

/// What a wait begins after. It begins after the unit before was handed over in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The unit before; before the first, the flow's start.
    OwnUnit,
    /// The arrival of so many units of the other end.
    Arrivals(u32),
}
