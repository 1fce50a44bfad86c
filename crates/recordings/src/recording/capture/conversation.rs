//! Conversations, the packets of one five-tuple.

use std::collections::BTreeMap;

/// The addresses, protocol and ports of a packet.
type FiveTuple = ([u8; 32], u8, [u8; 4]);

/// The conversations in the order of their first packets.
#[derive(Default)]
pub(super) struct Conversations(BTreeMap<Option<FiveTuple>, u32>);

impl Conversations {
    /// The number of a packet's conversation, from zero; all packets other than IP share one.
    pub(super) fn number(&mut self, link_type: u32, data: &[u8]) -> u32 {
        let next = self.0.len() as u32;
        let tuple = network(link_type, data).and_then(five_tuple);
        *self.0.entry(tuple).or_insert(next)
    }
}

/// The network packet behind the link header.
fn network(link_type: u32, data: &[u8]) -> Option<&[u8]> {
    match link_type {
        // BSD loopback: four bytes of the family.
        0 => data.get(4..),
        1 => {
            let mut at = 12;
            // VLAN tags precede the type.
            while matches!(data.get(at..at + 2)?, [0x81, 0x00] | [0x88, 0xA8]) {
                at += 4;
            }
            data.get(at + 2..)
        }
        // Raw IP, by each of its link types.
        12 | 101 | 228 | 229 => Some(data),
        // Linux "cooked" captures, versions 1 and 2.
        113 => data.get(16..),
        276 => data.get(20..),
        _ => None,
    }
}

fn five_tuple(packet: &[u8]) -> Option<FiveTuple> {
    let mut addresses = [0; 32];
    let (protocol, payload) = match packet.first()? >> 4 {
        4 => {
            addresses[..8].copy_from_slice(packet.get(12..20)?);
            let is_later_fragment = packet[6] & 0x1F != 0 || packet[7] != 0;
            let header = usize::from(packet[0] & 0xF) * 4;
            let payload = packet.get(header..).filter(|_| !is_later_fragment);
            (packet[9], payload)
        }
        6 => {
            addresses.copy_from_slice(packet.get(8..40)?);
            (packet[6], packet.get(40..))
        }
        _ => return None,
    };
    // TCP, UDP, DCCP, SCTP and UDP-Lite start with their ports.
    let has_ports = matches!(protocol, 6 | 17 | 33 | 132 | 136);
    let ports = payload.and_then(|payload| payload.first_chunk::<4>());
    let ports = ports.filter(|_| has_ports).copied().unwrap_or_default();
    Some((addresses, protocol, ports))
}
