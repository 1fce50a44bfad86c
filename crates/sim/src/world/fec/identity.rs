//! What the simulator codes in place of a packet's bytes.

use pacesim_core::net::{Ecn, Kind, Packet};
use pacesim_fec::Symbol;
use pacesim_units::{FlowId, Time};

/// All that makes a packet what it is, but for marks of congestion and its place on its route,
/// which change on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity([u64; 4]);

impl Identity {
    #[inline]
    pub(super) fn of(packet: &Packet) -> Identity {
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let flags = [
            u8::from(packet.kind == Kind::Ack),
            u8::from(packet.ecn != Ecn::Incapable),
            u8::from(packet.again),
            u8::from(packet.repaired),
        ];
        Identity([
            packet.stamp.as_ps(),
            pair(packet.flow.0, packet.seq),
            pair(packet.size, packet.tag),
            u32::from_le_bytes(flags).into(),
        ])
    }

    /// The packet, repaired.
    pub(super) fn packet(self) -> Packet {
        let [stamp, name, size, flags] = self.0;
        let high = |word: u64| (word >> 32) as u32;
        let [is_ack, is_capable, again, _] = (flags as u32).to_le_bytes().map(|flag| flag != 0);
        Packet {
            stamp: Time::from_ps(stamp),
            flow: FlowId(high(name)),
            seq: name as u32,
            size: high(size),
            tag: size as u32,
            hop: 0,
            kind: if is_ack { Kind::Ack } else { Kind::Data },
            ecn: if is_capable {
                Ecn::Capable
            } else {
                Ecn::Incapable
            },
            again,
            repaired: true,
        }
    }
}

impl Symbol for Identity {
    #[inline]
    fn xor(&mut self, other: &Identity) {
        let pairs = self.0.iter_mut().zip(&other.0);
        pairs.for_each(|(mine, theirs)| *mine ^= theirs);
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
