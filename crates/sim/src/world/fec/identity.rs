//! What the simulator codes in place of a packet's bytes.

use pacesim_core::net::{Ecn, Kind, Packet};
use pacesim_fec::Symbol;
use pacesim_units::{FlowId, Time};

/// All that makes a packet what it is, but for marks of congestion and its place on its route,
/// which change on the way; and that it was repaired, which what is repaired is anyhow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    stamp_ps: u64,
    /// Sequence number and flow.
    name: u64,
    size: u32,
    tag: u32,
    // Bytes, for these are added up in one step.
    kind: u8,
    may_be_marked: u8,
    again: u8,
}

impl Identity {
    #[inline(always)]
    pub(super) fn of(packet: &Packet) -> Identity {
        Identity {
            stamp_ps: packet.stamp.as_ps(),
            name: u64::from(packet.seq) << 32 | u64::from(packet.flow.0),
            size: packet.size,
            tag: packet.tag,
            kind: packet.kind as u8,
            may_be_marked: (packet.ecn != Ecn::Incapable).into(),
            again: packet.again.into(),
        }
    }

    /// The packet, repaired.
    pub(super) fn packet(self) -> Packet {
        Packet {
            stamp: Time::from_ps(self.stamp_ps),
            flow: FlowId(self.name as u32),
            seq: (self.name >> 32) as u32,
            size: self.size,
            tag: self.tag,
            hop: 0,
            kind: match self.kind {
                data if data == Kind::Data as u8 => Kind::Data,
                _ => Kind::Ack,
            },
            ecn: if self.may_be_marked == 1 {
                Ecn::Capable
            } else {
                Ecn::Incapable
            },
            again: self.again == 1,
            repaired: true,
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
        self.kind ^= other.kind;
        self.may_be_marked ^= other.may_be_marked;
        self.again ^= other.again;
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
            kind,
            again: seq.is_multiple_of(2),
            ecn,
            repaired: false,
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
                let ecn = match packets[i].ecn {
                    Ecn::Incapable => Ecn::Incapable,
                    _ => Ecn::Marked,
                };
                let marked = Packet { ecn, ..packets[i] };
                sum.xor(&Identity::of(&marked));
            }
            let wanted = Packet {
                repaired: true,
                hop: 0,
                ..packets[lost]
            };
            assert_eq!(sum.packet(), wanted);
        }
    }
}
