//! The network of quiche's simulator tests: hosts, each on a link of its own to a switch, whose port to the receivers is a drop-tail queue
//! counted in bytes. Packets have 1350 B, as the links there count them, and are acknowledged in pairs, a single one after 25 ms.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use pacesim_tcp::{
    Ack, AckRule, Amount, Arrival, Config, Control, LinuxState, Model, Receiver, Segment, Sender,
    Variant,
};
use pacesim_units::{Bytes, Rate, Span, Time};

pub(crate) const PACKET: u64 = 1350;
/// Bytes of a packet in the definition of the round trip there.
const COUNTED: f64 = 1452.0;

/// A topology: rates of the hosts' links and of the bottleneck, and their delays one way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links {
    pub(crate) host_kbps: u64,
    pub(crate) kbps: u64,
    pub(crate) delay: Span,
    /// Buffer in bandwidth-delay products.
    pub(crate) buffer: f64,
}

/// An ACK of a single packet waits for another at most this long.
const LONGEST_WAIT: Span = Span::from_ms(25);
/// Delay of the first host's link.
const HOST_DELAY: Span = Span::from_ms(2);

impl Links {
    pub(crate) const D: Links = Links::new(10_000, 4000);
    /// Ten times the rates of D.
    pub(crate) const FAST: Links = Links::new(100_000, 40_000);
    pub(crate) const W: Links = Links::new(15_000, 10_000);
    pub(crate) const U: Links = Links::new(15_000, 100);

    const fn new(host_kbps: u64, kbps: u64) -> Links {
        Links {
            host_kbps,
            kbps,
            delay: Span::from_ms(30),
            buffer: 2.0,
        }
    }

    pub(crate) const fn with_buffer(self, buffer: f64) -> Links {
        Links { buffer, ..self }
    }

    /// The round trip as there, in seconds: with a full packet in both directions.
    pub(crate) fn rtt(&self) -> f64 {
        let bits = 8.0 * COUNTED;
        let transfers = bits / (1e3 * self.host_kbps as f64) + bits / (1e3 * self.kbps as f64);
        2.0 * (transfers + (self.delay + HOST_DELAY).as_secs_f64())
    }

    /// Bytes per second of the bottleneck.
    pub(crate) fn rate(&self) -> f64 {
        self.kbps as f64 * 125.0
    }

    /// The bandwidth-delay product, in bytes.
    pub(crate) fn product(&self) -> f64 {
        self.rate() * self.rtt()
    }
}

pub(crate) fn after(seconds: f64) -> Time {
    Time::ZERO + Span::from_secs_f64(seconds).expect("a time")
}

pub(crate) fn kbps(kbps: u64) -> Rate {
    Rate::from_bps(1000 * kbps).expect("above zero")
}

enum Event {
    AtSwitch(usize, Segment),
    PortFree,
    AtReceiver(usize, Segment),
    AckDue(usize),
    AckAtSwitch(usize, Ack),
    AckArrives(usize, Ack),
    LumpEnds,
}

/// A flow's two ends, and its host's link.
pub(crate) struct Flow {
    pub(crate) sender: Sender,
    receiver: Receiver,
    delay: Span,
    /// End of the last transmission on the host's link.
    busy: Time,
    /// An ACK that waits for a second packet, and its time.
    waiting: Option<(Time, Ack)>,
    pub(crate) sent: u32,
    pub(crate) dropped: u32,
}

impl Flow {
    /// Packets that the receiver has in order.
    pub(crate) fn delivered(&self) -> u32 {
        self.receiver.delivered()
    }

    pub(crate) fn state(&self) -> LinuxState {
        self.sender.linux_state().expect("Linux's profile")
    }

    pub(crate) fn model(&self) -> Model {
        self.state().model.expect("BBR's model")
    }

