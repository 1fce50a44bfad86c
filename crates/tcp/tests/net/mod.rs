//! A sender, a receiver, and a network with scripted losses, delays and marks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pacesim_tcp::{
    Ack, Amount, Arrival, Config, EventMask, Pacing, Profile, Receiver, Segment, Sender,
    SenderEvent,
};
use pacesim_units::{Span, Time};

/// Events that befall packets, by their order of sending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weather {
    pub(crate) lost_data: BTreeSet<u32>,
    pub(crate) lost_acks: BTreeSet<u32>,
    /// Extra delay of data packets, which later ones may overtake.
    pub(crate) late_ms: BTreeMap<u32, u64>,
    /// Data packets that meet congestion, if they can be marked.
    pub(crate) marked: BTreeSet<u32>,
}

enum Flying {
    /// A data packet, and whether it is marked.
    Data(Segment, bool),
    Ack(Ack),
}

pub(crate) struct Net {
    pub(crate) sender: Sender,
    pub(crate) receiver: Receiver,
    pub(crate) now: Time,
    /// Wakes the sender also before timers are due.
    pub(crate) nagging: bool,
    /// Each transmission: time, number, and whether it fits the window at that time.
    pub(crate) log: Vec<(Time, u32, bool)>,
    pub(crate) transfers: u32,
    /// Packets that arrived marked.
    #[allow(
        dead_code,
        reason = "not every test that shares this file marks packets"
    )]
    pub(crate) marks: u32,
    /// The greatest count of marks on an ACK that arrived.
    #[allow(
        dead_code,
        reason = "not every test that shares this file counts marks"
    )]
    pub(crate) told: u32,
    weather: Weather,
    flying: BTreeMap<(Time, u64), Flying>,
    payload: BTreeMap<u32, u32>,
    sent: u32,
    acks: u32,
    order: u64,
    bottleneck: Time,
}

/// The bottleneck passes one packet per millisecond.
const TRANSMISSION: Span = Span::from_ms(1);
/// The delay in one direction.
const DELAY: Span = Span::from_ms(20);

impl Net {
    pub(crate) fn new(config: &Arc<Config>, weather: Weather) -> Net {
        let mut sender = Sender::new(config, Span::from_us(3217));
        sender.want_events(EventMask::TRANSFER);
        Net {
            sender,
            receiver: Receiver::new(config),
            now: Time::ZERO,
            nagging: false,
            log: Vec::new(),
            transfers: 0,
            marks: 0,
            told: 0,
            weather,
            flying: BTreeMap::new(),
            payload: BTreeMap::new(),
            sent: 0,
            acks: 0,
            order: 0,
            bottleneck: Time::ZERO,
        }
    }

    pub(crate) fn give(&mut self, amount: Amount) {
        self.sender.on_data(self.now, amount).expect("good data");
        self.drain();
    }

    /// Runs until all data are acknowledged.
    pub(crate) fn run(&mut self) {
        for _ in 0..200_000 {
            if self.sender.is_done() {
                assert_eq!(self.receiver.out_of_order(), 0);
                assert_eq!(self.receiver.delivered(), self.sender.acknowledged());
                return;
            }
            self.step();
        }
        panic!("no end: {:?}", self.sender);
    }

    /// Handles the next event: an arrival, or a timer.
    fn step(&mut self) {
        let arrival = self.flying.first_key_value().map(|((at, _), _)| *at);
        let timers = [self.sender.next_timeout(), self.receiver.next_timeout()];
        let timer = timers.into_iter().flatten().min();
        let next = [arrival, timer].into_iter().flatten().min();
        self.now = next
            .expect("data outstanding or waiting imply a timer")
            .max(self.now);
        if arrival == Some(self.now) {
            let (_, flying) = self.flying.pop_first().expect("an arrival");
            self.arrive(flying);
        } else {
            self.sender.on_timer(self.now);
            let ack = self.receiver.on_timer(self.now);
            self.send_ack(ack);
        }
        self.drain();
    }

