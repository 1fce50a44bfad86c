//! The record of a packet that travels through the network.

use pacesim_units::{FlowId, Time};

/// A packet in flight: 32 bytes, copied from queue to queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Packet {
    /// The time it carries: of data when it was sent, of an acknowledgement the
    /// echo of that.
    pub stamp: Time,
    /// The flow it belongs to.
    pub flow: FlowId,
    /// Its sequence number, or the number it acknowledges.
    pub seq: u32,
    /// Bytes on the wire.
    pub size: u32,
    /// Where it is on its route: a place in the network's table.
    pub hop: u32,
    /// A handle of the sender's or receiver's own, such as SACK blocks kept aside; of data from
    /// a source, how many packets of the same bulk follow.
    pub tag: u32,
    /// The kind of packet.
    pub kind: Kind,
    /// Whether it was sent before.
    pub again: bool,
    /// Whether the packet may be marked, and whether it is.
    pub ecn: Ecn,
    /// Whether it was lost on the way, and a middlebox has repaired it.
    pub repaired: bool,
}

/// What a packet is. The values keep kinds apart in fingerprints, from the highest bit down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Data, from a flow's source to its sink.
    #[default]
    Data = 0b0000_0000,
    /// An acknowledgement, from a flow's sink to its source.
    Ack = 0b1000_0000,
    /// Made by a middlebox for another one, such as a repair packet or a report. An end that
    /// gets one leaves it alone.
    Auxiliary = 0b0100_0000,
}

/// A packet's field for explicit congestion notification, with the values of RFC 3168, section 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Ecn {
    /// Its ends do not understand marks: a queue that would mark it drops it.
    #[default]
    Incapable = 0b00,
    /// It may be marked.
    Capable = 0b10,
    /// It met congestion.
    Marked = 0b11,
}

impl Packet {
    /// The packet's identity in one word, for fingerprints. Number and flow lie together, and
    /// the flow's high bits, which few models use, make room for size and kind.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        let name = u64::from(self.seq) << 32 | u64::from(self.flow.0);
        name.rotate_left(32) ^ (u64::from(self.size) << 40) ^ (self.kind as u64) << 56
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_32_bytes() {
        assert_eq!(size_of::<Packet>(), 32);
    }

    #[test]
    fn each_kind_has_a_word_of_its_own() {
        let word = |kind| {
            let packet = Packet {
                seq: 5,
                size: 1000,
                kind,
                ..Packet::default()
            };
            packet.word()
        };
        let [data, ack, auxiliary] = [Kind::Data, Kind::Ack, Kind::Auxiliary].map(word);
        assert_eq!(
            ack,
            data ^ 1 << 63,
            "stored fingerprints know acknowledgements"
        );
        assert!(auxiliary != data && auxiliary != ack);
    }
}
