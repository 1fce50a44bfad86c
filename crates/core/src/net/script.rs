//! Scripted drops of single packets, for tests and golden traces.

use pacesim_units::FlowId;

use super::{Kind, Packet};

/// A packet to drop on its arrival at a port; counts start at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropRule {
    /// The k-th of all packets that arrive at the port.
    Packet {
        /// Number of the packet among the arrivals.
        k: u64,
    },
    /// The k-th arrival of this flow's packet of this kind and number.
    Number {
        /// Flow of the packet to drop.
        flow: FlowId,
        /// Kind of the packet: data or acknowledgement.
        kind: Kind,
        /// Sequence number of the packet, or number acknowledged.
        seq: u32,
        /// Number of the arrival among those of this packet.
        k: u32,
    },
}

/// The remaining drops of one port.
#[derive(Debug)]
pub struct Script {
    pending: Vec<DropRule>,
    arrived: u64,
}

impl Script {
    /// A script that drops these packets.
    pub fn new(drops: Vec<DropRule>) -> Script {
        Script {
            pending: drops,
            arrived: 0,
        }
    }

    /// The number of drops whose packet has not come yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Counts an arrival; true if it must be dropped.
    pub fn drops(&mut self, packet: &Packet) -> bool {
        self.arrived += 1;
        let arrived = self.arrived;
        let before = self.pending.len();
        self.pending
            .retain_mut(|drop| !is_due(drop, packet, arrived));
        self.pending.len() < before
    }
}

/// Counts an arrival towards one drop; true at its turn.
fn is_due(drop: &mut DropRule, packet: &Packet, arrived: u64) -> bool {
    match drop {
        DropRule::Packet { k } => *k == arrived,
        DropRule::Number { flow, kind, seq, k } => {
            let matches = (packet.flow, packet.kind(), packet.seq) == (*flow, *kind, *seq);
            *k -= u32::from(matches);
            *k == 0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_the_kth_packet_and_the_kth_arrival_of_a_number() {
        let number = |seq, k| DropRule::Number {
            flow: FlowId(0),
            kind: Kind::Data,
            seq,
            k,
        };
        let mut script = Script::new(vec![DropRule::Packet { k: 2 }, number(7, 2), number(7, 3)]);
        let mut drops = |flow, seq, kind: Kind| {
            script.drops(&Packet {
                flow: FlowId(flow),
                seq,
                flags: kind.into(),
                ..Packet::default()
            })
        };
        let fate = [
            drops(0, 7, Kind::Data),
            drops(0, 8, Kind::Data),
            drops(1, 7, Kind::Data),
            drops(0, 7, Kind::Ack),
            drops(0, 7, Kind::Data),
            drops(0, 7, Kind::Data),
            drops(0, 7, Kind::Data),
        ];
        assert_eq!(fate, [false, true, false, false, true, true, false]);
    }
}
