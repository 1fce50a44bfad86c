//! Connections whose two ends answer each other: each way is a flow, and what one end sends may
//! wait for what the other has sent.

use std::sync::Arc;

use pacesim_units::{Bytes, FlowId, Span};

/// What one end of such a connection sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The flow of the other end, whose data come where this one begins.
    pub other: FlowId,
    /// Unit by unit.
    pub steps: Arc<[Step]>,
}

/// A unit of data, and when an application hands it to TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What has to be before the wait begins.
    pub after: After,
    /// How long the application then waits.
    pub wait: Span,
    /// How much it hands over.
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