    pub(crate) fn phase(&self) -> &'static str {
        self.model().phase_name
    }

    /// The estimated bandwidth, not reduced by recent losses.
    pub(crate) fn bandwidth(&self) -> f64 {
        let model = self.model();
        model.bandwidth.max(model.bandwidth_hi) as f64
    }

    pub(crate) fn in_flight(&self) -> u32 {
        let state = self.state();
        state.unacked + state.retrans - state.sacked - state.lost
    }

    /// The number of the next new packet.
    pub(crate) fn next(&self) -> u32 {
        self.sender.acknowledged() + self.sender.outstanding()
    }

    /// Packets that the receiver got again.
    pub(crate) fn duplicates(&self) -> f64 {
        self.receiver.duplicates() as f64
    }

    /// The last round trip, in seconds.
    pub(crate) fn last_rtt(&self) -> f64 {
        self.sender.rtt_state().last as f64 / 1e6
    }
}

/// The switch's port to the receivers.
struct Port {
    rate: Rate,
    limit: u64,
    waiting: VecDeque<(usize, Segment)>,
    bytes: u64,
    sends: bool,
}

/// ACKs wait at the switch until these bytes are together, or the first has waited this long.
struct Lumps {
    bytes: u64,
    wait: Span,
    until: Time,
    held: Vec<(usize, Ack)>,
}

/// A token bucket before the receivers.
struct Policer {
    rate: Rate,
    tokens: f64,
    most: f64,
    counted: Time,
}

impl Policer {
    fn passes(&mut self, now: Time, size: Bytes) -> bool {
        let earned = now.saturating_since(self.counted).as_secs_f64() * self.rate.as_bps() as f64;
        self.tokens = (self.tokens + earned / 8.0).min(self.most);
        self.counted = now;
        let size = size.get() as f64;
        let passes = self.tokens >= size;
        self.tokens -= if passes { size } else { 0.0 };
        passes
    }
}

pub(crate) struct Net {
    pub(crate) now: Time,
    pub(crate) flows: Vec<Flow>,
    pub(crate) links: Links,
    events: BTreeMap<(Time, u64), Event>,
    order: u64,
    port: Port,
    lumps: Option<Lumps>,
    policer: Option<Policer>,
    /// The next packets to drop as they leave their host.
    pub(crate) drops: u32,
    /// Until this time, no ACK arrives.
    pub(crate) acks_blocked: Time,
}

/// Delays of the further hosts' links, in microseconds, as there.
const FURTHER_DELAYS: [u64; 6] = [2003, 1987, 1993, 1997, 2011, 2027];

impl Net {
    pub(crate) fn new(links: Links, controls: &[Control], seed: u64) -> Net {
        let flows = controls.iter().enumerate();
        Net {
            now: Time::ZERO,
            flows: flows.map(|(n, control)| flow(n, control, seed)).collect(),
            links,
            events: BTreeMap::new(),
            order: 0,
            port: Port {
                rate: kbps(links.kbps),
                limit: (links.buffer * links.product()) as u64,
                waiting: VecDeque::new(),
                bytes: 0,
                sends: false,
            },
            lumps: None,
            policer: None,
            drops: 0,
            acks_blocked: Time::ZERO,
        }
    }

    /// The network of one flow.
    pub(crate) fn alone(links: Links, control: Control, seed: u64) -> Net {
        Net::new(links, &[control], seed)
    }

    /// ACKs come in lumps of 10 KiB, or once the first has waited this long (there, two round
    /// trips).
    pub(crate) fn aggregate(&mut self, wait: Span) {
        self.lumps = Some(Lumps {
            bytes: 10 * 1024,
            wait,
            until: Time::NEVER,
            held: Vec::new(),
        });
    }

    /// A policer before the receivers.
    pub(crate) fn police(&mut self, rate: Rate, tokens: Bytes, most: Bytes) {
        self.policer = Some(Policer {
            rate,
            tokens: tokens.get() as f64,
            most: most.get() as f64,
            counted: self.now,
        });
    }

