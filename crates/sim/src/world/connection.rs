//! A TCP connection in the world: its two ends and their timers.

use std::sync::Arc;

use pacesim_core::net::{Ecn, Packet, RouteId};
use pacesim_measure::record::TransferRow;
use pacesim_tcp::{
    Ack, Amount, Arrival, Config, EventMask, Profile, Receiver, Sender, SenderEvent,
};
use pacesim_units::{Bytes, FlowId, Time};

use super::limits::Limits;
use super::progress::Progress;
use super::session::Session;
use super::tcp_log::Noted;
use super::totals::Totals;

/// Both ends of a TCP connection. What an arrival of data touches lies together, and what one of an
/// acknowledgement does.
#[repr(C, align(64))]
pub(super) struct Connection {
    pub(super) receiver: Receiver,
    /// Payload that arrived for the first time.
    goodput_bytes: u64,
    // Both ends need these.
    pub(super) config: Arc<Config>,
    pub(super) flow: FlowId,
    /// The place of its flow among those of TCP.
    pub(super) session: u32,
    pub(super) data_route: RouteId,
    pub(super) ack_route: RouteId,
    /// The numbers of its ends' timers, and when these wake; "never" if they are not armed.
    pub(super) timers: [u32; 2],
    pub(super) receiver_wake: Time,
    pub(super) sender_wake: Time,
    /// When the application next hands data over, if the connection persists.
    pub(super) next_data: Time,
    /// The tag of its packets: zero if the connection persists, for then the flow says which it
    /// is.
    pub(super) tag: u32,
    /// Of a connection for one transfer: the transfer's number among the flow's, and whether it
    /// is done.
    pub(super) call: u32,
    pub(super) sender: Sender,
    progress: Progress,
    limits: Limits,
    pub(super) opened: Time,
    pub(super) is_over: bool,
    retransmitted_before: u64,
}

impl Connection {
    /// A connection that is opened at this time.
    pub(super) fn new(place: u32, session: &Session, timers: [u32; 2], opened: Time) -> Connection {
        let [data_route, ack_route] = session.routes;
        Connection {
            flow: session.flow,
            session: place,
            sender: new_sender(session),
            receiver: Receiver::opened(&session.config, opened, session.clock_phase),
            data_route,
            ack_route,
            config: session.config.clone(),
            timers,
            sender_wake: Time::NEVER,
            receiver_wake: Time::NEVER,
            next_data: Time::NEVER,
            tag: 0,
            opened,
            call: 0,
            is_over: false,
            retransmitted_before: 0,
            limits: Limits::new(opened),
            progress: Progress::default(),
            goodput_bytes: 0,
        }
    }

    /// A data packet has arrived; its acknowledgement, if one is to be sent now.
    #[inline(always)]
    pub(super) fn take_data(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let duplicates = self.receiver.duplicates();
        let ack = match self.config.profile {
            Profile::Linux => self.take_segment(now, packet),
            Profile::Ns2 | Profile::Rfc => self.receiver.on_data(now, packet.seq, packet.stamp),
        };
        let is_syn = self.config.syn && packet.seq == 0;
        if !is_syn && self.receiver.duplicates() == duplicates {
            self.goodput_bytes += u64::from(packet.size) - self.config.header.get();
        }
        ack
    }

    #[inline(never)]
    fn take_segment(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
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
        self.receiver.on_segment(now, &arrival)
    }

    /// Statistics start: the time so far is past.
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

    /// Payload that arrived for the first time, since the connection was opened.
    pub(super) fn goodput_bytes(&self) -> u64 {
        self.goodput_bytes
    }

    /// The sender's timer may have run out.
    pub(super) fn sender_timer(&mut self, now: Time) {
        let (armed, timeouts) = (self.sender.timeout_armed(), self.sender.counters().timeouts);
        self.sender.on_timer(now);
        if self.sender.counters().timeouts > timeouts {
            self.limits.note_timeout(armed, now);
        }
    }

    /// Takes note of what the sender is at, and what keeps it from sending more.
    #[inline]
    pub(super) fn note_state(&mut self, now: Time) {
        self.limits.note(now, self.sender.limited_by());
        self.progress.note(now, &self.sender);
    }

    /// Hands over the data that is due.
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
            // More than a flow can number is the end of its data.
            let _ = self.sender.on_data(now, amount);
        }
        if let Some(at) = session.application.after_start(session.start, now) {
            self.next_data = at;
        }
    }

    /// Hands over that there are no more data (FIN).
    pub(super) fn close(&mut self, now: Time) {
        // As of data, what a flow cannot number is not sent.
        if let Ok(seq) = self.sender.on_close(now) {
            self.receiver.expect_end(seq);
        }
    }

    /// The flow's time to stop has come. Data without end are cut off, transfers in progress
    /// are finished.
    fn stop_sending(&mut self, session: &mut Session) {
        let endless = self.sender.pending_transfers().next().is_none();
        if endless {
            self.sender.end_data();
        }
        if endless && session.ended.is_none() {
            self.end(session.stop, session);
        }
    }

    /// When the sending end must be woken next.
    #[inline]
    pub(super) fn sender_deadline(&self) -> Time {
        self.sender
            .next_timeout()
            .unwrap_or(Time::NEVER)
            .min(self.next_data)
    }

    /// When that wake-up was decided on. A timer may have been armed long before the
    /// wake-up that finds it still running, and its turn among events of one instant goes
    /// by the arming; data are due as of now.
    pub(super) fn sender_armed(&self, now: Time) -> Time {
        match self.sender.next_timeout() {
            Some(at) if at <= self.next_data => self.sender.timeout_armed(),
            _ => now,
        }
    }

    /// Takes note of what the sender reports: transfers that are done go to `finished`.
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

    /// Nothing more will be handed over, and all that was is delivered.
    fn end(&mut self, at: Time, session: &mut Session) {
        session.ended = Some(at);
        self.limits.end(at);
    }

    /// The oldest transfer that is not finished. What only the world knows is left out.
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

    /// The transfers that are not finished, oldest first. Packets sent again are all of the
    /// oldest: the others wait for it.
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

/// A sender that reports what a session wants to know.
fn new_sender(session: &Session) -> Sender {
    let mut sender = Sender::new(&session.config, session.clock_phase);
    sender.seed(session.control_seed.wrapping_add(u64::from(session.calls)));
    sender.want_events(match session.recorded {
        None => EventMask::RTT | EventMask::TRANSFER,
        Some(_) => EventMask::ALL,
    });
    sender
}
