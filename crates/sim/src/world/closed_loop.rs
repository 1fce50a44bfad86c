//! TCP flows: packets and acknowledgements go to the two ends of the connection, and their answers
//! go into the network.

use pacesim_core::net::{Ecn, Flags, Kind, Packet, Probe, RouteId};
use pacesim_measure::Quantiles;
use pacesim_measure::record::{TcpRow, TransferRow};
use pacesim_tcp::{Ack, EventMask, Profile, Segment, Sender, SenderEvent, Settled};
use pacesim_transport::AckOptions;
use pacesim_units::{Bytes, FlowId, Remaining, Time};

use super::connection::Connection;
use super::ends::{SinkEnd, SourceEnd};
use super::session::Session;
use super::tcp_log::Noted;
use super::totals::Totals;
use super::{Agent, World};
use crate::model::{Payload, Stated};

impl<P: Probe> World<P> {
    /// A packet or an acknowledgement has arrived at one end of a connection.
    #[inline(never)]
    pub(super) fn take_in_tcp(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        let connection = &mut self.connections[id as usize];
        match packet.kind() {
            Kind::Data => match &connection.receiver {
                SinkEnd::Own(_) => self.take_in_own_data(id, now, began, packet),
                SinkEnd::Tcp(_) if connection.config.profile == Profile::Linux => {
                    self.take_in_segment(id, now, began, packet);
                }
                SinkEnd::Tcp(_) => {
                    let ack = connection.take_data(now, packet);
                    self.answer(id, now, began, ack);
                }
            },
            Kind::Ack => {
                let SourceEnd::Tcp(sender) = &mut connection.sender else {
                    return self.take_in_own_answer(id, now, began, packet);
                };
                // On the wire an acknowledgement carries the last packet in order, as in ns-2.
                let mut ack = Ack::plain(packet.seq.wrapping_add(1), packet.stamp);
                ack.ece = packet.is_ece();
                match self.network.payload().and_then(Payload::options) {
                    None => sender.on_ack(now, &ack),
                    Some(options) => take_laden_ack(sender, now, ack, options),
                }
                self.pump_tcp(id, now, began);
            }
            Kind::Auxiliary => {}
        }
    }

    // Not inlined, so that ACKs of other receivers need not be in memory.
    #[inline(never)]
    fn take_in_segment(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        let ack = self.connections[id as usize].take_segment(now, packet);
        self.answer(id, now, began, ack);
    }

    /// The timer of a sending end has expired, possibly early, which is harmless.
    #[inline(never)]
    pub(super) fn wake_sender(&mut self, id: u32, now: Time, began: Time) {
        let connection = &mut self.connections[id as usize];
        connection.sender_wake = Time::NEVER;
        if now >= connection.next_data {
            connection.hand_over(now, &mut self.sessions[connection.session as usize]);
        }
        connection.sender_timer(now);
        self.pump(id, now, began);
    }

    /// The timer of a receiving end has expired.
    #[inline(never)]
    pub(super) fn wake_receiver(&mut self, id: u32, now: Time, began: Time) {
        let connection = &mut self.connections[id as usize];
        connection.receiver_wake = Time::NEVER;
        match &mut connection.receiver {
            SinkEnd::Tcp(receiver) => {
                let ack = receiver.on_timer(now);
                self.answer(id, now, began, ack);
            }
            SinkEnd::Own(end) => {
                end.wake(now);
                self.answer_own(id, now, began);
            }
        }
    }

    /// Sends all packets that may leave now, and arms the timer.
    #[inline(always)]
    pub(super) fn pump(&mut self, id: u32, now: Time, began: Time) {
        match self.connections[id as usize].sender {
            SourceEnd::Tcp(_) => self.pump_tcp(id, now, began),
            SourceEnd::Own(_) => self.pump_own(id, now, began),
        }
    }

