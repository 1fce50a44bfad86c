//! A TCP connection in the world: its two ends and their timers.

use std::sync::Arc;

use pacesim_core::net::{Ecn, Packet, RouteId};
use pacesim_measure::record::TransferRow;
use pacesim_tcp::{
    Ack, Amount, Arrival, Config, EventMask, Receiver, Sender, SenderEvent, Standing,
};
use pacesim_transport::{EndEvent, Transfer};
use pacesim_units::{FlowId, Span, Time};

use super::application::Application;
use super::ends::{self, SinkEnd, SourceEnd};
use super::limits::Limits;
use super::own_end::OwnEnd;
use super::progress::Progress;
use super::session::Session;
use super::tcp_log::Noted;
use super::totals::Totals;

/// Both ends of a TCP connection. Fields touched by the arrival of data lie together, and so do
/// those touched by an acknowledgement.
#[repr(C, align(64))]
pub(super) struct Connection {
    pub(super) receiver: SinkEnd,
    /// Bytes of payload that arrived for the first time.
    goodput_bytes: u64,
    // Used by both ends.
    pub(super) config: Arc<Config>,
    pub(super) flow: FlowId,
    /// Index of the connection's flow among the TCP flows.
    pub(super) session: u32,
    pub(super) data_route: RouteId,
    pub(super) ack_route: RouteId,
    /// The ECN field of its data packets that may be marked, in place of TCP's own.
    pub(super) ecn: Option<Ecn>,
    /// The timer numbers of its two ends, and their wake-up times; "never" if not armed.
    pub(super) timers: [u32; 2],
    pub(super) receiver_wake: Time,
    pub(super) sender_wake: Time,
    /// The time at which the application next hands data over, if the connection persists.
    pub(super) next_data: Time,
    /// The tag of its packets: zero if the connection persists, since the flow then identifies it.
    pub(super) tag: u32,
    /// For a connection with one transfer: the transfer's number within the flow, and true if it is
    /// done.
    pub(super) call: u32,
    pub(super) sender: SourceEnd,
    progress: Progress,
    limits: Limits,
    pub(super) opened: Time,
    pub(super) is_over: bool,
    /// The sender's state as last noted.
    standing: Standing,
    retransmitted_before: u64,
}

impl Connection {
    /// A connection opened at this time.
    pub(super) fn new(place: u32, session: &Session, timers: [u32; 2], opened: Time) -> Connection {
        let [data_route, ack_route] = session.routes;
        let (sender, receiver) = ends(session, opened);
        Connection {
            flow: session.flow,
            session: place,
            sender,
            receiver,
            data_route,
            ack_route,
            ecn: session.ecn,
            config: session.config.clone(),
            timers,
            sender_wake: Time::NEVER,
            receiver_wake: Time::NEVER,
            next_data: Time::NEVER,
            tag: 0,
            opened,
            call: 0,
            is_over: false,
            standing: Standing::UNKNOWN,
            retransmitted_before: 0,
            limits: Limits::new(opened),
            progress: Progress::default(),
            goodput_bytes: 0,
        }
    }

    /// The rank of its sender among ends with an event at one instant; the receiver's is one more.
    /// It names flow, call and side, whatever place of the pool the connection has.
    #[inline(always)]
    pub(super) fn rank(&self) -> u64 {
        u64::from(self.flow.0) << 33 | u64::from(self.call) << 1
    }

    /// Takes a data packet that arrived at TCP's receiver; returns its acknowledgement if one must be
    /// sent now.
    #[inline(always)]
    pub(super) fn take_data(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let SinkEnd::Tcp(receiver) = &mut self.receiver else {
            return None;
        };
        let duplicates = receiver.duplicates();
        let payload = payload(&self.config, packet);
        if payload == Some(0) {
            receiver.expect_end(packet.seq);
        }
        let ack = receiver.on_data(now, packet.seq, packet.stamp);
        if receiver.duplicates() == duplicates {
            self.goodput_bytes += payload.unwrap_or_default();
        }
        ack
    }

    /// Takes a data packet that arrived at Linux's receiver, which reads more of the packet.
    #[inline(always)]
    pub(super) fn take_segment(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let SinkEnd::Tcp(receiver) = &mut self.receiver else {
            return None;
        };
        let duplicates = receiver.duplicates();
        let payload = payload(&self.config, packet);
        if payload == Some(0) {
            receiver.expect_end(packet.seq);
        }
        let beyond_syn = || {
            packet
                .size
                .saturating_sub(self.config.syn_size.get() as u32)
        };
        let in_packet = payload.map_or_else(beyond_syn, |payload| payload as u32);
        let mut arrival = Arrival::new(packet.seq, packet.stamp, in_packet);
        arrival.again = packet.is_again();
        arrival.ect = packet.ecn() != Ecn::NotEct;
        arrival.marked = packet.ecn() == Ecn::Ce;
        arrival.cwr = packet.is_cwr();
        arrival.push = packet.is_pushing();
        let ack = receiver.on_segment(now, &arrival);
        if receiver.duplicates() == duplicates {
            self.goodput_bytes += payload.unwrap_or_default();
        }
        ack
    }

