//! Connections whose ends are a user's own: their packets and timers, as for TCP's.

use pacesim_core::net::{Ecn, Flags, Kind, Packet, Probe};
use pacesim_measure::record::EndRow;
use pacesim_tcp::Settled;
use pacesim_transport::{Content, Datagram, Header};
use pacesim_units::{FlowId, Time};

use super::World;
use super::connection::Connection;
use super::ends::{SinkEnd, SourceEnd};
use super::giving_up::{Excess, GaveUp};
use crate::model::Payload;
use crate::model::transport::OwnTransport;

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
            self.grant_wishes(id, now);
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
        if let SinkEnd::Own(end) = &mut self.connections[id as usize].receiver {
            while end.event().is_some() {}
            let failure = end.take_failure();
            self.note_failure(id, now, failure);
        }
        self.arm_receiver(id, now);
    }

    /// Sends all packets of a sending end that may leave now, and arms its timer.
    #[inline(never)]
    pub(super) fn pump_own(&mut self, id: u32, now: Time, began: Time) {
        let settled = loop {
            let is_asked = self.may_transmit(id);
            let SourceEnd::Own(end) = &mut self.connections[id as usize].sender else {
                return;
            };
            let Some(datagram) = is_asked.then(|| end.transmit(now)).flatten() else {
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
        self.note_numbers(id, now);
        if let SourceEnd::Own(end) = &mut self.connections[id as usize].sender {
            let failure = end.take_failure();
            self.note_failure(id, now, failure);
        }
    }

    /// Reads the state of all ends before it is asked for, and gives up if one of them fails.
    pub(super) fn try_ends(&mut self, now: Time) {
        for id in 0..self.connections.len() {
            let connection = &mut self.connections[id];
            let session = &self.sessions[connection.session as usize];
            let Some(transport) = &session.transport else {
                continue;
            };
            let mut failure = None;
            if let SourceEnd::Own(end) = &mut connection.sender {
                end.try_readings(Some(transport.numbers().len()));
                failure = end.take_failure();
            }
            if let SinkEnd::Own(end) = &mut connection.receiver {
                end.try_readings(None);
                failure = failure.or_else(|| end.take_failure());
            }
            self.note_failure(id as u32, now, failure);
        }
    }

    /// The run gives up if an end has failed.
    fn note_failure(&mut self, id: u32, now: Time, failure: Option<String>) {
        let Some(why) = failure else {
            return;
        };
        let flow = self.model.flow_name(self.connections[id as usize].flow);
        let excess = Excess::End { flow, why };
        self.gave_up.get_or_insert(GaveUp { excess, at: now });
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
                if let Content::Bytes(bytes) = &content {
                    let hash = hash_of_content(now, &packet, bytes);
                    self.contents = self.contents.wrapping_add(hash);
                }
                let payload = Payload::Content(content);
                self.transmit_with(now, began, route, packet, payload);
            }
        }
    }

    /// The numbers that the transport of a flow declares, with their names; empty for other flows,
    /// and for those with a connection for each transfer.
    pub fn end_numbers(&self, flow: FlowId) -> Vec<(&'static str, Option<f64>)> {
        let Some(id) = self.connection_id(flow) else {
            return Vec::new();
        };
        let connection = &self.connections[id as usize];
        let session = &self.sessions[connection.session as usize];
        match (&connection.sender, &session.transport) {
            (SourceEnd::Own(end), Some(transport)) => {
                let names = transport.numbers();
                let numbers = end.numbers(names.len()).into_iter();
                names.iter().copied().zip(numbers).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Records each change of the numbers that a flow's sending ends declare, until they are taken.
    /// Call it before time starts; it ignores flows whose ends declare none.
    pub fn record_ends(&mut self, flow: FlowId) {
        self.must_be_whole("records no ends");
        let Some(place) = self.session_of(flow) else {
            return;
        };
        let session = &mut self.sessions[place];
        let declares = |transport: &OwnTransport| !transport.numbers().is_empty();
        if session.transport.as_ref().is_some_and(declares) {
            session.numbers = Some(Box::default());
        }
    }

    /// Takes the changes since the last call. In order of time for each flow.
    pub fn take_end_rows(&mut self) -> impl Iterator<Item = EndRow> + '_ {
        let logs = self
            .sessions
            .iter_mut()
            .filter_map(|session| session.numbers.as_mut());
        logs.flat_map(|log| log.take())
    }

    /// Notes the numbers of a connection's sending end, if they are recorded.
    pub(super) fn note_numbers(&mut self, id: u32, now: Time) {
        let connection = &self.connections[id as usize];
        let session = &mut self.sessions[connection.session as usize];
        if let (Some(log), SourceEnd::Own(end), Some(transport)) =
            (&mut session.numbers, &connection.sender, &session.transport)
        {
            let names = transport.numbers();
            log.note(now, session.flow, names, end.numbers(names.len()));
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

/// A hash of the bytes that a packet carries and of its place in the run. A sum of such hashes does
/// not depend on the order in which flows are computed.
fn hash_of_content(now: Time, packet: &Packet, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    let place = u64::from(packet.flow.0) << 32 | u64::from(packet.tag);
    let kind = u64::from(packet.flags.bits());
    let mut hash = [place, kind, now.as_ps(), bytes.len() as u64]
        .into_iter()
        .fold(FACTOR, mix);
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        hash = mix(
            hash,
            u64::from_le_bytes(word.try_into().expect("eight bytes")),
        );
    }
    let mut rest = [0; 8];
    rest[..words.remainder().len()].copy_from_slice(words.remainder());
    hash = mix(hash, u64::from_le_bytes(rest));
    hash ^ hash >> 32
}

/// The packet of a datagram. Its kind is that of its direction, whatever the end has set, and the
/// flow may set the ECN field of data that may be marked. Without ECN none may be.
fn packet(connection: &Connection, kind: Kind, sent: &Datagram) -> Packet {
    let own = match connection.config.linux.ecn {
        true => sent.flags.ecn(),
        false => Ecn::NotEct,
    };
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
            .with_cwr(sent.flags.is_cwr())
            .with_trimmable(sent.flags.is_trimmable()),
        ..Packet::default()
    }
}
