//! A TCP connection in the world: its two ends and their timers.

use std::sync::Arc;

use pacesim_core::net::{Ecn, Packet, RouteId};
use pacesim_measure::record::TransferRow;
use pacesim_tcp::{
    Ack, Amount, Arrival, Config, EventMask, Receiver, Sender, SenderEvent, Standing,
};
use pacesim_units::{Bytes, FlowId, Time};

use super::limits::Limits;
use super::progress::Progress;
use super::session::Session;
use super::tcp_log::Noted;
use super::totals::Totals;

/// Both ends of a TCP connection. Fields touched by the arrival of data lie together, and so do
/// those touched by an acknowledgement.
#[repr(C, align(64))]
pub(super) struct Connection {
    pub(super) receiver: Receiver,
    /// Payload that arrived for the first time.
    goodput_bytes: u64,
    // Used by both ends.
    pub(super) config: Arc<Config>,
    pub(super) flow: FlowId,
    /// The index of its flow among the TCP flows.
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
    pub(super) sender: Sender,
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
        Connection {
            flow: session.flow,
            session: place,
            sender: new_sender(session),
            receiver: Receiver::opened(&session.config, opened, session.clock_phase),
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

    /// Takes a data packet that arrived; returns its acknowledgement if one must be sent now.
    #[inline(always)]
    pub(super) fn take_data(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let duplicates = self.receiver.duplicates();
        let ack = self.receiver.on_data(now, packet.seq, packet.stamp);
        self.count_goodput(packet, duplicates);
        ack
    }

    /// Counts a packet if it was not one of the duplicates, fewer before it.
    #[inline(always)]
    fn count_goodput(&mut self, packet: &Packet, duplicates: u64) {
        let is_syn = self.config.syn && packet.seq == 0;
        if !is_syn && self.receiver.duplicates() == duplicates {
            self.goodput_bytes += u64::from(packet.size) - self.config.header.get();
        }
    }

    /// The same for Linux's receiver, which reads more of the packet.
    #[inline(always)]
    pub(super) fn take_segment(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let duplicates = self.receiver.duplicates();
        let header = match packet.seq {
            0 if self.config.syn => self.config.syn_size,
            _ => self.config.header,
        };
        let payload = packet.size.saturating_sub(header.get() as u32);
        let mut arrival = Arrival::new(packet.seq, packet.stamp, payload);
        arrival.again = packet.is_again();
        arrival.ect = packet.ecn() != Ecn::NotEct;
        arrival.marked = packet.ecn() == Ecn::Ce;
        arrival.cwr = packet.is_cwr();
        arrival.push = packet.is_pushing();
        let ack = self.receiver.on_segment(now, &arrival);
        self.count_goodput(packet, duplicates);
        ack
    }

    /// The window that the receiver's next ACK advertises, in packets; `None`: never a limit.
    #[inline(always)]
    pub(super) fn advertised(&self) -> Option<u32> {
        let config = &*self.config;
        let window = config.linux.advertises.then(|| self.receiver.offered())??;
        let packets = window.get() / config.payload.get();
        Some((packets as u32).min(config.window_cap as u32))
    }

    /// Statistics start: time spent so far is settled.
    pub(super) fn open_window(&mut self, now: Time) {
        self.limits.settle(now);
    }

    /// The totals up to now.
    pub(super) fn totals(&self, now: Time) -> Totals {
        let counters = self.sender.counters();
        let progress = self.progress.until(now);
        Totals {
            goodput_bytes: self.goodput_bytes,
            retransmitted: counters.retransmitted,
            timeouts: u64::from(counters.timeouts),
            fast_recoveries: u64::from(counters.fast_retransmits),
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
        let (armed, timeouts) = (self.sender.timeout_armed(), self.sender.counters().timeouts);
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
        self.limits.note(now, standing.limit());
        self.progress.note(now, standing);
    }

    /// Hands over the data that are due.
    pub(super) fn hand_over(&mut self, now: Time, session: &mut Session) {
        self.next_data = Time::NEVER;
        if now >= session.stop {
            self.stop_sending(session);
            return;
        }
        if let Some(amount) = session.application.next() {
            if amount == Amount::Endless {
                self.next_data = session.stop;
            }
            // An amount beyond the sequence space is the end of the flow's data.
            let _ = self.sender.on_data(now, amount);
        }
        if let Some(at) = session.application.after_start(session.start, now) {
            self.next_data = at;
        }
    }

    /// Signals the end of the data (FIN).
    pub(super) fn close(&mut self, now: Time) {
        // As with data, nothing is sent beyond the sequence space.
        if let Ok(seq) = self.sender.on_close(now) {
            self.receiver.expect_end(seq);
        }
    }

    /// The flow's stop time is reached. Endless data are cut off; transfers in progress are
    /// finished.
    fn stop_sending(&mut self, session: &mut Session) {
        let endless = self.sender.pending_transfers().next().is_none();
        if endless {
            self.sender.end_data();
        }
        if endless && session.ended.is_none() {
            self.end(session.stop, session);
        }
    }

    /// The time at which that wake-up was decided. A timer may have been armed long before the
    /// wake-up that finds it still running, and its rank among events of one instant follows the
    /// arming; data are due as of now.
    pub(super) fn sender_armed(&self, now: Time) -> Time {
        match self.sender.next_timeout() {
            Some(at) if at <= self.next_data => self.sender.timeout_armed(),
            _ => now,
        }
    }

    /// Processes the sender's events; finished transfers go to `finished`.
    #[inline]
    pub(super) fn note_events(&mut self, session: &mut Session, finished: &mut Vec<TransferRow>) {
        while let Some(event) = self.sender.poll_event() {
            self.note_event(event, session, finished);
        }
    }

    fn note_event(
        &mut self,
        event: SenderEvent,
        session: &mut Session,
        finished: &mut Vec<TransferRow>,
    ) {
        match event {
            SenderEvent::Rtt { sample, .. } => {
                session.rtt_ps.add(sample.as_ps());
                session.rtt_quantiles.add(sample.as_ps());
            }
            SenderEvent::TransferComplete {
                at,
                index,
                bytes,
                started,
            } => {
                finished.push(TransferRow {
                    end_ps: Some(at.as_ps()),
                    ..self.transfer(index, bytes, started)
                });
                self.retransmitted_before = self.sender.counters().retransmitted;
                self.finish_transfer(at, session);
            }
            _ => {}
        }
        if let Some(recorded) = &mut session.recorded {
            recorded.push_back(Noted::new(event, &self.sender));
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
        let waits = session.application.waits_for_the_other();
        let is_last = self.next_data == Time::NEVER && !waits || at >= session.stop;
        let is_over = match session.application.is_nothing() {
            // It may still be closed.
            true => self.sender.pending_transfers().next().is_none(),
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
    fn transfer(&self, index: u32, bytes: Bytes, started: Time) -> TransferRow {
        TransferRow {
            flow_id: self.flow.0,
            transfer: self.call + index,
            start_ps: started.as_ps(),
            size_bytes: bytes.get(),
            retransmitted_pkts: self.sender.counters().retransmitted - self.retransmitted_before,
            ..TransferRow::default()
        }
    }

    /// The unfinished transfers, oldest first. All retransmitted packets belong to the oldest,
    /// since the others wait for it.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = TransferRow> + '_ {
        let pending = self.sender.pending_transfers().enumerate();
        pending.map(|(place, (index, bytes, started))| {
            let mut row = self.transfer(index, bytes, started);
            if place > 0 {
                row.retransmitted_pkts = 0;
            }
            row
        })
    }
}

/// A sender that reports the events its session needs.
fn new_sender(session: &Session) -> Sender {
    let mut sender = Sender::new(&session.config, session.clock_phase);
    sender.seed(session.control_seed.wrapping_add(u64::from(session.calls)));
    sender.want_events(match session.recorded {
        None => EventMask::RTT | EventMask::TRANSFER,
        Some(_) => EventMask::ALL,
    });
    sender
}