    /// The window that the receiver's next ACK advertises, in packets; `None`: never a limit.
    #[inline(always)]
    pub(super) fn advertised(&self) -> Option<u32> {
        self.receiver.tcp()?.advertised(&self.config)
    }

    /// Statistics start: time spent so far is settled.
    pub(super) fn open_window(&mut self, now: Time) {
        self.limits.settle(now);
    }

    /// The totals of the connection up to now.
    pub(super) fn totals(&self, now: Time) -> Totals {
        let (counters, answers) = (self.sender.counters(), self.sender.answers());
        let progress = self.progress.until(now);
        Totals {
            goodput_bytes: self.goodput_bytes,
            retransmitted: counters.retransmitted,
            timeouts: u64::from(counters.timeouts),
            fast_recoveries: u64::from(counters.fast_retransmits),
            notified: answers.notified,
            refused: answers.refused,
            limited: self.limits.spent(now),
            busy_ps: progress.busy_ps,
            slow_start_ps: progress.slow_start_ps,
        }
    }

    /// Payload that arrived for the first time since the connection was opened.
    pub(super) fn goodput_bytes(&self) -> u64 {
        self.goodput_bytes
    }

    /// The sender's timer may have expired.
    pub(super) fn sender_timer(&mut self, now: Time) {
        let armed = self.sender.timeout_decided().unwrap_or(now);
        let timeouts = self.sender.counters().timeouts;
        self.sender.on_timer(now);
        if self.sender.counters().timeouts > timeouts {
            self.limits.note_timeout(armed, now);
            self.standing = Standing::UNKNOWN;
        }
    }

    /// Notes the sender's state, and the limit that keeps it from sending more.
    #[inline(always)]
    pub(super) fn note_state(&mut self, now: Time, standing: Standing) {
        if standing != self.standing {
            self.change_state(now, standing);
        }
    }

    #[inline(never)]
    fn change_state(&mut self, now: Time, standing: Standing) {
        self.standing = standing;
        match standing.limit() {
            Some(limit) => self.limits.note(now, limit),
            None => self.limits.forget(),
        }
        self.progress.note(now, standing);
    }

    /// Hands over the data that are due.
    pub(super) fn hand_over(&mut self, now: Time, session: &mut Session) {
        self.next_data = Time::NEVER;
        if now >= session.stop {
            self.stop_sending(now, session);
            return;
        }
        if let Some(amount) = session.application.next() {
            if amount == Amount::Endless {
                self.next_data = session.stop;
            }
            // An amount beyond the sequence space is the end of the flow's data.
            if let (Err(_), Application::Dialogue(dialogue)) =
                (self.sender.on_data(now, amount), &mut session.application)
            {
                dialogue.fail("writes more than a connection can number".to_owned());
            }
        }
        if let Some(at) = session.application.after_start(session.start, now) {
            self.next_data = at;
        }
    }

    /// The flow's stop time is reached. Endless data are cut off; transfers in progress are
    /// finished.
    fn stop_sending(&mut self, now: Time, session: &mut Session) {
        let endless = !self.sender.has_pending();
        if endless {
            self.sender.end_data(now);
        }
        if endless && session.ended.is_none() {
            self.end(session.stop, session);
        }
    }

    /// The time at which that wake-up was decided. A timer may have been armed long before the
    /// wake-up that finds it still running, and its rank among events of one instant follows the
    /// arming; data are due as of now.
    pub(super) fn sender_armed(&mut self, now: Time) -> Time {
        match self.sender.next_timeout() {
            Some(at) if at <= self.next_data => self.sender.timeout_decided().unwrap_or(now),
            _ => now,
        }
    }

    /// Processes the sender's events; finished transfers go to `finished`.
    #[inline]
    pub(super) fn note_events(
        &mut self,
        now: Time,
        session: &mut Session,
        finished: &mut Vec<TransferRow>,
    ) {
        if let SourceEnd::Own(_) = self.sender {
            return self.note_own_events(now, session, finished);
        }
        while let SourceEnd::Tcp(sender) = &mut self.sender
            && let Some(event) = sender.poll_event()
        {
            self.note_event(event, session, finished);
        }
    }

    /// Processes the events of a user's own end, whose transfers end when it tells so.
    #[inline(never)]
    fn note_own_events(
        &mut self,
        now: Time,
        session: &mut Session,
        finished: &mut Vec<TransferRow>,
    ) {
        while let SourceEnd::Own(end) = &mut self.sender
            && let Some(event) = end.event()
        {
            match event {
                EndEvent::RoundTrip(sample) => note_round_trip(sample, session),
                EndEvent::TransferDone(transfer) => {
                    self.note_transfer(now, transfer, session, finished);
                }
                _ => {}
            }
        }
    }

