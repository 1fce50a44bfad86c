//! Contents of packets: data beside their headers, from one end of a flow to the other.

use pacesim_units::telemetry::Telemetry;

use crate::SackBlocks;

/// The options of an acknowledgement, each absent from most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AckOptions {
    /// Packets that arrived beyond the first missing one (RFC 2018).
    pub sacks: SackBlocks,
    /// Packets that arrived marked so far, if the receiver counts them (AccECN, RFC 9768).
    pub marked: Option<u32>,
    /// The receiver's window in packets, if it may become a limit.
    pub window: Option<u32>,
}

impl AckOptions {
    /// True without any option.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sacks.is_empty() && self.marked.is_none() && self.window.is_none()
    }
}

impl From<SackBlocks> for AckOptions {
    fn from(sacks: SackBlocks) -> AckOptions {
        AckOptions {
            sacks,
            ..AckOptions::default()
        }
    }
}

/// The content of a packet. The network carries it along and does not read it; its length is part
/// of the packet's size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// No content beyond the header.
    #[default]
    None,
    /// The options of an acknowledgement.
    Ack(AckOptions),
    /// Telemetry of the packet's way, to which each switch adds; an answer may carry it back.
    Telemetry(Box<Telemetry>),
    /// A refusal of packets that are missing: the number of the packet that has arrived in their place,
    /// and its telemetry.
    Refusal {
        /// The number of that packet.
        number: u32,
        /// Its telemetry, on its way back.
        telemetry: Option<Box<Telemetry>>,
    },
    /// The number of a pull: so many packets may follow those sent unasked.
    Pull(u32),
    /// Content in bytes, for a user's own transport.
    Bytes(Box<[u8]>),
}

impl Content {
    /// Content of these numbers, eight bytes each.
    pub fn words(words: &[u64]) -> Content {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        Content::Bytes(bytes.collect())
    }

    /// The number at this place of a content of [`Content::words`], if it is so long.
    pub fn word(&self, place: usize) -> Option<u64> {
        let Content::Bytes(bytes) = self else {
            return None;
        };
        let word = bytes.chunks_exact(8).nth(place)?;
        word.try_into().ok().map(u64::from_le_bytes)
    }

    /// The options of an acknowledgement, if it has any.
    pub fn options(&self) -> Option<&AckOptions> {
        match self {
            Content::Ack(options) => Some(options),
            Content::None
            | Content::Telemetry(_)
            | Content::Refusal { .. }
            | Content::Pull(_)
            | Content::Bytes(_) => None,
        }
    }
}
