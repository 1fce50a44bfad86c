//! Connections whose ends are a user's own: their packets and timers, as for TCP's.

use pacesim_core::net::{Flags, Kind, Packet, Probe};
use pacesim_tcp::Settled;
use pacesim_transport::{Content, Datagram, Header};
use pacesim_units::Time;

use super::World;
use super::connection::Connection;
use super::ends::{SinkEnd, SourceEnd};
use crate::model::Payload;

impl<P: Probe> World<P> {
    /// Handles data that have arrived at the receiving end.
    #[inline(never)]
    pub(super) fn take_in_own_data(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        let content = self.content();
        let connection = &mut self.connections[id as usize];
        if let SinkEnd::Own(end) = &mut connection.receiver {
            end.receive(now, &header(packet), content);
            let bytes = end.delivered().bytes;
            connection.set_goodput(bytes);
            self.answer_own(id, now, began);
        }
    }

    /// Handles an answer that has arrived at the sending end.
    #[inline(never)]
    pub(super) fn take_in_own_answer(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        let content = self.content();
        if let SourceEnd::Own(end) = &mut self.connections[id as usize].sender {
            end.receive(now, &header(packet), content);
            self.pump_own(id, now, began);
        }
    }

    /// Sends all packets of a receiving end that may leave now, and arms its timer.
    #[inline(never)]
    pub(super) fn answer_own(&mut self, id: u32, now: Time, began: Time) {
        while let SinkEnd::Own(end) = &mut self.connections[id as usize].receiver
            && let Some(datagram) = end.transmit(now)
        {
            self.send_datagram(id, now, began, Kind::Ack, datagram);
        }
        self.arm_receiver(id, now);
    }

    /// Sends all packets of a sending end that may leave now, and arms its timer.
    #[inline(never)]
    pub(super) fn pump_own(&mut self, id: u32, now: Time, began: Time) {
        let settled = loop {
            let SourceEnd::Own(end) = &mut self.connections[id as usize].sender else {
                return;
            };
            let Some(datagram) = end.transmit(now) else {
                break end.settled();
            };
            self.send_datagram(id, now, began, Kind::Data, datagram);
        };
        let settled = Settled {
            standing: settled.standing,
            has_events: settled.has_events,
            next_timeout: settled.next_wake,
        };
        self.settle(id, now, settled);
    }

    fn send_datagram(&mut self, id: u32, now: Time, began: Time, kind: Kind, sent: Datagram) {
        let connection = &self.connections[id as usize];
        let packet = packet(connection, kind, &sent);
        let route = match kind {
            Kind::Data => connection.data_route,
            _ => connection.ack_route,
        };
        if kind == Kind::Data {
            self.tallies.sent(packet.flow, packet.size);
        }
        match sent.content {
            Content::None => self.transmit(now, began, route, packet),
            content => {
                let payload = Payload::Content(content);
                self.transmit_with(now, began, route, packet, payload);
            }
        }
    }

    /// The content of the packet that has just arrived.
    fn content(&mut self) -> Content {
        match self.network.take_payload() {
            Some(Payload::Content(content)) => content,
            _ => Content::None,
        }
    }
}

fn header(packet: &Packet) -> Header {
    Header {
        seq: packet.seq,
        size: packet.size,
        stamp: packet.stamp,
        flags: packet.flags,
    }
}

/// The packet of a datagram. Its kind is that of its direction, whatever the end has set, and the
/// flow may set the ECN field of data that may be marked.
fn packet(connection: &Connection, kind: Kind, sent: &Datagram) -> Packet {
    let own = sent.flags.ecn();
    let ecn = match connection.ecn {
        Some(field) if kind == Kind::Data && own.is_capable() => field,
        _ => own,
    };
    Packet {
        stamp: sent.stamp,
        flow: connection.flow,
        seq: sent.seq,
        size: sent.size,
        tag: connection.tag,
        flags: Flags::from(kind)
            .again(sent.flags.is_again())
            .with_ecn(ecn)
            .with_ece(sent.flags.is_ece())
            .with_cwr(sent.flags.is_cwr()),
        ..Packet::default()
    }
}
