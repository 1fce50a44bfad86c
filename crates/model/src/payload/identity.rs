//! The record of a packet that codes take in place of its bytes.

use pacesim_core::net::{Ecn, Flags, Kind, Packet};
use pacesim_fec::Symbol;
use pacesim_units::{FlowId, Time};

/// All that makes a packet what it is, but for its place on its route. Packed, since there are two for each pair
/// of edges in what each packet touches.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed(4))]
pub struct Identity {
    stamp_ps: u64,
    /// Sequence number and flow.
    name: u64,
    size: u32,
    tag: u32,
    /// Marks of congestion change on the way: of these nothing is read.
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
            flags: packet.flags.bits().into(),
        }
    }

    /// True of a packet that a middlebox made.
    #[inline(always)]
    pub fn is_auxiliary(&self) -> bool {
        Flags::from_bits(self.flags as u8).kind() == Kind::Auxiliary
    }

    /// The packet, repaired.
    pub fn packet(self) -> Packet {
        let flags = Flags::from_bits(self.flags as u8);
        let ecn = match flags.bits() & Ecn::Capable as u8 {
            0 => Ecn::Incapable,
            _ => Ecn::Capable,
        };
        Packet {
            stamp: Time::from_ps(self.stamp_ps),
            flow: FlowId(self.name as u32),
            seq: (self.name >> 32) as u32,
            size: self.size,
            tag: self.tag,
            hop: 0,
            flags: flags.with_ecn(ecn).repaired(),
        }
    }
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
        };
        let packets = [
            packet(1, Kind::Data, Ecn::Incapable),
            packet(2, Kind::Ack, Ecn::Incapable),
            packet(3, Kind::Data, Ecn::Capable),
        ];
        for lost in 0..3 {
            let mut sum = Identity::default();
            packets
                .iter()
                .for_each(|packet| sum.xor(&Identity::of(packet)));
            for i in (0..3).filter(|i| *i != lost) {
                // A mark on the way makes no difference.
                let ecn = match packets[i].ecn() {
                    Ecn::Incapable => Ecn::Incapable,
                    _ => Ecn::Marked,
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
