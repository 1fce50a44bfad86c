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
    /// Its position on its route: a place in the network's table.
    pub hop: u32,
    /// A number of its sender's own, such as which of a flow's connections it is of. What takes more room
    /// is a payload, which the network keeps.
    pub tag: u32,
    /// Its kind, and what is true of it.
    pub flags: Flags,
}

/// The kind of a packet. The values keep kinds apart in fingerprints, from the highest bit down.
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

/// All that is said of a packet in single bits: one byte. The kind has the two highest bits, notification of
/// congestion the two lowest; two are free for ECE and CWR of TCP's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    const KIND: u8 = 0b1100_0000;
    const AGAIN: u8 = 0b0010_0000;
    const REPAIRED: u8 = 0b0001_0000;
    const ECN: u8 = 0b0000_0011;

    /// Sent before, or not.
    #[inline]
    pub const fn again(self, again: bool) -> Flags {
        Flags((self.0 & !Flags::AGAIN) | (again as u8 * Flags::AGAIN))
    }

    /// Lost on the way, and repaired by a middlebox.
    #[inline]
    pub const fn repaired(self) -> Flags {
        Flags(self.0 | Flags::REPAIRED)
    }

    /// With this field for notification of congestion.
    #[inline]
    pub const fn with_ecn(self, ecn: Ecn) -> Flags {
        Flags(self.0 & !Flags::ECN | ecn as u8)
    }

    /// The kind of packet.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self.0 & Flags::KIND {
            0b0000_0000 => Kind::Data,
            0b0100_0000 => Kind::Auxiliary,
            _ => Kind::Ack,
        }
    }

    /// The byte.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The flags of this byte.
    #[inline]
    pub const fn from_bits(bits: u8) -> Flags {
        Flags(bits)
    }
}

impl From<Kind> for Flags {
    #[inline]
    fn from(kind: Kind) -> Flags {
        Flags(kind as u8)
    }
}

impl Packet {
    /// The kind of packet.
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.flags.kind()
    }

    /// True if it was sent before.
    #[inline]
    pub const fn is_again(&self) -> bool {
        self.flags.0 & Flags::AGAIN != 0
    }

    /// True if it was lost on the way, and a middlebox has repaired it.
    #[inline]
    pub const fn is_repaired(&self) -> bool {
        self.flags.0 & Flags::REPAIRED != 0
    }

    /// The field for notification of congestion.
    #[inline]
    pub const fn ecn(&self) -> Ecn {
        match self.flags.0 & Flags::ECN {
            0b00 => Ecn::Incapable,
            0b11 => Ecn::Marked,
            _ => Ecn::Capable,
        }
    }

    /// The packet's identity in one word, for fingerprints. Number and flow lie together, and
    /// the flow's high bits, which few models use, make room for size and kind.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        let name = u64::from(self.seq) << 32 | u64::from(self.flow.0);
        let kind = self.flags.0 & Flags::KIND;
        name.rotate_left(32) ^ (u64::from(self.size) << 40) ^ u64::from(kind) << 56
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
    fn flags_are_told_apart() {
        for kind in [Kind::Data, Kind::Ack, Kind::Auxiliary] {
            for ecn in [Ecn::Incapable, Ecn::Capable, Ecn::Marked] {
                for again in [false, true] {
                    let flags = Flags::from(kind).again(again).with_ecn(ecn);
                    let [plain, repaired] = [flags, flags.repaired()].map(|flags| Packet {
                        flags,
                        ..Packet::default()
                    });
                    for packet in [plain, repaired] {
                        let read = (packet.kind(), packet.is_again(), packet.ecn());
                        assert_eq!(read, (kind, again, ecn), "of {:08b}", packet.flags.bits());
                    }
                    assert!(repaired.is_repaired() && !plain.is_repaired());
                }
            }
        }
    }

    #[test]
    fn each_kind_has_a_word_of_its_own() {
        let word = |kind| {
            let packet = Packet {
                seq: 5,
                size: 1000,
                flags: Flags::from(kind).again(true).with_ecn(Ecn::Marked),
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
        assert!(
            auxiliary != data && auxiliary != ack,
            "{auxiliary:?}, {data:?}, {ack:?}"
        );
    }
}
