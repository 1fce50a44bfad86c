//! Payloads: data of packets in addition to their records, from one end to another.

mod identity;

use pacesim_core::net::Volume;
use pacesim_fec::{Cover, LossReport};
use pacesim_tcp::SackBlocks;

pub use identity::Identity;

/// The payload of a packet: the network keeps it as long as the packet exists.
#[derive(Clone, Copy, Debug)]
pub enum Payload {
    /// The SACK blocks of an acknowledgement.
    Sacks(SackBlocks),
    /// The same, with the count of marked packets (AccECN).
    Counted(SackBlocks, u32),
    /// The same, if marks are counted, with the receiver's window in packets.
    Advertised(SackBlocks, Option<u32>, u32),
    /// The content of an FEC repair packet.
    Repair(Redundancy),
    /// A decoder's report to its encoder.
    Report(LossReport),
}

impl Payload {
    /// The SACK blocks of an acknowledgement, if it is that of one.
    pub fn sacks(&self) -> Option<&SackBlocks> {
        match self {
            Payload::Sacks(sacks) | Payload::Counted(sacks, _) | Payload::Advertised(sacks, ..) => {
                Some(sacks)
            }
            Payload::Repair(_) | Payload::Report(_) => None,
        }
    }
}

/// The content of a repair packet.
#[derive(Clone, Copy, Debug)]
pub struct Redundancy {
    /// Pair of coders.
    pub pair: u32,
    /// Packets that it covers.
    pub cover: Cover,
    /// XOR of the packets' identities.
    pub value: Identity,
    /// XOR of the SACK blocks that the packets carried.
    pub sacks: SackBlocks,
    /// All packets that the encoder had protected by then.
    pub protected: Volume,
}
