//! Types shared by parts in front of a line: pacers, queue disciplines, stages of ports.

use std::fmt;

use crate::Bytes;

/// The state of the line that a part feeds. Behind a gate it is always free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It is transmitting the packet released last.
    Busy,
    /// A packet released now is transmitted at once.
    Free,
}

impl Line {
    /// The turn of a part that acts only while the line is free.
    #[inline]
    pub fn if_free(self, serve: impl FnOnce() -> Turn) -> Turn {
        match self {
            Line::Busy => Turn::Hold,
            Line::Free => serve(),
        }
    }
}

/// The next action of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No packet: the line is busy, no packet waits, or none is due yet.
    Hold,
    /// This packet leaves now. Allowed only if the line is free.
    Go {
        /// Handle of the packet.
        key: u32,
        /// Reason for its congestion mark, if it is marked.
        mark: Option<Mark>,
    },
    /// This packet, accepted earlier, is dropped; call again.
    Drop(u32, Reason),
    /// This packet, accepted earlier, loses its payload and stays; call again.
    Trim {
        /// Handle of the packet, whose sender allows it.
        key: u32,
        /// Its size from now on, that of its header.
        size: u16,
    },
}

impl Turn {
    /// This packet leaves now, without a mark.
    pub const fn go(key: u32) -> Turn {
        Turn::Go { key, mark: None }
    }
}

/// The reason for marking a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mark {
    /// The backlog or the sojourn time is beyond a fixed threshold.
    Threshold,
    /// The time of a control law is reached.
    Law,
    /// A probability decided, by a draw or by a sum of probabilities.
    Probability,
    /// A probability that is coupled to that of another queue decided.
    Coupled,
    /// The queue is so long that it marks every ECN-capable packet.
    Forced,
}

impl Mark {
    /// All reasons, in their order.
    pub const ALL: [Mark; 5] = [
        Mark::Threshold,
        Mark::Law,
        Mark::Probability,
        Mark::Coupled,
        Mark::Forced,
    ];
}

/// The reason for dropping a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The buffer is full: for the packet itself, or for one that pushes it out.
    Full,
    /// The buffer is not full, but the queue must be kept short.
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

/// The packets and bytes that a part holds, without the packet in transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Packets taken and neither released nor dropped.
    pub packets: u64,
    /// Total size of these packets.
    pub bytes: Bytes,
}

/// Adds up packets of these sizes.
impl FromIterator<u32> for Waiting {
    fn from_iter<I: IntoIterator<Item = u32>>(sizes: I) -> Waiting {
        let add = |(packets, bytes), size| (packets + 1, bytes + u64::from(size));
        let (packets, bytes) = sizes.into_iter().fold((0, 0), add);
        let bytes = Bytes(bytes);
        Waiting { packets, bytes }
    }
}

/// A packet's ECN field, with the values of RFC 3168, section 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Ecn {
    /// Not-ECT: its ends do not support marks, so a queue drops it instead of marking it.
    #[default]
    NotEct = 0b00,
    /// ECT(1): its ends interpret marks as frequent and slight (L4S, RFC 9331).
    Ect1 = 0b01,
    /// ECT(0): its ends interpret a mark like a loss.
    Ect0 = 0b10,
    /// CE: the packet met congestion.
    Ce = 0b11,
}

impl Ecn {
    /// True if a queue may mark the packet instead of dropping it.
    #[inline]
    pub const fn is_capable(self) -> bool {
        !matches!(self, Ecn::NotEct)
    }

    /// The field in the two low bits; the others are ignored.
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
