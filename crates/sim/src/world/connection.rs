//! A TCP connection in the world: its two ends, their timers, and its application.

use std::sync::Arc;

use pacesim_core::net::{Packet, RouteId};
use pacesim_core::random::{Distribution, Stream, Streams};
use pacesim_measure::record::TransferRow;
use pacesim_measure::{Moments, Quantiles};
use pacesim_tcp::{Ack, Amount, Config, EventMask, Receiver, Sender, SenderEvent};
use pacesim_units::{Bytes, FlowId, Span, Time};

use super::limits::{Limits, Spent};
use super::tcp_log::{Noted, TcpLog};
use crate::model::range::DELAY;
use crate::model::{Load, Pause, Tcp};
use crate::source::SizeSampler;

/// Both ends of a TCP connection.
pub(super) struct Connection {
    pub(super) flow: FlowId,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    pub(super) data_route: RouteId,
    pub(super) ack_route: RouteId,
    pub(super) config: Arc<Config>,
    /// When the sender's and the receiver's timers wake; "never" if not armed.
    pub(super) sender_wake: Time,
    pub(super) receiver_wake: Time,
    application: Application,
    start: Time,
    /// When the application next hands data over.
    pub(super) next_data: Time,
    stop: Time,
    /// Round trips since the warm-up, in picoseconds.
    pub(super) rtt_ps: Moments,
    pub(super) rtt_quantiles: Quantiles,
    pub(super) finished: Vec<TransferRow>,
    retransmitted_before: u64,
    limits: Limits,
    /// When all was delivered that the application will ever hand over.
    pub(super) ended: Option<Time>,
    /// Payload that arrived for the first time.
    goodput_bytes: u64,
    /// All that the sender reported and nobody took yet, if somebody wants it.
    pub(super) recorded: Option<TcpLog>,
}

/// What a connection has counted since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) goodput_bytes: u64,
    pub(super) retransmitted: u64,
    pub(super) timeouts: u64,
    pub(super) fast_recoveries: u64,
    pub(super) limited: Spent,
}

/// What the application still has to send.
enum Application {
    Done,
    One(Amount),
    Scheduled {
        list: Arc<[(Span, Amount)]>,
        next: usize,
    },
    Many {
        sizes: SizeSampler,
        pauses: Pauses,
        left: u32,
    },
}

enum Pauses {
    Constant(Span),
    Drawn(pacesim_core::random::samplers::Sampler, Stream),
}

impl Pauses {
    fn new(pause: &Pause, stream: impl FnOnce() -> Stream) -> Pauses {
        match pause {
            Pause::Constant(span) => Pauses::Constant(*span),
            Pause::Drawn(distribution) => Pauses::Drawn(distribution.checked_sampler(), stream()),
        }
    }

    fn draw(&mut self) -> Span {
        match self {
            Pauses::Constant(span) => *span,
            Pauses::Drawn(sampler, stream) => DELAY.nearest(sampler.sample(stream)),
        }
    }
}

impl Application {
    fn new(load: &Load, streams: &Streams, name: &str) -> Application {
        match load {
            Load::Endless => Application::One(Amount::Endless),
            Load::Once(amount) => Application::One(*amount),
            Load::Scheduled(list) => Application::Scheduled {
                list: list.clone(),
                next: 0,
            },
            Load::Transfers { size, pause, count } => Application::Many {
                sizes: SizeSampler::new(size, || streams.stream(name, "transfer sizes")),
                pauses: Pauses::new(pause, || streams.stream(name, "pauses")),
                left: count.unwrap_or(u32::MAX),
            },
        }
    }

    /// How long after the flow's start the next piece comes, if that does not hang on
    /// the one before.
    fn next_at(&self) -> Option<Span> {
        match self {
            Application::Scheduled { list, next } => list.get(*next).map(|(at, _)| *at),
            _ => None,
        }
    }

    /// The next piece of data.
    fn next(&mut self) -> Option<Amount> {
        match self {
            Application::Done => None,
            Application::One(amount) => {
                let amount = *amount;
                *self = Application::Done;
                Some(amount)
            }
            Application::Scheduled { list, next } => {
                *next += 1;
                list.get(*next - 1).map(|(_, amount)| *amount)
            }
            Application::Many { left: 0, .. } => None,
            Application::Many { sizes, left, .. } => {
                *left -= 1;
                Some(Amount::Bytes(Bytes(u64::from(sizes.draw()))))
            }
        }
    }

    /// How long to wait after a transfer, if there is another.
    fn pause(&mut self) -> Option<Span> {
        match self {
            Application::Many {
                pauses, left: 1.., ..
            } => Some(pauses.draw()),
            _ => None,
        }
    }
}

impl Connection {
    pub(super) fn new(
        flow: FlowId,
        tcp: &Tcp,
        [data_route, ack_route]: [RouteId; 2],
        [start, stop]: [Time; 2],
        streams: &Streams,
        name: &str,
    ) -> Connection {
        let phase = tcp
            .clock_phase
            .unwrap_or_else(|| draw_phase(&tcp.config, streams, name));
        let mut sender = Sender::new(&tcp.config, phase);
        sender.want_events(EventMask::RTT | EventMask::TRANSFER);
        Connection {
            flow,
            sender,
            receiver: Receiver::new(&tcp.config),
            data_route,
            ack_route,
            config: tcp.config.clone(),
            sender_wake: Time::NEVER,
            receiver_wake: Time::NEVER,
            application: Application::new(&tcp.load, streams, name),
            start,
            next_data: start,
            stop,
            rtt_ps: Moments::new(),
            rtt_quantiles: Quantiles::new(),
            finished: Vec::new(),
            retransmitted_before: 0,
            limits: Limits::new(start),
            ended: None,
            goodput_bytes: 0,
            recorded: None,
        }
    }

