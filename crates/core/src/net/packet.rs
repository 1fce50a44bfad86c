//! The record of a packet that travels through the network.

pub use pacesim_units::port::Ecn;
use pacesim_units::{FlowId, Time};

/// A packet in flight: 32 bytes, copied from queue to queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Packet {
    /// Timestamp: the sending time of data, and its echo in an acknowledgement.
    pub stamp: Time,
    /// Flow of the packet.
    pub flow: FlowId,
    /// Sequence number, or the number acknowledged.
    pub seq: u32,
    /// Bytes on the wire.
    pub size: u32,
    /// Position on its route: an index into the network's table.
    pub hop: u32,
    /// A number for the sender's use, such as the connection within a flow. Larger data go into a
    /// payload, which the network keeps.
    pub tag: u32,
    /// Kind and properties.
    pub flags: Flags,
}

/// The kind of a packet. The values distinguish kinds in fingerprints, from the highest bit down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Data, from a flow's source to its sink.
    #[default]
    Data = 0b0000_0000,
    /// An acknowledgement, from a flow's sink to its source.
    Ack = 0b1000_0000,
    /// Created by a middlebox for another one, such as a repair packet or a report. An end ignores
    /// it.
    Auxiliary = 0b0100_0000,
}

/// All single-bit properties of a packet in one byte. The two highest bits are the kind, the two
/// lowest the ECN field; between them are two bits of TCP's header: ECE of acknowledgements, which
/// is PSH of data, and CWR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    const KIND: u8 = 0b1100_0000;
    const AGAIN: u8 = 0b0010_0000;
    const REPAIRED: u8 = 0b0001_0000;
    const ECE: u8 = 0b0000_1000;
    const PUSH: u8 = Flags::ECE;
    const CWR: u8 = 0b0000_0100;
    const ECN: u8 = 0b0000_0011;

    /// Sets whether the packet is a retransmission.
    #[inline]
    pub const fn again(self, again: bool) -> Flags {
        Flags((self.0 & !Flags::AGAIN) | (again as u8 * Flags::AGAIN))
    }

    /// Sets whether it was lost on the way and repaired by a middlebox.
    #[inline]
    pub const fn repaired(self) -> Flags {
        Flags(self.0 | Flags::REPAIRED)
    }

    /// Sets whether the data end the application's write (PSH).
    #[inline]
    pub const fn pushing(self, pushes: bool) -> Flags {
        Flags((self.0 & !Flags::PUSH) | (pushes as u8 * Flags::PUSH))
    }

    /// Sets the ECN field.
    #[inline]
    pub const fn with_ecn(self, ecn: Ecn) -> Flags {
        Flags(self.0 & !Flags::ECN | ecn as u8)
    }

    /// Sets TCP's echo of congestion (RFC 3168, section 6.1).
    #[inline]
    pub const fn with_ece(self, ece: bool) -> Flags {
        Flags((self.0 & !Flags::ECE) | (ece as u8 * Flags::ECE))
    }

    /// Sets TCP's answer that the window was reduced (RFC 3168, section 6.1).
    #[inline]
    pub const fn with_cwr(self, cwr: bool) -> Flags {
        Flags((self.0 & !Flags::CWR) | (cwr as u8 * Flags::CWR))
    }

    /// The ECN field.
    #[inline]
    pub const fn ecn(self) -> Ecn {
        Ecn::from_bits(self.0)
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

    /// The flags as a byte.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Flags from a byte.
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

    /// True for a retransmission.
    #[inline]
    pub const fn is_again(&self) -> bool {
        self.flags.0 & Flags::AGAIN != 0
    }

    /// True if it was lost on the way, and a middlebox has repaired it.
    #[inline]
    pub const fn is_repaired(&self) -> bool {
        self.flags.0 & Flags::REPAIRED != 0
    }

    /// True if the data end the application's write (PSH).
    #[inline]
    pub const fn is_pushing(&self) -> bool {
        self.flags.0 & Flags::PUSH != 0
    }

    /// The ECN field.
    #[inline]
    pub const fn ecn(&self) -> Ecn {
        self.flags.ecn()
    }

    /// True if it carries TCP's echo of congestion.
    #[inline]
    pub const fn is_ece(&self) -> bool {
        self.flags.0 & Flags::ECE != 0
    }

    /// True if it reports a reduced window (CWR).
    #[inline]
    pub const fn is_cwr(&self) -> bool {
        self.flags.0 & Flags::CWR != 0
    }

    /// The packet's identity in one word, for fingerprints. The number and the flow lie together,
    /// and size and kind take the flow's high bits, which few models use.
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

    fn echoes(flags: Flags) -> [bool; 2] {
        let packet = Packet {
            flags,
            ..Packet::default()
        };
        [packet.is_ece(), packet.is_cwr()]
    }

    #[test]
    fn flags_are_told_apart() {
        for kind in [Kind::Data, Kind::Ack, Kind::Auxiliary] {
            for ecn in [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce] {
                for again in [false, true] {
                    let flags = Flags::from(kind).again(again).with_ecn(ecn);
                    assert_eq!(echoes(flags), [false, false]);
                    assert_eq!(echoes(flags.with_ece(true)), [true, false]);
                    assert_eq!(echoes(flags.with_cwr(true)), [false, true]);
                    let flags = flags.with_ece(again).with_cwr(true);
                    let [plain, repaired] = [flags, flags.repaired()].map(|flags| Packet {
                        flags,
                        ..Packet::default()
                    });
                    for packet in [plain, repaired] {
                        let read = (packet.kind(), packet.is_again(), packet.ecn());
                        assert_eq!(read, (kind, again, ecn), "of {:08b}", packet.flags.bits());
                    }
                    let of_both = [plain, repaired].map(|packet| packet.is_repaired());
                    assert_eq!(of_both, [false, true]);
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
                flags: Flags::from(kind).again(true).with_ecn(Ecn::Ce),
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