    /// Sends all packets of TCP's own sender that may leave now, and arms the timer.
    #[inline(always)]
    fn pump_tcp(&mut self, id: u32, now: Time, began: Time) {
        let settled = loop {
            let connection = &mut self.connections[id as usize];
            let SourceEnd::Tcp(sender) = &mut connection.sender else {
                return;
            };
            let Some(segment) = sender.poll_transmit(now) else {
                break sender.settled();
            };
            let (flow, route) = (connection.flow, connection.data_route);
            let mut packet = Packet {
                stamp: segment.stamp,
                flow,
                seq: segment.seq,
                size: segment.size.get() as u32,
                flags: data_flags(&segment, connection.ecn),
                tag: connection.tag,
                ..Packet::default()
            };
            if self.stated != Stated::Nothing {
                packet.remaining = remaining(sender, segment.seq, self.stated);
            }
            self.tallies.sent(flow, packet.size);
            self.transmit(now, began, route, packet);
        };
        self.settle(id, now, settled);
    }

    /// Notes the state of a sender that has nothing more to send now, and arms its timer.
    #[inline(always)]
    pub(super) fn settle(&mut self, id: u32, now: Time, settled: Settled) {
        let connection = &mut self.connections[id as usize];
        connection.note_state(now, settled.standing);
        if settled.has_events {
            let session = &mut self.sessions[connection.session as usize];
            connection.note_events(now, session, &mut self.finished);
            if self.finished.len() > self.noted {
                self.note_finished();
                if self.connections[id as usize].is_over {
                    return self.close(id, now);
                }
            }
        }
        let connection = &mut self.connections[id as usize];
        let timeout = settled.next_timeout.unwrap_or(Time::NEVER);
        let deadline = timeout.min(connection.next_data);
        if deadline < connection.sender_wake {
            // Only an earlier wake-up replaces the pending one; a later one is set when that fires.
            connection.sender_wake = deadline;
            let began = connection.sender_armed(now);
            let (timer, rank) = (connection.timers[0], connection.rank());
            self.network
                .set_ranked_timer(timer, deadline.max(now), began, rank);
        }
    }

    /// Sends an acknowledgement, if there is one, and arms the receiver's timer.
    #[inline(always)]
    fn answer(&mut self, id: u32, now: Time, began: Time, ack: Option<Ack>) {
        if let Some(ack) = ack {
            let connection = &self.connections[id as usize];
            let (flow, route) = (connection.flow, connection.ack_route);
            let packet = Packet {
                stamp: ack.stamp,
                flow,
                seq: ack.next.wrapping_sub(1),
                size: connection.config.ack_wire_size(ack.sacks.len()).get() as u32,
                tag: connection.tag,
                flags: Flags::from(Kind::Ack).with_ece(ack.ece),
                ..Packet::default()
            };
            let window = connection.advertised();
            if ack.sacks.is_empty() && ack.marked.is_none() && window.is_none() {
                self.transmit(now, began, route, packet);
            } else {
                let options = AckOptions {
                    sacks: ack.sacks,
                    marked: ack.marked,
                    window,
                };
                self.transmit_with(now, began, route, packet, options.into());
            }
        }
        self.arm_receiver(id, now);
    }

    /// Arms the timer of a receiving end if it is to be woken earlier than it would be.
    #[inline(always)]
    pub(super) fn arm_receiver(&mut self, id: u32, now: Time) {
        let connection = &mut self.connections[id as usize];
        let deadline = connection.receiver.next_timeout().unwrap_or(Time::NEVER);
        if deadline < connection.receiver_wake {
            connection.receiver_wake = deadline;
            let began = connection.receiver.timeout_decided().unwrap_or(now);
            let (timer, rank) = (connection.timers[1], connection.rank() + 1);
            self.network
                .set_ranked_timer(timer, deadline.max(now), began, rank);
        }
    }

    /// Not inlined: the path of sources into the network is inlined, and one copy in the loop is
    /// enough.
    #[inline(never)]
    pub(super) fn transmit(&mut self, now: Time, began: Time, route: RouteId, packet: Packet) {
        let route = self.route_of(now, route, &packet);
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network.send(now, began, route, packet, None, watchers);
    }

    /// Transmits a packet with options or other content.
    #[inline(never)]
    pub(super) fn transmit_with(
        &mut self,
        now: Time,
        began: Time,
        route: RouteId,
        ack: Packet,
        payload: Payload,
    ) {
        let route = self.route_of(now, route, &ack);
        let watchers = &mut (&mut self.tallies, &mut self.probe);
        self.network
            .send(now, began, route, ack, Some(payload), watchers);
    }

