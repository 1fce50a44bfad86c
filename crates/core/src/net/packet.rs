//! The record of a packet that travels through the network.

pub use pacesim_units::flags::{Flags, Kind};
pub use pacesim_units::port::Ecn;
use pacesim_units::{FlowId, Remaining, Time};

/// A packet in flight: 32 bytes, copied from queue to queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Packet {
    /// Timestamp: the sending time of data, and its echo in an acknowledgement.
    pub stamp: Time,
    /// Flow that the packet belongs to.
    pub flow: FlowId,
    /// Sequence number, or the number acknowledged.
    pub seq: u32,
    /// Size on the wire in bytes.
    pub size: u32,
    /// Position on its route: an index into the network's table.
    pub hop: u32,
    /// A number for the sender's use, such as the connection within a flow. Larger data go into a
    /// payload, which the network keeps.
    pub tag: u32,
    /// Kind and properties of the packet.
    pub flags: Flags,
    /// The data that its transfer has from it on, if the sender states them.
    pub remaining: Remaining,
}

impl Packet {
    /// The kind of packet.
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.flags.kind()
    }

    /// True if the packet is a retransmission.
    #[inline]
    pub const fn is_again(&self) -> bool {
        self.flags.is_again()
    }

    /// True if it was lost on the way, and a middlebox has repaired it.
    #[inline]
    pub const fn is_repaired(&self) -> bool {
        self.flags.is_repaired()
    }

    /// True if the data end the application's write (PSH).
    #[inline]
    pub const fn is_pushing(&self) -> bool {
        self.flags.is_pushing()
    }

    /// ECN field of the packet's header.
    #[inline]
    pub const fn ecn(&self) -> Ecn {
        self.flags.ecn()
    }

    /// True if it carries TCP's echo of congestion.
    #[inline]
    pub const fn is_ece(&self) -> bool {
        self.flags.is_ece()
    }

    /// True if it reports a reduced window (CWR).
    #[inline]
    pub const fn is_cwr(&self) -> bool {
        self.flags.is_cwr()
    }

    /// The packet's identity in one word, for fingerprints. The number and the flow lie together,
    /// and size and kind take the flow's high bits, which few models use.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        let name = u64::from(self.seq) << 32 | u64::from(self.flow.0);
        let kind = self.flags.kind_bits();
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