    /// The bottleneck's rate from the next packet on.
    pub(crate) fn set_rate(&mut self, kbps_now: u64) {
        self.port.rate = kbps(kbps_now);
    }

    /// Bytes that wait at the bottleneck.
    pub(crate) fn queue(&self) -> f64 {
        self.port.bytes as f64
    }

    pub(crate) fn write(&mut self, flow: usize, amount: Amount) {
        let now = self.now;
        let sender = &mut self.flows[flow].sender;
        sender.on_data(now, amount).expect("data that fit");
    }

    fn at(&mut self, time: Time, event: Event) {
        self.order += 1;
        self.events.insert((time, self.order), event);
    }

    /// Runs until the observer, called after each event, returns true; false at the end.
    pub(crate) fn run(&mut self, end: Time, mut stops: impl FnMut(&mut Net) -> bool) -> bool {
        loop {
            self.transmit();
            if stops(self) {
                return true;
            }
            self.transmit();
            let event = self.events.first_key_value().map(|((time, _), _)| *time);
            let timers = self.flows.iter().flat_map(|flow| {
                let ends = [flow.sender.next_timeout(), flow.receiver.next_timeout()];
                ends.into_iter().flatten()
            });
            let timer = timers.min();
            let next = event.into_iter().chain(timer).min();
            let Some(next) = next.filter(|next| *next <= end) else {
                self.now = end;
                return false;
            };
            self.now = next.max(self.now);
            if event == Some(next) {
                self.take_event()
            } else {
                self.take_timers()
            }
        }
    }

    fn transmit(&mut self) {
        let now = self.now;
        for n in 0..self.flows.len() {
            while let Some(segment) = self.flows[n].sender.poll_transmit(now) {
                self.flows[n].sent += 1;
                if self.drops > 0 && segment.payload > 0 {
                    self.drops -= 1;
                    self.flows[n].dropped += 1;
                    continue;
                }
                let link = kbps(self.links.host_kbps);
                let flow = &mut self.flows[n];
                flow.busy = flow.busy.max(now) + time(link, segment.size);
                let arrives = flow.busy + flow.delay;
                self.at(arrives, Event::AtSwitch(n, segment));
            }
        }
    }

    fn take_timers(&mut self) {
        let now = self.now;
        for n in 0..self.flows.len() {
            self.flows[n].sender.on_timer(now);
            let ack = self.flows[n].receiver.on_timer(now);
            self.send_ack(n, ack);
        }
    }

    fn take_event(&mut self) {
        let (_, event) = self.events.pop_first().expect("an event");
        match event {
            Event::AtSwitch(n, segment) => self.enter_port(n, segment),
            Event::PortFree => {
                self.port.sends = false;
                self.serve_port();
            }
            Event::AtReceiver(n, segment) => self.receive(n, segment),
            Event::AckDue(n) => {
                let flow = &mut self.flows[n];
                let ack = flow.waiting.take_if(|(due, _)| *due <= self.now);
                self.send_ack(n, ack.map(|(_, ack)| ack));
            }
            Event::AckAtSwitch(n, ack) => self.pass_ack(n, ack),
            Event::AckArrives(n, ack) => self.flows[n].sender.on_ack(self.now, &ack),
            Event::LumpEnds => {
                let until = self.lumps.as_ref().map(|lumps| lumps.until);
                if until.is_some_and(|until| until <= self.now) {
                    self.release_lump();
                }
            }
        }
    }

    fn enter_port(&mut self, n: usize, segment: Segment) {
        let size = segment.size.get();
        if self.port.sends && self.port.bytes + size > self.port.limit {
            self.flows[n].dropped += 1;
            return;
        }
        self.port.bytes += size;
        self.port.waiting.push_back((n, segment));
        self.serve_port();
    }

    fn serve_port(&mut self) {
        if self.port.sends {
            return;
        }
        let Some((n, segment)) = self.port.waiting.pop_front() else {
            return;
        };
        self.port.bytes -= segment.size.get();
        self.port.sends = true;
        let sent = self.now + time(self.port.rate, segment.size);
        self.at(sent, Event::PortFree);
        self.at(sent + self.links.delay, Event::AtReceiver(n, segment));
    }

