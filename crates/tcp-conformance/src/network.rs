//! Flows over one bottleneck, event by event.

use std::collections::BTreeMap;

use pacesim_tcp::{Ack, Arrival, Segment};
use pacesim_units::{Bytes, Span, Time};

use crate::flow::{Flow, Plan};
use crate::link::{Bottleneck, Link};
use crate::report::Violation;

/// Flows and their path.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) line: Bottleneck,
    pub(crate) flows: Vec<Plan>,
    /// A real-time stream beside the flows: bytes of its packets, and their distance in time.
    pub(crate) stream: Option<(Bytes, Span)>,
    /// The measurement's start, and the end of the run; it ends earlier once all transfers are
    /// complete.
    pub(crate) from: Time,
    pub(crate) end: Time,
}

/// Results of a run.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) flows: Vec<FlowOutcome>,
    /// Packets lost among those that arrived at the line in the measured time.
    pub(crate) loss: f64,
    /// The mean waiting time of the packets that were not lost.
    pub(crate) wait: Span,
    pub(crate) stream: StreamOutcome,
    pub(crate) violation: Option<Violation>,
    pub(crate) digest: u64,
}

/// Results of a flow.
#[derive(Clone, Debug)]
pub(crate) struct FlowOutcome {
    /// Packets delivered in order in the measured time, per second.
    pub(crate) rate: f64,
    /// The time that its transfer took, if it is complete.
    pub(crate) took: Option<Span>,
    pub(crate) sent: u64,
    pub(crate) retransmitted: u64,
    pub(crate) timeouts: u32,
}

/// Results of the real-time stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamOutcome {
    pub(crate) sent: u64,
    pub(crate) lost: u64,
    pub(crate) waited: Span,
}

enum Event {
    Data(usize, Segment, bool),
    Ack(usize, Ack),
    Start(usize),
    Stream,
    Measure,
}

struct Network {
    setup: Setup,
    link: Link,
    flows: Vec<Flow>,
    events: BTreeMap<(Time, u64), Event>,
    count: u64,
    now: Time,
    stream: StreamOutcome,
}

/// Runs the flows.
pub(crate) fn run(setup: Setup) -> Outcome {
    let mut network = Network::new(setup);
    while network.step() {}
    network.outcome()
}

impl Network {
    fn new(setup: Setup) -> Network {
        let flows = setup.flows.iter().cloned().zip(1..);
        let mut network = Network {
            link: Link::new(setup.line.clone(), setup.from, 1),
            flows: flows
                .map(|(plan, number)| Flow::new(plan, number))
                .collect(),
            events: BTreeMap::new(),
            count: 0,
            now: Time::ZERO,
            stream: StreamOutcome::default(),
            setup,
        };
        for flow in 0..network.flows.len() {
            network.at(network.flows[flow].plan.start, Event::Start(flow));
        }
        network.at(network.setup.from, Event::Measure);
        if network.setup.stream.is_some() {
            network.at(network.setup.from, Event::Stream);
        }
        network
    }

    fn at(&mut self, time: Time, event: Event) {
        self.count += 1;
        self.events.insert((time, self.count), event);
    }

    /// Handles the next event or timer; false at the end.
    fn step(&mut self) -> bool {
        let arrival = self.events.first_key_value().map(|((at, _), _)| *at);
        let timers = self.flows.iter().enumerate();
        let timer = timers
            .filter_map(|(place, flow)| Some((flow.next_timeout()?, place)))
            .min();
        let next = arrival.into_iter().chain(timer.map(|(at, _)| at)).min();
        let Some(next) = next.map(|next| next.max(self.now)) else {
            return false;
        };
        if next > self.setup.end || self.flows.iter().all(|flow| flow.done.is_some()) {
            return false;
        }
        self.now = next;
        if arrival.is_some_and(|at| at <= next) {
            let (_, event) = self.events.pop_first().expect("it was just seen");
            self.handle(event);
        } else if let Some((_, place)) = timer {
            self.wake(place);
        }
        true
    }

    fn handle(&mut self, event: Event) {
        let now = self.now;
        match event {
            Event::Start(place) => {
                self.flows[place].start(now);
                self.drain(place);
            }
            Event::Data(place, segment, is_marked) => {
                let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
                arrival.again = segment.retransmission;
                arrival.ect = segment.ecn.is_capable();
                arrival.marked = is_marked;
                arrival.cwr = segment.cwr;
                arrival.push = segment.push;
                let ack = self.flows[place].receiver.on_segment(now, &arrival);
                self.send_ack(place, ack);
                self.drain(place);
            }
            Event::Ack(place, ack) => {
                self.flows[place].sender.on_ack(now, &ack);
                self.drain(place);
            }
            Event::Stream => self.send_stream(),
            Event::Measure => {
                let flows = self.flows.iter_mut();
                flows.for_each(|flow| flow.before = flow.receiver.delivered());
            }
        }
    }

    fn wake(&mut self, place: usize) {
        let flow = &mut self.flows[place];
        flow.sender.on_timer(self.now);
        let ack = flow.receiver.on_timer(self.now);
        self.send_ack(place, ack);
        self.drain(place);
    }

    fn drain(&mut self, place: usize) {
        let delay = self.flows[place].plan.rtt / 2;
        while let Some(segment) = self.flows[place].transmit(self.now) {
            let can_be_marked = segment.ecn.is_capable();
            if let Some(passed) = self.link.take(self.now, segment.size, can_be_marked) {
                let event = Event::Data(place, segment, passed.is_marked);
                self.at(passed.at + delay, event);
            }
        }
        self.flows[place].settle(self.now);
    }

    fn send_ack(&mut self, place: usize, ack: Option<Ack>) {
        let Some(ack) = ack else { return };
        let plan = &self.flows[place].plan;
        let (delay, copies) = (plan.rtt / 2, plan.copies);
        for _ in 0..=copies {
            self.at(self.now + delay, Event::Ack(place, ack));
        }
    }

    fn send_stream(&mut self) {
        let (size, distance) = self.setup.stream.expect("it has an event");
        self.stream.sent += 1;
        match self.link.take(self.now, size, false) {
            Some(passed) => self.stream.waited += passed.at.saturating_since(self.now),
            None => self.stream.lost += 1,
        }
        self.at(self.now + distance, Event::Stream);
    }

    fn outcome(&self) -> Outcome {
        let measured = self.now.saturating_since(self.setup.from).as_secs_f64();
        let flows = self.flows.iter().map(|flow| {
            let delivered = flow.receiver.delivered() - flow.before;
            let counters = flow.sender.counters();
            FlowOutcome {
                rate: f64::from(delivered) / measured.max(f64::MIN_POSITIVE),
                took: flow.done.map(|done| done.saturating_since(flow.plan.start)),
                sent: counters.sent,
                retransmitted: counters.retransmitted,
                timeouts: counters.timeouts,
            }
        });
        let arrived = self.link.sent + self.link.dropped;
        let digests = self.flows.iter().map(Flow::digest);
        Outcome {
            flows: flows.collect(),
            loss: self.link.dropped as f64 / (arrived as f64).max(1.0),
            wait: self.link.waited / self.link.sent.max(1),
            stream: self.stream,
            violation: self.flows.iter().find_map(|flow| flow.violation().cloned()),
            digest: digests.fold(0, |sum, digest| sum ^ digest.rotate_left(7)),
        }
    }
}
