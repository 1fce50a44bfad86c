//! Data segments, which travel in one direction, and acknowledgements in the other.

pub use pacesim_transport::{AckOptions, Block, MAX_SACK_BLOCKS, SackBlocks};
use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Time};

/// A data packet to put on the wire now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Sequence number of the packet; packet 0 is the SYN, if any.
    pub seq: u32,
    /// Bytes of user data in the packet.
    pub payload: u32,
    /// Bytes of the packet on the wire, headers included.
    pub size: Bytes,
    /// Sending time, which the receiver echoes.
    pub stamp: Time,
    /// True if a packet of this number or a higher one was sent before.
    pub retransmission: bool,
    /// The ECN field: ECT if routers may mark it rather than drop it (RFC 3168, 9331).
    pub ecn: Ecn,
    /// True if it reports a reduction of the window for a mark (CWR).
    pub cwr: bool,
    /// True if the receiver must pass it on at once (PSH): it ends a write of the application.
    pub push: bool,
}

/// An acknowledgement as it reaches the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The first packet not yet received: all below have been.
    /// (ns-2 writes the last received, one less.)
    pub next: u32,
    /// Echo of the sending time of a data packet (RFC 7323 §4.3).
    pub stamp: Time,
    /// Runs of packets received beyond `next`, the most recent first.
    pub sacks: SackBlocks,
    /// True if a marked packet arrived, and no CWR since (ECE, RFC 3168).
    pub ece: bool,
    /// Packets that arrived marked so far, if the receiver counts them (AccECN, RFC 9768).
    pub marked: Option<u32>,
}

impl Ack {
    /// An ACK without blocks and marks.
    #[inline]
    pub fn plain(next: u32, stamp: Time) -> Ack {
        Ack {
            next,
            stamp,
            sacks: SackBlocks::NONE,
            ece: false,
            marked: None,
        }
    }
}
