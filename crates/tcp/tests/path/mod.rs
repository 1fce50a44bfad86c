//! One flow of Linux's profile on a path: a link with a drop-tail buffer, and a delay on each side of it.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{
    Ack, AckRule, Amount, Arrival, Config, Control, Receiver, Segment, Sender, Variant,
};
use pacesim_units::{Bytes, Rate, Span, Time};

/// The link and its queue, and packets and ACKs under way.
pub(crate) struct Path {
    rate: Rate,
    delay: Span,
    /// Packets that may wait, beside the one that is sent.
    buffer: usize,
    /// When the packets end that wait or are sent.
    busy: VecDeque<Time>,
    data: VecDeque<(Time, Segment)>,
    acks: VecDeque<(Time, Ack)>,
    pub(crate) dropped: u32,
    /// When the link was last idle, and for how long in all.
    idle_since: Time,
    pub(crate) idle: Span,
}

impl Path {
    pub(crate) fn new(rate: Rate, rtt: Span, buffer: usize) -> Path {
        Path {
            rate,
            delay: rtt / 2,
            buffer,
            busy: VecDeque::new(),
            data: VecDeque::new(),
            acks: VecDeque::new(),
            dropped: 0,
            idle_since: Time::ZERO,
            idle: Span::ZERO,
        }
    }

    fn time(&self, size: Bytes) -> Span {
        self.rate.transmission_time(size).expect("a packet passes")
    }

    fn send(&mut self, now: Time, segment: Segment) {
        while self.busy.front().is_some_and(|end| *end <= now) {
            self.busy.pop_front();
        }
        if self.busy.len() > self.buffer {
            self.dropped += 1;
            return;
        }
        let start = self.busy.back().copied().unwrap_or(now).max(now);
        self.idle += start.saturating_since(self.idle_since);
        let end = start + self.time(segment.size);
        self.idle_since = end;
        self.busy.push_back(end);
        self.data.push_back((end + self.delay, segment));
    }
}

/// Sees what happens.
pub(crate) trait Watch {
    fn sent(&mut self, _now: Time, _sender: &Sender, _segment: &Segment) {}
    /// After each event.
    fn event(&mut self, _now: Time, _sender: &Sender, _path: &Path) {}
}

/// Runs one flow with endless data and a receiver that acknowledges every packet; packets delivered.
pub(crate) fn run(
    control: Control,
    seed: u64,
    path: &mut Path,
    end: Time,
    watch: &mut impl Watch,
) -> u32 {
    let mut config = Config::linux(Variant::Sack);
    config.control = control;
    config.window_cap = 1e6;
    config.linux.acks = AckRule::EveryPacket;
    let config = Arc::new(config);
    let mut sender = Sender::new(&config, Span::ZERO);
    sender.seed(seed);
    let mut receiver = Receiver::new(&config);
    let mut now = Time::ZERO;
    sender.on_data(now, Amount::Endless).expect("endless data");
    loop {
        while let Some(segment) = sender.poll_transmit(now) {
            watch.sent(now, &sender, &segment);
            path.send(now, segment);
        }
        watch.event(now, &sender, path);
        let data = path.data.front().map(|(at, _)| *at);
        let ack = path.acks.front().map(|(at, _)| *at);
        let timers = [sender.next_timeout(), receiver.next_timeout()];
        let next = [data, ack].into_iter().chain(timers).flatten().min();
        now = next.expect("data outstanding imply a timer").max(now);
        if now > end {
            return receiver.delivered();
        }
        if data == Some(now) {
            let (_, segment) = path.data.pop_front().expect("a packet");
            let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
            arrival.again = segment.retransmission;
            arrival.push = segment.push;
            let ack = receiver.on_segment(now, &arrival);
            path.acks.extend(ack.map(|ack| (now + path.delay, ack)));
        } else if ack == Some(now) {
            let (_, ack) = path.acks.pop_front().expect("an ACK");
            sender.on_ack(now, &ack);
        } else {
            sender.on_timer(now);
            let ack = receiver.on_timer(now);
            path.acks.extend(ack.map(|ack| (now + path.delay, ack)));
        }
    }
}
