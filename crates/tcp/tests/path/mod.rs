//! One flow of Linux's profile on a path: a link with a drop-tail buffer, and a delay on either
//! side.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{
    Ack, AckRule, Amount, Arrival, Config, Control, Receiver, Segment, Sender, Variant,
};
use pacesim_units::{Bytes, Rate, Span, Time};

/// The link and its queue, and packets and ACKs in flight.
pub(crate) struct Path {
    rate: Rate,
    /// The link's rate from this time on.
    change: Option<(Time, Rate)>,
    /// ACKs arrive together at multiples of this time; only the last of each time if it stands for all.
    lumps: Option<Span>,
    merges: bool,
    /// Tokens in bytes, their maximum, their rate, and the time of the last count: a packet without
    /// tokens is dropped.
    policer: Option<(u64, u64, Rate, Time)>,
    /// From a time on, every n-th packet is dropped, up to a maximum number.
    drops: Option<Drops>,
    /// From a time on, this many packets are delayed by this.
    late: Option<(Time, u32, Span)>,
    /// Data that the application writes later; if empty, the data are endless from the start.
    later: VecDeque<(Time, Amount)>,
    delay: Span,
    /// Maximum number of waiting packets, excluding the one in transmission.
    buffer: usize,
    /// Ends of transmission of the packets waiting or being sent.
    busy: VecDeque<Time>,
    data: VecDeque<(Time, Segment)>,
    acks: VecDeque<(Time, Ack)>,
    pub(crate) dropped: u32,
    /// Start of the last idle period, and idle time in total.
    idle_since: Time,
    pub(crate) idle: Span,
}

impl Path {
    pub(crate) fn new(rate: Rate, rtt: Span, buffer: usize) -> Path {
        Path {
            rate,
            change: None,
            lumps: None,
            merges: false,
            policer: None,
            drops: None,
            late: None,
            later: VecDeque::new(),
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

    fn ack_arrives(&self, at: Time) -> Time {
        let Some(lump) = self.lumps else { return at };
        let over = (at.saturating_since(Time::ZERO)).as_ps() % lump.as_ps();
        at + Span::from_ps((lump.as_ps() - over) % lump.as_ps())
    }

    fn send_ack(&mut self, now: Time, ack: Ack) {
        let arrives = self.ack_arrives(now + self.delay);
        let joins = self.acks.back().is_some_and(|(at, _)| *at == arrives);
        if self.merges && joins {
            self.acks.pop_back();
        }
        self.acks.push_back((arrives, ack));
    }

    /// True if the policer lets a packet pass.
    fn conforms(&mut self, now: Time, size: Bytes) -> bool {
        let Some((tokens, most, rate, counted)) = &mut self.policer else {
            return true;
        };
        let earned = now.saturating_since(*counted).as_secs_f64() * rate.as_bps() as f64 / 8.0;
        if earned >= 1.0 {
            *tokens = (*tokens + earned as u64).min(*most);
            *counted = now;
        }
        let conforms = *tokens >= size.get();
        *tokens -= if conforms { size.get() } else { 0 };
        conforms
    }

    /// The path of a case with special features.
    #[allow(
        dead_code,
        reason = "not every test that shares this file has such a path"
    )]
    pub(crate) fn with(mut self, part: Part) -> Path {
        match part {
            Part::NewRate(at, rate) => self.change = Some((at, rate)),
            Part::AckLumps(every) => self.lumps = Some(every),
            Part::MergedAcks(every) => (self.lumps, self.merges) = (Some(every), true),
            Part::Policer(rate, bucket) => {
                self.policer = Some((bucket.get(), bucket.get(), rate, Time::ZERO));
            }
            Part::Data(later) => self.later = later.into(),
            Part::Drops(drops) => self.drops = Some(drops),
            Part::Late(from, packets, by) => self.late = Some((from, packets, by)),
        }
        self
    }

    /// Takes the new rate when it is due: what waits is sent at it.
    fn take_change(&mut self, now: Time) {
        let Some((at, rate)) = self.change.filter(|(at, _)| *at <= now) else {
            return;
        };
        self.change = None;
        let old = std::mem::replace(&mut self.rate, rate);
        let stretch = |end: Time| {
            let left = end.saturating_since(at).as_ps();
            let longer = u128::from(left) * u128::from(old.as_bps()) / u128::from(rate.as_bps());
            end.min(at) + Span::from_ps(longer as u64)
        };
        self.busy.iter_mut().for_each(|end| *end = stretch(*end));
        self.idle_since = stretch(self.idle_since);
        for (arrives, _) in &mut self.data {
            let sent = Time::ZERO + arrives.saturating_since(Time::ZERO + self.delay);
            *arrives = stretch(sent) + self.delay;
        }
    }

    fn time(&self, size: Bytes) -> Span {
        self.rate.transmission_time(size).expect("a packet passes")
    }

