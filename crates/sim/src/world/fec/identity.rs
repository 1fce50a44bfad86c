//! What the simulator codes in place of a packet's bytes.

use pacesim_core::net::{Ecn, Kind, Packet};
use pacesim_fec::Symbol;
use pacesim_units::{FlowId, Time};

/// All that makes a packet what it is, but for its place on its route. Packed, since there are two for each pair
/// of edges in what each packet touches.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed(4))]
pub(super) struct Identity {
    stamp_ps: u64,
    /// Sequence number and flow.
    name: u64,
    size: u32,
    tag: u32,
    /// Bytes of kind, `again`, `ecn` and `repaired`. Marks of congestion change on the way, and what is repaired
    /// is marked as that anyhow: of these nothing is read.
    traits: u32,
}

impl Identity {
    #[inline(always)]
    pub(super) fn of(packet: &Packet) -> Identity {
        Identity {
            stamp_ps: packet.stamp.as_ps(),
            name: u64::from(packet.seq) << 32 | u64::from(packet.flow.0),
            size: packet.size,
            tag: packet.tag,
            traits: traits_of(packet),
        }
    }

    /// Whether it is of a packet that a middlebox made.
    #[inline(always)]
    pub(super) fn is_auxiliary(&self) -> bool {
        self.traits as u8 == Kind::Auxiliary as u8
    }

    /// The packet, repaired.
    pub(super) fn packet(self) -> Packet {
        let [kind, again, ecn, _] = self.traits.to_le_bytes();
        Packet {
            stamp: Time::from_ps(self.stamp_ps),
            flow: FlowId(self.name as u32),
            seq: (self.name >> 32) as u32,
            size: self.size,
            tag: self.tag,
            hop: 0,
            kind: match kind {
                data if data == Kind::Data as u8 => Kind::Data,
                _ => Kind::Ack,
            },
            again: again == 1,
            ecn: match ecn & Ecn::Capable as u8 {
                0 => Ecn::Incapable,
                _ => Ecn::Capable,
            },
            repaired: true,
        }
    }
}

/// The last four bytes of a packet, as they lie: to read them takes one step.
#[inline(always)]
fn traits_of(packet: &Packet) -> u32 {
    u32::from_le_bytes([
        packet.kind as u8,
        packet.again.into(),
        packet.ecn as u8,
        packet.repaired.into(),
    ])
}

impl Symbol for Identity {
    #[inline(always)]
    fn xor(&mut self, other: &Identity) {
        self.stamp_ps ^= other.stamp_ps;
        self.name ^= other.name;
        self.size ^= other.size;
        self.tag ^= other.tag;
        self.traits ^= other.traits;
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