    /// A data packet has arrived; its acknowledgement, if one is to be sent now.
    #[inline(always)]
    pub(super) fn take_data(&mut self, now: Time, packet: &Packet) -> Option<Ack> {
        let duplicates = self.receiver.duplicates();
        let ack = self.receiver.on_data(now, packet.seq, packet.stamp);
        let is_syn = self.config.syn && packet.seq == 0;
        if !is_syn && self.receiver.duplicates() == duplicates {
            self.goodput_bytes += u64::from(packet.size) - self.config.header.get();
        }
        ack
    }

    /// Statistics start: round trips are counted afresh, and the time so far is past.
    pub(super) fn open_window(&mut self, now: Time) {
        self.rtt_ps.reset();
        self.rtt_quantiles.reset();
        self.limits.settle(now);
    }

    /// The totals up to now.
    pub(super) fn totals(&self, now: Time) -> Totals {
        let counters = self.sender.counters();
        Totals {
            goodput_bytes: self.goodput_bytes,
            retransmitted: counters.retransmitted,
            timeouts: u64::from(counters.timeouts),
            fast_recoveries: u64::from(counters.fast_retransmits),
            limited: self.limits.spent(now),
        }
    }

    /// Keeps all of the sender's events from now on.
    pub(super) fn record(&mut self) {
        self.sender.want_events(EventMask::ALL);
        self.recorded = Some(TcpLog::new());
    }

    /// The sender's timer may have run out.
    pub(super) fn sender_timer(&mut self, now: Time) {
        let (armed, timeouts) = (self.sender.timeout_armed(), self.sender.counters().timeouts);
        self.sender.on_timer(now);
        if self.sender.counters().timeouts > timeouts {
            self.limits.note_timeout(armed, now);
        }
    }

    /// Takes note of what keeps the sender from sending more.
    #[inline]
    pub(super) fn note_limit(&mut self, now: Time) {
        self.limits.note(now, self.sender.limited_by());
    }

    /// Hands over the data that is due.
    pub(super) fn hand_over(&mut self, now: Time) {
        if now < self.next_data {
            return;
        }
        self.next_data = Time::NEVER;
        if now >= self.stop {
            self.stop_sending();
            return;
        }
        if let Some(amount) = self.application.next() {
            if amount == Amount::Endless {
                self.next_data = self.stop;
            }
            // More than a flow can number is the end of its data.
            let _ = self.sender.on_data(now, amount);
        }
        if let Some(at) = self.application.next_at() {
            self.next_data = self.start.saturating_add(at);
        }
    }

    /// The flow's time to stop has come. Data without end are cut off, transfers in progress
    /// are finished.
    fn stop_sending(&mut self) {
        let endless = self.sender.pending_transfers().next().is_none();
        if endless {
            self.sender.end_data();
        }
        if endless && self.ended.is_none() {
            self.end(self.stop);
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

    /// Takes note of what the sender reports.
    #[inline]
    pub(super) fn note_events(&mut self) {
        while let Some(event) = self.sender.poll_event() {
            self.note_event(event);
        }
    }

    fn note_event(&mut self, event: SenderEvent) {
        match event {
            SenderEvent::Rtt { sample, .. } => {
                self.rtt_ps.add(sample.as_ps());
                self.rtt_quantiles.add(sample.as_ps());
            }
            SenderEvent::TransferComplete {
                at,
                index,
                bytes,
                started,
            } => {
                self.finish_transfer(at, index, bytes, started);
            }
            _ => {}
        }
        if let Some(recorded) = &mut self.recorded {
            recorded.push_back(Noted::new(event, &self.sender));
        }
    }

    fn finish_transfer(&mut self, at: Time, index: u32, bytes: Bytes, started: Time) {
        let row = TransferRow {
            end_ps: Some(at.as_ps()),
            ..self.transfer(index, bytes, started)
        };
        self.finished.push(row);
        self.retransmitted_before = self.sender.counters().retransmitted;
        if let Some(pause) = self.application.pause() {
            self.next_data = at.saturating_add(pause);
        }
        let is_last = self.next_data == Time::NEVER || at >= self.stop;
        if is_last && self.sender.is_done() {
            self.end(at);
        }
    }

    /// Nothing more will be handed over, and all that was is delivered.
    fn end(&mut self, at: Time) {
        self.ended = Some(at);
        self.limits.end(at);
    }

    /// The oldest transfer that is not finished. What only the world knows is left out.
    fn transfer(&self, index: u32, bytes: Bytes, started: Time) -> TransferRow {
        TransferRow {
            flow_id: self.flow.0,
            transfer: index,
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

/// The phase of a coarse clock is anywhere within a tick.
fn draw_phase(config: &Config, streams: &Streams, name: &str) -> Span {
    match config.clock {
        pacesim_tcp::Clock::Ticks(tick) => {
            let share = pacesim_core::random::unit_below_one(&mut streams.stream(name, "clock"));
            Span::from_ps((share * tick.as_ps() as f64) as u64)
        }
        pacesim_tcp::Clock::Stamps { .. } => Span::ZERO,
    }
}