    fn note_transfer(
        &mut self,
        at: Time,
        transfer: Transfer,
        session: &mut Session,
        finished: &mut Vec<TransferRow>,
    ) {
        finished.push(TransferRow {
            end_ps: Some(at.as_ps()),
            ..self.transfer(transfer)
        });
        self.retransmitted_before = self.sender.counters().retransmitted;
        self.finish_transfer(at, session);
    }

    fn note_event(
        &mut self,
        event: SenderEvent,
        session: &mut Session,
        finished: &mut Vec<TransferRow>,
    ) {
        match event {
            SenderEvent::Rtt { sample, .. } => note_round_trip(sample, session),
            SenderEvent::TransferComplete {
                at,
                index,
                bytes,
                started,
            } => {
                let transfer = Transfer {
                    index,
                    bytes,
                    started,
                };
                self.note_transfer(at, transfer, session, finished);
            }
            _ => {}
        }
        if let (Some(recorded), Some(sender)) = (&mut session.recorded, self.sender.tcp()) {
            recorded.push_back(Noted::new(event, sender));
        }
    }

    fn finish_transfer(&mut self, at: Time, session: &mut Session) {
        if self.tag > 0 {
            self.is_over = true;
            return;
        }
        if let Some(next) = session.application.after_last_ack(at) {
            self.next_data = next;
        }
        let waits = session.application.waits_for_others();
        let is_last = self.next_data == Time::NEVER && !waits || at >= session.stop;
        let is_over = match session.application.is_nothing() {
            // It may still be closed.
            true => !self.sender.has_pending(),
            false => is_last && self.sender.is_done(),
        };
        if is_over {
            self.end(at, session);
        }
    }

    /// Nothing more will be handed over, and all data are delivered.
    fn end(&mut self, at: Time, session: &mut Session) {
        session.ended = Some(at);
        self.limits.end(at);
    }

    /// The oldest unfinished transfer, without the fields that only the world knows.
    fn transfer(&self, transfer: Transfer) -> TransferRow {
        TransferRow {
            retransmitted_pkts: self.sender.counters().retransmitted - self.retransmitted_before,
            ..ends::row(self.flow.0, self.call, transfer)
        }
    }

    /// The unfinished transfers, oldest first. All retransmitted packets belong to the oldest,
    /// since the others wait for it.
    pub(super) fn unfinished(&self) -> Vec<TransferRow> {
        let pending = self.sender.pending().into_iter().enumerate();
        let row = |(place, transfer): (usize, Transfer)| {
            let row = self.transfer(transfer);
            match place {
                0 => row,
                _ => TransferRow {
                    retransmitted_pkts: 0,
                    ..row
                },
            }
        };
        pending.map(row).collect()
    }

    /// Swaps the sending end, and all that it knows, with that of the same connection elsewhere.
    pub(super) fn swap_sender(&mut self, other: &mut Connection) {
        std::mem::swap(self, other);
        self.swap_receiver(other);
    }

    /// Swaps the receiving end with that of the same connection elsewhere.
    pub(super) fn swap_receiver(&mut self, other: &mut Connection) {
        std::mem::swap(&mut self.receiver, &mut other.receiver);
        std::mem::swap(&mut self.goodput_bytes, &mut other.goodput_bytes);
        std::mem::swap(&mut self.receiver_wake, &mut other.receiver_wake);
    }

    /// Payload that has arrived at an end of a user's own, each byte counted once.
    pub(super) fn set_goodput(&mut self, bytes: u64) {
        self.goodput_bytes = bytes;
    }
}

/// The payload of a data packet; `None` for a SYN. A numbered packet without any is a FIN.
#[inline(always)]
fn payload(config: &Config, packet: &Packet) -> Option<u64> {
    let is_syn = config.syn && packet.seq == 0;
    (!is_syn).then(|| u64::from(packet.size) - config.header.get())
}

fn note_round_trip(sample: Span, session: &mut Session) {
    session.rtt_ps.add(sample.as_ps());
    session.rtt_quantiles.add(sample.as_ps());
}

/// The two ends of a session's next connection.
fn ends(session: &Session, opened: Time) -> (SourceEnd, SinkEnd) {
    match OwnEnd::pair(session, opened, seed(session)) {
        Some([source, sink]) => (SourceEnd::Own(source), SinkEnd::Own(sink)),
        None => {
            let receiver = Receiver::opened(&session.config, opened, session.clock_phase);
            (SourceEnd::Tcp(sender(session)), SinkEnd::Tcp(receiver))
        }
    }
}

/// The seed of a connection's random choices.
pub(super) fn seed(session: &Session) -> u64 {
    session.control_seed.wrapping_add(u64::from(session.calls))
}

/// A sender that reports the events its session needs.
fn sender(session: &Session) -> Sender {
    let mut sender = Sender::new(&session.config, session.clock_phase);
    sender.seed(seed(session));
    sender.want_events(match session.recorded {
        None => EventMask::RTT | EventMask::TRANSFER,
        Some(_) => EventMask::ALL,
    });
    sender
}