    fn receive(&mut self, n: usize, segment: Segment) {
        let now = self.now;
        let policer = self.policer.as_mut();
        if policer.is_some_and(|policer| !policer.passes(now, segment.size)) {
            self.flows[n].dropped += 1;
            return;
        }
        let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
        (arrival.again, arrival.push) = (segment.retransmission, segment.push);
        let flow = &mut self.flows[n];
        let ack = flow.receiver.on_segment(now, &arrival);
        let Some(ack) = ack else { return };
        let is_second = flow.waiting.take().is_some();
        let is_plain = segment.seq > 0 && ack.next == segment.seq + 1 && ack.sacks.is_empty();
        if is_second || !is_plain {
            return self.send_ack(n, Some(ack));
        }
        let due = now + LONGEST_WAIT;
        flow.waiting = Some((due, ack));
        self.at(due, Event::AckDue(n));
    }

    fn send_ack(&mut self, n: usize, ack: Option<Ack>) {
        if let Some(ack) = ack {
            let sent = self.now + time(self.port.rate, self.ack_size(n, &ack));
            self.at(sent + self.links.delay, Event::AckAtSwitch(n, ack));
        }
    }

    fn ack_size(&self, n: usize, ack: &Ack) -> Bytes {
        self.flows[n].sender.config().ack_wire_size(ack.sacks.len())
    }

    fn pass_ack(&mut self, n: usize, ack: Ack) {
        let now = self.now;
        let Some(lumps) = &mut self.lumps else {
            return self.hand_on(n, ack);
        };
        let is_first = lumps.held.is_empty();
        lumps.held.push((n, ack));
        let most = lumps.bytes;
        if is_first {
            lumps.until = now + lumps.wait;
            let until = lumps.until;
            self.at(until, Event::LumpEnds);
        }
        let held = self.lumps.iter().flat_map(|lumps| &lumps.held);
        let bytes: u64 = held.map(|(n, ack)| self.ack_size(*n, ack).get()).sum();
        if bytes >= most {
            self.release_lump();
        }
    }

    fn release_lump(&mut self) {
        let held = self
            .lumps
            .as_mut()
            .map(|lumps| std::mem::take(&mut lumps.held));
        for (n, ack) in held.into_iter().flatten() {
            self.hand_on(n, ack);
        }
    }

    fn hand_on(&mut self, n: usize, ack: Ack) {
        let link = kbps(self.links.host_kbps);
        let sent = self.now + time(link, self.ack_size(n, &ack));
        let arrives = (sent + self.flows[n].delay).max(self.acks_blocked);
        self.at(arrives, Event::AckArrives(n, ack));
    }
}

fn time(rate: Rate, size: Bytes) -> Span {
    rate.transmission_time(size).expect("a packet passes")
}

fn flow(n: usize, control: &Control, seed: u64) -> Flow {
    let mut config = Config::linux(Variant::Sack);
    config.control = control.clone();
    config.window_cap = 1e6;
    (config.payload, config.header) = (Bytes(PACKET), Bytes(0));
    // A handshake of QUIC has packets of full size.
    config.syn_size = Bytes(PACKET);
    config.linux.acks = AckRule::EveryPacket;
    if *control == Control::Bbr {
        config.initial_window = 32.0;
    }
    let config = Arc::new(config);
    let mut sender = Sender::new(&config, Span::ZERO);
    sender.seed(seed + n as u64);
    let delay = match n {
        0 => HOST_DELAY,
        n => Span::from_us(FURTHER_DELAYS[n - 1]),
    };
    Flow {
        sender,
        receiver: Receiver::new(&config),
        delay,
        busy: Time::ZERO,
        waiting: None,
        sent: 0,
        dropped: 0,
    }
}
