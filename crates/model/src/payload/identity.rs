//! Identities of packets, which codes take in place of their bytes.

use pacesim_core::net::{Ecn, Flags, Kind, Packet};
use pacesim_fec::Symbol;
use pacesim_units::{FlowId, Time};

/// All properties of a packet except its place on its route. Packed, since each pair of edges has
/// two among the memory that every packet touches.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed(4))]
pub struct Identity {
    stamp_ps: u64,
    /// Sequence number and flow of the packet.
    name: u64,
    size: u32,
    tag: u32,
    /// The ECN field is one bit here, capable or not: a mark on the path leaves it unchanged.
    flags: u32,
}

impl Identity {
    /// The identity of a packet.
    #[inline(always)]
    pub fn of(packet: &Packet) -> Identity {
        Identity {
            stamp_ps: packet.stamp.as_ps(),
            name: u64::from(packet.seq) << 32 | u64::from(packet.flow.0),
            size: packet.size,
            tag: packet.tag,
            flags: unmarked(packet.flags).into(),
        }
    }

    /// True for a packet made by a middlebox.
    #[inline(always)]
    pub fn is_auxiliary(&self) -> bool {
        Flags::from_bits(self.flags as u8).kind() == Kind::Auxiliary
    }

    /// The repaired packet. An ECN-capable packet becomes ECT(0), even if it was ECT(1).
    pub fn packet(self) -> Packet {
        let flags = Flags::from_bits(self.flags as u8);
        Packet {
            stamp: Time::from_ps(self.stamp_ps),
            flow: FlowId(self.name as u32),
            seq: (self.name >> 32) as u32,
            size: self.size,
            tag: self.tag,
            hop: 0,
            flags: flags.repaired(),
            ..Packet::default()
        }
    }
}

/// The flags with ECT(0) as the field of every ECN-capable packet.
#[inline(always)]
const fn unmarked(flags: Flags) -> u8 {
    let bits = flags.with_ecn(Ecn::NotEct).bits();
    bits | (flags.ecn().is_capable() as u8) << 1
}

impl Symbol for Identity {
    #[inline(always)]
    fn xor(&mut self, other: &Identity) {
        self.stamp_ps ^= other.stamp_ps;
        self.name ^= other.name;
        self.size ^= other.size;
        self.tag ^= other.tag;
        self.flags ^= other.flags;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_comes_out_of_the_sum_of_its_block_as_it_was() {
        let packet = |seq: u32, kind, ecn| Packet {
            stamp: Time::from_ps(1 << 50 | u64::from(seq)),
            flow: FlowId(seq * 7),
            seq,
            size: 1000 + seq,
            hop: 3 * seq,
            tag: seq ^ 5,
            flags: Flags::from(kind).again(seq.is_multiple_of(2)).with_ecn(ecn),
            ..Packet::default()
        };
        let packets = [
            packet(1, Kind::Data, Ecn::NotEct),
            packet(2, Kind::Ack, Ecn::NotEct),
            packet(3, Kind::Data, Ecn::Ect0),
        ];
        for lost in 0..3 {
            let mut sum = Identity::default();
            packets
                .iter()
                .for_each(|packet| sum.xor(&Identity::of(packet)));
            for i in (0..3).filter(|i| *i != lost) {
                // A mark on the path makes no difference.
                let ecn = match packets[i].ecn() {
                    Ecn::NotEct => Ecn::NotEct,
                    _ => Ecn::Ce,
                };
                let marked = Packet {
                    flags: packets[i].flags.with_ecn(ecn),
                    ..packets[i]
                };
                sum.xor(&Identity::of(&marked));
            }
            let wanted = Packet {
                flags: packets[lost].flags.repaired(),
                hop: 0,
                ..packets[lost]
            };
            assert_eq!(sum.packet(), wanted);
        }
    }
}
