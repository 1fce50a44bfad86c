//! The record that travels.

use pacesim_units::{FlowId, Time};

/// A packet in flight: 32 bytes, copied from queue to queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// A handle of the sender's or receiver's own, such as SACK blocks kept aside.
    pub tag: u32,
    /// What it is.
    pub kind: Kind,
    /// Whether it was sent before.
    pub again: bool,
}

/// What a packet is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Data, from a flow's source to its sink.
    #[default]
    Data = 0,
    /// An acknowledgement, from a flow's sink to its source.
    Ack = 1,
}

impl Packet {
    /// The packet's identity in one word, for fingerprints. Number and flow lie together, and
    /// the flow's high bits, which few models use, make room for size and kind.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        let name = u64::from(self.seq) << 32 | u64::from(self.flow.0);
        name.rotate_left(32) ^ (u64::from(self.size) << 40) ^ (self.kind as u64) << 63
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_packet_is_32_bytes() {
        assert_eq!(size_of::<super::Packet>(), 32);
    }
}
