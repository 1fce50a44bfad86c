//! Payloads: data of packets in addition to their records, from one end to another.

mod identity;

use pacesim_core::net::{Telemetric, Volume};
use pacesim_fec::{Cover, LossReport};
use pacesim_transport::{AckOptions, Content, SackBlocks};
use pacesim_units::telemetry::HopRecord;

pub use identity::Identity;

/// The payload of a packet: the network keeps it as long as the packet exists.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Content that one end of a flow sends to the other.
    Content(Content),
    /// The content of an FEC repair packet.
    Repair(Redundancy),
    /// A loss report from a decoder to its encoder.
    Report(LossReport),
}

impl Default for Payload {
    fn default() -> Payload {
        Payload::Content(Content::None)
    }
}

impl From<AckOptions> for Payload {
    fn from(options: AckOptions) -> Payload {
        Payload::Content(Content::Ack(options))
    }
}

impl Telemetric for Payload {
    fn add_hop(&mut self, hop: HopRecord) {
        if let Payload::Content(Content::Telemetry(telemetry)) = self {
            telemetry.add(hop);
        }
    }
}

impl Payload {
    /// The options of an acknowledgement, if it has any.
    #[inline]
    pub fn options(&self) -> Option<&AckOptions> {
        match self {
            Payload::Content(content) => content.options(),
            Payload::Repair(_) | Payload::Report(_) => None,
        }
    }
}

/// The content of an FEC repair packet.
#[derive(Clone, Copy, Debug)]
pub struct Redundancy {
    /// Number of the pair of coders.
    pub pair: u32,
    /// Block of packets that it covers.
    pub cover: Cover,
    /// XOR of the packets' identities.
    pub value: Identity,
    /// XOR of the SACK blocks that the packets carried.
    pub sacks: SackBlocks,
    /// Packets that the encoder had protected by then, in total.
    pub protected: Volume,
}
