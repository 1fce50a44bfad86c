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

/// A packet's field for explicit congestion notification, with the values of RFC 3168, section 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Ecn {
    /// Not-ECT: its ends do not understand marks, so a queue that would mark it drops it.
    #[default]
    NotEct = 0b00,
    /// ECT(1): its ends understand marks as frequent and slight (L4S, RFC 9331).
    Ect1 = 0b01,
    /// ECT(0): its ends understand a mark as they do a loss.
    Ect0 = 0b10,
    /// CE: it met congestion.
    Ce = 0b11,
}

impl Ecn {
    /// True if a queue may mark the packet in place of dropping it.
    #[inline]
    pub const fn is_capable(self) -> bool {
        !matches!(self, Ecn::NotEct)
    }

    /// The field of these two bits; others are left alone.
    #[inline]
    pub const fn from_bits(bits: u8) -> Ecn {
        match bits & 0b11 {
            0b00 => Ecn::NotEct,
            0b01 => Ecn::Ect1,
            0b10 => Ecn::Ect0,
            _ => Ecn::Ce,
        }
    }
}