    /// The route of a packet that would take this one if its flow had no other.
    #[inline(always)]
    pub(super) fn route_of(&mut self, now: Time, route: RouteId, packet: &Packet) -> RouteId {
        match self.several_paths.is_empty() {
            true => route,
            false => self.several_paths.pick(now, route, packet, &self.network),
        }
    }

    /// The index of a flow among the TCP flows.
    pub(super) fn session_of(&self, flow: FlowId) -> Option<usize> {
        match self.agents[flow.index()] {
            Agent::Tcp(id) | Agent::Heard(id) => {
                Some(self.connections[id as usize].session as usize)
            }
            Agent::Calls(place) | Agent::Exchange(place) => Some(place as usize),
            Agent::Open(_) => None,
        }
    }

    /// The open persistent connection of a flow, if it has one.
    pub(super) fn connection_id(&self, flow: FlowId) -> Option<u32> {
        match self.agents[flow.index()] {
            Agent::Tcp(id) | Agent::Heard(id) => Some(id),
            Agent::Exchange(place) => self.sessions[place as usize].way.connection(),
            Agent::Calls(_) | Agent::Open(_) => None,
        }
    }

    fn connection_of(&self, flow: FlowId) -> Option<&Connection> {
        let id = self.connection_id(flow)?;
        Some(&self.connections[id as usize])
    }

    /// The sending end of a flow's connection. `None` if the flow is not TCP, has a connection for
    /// each transfer, or is one direction of an exchange that has not begun or is over.
    pub fn tcp_sender(&self, flow: FlowId) -> Option<&pacesim_tcp::Sender> {
        self.must_have_flows();
        self.connection_of(flow)?.sender.tcp()
    }

    /// The receiving end of a flow's connection, if there is a [sending one](World::tcp_sender).
    pub fn tcp_receiver(&self, flow: FlowId) -> Option<&pacesim_tcp::Receiver> {
        self.must_have_flows();
        self.connection_of(flow)?.receiver.tcp()
    }

    /// The number of TCP connections open now: all persistent ones, those for one transfer, and
    /// both directions of each exchange in progress.
    pub fn open_connections(&self) -> usize {
        let open = self.connections.iter();
        open.filter(|connection| !connection.is_over).count()
    }

