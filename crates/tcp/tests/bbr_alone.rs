//! BBR alone on a path, over six orders of magnitude of its rate: no stall, pacing obeyed, bandwidth within the link's.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{
    Ack, AckRule, Amount, Arrival, Config, Control, Receiver, Segment, Sender, Variant,
};
use pacesim_units::{Bytes, Rate, Span, Time};
use proptest::prelude::*;

/// A link with a drop-tail buffer, and a delay on each side of it.
struct Path {
    rate: Rate,
    delay: Span,
    buffer: usize,
    /// When the packets end that wait or are sent.
    busy: VecDeque<Time>,
    data: VecDeque<(Time, Segment)>,
    acks: VecDeque<(Time, Ack)>,
}

impl Path {
    fn time(&self, size: Bytes) -> Span {
        self.rate.transmission_time(size).expect("a packet passes")
    }

    fn send(&mut self, now: Time, segment: Segment) {
        while self.busy.front().is_some_and(|end| *end <= now) {
            self.busy.pop_front();
        }
        if self.busy.len() > self.buffer {
            return;
        }
        let start = self.busy.back().copied().unwrap_or(now).max(now);
        let end = start + self.time(segment.size);
        self.busy.push_back(end);
        self.data.push_back((end + self.delay, segment));
    }
}

/// The result of a run.
struct Outcome {
    delivered: u32,
    /// The greatest bandwidth that the sender believed in, in payload bytes a second, of the second half.
    believed: u64,
    /// Packets that left sooner after the one before than pacing allows.
    hasty: u32,
}

/// One flow for so many round trips.
fn run(control: Control, path: &mut Path, rounds: u64) -> Outcome {
    let mut config = Config::linux(Variant::Sack);
    config.control = control;
    config.window_cap = 1e6;
    config.linux.acks = AckRule::EveryPacket;
    let config = Arc::new(config);
    let mut sender = Sender::new(&config, Span::ZERO);
    let mut receiver = Receiver::new(&config);
    let rtt = path.delay + path.delay + path.time(Bytes(1500));
    let end = Time::ZERO + rtt * rounds;
    let mut outcome = Outcome {
        delivered: 0,
        believed: 0,
        hasty: 0,
    };
    let (mut now, mut last, mut sent) = (Time::ZERO, Time::ZERO, 0u32);
    // Each packet's distance to the next; lateness of the one before may halve it.
    let mut gap = Span::ZERO;
    sender.on_data(now, Amount::Endless).expect("endless data");
    loop {
        while let Some(segment) = sender.poll_transmit(now) {
            let rate = sender.linux_state().expect("Linux's profile").pacing_rate;
            sent += 1;
            let short = now.saturating_since(last) + Span::from_us(2) < gap / 2;
            outcome.hasty += u32::from(sent > 11 && short);
            gap = Span::from_ns(u64::from(segment.payload) * 1_000_000_000 / rate.max(1));
            last = now;
            path.send(now, segment);
        }
        let data = path.data.front().map(|(at, _)| *at);
        let ack = path.acks.front().map(|(at, _)| *at);
        let timers = [sender.next_timeout(), receiver.next_timeout()];
        let next = [data, ack].into_iter().chain(timers).flatten().min();
        now = next.expect("data outstanding imply a timer").max(now);
        if now > end {
            outcome.delivered = receiver.delivered();
            return outcome;
        }
        if data == Some(now) {
            let (_, segment) = path.data.pop_front().expect("a packet");
            let arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
            if let Some(ack) = receiver.on_segment(now, &arrival) {
                path.acks.push_back((now + path.delay, ack));
            }
        } else if ack == Some(now) {
            let (_, ack) = path.acks.pop_front().expect("an ACK");
            sender.on_ack(now, &ack);
        } else {
            sender.on_timer(now);
            if let Some(ack) = receiver.on_timer(now) {
                path.acks.push_back((now + path.delay, ack));
            }
        }
        let model = sender.linux_state().and_then(|state| state.model);
        if let Some(model) = model.filter(|_| now > Time::ZERO + rtt * (rounds / 2)) {
            outcome.believed = outcome.believed.max(model.bandwidth);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_lone_flow_finds_the_link_s_rate(
        third in any::<bool>(),
        // 64 kbit/s to 10 Gbit/s, 0.1 ms to 1 s, evenly by their logarithm; at most 3000 packets in a round trip.
        rate_log in 4.806f64..10.0,
        rtt_log in -4.0f64..0.0,
        buffer_bdp in 0.5f64..4.0,
    ) {
        let rate = libm::pow(10.0, rate_log);
        let product = rate * libm::pow(10.0, rtt_log) / 12_000.0;
        let rtt = libm::pow(10.0, rtt_log) * (3000.0 / product).min(1.0);
        let product = rate * rtt / 12_000.0;
        let mut path = Path {
            rate: Rate::from_bps(rate as u64).expect("a rate"),
            delay: Span::from_ns((rtt * 5e8) as u64),
            buffer: (product * buffer_bdp).max(20.0) as usize,
            busy: VecDeque::new(),
            data: VecDeque::new(),
            acks: VecDeque::new(),
        };
        let control = if third { Control::Bbr3 } else { Control::Bbr };
        let rounds = 60;
        let outcome = run(control, &mut path, rounds);
        let payload = rate * 1448.0 / 1500.0 / 8.0;
        prop_assert!(outcome.believed as f64 <= payload * 1.03 + 100.0, "{} of {payload}", outcome.believed);
        prop_assert!(outcome.believed as f64 >= payload * 0.8, "{} of {payload}", outcome.believed);
        let most = (product + 1.0) * rounds as f64;
        prop_assert!(f64::from(outcome.delivered) >= most * 0.5, "{} of {most}", outcome.delivered);
        prop_assert!(outcome.hasty == 0, "{} packets too early", outcome.hasty);
    }
}