    fn arrive(&mut self, flying: Flying) {
        match flying {
            Flying::Data(segment, marked) => {
                let before = self.receiver.delivered();
                self.marks += u32::from(marked);
                let mut arrival = Arrival::new(segment.seq, segment.stamp, segment.payload);
                arrival.again = segment.retransmission;
                arrival.ect = segment.ecn.is_capable();
                arrival.marked = marked;
                arrival.cwr = segment.cwr;
                arrival.push = segment.push;
                let ack = self.receiver.on_segment(self.now, &arrival);
                assert!(self.receiver.delivered() >= before, "delivery goes back");
                self.send_ack(ack);
            }
            Flying::Ack(ack) => {
                self.told = self.told.max(ack.marked.unwrap_or(0));
                self.sender.on_ack(self.now, &ack);
            }
        }
    }

    fn send_ack(&mut self, ack: Option<Ack>) {
        let Some(ack) = ack else { return };
        self.acks += 1;
        if !self.weather.lost_acks.contains(&self.acks) {
            self.fly(self.now + DELAY, Flying::Ack(ack));
        }
    }

    fn fly(&mut self, at: Time, flying: Flying) {
        self.order += 1;
        self.flying.insert((at, self.order), flying);
    }

    fn drain(&mut self) {
        let early = self.sender.next_timeout().is_none_or(|due| due > self.now);
        if self.nagging && early {
            self.sender.on_timer(self.now);
        }
        while let Some(segment) = self.sender.poll_transmit(self.now) {
            self.check_window(&segment);
            self.send_data(segment);
        }
        while let Some(event) = self.sender.poll_event() {
            self.transfers += u32::from(matches!(event, SenderEvent::TransferComplete { .. }));
        }
        let armed = self.sender.next_timeout().is_some();
        assert!(
            armed || self.sender.outstanding() == 0,
            "data outstanding imply a timer"
        );
    }

    fn send_data(&mut self, segment: Segment) {
        self.sent += 1;
        self.log
            .push((self.now, segment.seq, segment.retransmission));
        let known = self.payload.insert(segment.seq, segment.payload);
        assert!(known.is_none_or(|payload| payload == segment.payload));
        assert_eq!(segment.retransmission, known.is_some());
        if self.weather.lost_data.contains(&self.sent) {
            return;
        }
        self.bottleneck = self.bottleneck.max(self.now) + TRANSMISSION;
        let late = self.weather.late_ms.get(&self.sent).copied().unwrap_or(0);
        self.fly(
            self.bottleneck + DELAY + Span::from_ms(late),
            Flying::Data(
                segment,
                segment.ecn.is_capable() && self.weather.marked.contains(&self.sent),
            ),
        );
    }

    /// Checks that a new packet is within the receiver's window, and outside recovery within the
    /// congestion window, limited transmit aside.
    fn check_window(&mut self, segment: &Segment) {
        let cap = self.sender.config().window_cap as u32;
        // A packet in the host's own queue may have become needless there.
        let queued = self.sender.config().profile == Profile::Linux
            && self.sender.config().pacing == Pacing::Linux;
        assert!(segment.seq >= self.sender.acknowledged() || queued);
        let beyond = segment.seq.saturating_sub(self.sender.acknowledged());
        assert!(beyond < cap, "{beyond} beyond a window of {cap}");
        let out = self.sender.outstanding();
        // A tail loss probe ignores the window.
        let probes = self.sender.linux_state().is_some();
        if !segment.retransmission && !self.sender.is_recovering() && !probes {
            let limit = self.sender.cwnd() + 2.0;
            assert!(f64::from(beyond + 1) <= limit, "{beyond} of {limit}");
        }
        assert!(out <= cap, "{out} outstanding in a window of {cap}");
    }

    /// User bytes in all packets that were delivered.
    #[allow(
        dead_code,
        reason = "not every test that shares this file counts bytes"
    )]
    pub(crate) fn payload_delivered(&self) -> u64 {
        let delivered = self.payload.range(..self.receiver.delivered());
        delivered.map(|(_, payload)| u64::from(*payload)).sum()
    }
}
