//! Tags of packets: the remaining packets of a bulk for sources, the connection for TCP.

use pacesim_core::net::{Kind, Packet};

/// The bit that marks tags of connections.
const CONNECTION: u32 = 1 << 31;

/// The tag of a connection whose flow may have several.
pub(super) fn of_connection(place: u32) -> u32 {
    CONNECTION | place
}

/// The place of a packet's connection, if its flow may have several.
pub(super) fn connection(packet: &Packet) -> Option<u32> {
    let is_of_one = packet.kind() != Kind::Auxiliary && packet.tag & CONNECTION != 0;
    is_of_one.then_some(packet.tag & !CONNECTION)
}

/// The number of packets of the same bulk that follow.
#[inline]
pub(super) fn following(packet: &Packet) -> u32 {
    let is_of_source = packet.kind() == Kind::Data && packet.tag & CONNECTION == 0;
    if is_of_source { packet.tag } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_no_bulk_and_a_bulk_no_connection() {
        let packet = |kind: Kind, tag| Packet {
            flags: kind.into(),
            tag,
            ..Packet::default()
        };
        let data = packet(Kind::Data, of_connection(7));
        assert_eq!((connection(&data), following(&data)), (Some(7), 0));
        let ack = packet(Kind::Ack, of_connection(0));
        assert_eq!((connection(&ack), following(&ack)), (Some(0), 0));
        let bulk = packet(Kind::Data, 7);
        assert_eq!((connection(&bulk), following(&bulk)), (None, 7));
        let repair = packet(Kind::Auxiliary, of_connection(7));
        assert_eq!((connection(&repair), following(&repair)), (None, 0));
    }
}
