//! A data packet as Linux's receiver sees it.

use pacesim_units::Time;

/// A data packet as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// Its number.
    pub seq: u32,
    /// When it was sent.
    pub stamp: Time,
    /// When the ACK was sent whose time-stamp it echoes, if that is known; else it is told from when it was sent.
    pub echo: Option<Time>,
    /// Bytes of user data in it.
    pub payload: u32,
    /// True if it was sent before.
    pub again: bool,
    /// True if routers may mark it (ECT), or have (CE).
    pub ect: bool,
    /// True if it met congestion (CE).
    pub marked: bool,
    /// True if the sender says that it has reduced its window (CWR).
    pub cwr: bool,
    /// True if it ends the data that the application gave (PSH).
    pub push: bool,
}

impl Arrival {
    /// A packet without marks or flags.
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
