//! Data that an application hands over.

use std::fmt;

use pacesim_units::{Bytes, Time};

/// An amount of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Data without end.
    Endless,
    /// This number of full packets.
    Packets(u32),
    /// This number of bytes; the last packet is short, except in ns-2's TCP, which has whole packets
    /// only.
    Bytes(Bytes),
}

/// The reason why data cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataError {
    /// A transfer without data would never be acknowledged.
    Empty,
    /// A flow numbers at most 2^32 packets.
    TooMuch,
    /// Nothing can follow endless data.
    AfterEndless,
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataError::Empty => "a transfer without data: give at least one packet or byte",
            DataError::TooMuch => {
                "more than 2^32 packets on one flow: use several flows, or endless data"
            }
            DataError::AfterEndless => "nothing can follow endless data on the same flow",
        })
    }
}

impl std::error::Error for DataError {}

/// Data that an application hands over at once and whose end it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Number of the transfer among those of this end, from 0.
    pub index: u32,
    /// Size of the transfer.
    pub bytes: Bytes,
    /// Time at which the application handed the transfer over.
    pub started: Time,
}