    fn send(&mut self, now: Time, segment: Segment) {
        while self.busy.front().is_some_and(|end| *end <= now) {
            self.busy.pop_front();
        }
        let is_scripted = self.drops.as_mut().is_some_and(|drops| drops.strikes(now));
        if is_scripted || self.busy.len() > self.buffer || !self.conforms(now, segment.size) {
            self.dropped += 1;
            return;
        }
        let start = self.busy.back().copied().unwrap_or(now).max(now);
        self.idle += start.saturating_since(self.idle_since);
        let end = start + self.time(segment.size);
        self.idle_since = end;
        self.busy.push_back(end);
        let arrives = end + self.delay + self.lateness(now);
        let place = self.data.partition_point(|(at, _)| *at <= arrives);
        self.data.insert(place, (arrives, segment));
    }

    fn lateness(&mut self, now: Time) -> Span {
        match &mut self.late {
            Some((from, packets, by)) if *from <= now && *packets > 0 => {
                *packets -= 1;
                *by
            }
            _ => Span::ZERO,
        }
    }
}

/// Features of a path in addition to a link with a buffer.
#[allow(
    dead_code,
    reason = "not every test that shares this file has such a path"
)]
pub(crate) enum Part {
    /// The link has this rate from a time on.
    NewRate(Time, Rate),
    /// ACKs arrive together at multiples of this time.
    AckLumps(Span),
    /// ACKs arrive together at multiples of this time, merged into one ACK.
    MergedAcks(Span),
    /// A token bucket at the link's entry: its rate and depth.
    Policer(Rate, Bytes),
    /// The application writes data at these times.
    Data(Vec<(Time, Amount)>),
    /// Packets dropped by a script.
    Drops(Drops),
    /// From this time on, this many packets are delayed by this.
    Late(Time, u32, Span),
}

/// Packets dropped by a script: every n-th from a time on, up to a maximum number.
#[derive(Clone, Copy)]
pub(crate) struct Drops {
    pub(crate) from: Time,
    pub(crate) every: u32,
    pub(crate) count: u32,
    /// Packets since the last one.
    pub(crate) passed: u32,
}

impl Drops {
    fn strikes(&mut self, now: Time) -> bool {
        if now < self.from || self.count == 0 {
            return false;
        }
        self.passed += 1;
        let strikes = self.passed == self.every;
        if strikes {
            (self.passed, self.count) = (0, self.count - 1);
        }
        strikes
    }
}

/// An observer.
pub(crate) trait Watch {
    fn sent(&mut self, _now: Time, _sender: &Sender, _segment: &Segment) {}
    /// Called after each event.
    fn event(&mut self, _now: Time, _sender: &Sender, _path: &Path) {}
}

/// Runs one flow of Linux's profile with endless data and a receiver that acknowledges every packet;
/// returns the packets delivered.
#[allow(
    dead_code,
    reason = "not every test that shares this file has such a flow"
)]
pub(crate) fn run(
    control: Control,
    seed: u64,
    path: &mut Path,
    end: Time,
    watch: &mut impl Watch,
) -> u32 {
    let mut config = Config::linux(Variant::Sack);
    config.control = control;
    config.linux.acks = AckRule::EveryPacket;
    run_with(config, seed, path, end, watch)
}

/// Runs one flow over a path with any sender.
pub(crate) fn run_with(
    mut config: Config,
    seed: u64,
    path: &mut Path,
    end: Time,
    watch: &mut impl Watch,
) -> u32 {
    config.window_cap = 1e6;
    let config = Arc::new(config);
    let mut sender = Sender::new(&config, Span::ZERO);
    sender.seed(seed);
    let mut receiver = Receiver::new(&config);
    let mut now = Time::ZERO;
    if path.later.is_empty() {
        sender.on_data(now, Amount::Endless).expect("endless data");
    }
    loop {
        while let Some(segment) = sender.poll_transmit(now) {
            watch.sent(now, &sender, &segment);
            path.send(now, segment);
        }
        watch.event(now, &sender, path);
        let data = path.data.front().map(|(at, _)| *at);
        let ack = path.acks.front().map(|(at, _)| *at);
        let timers = [sender.next_timeout(), receiver.next_timeout()];
        let given = path.later.front().map(|(at, _)| *at);
        let changes = path.change.map(|(at, _)| at);
        let times = [data, ack, given, changes].into_iter().chain(timers);
        let next = times.flatten().min();
        now = next.expect("data outstanding imply a timer").max(now);
        if now > end {
            return receiver.delivered();
        }
        path.take_change(now);
        if changes == Some(now) {
            continue;
        }
        if given == Some(now) {
            let (_, amount) = path.later.pop_front().expect("data");
            sender.on_data(now, amount).expect("data that fit");
        } else if data == Some(now) {
            let (_, segment) = path.data.pop_front().expect("a packet");
            let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
            arrival.again = segment.retransmission;
            arrival.push = segment.push;
            if let Some(ack) = receiver.on_segment(now, &arrival) {
                path.send_ack(now, ack);
            }
        } else if ack == Some(now) {
            let (_, ack) = path.acks.pop_front().expect("an ACK");
            sender.on_ack(now, &ack);
        } else {
            sender.on_timer(now);
            if let Some(ack) = receiver.on_timer(now) {
                path.send_ack(now, ack);
            }
        }
    }
}