    /// The connections open now, by flow and call: an order that does not depend on their places.
    pub(super) fn open_in_order(&self) -> impl Iterator<Item = &Connection> + '_ {
        let places = self.sessions.iter().flat_map(|session| {
            let persistent = self.connection_id(session.flow);
            persistent.into_iter().chain(session.open.places())
        });
        let open = places.map(|place| &self.connections[place as usize]);
        open.filter(|connection| !connection.is_over)
    }

    /// The number of connections that memory is allocated for: the most that were open at once.
    pub fn connection_places(&self) -> usize {
        self.connections.len()
    }

    /// Records all events of a TCP flow's senders until they are taken. Call it before time starts;
    /// it ignores other flows.
    pub fn record_tcp(&mut self, flow: FlowId) {
        self.must_be_whole("records no senders");
        let Some(place) = self.session_of(flow) else {
            return;
        };
        self.sessions[place].recorded = Some(Box::default());
        if let Some(id) = self.connection_id(flow)
            && let SourceEnd::Tcp(sender) = &mut self.connections[id as usize].sender
        {
            sender.want_events(EventMask::ALL);
        }
    }

    /// Takes the events that recorded senders reported since the last call of this function or of
    /// [`World::take_tcp_rows`].
    pub fn take_tcp_events(&mut self) -> impl Iterator<Item = (FlowId, SenderEvent)> + '_ {
        self.take_noted().map(|(flow, noted)| (flow, noted.event))
    }

    /// Like [`World::take_tcp_events`], with the sender's state after each event, but without
    /// transfers, which [`World::take_transfers`] returns. In order of time for each flow.
    pub fn take_tcp_rows(&mut self) -> impl Iterator<Item = TcpRow> + '_ {
        self.take_noted()
            .filter_map(|(flow, noted)| noted.row(flow))
    }

    fn take_noted(&mut self) -> impl Iterator<Item = (FlowId, Noted)> + '_ {
        self.sessions.iter_mut().flat_map(|session| {
            let flow = session.flow;
            let log = session.recorded.iter_mut();
            log.flat_map(|log| log.drain(..))
                .map(move |noted| (flow, noted))
        })
    }

    /// Takes the transfers finished since the last call, flow by flow, each flow's in the order in
    /// which they ended.
    pub fn take_transfers(&mut self) -> Vec<TransferRow> {
        let mut rows = std::mem::take(&mut self.finished);
        self.noted = 0;
        for other in self.team.iter_mut().flat_map(|team| team.others_mut()) {
            rows.append(&mut other.finished);
            other.noted = 0;
        }
        rows.sort_by_key(|row| row.flow_id);
        rows.into_iter().map(|row| self.placed(row)).collect()
    }

    /// Transfers in progress or waiting behind others of their flow, flow by flow; they have no
    /// end.
    pub fn unfinished_transfers(&self) -> Vec<TransferRow> {
        self.must_have_flows();
        let open = self.open_in_order();
        let mut rows: Vec<_> = open.flat_map(Connection::unfinished).collect();
        rows.sort_by_key(|row| (row.flow_id, row.transfer));
        rows.into_iter().map(|row| self.placed(row)).collect()
    }

    /// Round-trip times in picoseconds that a flow's senders measured since the warm-up; `None` if
    /// it is not TCP.
    pub fn round_trips(&self, flow: FlowId) -> Option<&Quantiles> {
        self.must_have_flows();
        let session = &self.sessions[self.session_of(flow)?];
        Some(&session.rtt_quantiles)
    }

    /// The total counts of each TCP flow's connections since the start.
    pub(super) fn session_totals(&self) -> Vec<Totals> {
        totals(&self.sessions, &self.connections, self.now)
    }

    /// A connection's transfer, completed with the world's knowledge of it.
    fn placed(&self, row: TransferRow) -> TransferRow {
        let mut row = row;
        if row.ideal_s == 0.0 {
            let ideal_ps = self.ideal_ps(FlowId(row.flow_id), Bytes(row.size_bytes));
            row.ideal_s = ideal_ps as f64 / 1e12;
        }
        let flow = &self.model.flows[row.flow_id as usize];
        TransferRow {
            path: self.path_of_transfer(FlowId(row.flow_id), row.transfer),
            group: flow.group.to_string(),
            began_in_warmup: row.start_ps < self.model.warmup.as_ps(),
            ..row
        }
    }
}

/// The total counts of each session's connections, closed ones included.
pub(super) fn totals(sessions: &[Session], connections: &[Connection], now: Time) -> Vec<Totals> {
    let so_far = |session: &Session| Totals {
        limited: session.limited_before(now),
        ..session.past()
    };
    let mut all: Vec<Totals> = sessions.iter().map(so_far).collect();
    for connection in connections.iter().filter(|connection| !connection.is_over) {
        all[connection.session as usize] += connection.totals(now);
    }
    all
}

/// Processes an acknowledgement with blocks, a count of marks, or a window.
#[inline(never)]
fn take_laden_ack(sender: &mut Sender, now: Time, mut ack: Ack, options: &AckOptions) {
    (ack.sacks, ack.marked) = (options.sacks, options.marked);
    if let Some(window) = options.window {
        sender.on_window(ack.next, window);
    }
    sender.on_ack(now, &ack);
}

/// The data of a packet's transfer, all or from it on; none if they have no end.
#[cold]
fn remaining(sender: &Sender, seq: u32, stated: Stated) -> Remaining {
    let bytes = match stated {
        Stated::Size => sender.transfer_size(seq).map(Bytes::get),
        _ => sender.remaining(seq),
    };
    bytes.map_or(Remaining::default(), Remaining::of_bytes)
}

/// The header flags of a data packet; the flow may set an ECN field for those that may be marked.
#[inline]
fn data_flags(segment: &Segment, field: Option<Ecn>) -> Flags {
    let ecn = if segment.ecn.is_capable() {
        field.unwrap_or(segment.ecn)
    } else {
        segment.ecn
    };
    Flags::from(Kind::Data)
        .again(segment.retransmission)
        .with_ecn(ecn)
        .with_cwr(segment.cwr)
        .pushing(segment.push)
}
