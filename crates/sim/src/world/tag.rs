//! Tags of packets: the remaining packets of a bulk for sources, the connection for TCP, the handle of packets from
//! outside.

use pacesim_core::net::{Kind, Packet};

/// The bit that marks tags of connections.
const CONNECTION: u32 = 1 << 31;
/// The bit that marks, beside it, tags of handles.
const HANDLE: u32 = 1 << 30;

/// The tag of a flow's connection for one transfer, by the transfer's number from 0.
pub(super) fn of_call(call: u32) -> u32 {
    CONNECTION | call
}

/// The tag of a packet from outside, by its handle. Queues take it for no bulk, and for no connection
/// apart from its flow: handles do not move the world.
pub(super) fn of_handle(handle: u32) -> u32 {
    CONNECTION | HANDLE | handle
}

/// The handle of a packet from outside.
pub(super) fn handle(packet: &Packet) -> u32 {
    packet.tag & !(CONNECTION | HANDLE)
}

/// The number of the transfer whose connection a packet belongs to, if it is one of several.
#[inline]
pub(super) fn call(packet: &Packet) -> Option<u32> {
    (packet.tag & (CONNECTION | HANDLE) == CONNECTION).then_some(packet.tag & !CONNECTION)
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
        let data = packet(Kind::Data, of_call(7));
        assert_eq!((call(&data), following(&data)), (Some(7), 0));
        let ack = packet(Kind::Ack, of_call(0));
        assert_eq!((call(&ack), following(&ack)), (Some(0), 0));
        let bulk = packet(Kind::Data, 7);
        assert_eq!((call(&bulk), following(&bulk)), (None, 7));
        let outer = packet(Kind::Data, of_handle(7));
        assert_eq!((call(&outer), following(&outer)), (None, 0));
        assert_eq!(handle(&outer), 7);
        let repair = packet(Kind::Auxiliary, of_call(7));
        assert_eq!((call(&repair), following(&repair)), (Some(7), 0));
    }
}
