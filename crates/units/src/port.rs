//! The vocabulary of parts that stand before a line: pacers, queue disciplines, stages of ports.

use std::fmt;

use crate::Bytes;

/// The state of the line that a part feeds. Behind a gate it is always free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It sends the packet that was let go last.
    Busy,
    /// A packet that is let go now is sent at once.
    Free,
}

/// The answer of a part that is asked whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No packet's turn: the line is busy, nothing waits, or its time has not come.
    Hold,
    /// This packet goes on now. Only if the line is free.
    Go {
        /// The packet's handle.
        key: u32,
        /// True if it carries a mark of congestion from here on.
        marked: bool,
    },
    /// This packet, taken earlier, is dropped; ask again.
    Drop(u32, Reason),
}

/// The reason for which a packet is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no room: for the packet itself, or for one that pushes it out.
    Full,
    /// There is room, but the queue must be kept short.
    Early,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Full => "the buffer is full",
            Reason::Early => "the queue is kept short",
        })
    }
}

impl std::error::Error for Reason {}

/// The packets and bytes that a part holds at the moment, without the packet being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Packets taken and neither let go nor dropped.
    pub packets: u64,
    /// The bytes of these packets.
    pub bytes: Bytes,
}
