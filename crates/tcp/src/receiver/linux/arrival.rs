//! A data packet as seen by Linux's receiver.

use pacesim_units::Time;

/// A data packet that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// Number of the packet.
    pub seq: u32,
    /// Sending time of the packet.
    pub stamp: Time,
    /// Sending time of the ACK whose timestamp it echoes, if known; otherwise derived from its own
    /// sending time.
    pub echo: Option<Time>,
    /// Bytes of user data in the packet.
    pub payload: u32,
    /// True for a retransmission.
    pub again: bool,
    /// True if routers may mark it (ECT) or have marked it (CE).
    pub ect: bool,
    /// True if the packet met congestion (CE).
    pub marked: bool,
    /// True if the sender reports a reduced window (CWR).
    pub cwr: bool,
    /// True if the packet ends a write of the application (PSH).
    pub push: bool,
}

impl Arrival {
    /// An arrival without marks or flags.
    pub fn new(seq: u32, stamp: Time, payload: u32) -> Arrival {
        Arrival {
            seq,
            stamp,
            echo: None,
            payload,
            again: false,
            ect: false,
            marked: false,
            cwr: false,
            push: false,
        }
    }
}
