//! The sending end.

use std::collections::VecDeque;

use pacesim_datacentre::ndp::NdpSource;
use pacesim_transport::{
    Answers, Backlog, Command, Content, Counters, DataError, Datagram, End, EndEvent, Gauges,
    Header, Limit, Standing, Transfer,
};
use pacesim_units::flags::Flags;
use pacesim_units::{Span, Time};

use super::Config;
use super::packets::Packets;

/// An end that sends its first window unasked, and then a packet for each pull.
#[derive(Debug)]
pub struct Source {
    config: Config,
    backlog: Backlog,
    ndp: NdpSource,
    packets: Packets,
    /// Packets whose time has expired, to be sent unasked.
    expired: VecDeque<u32>,
    /// The time at which the oldest packet without an answer may expire; never if none is under way.
    expires: Time,
    round_trip: Span,
    counters: Counters,
    answers: Answers,
    events: VecDeque<EndEvent>,
}

impl Source {
    /// The sending end of a connection.
    pub fn new(config: Config) -> Source {
        Source {
            ndp: NdpSource::new(0, config.window),
            backlog: Backlog::default(),
            packets: Packets::default(),
            expired: VecDeque::new(),
            expires: Time::NEVER,
            round_trip: Span::ZERO,
            counters: Counters::default(),
            answers: Answers::default(),
            events: VecDeque::new(),
            config,
        }
    }

    fn has_data(&self) -> bool {
        self.packets.end() < self.backlog.end()
    }

    /// The bytes before which the next packet begins and ends, and true if it was sent before.
    fn next(&mut self, now: Time) -> Option<(u32, (u64, u64), bool)> {
        while let Some(number) = self.expired.pop_front() {
            if let Some(bytes) = self.packets.send_again(now, number) {
                return Some((number, bytes, true));
            }
        }
        self.ndp.set_more(self.has_data());
        let sent = self.ndp.transmit()?;
        if sent.is_again {
            let bytes = self.packets.send_again(now, sent.packet)?;
            return Some((sent.packet, bytes, true));
        }
        let from = self.packets.end();
        let most = from.saturating_add(self.config.payload.get());
        let end = self.backlog.next_end(from).min(most);
        self.packets.send(now, end);
        Some((sent.packet, (from, end), false))
    }

    fn acknowledge(&mut self, now: Time, packet: &Header) {
        self.ndp.ack(packet.seq);
        if !self.packets.arrive(packet.seq) {
            return;
        }
        self.round_trip = now.saturating_since(packet.stamp);
        self.events.push_back(EndEvent::RoundTrip(self.round_trip));
        let done = self.backlog.done(self.packets.arrived());
        self.events.extend(done);
        if self.packets.is_empty() {
            self.expires = Time::NEVER;
        }
    }
}

impl End for Source {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        if let Content::Pull(number) = content {
            self.ndp.pull(number);
        }
        if packet.flags.is_ece() {
            return;
        }
        self.answers.refused += u64::from(packet.flags.is_cwr());
        if !packet.flags.is_cwr() {
            self.acknowledge(now, packet);
        } else if self.packets.refuse(packet.seq) {
            self.counters.fast_retransmits += 1;
            self.ndp.nack(packet.seq, None);
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let (number, (from, end), is_again) = self.next(now)?;
        if let Some(timeout) = self.config.timeout {
            self.expires = self.expires.min(now.saturating_add(timeout));
        }
        self.counters.sent += 1;
        self.counters.retransmitted += u64::from(is_again);
        Some(Datagram {
            seq: number,
            size: (end - from + self.config.header.get()) as u32,
            stamp: now,
            flags: Flags::default()
                .with_trimmable(true)
                .pushing(end == self.backlog.end())
                .again(is_again),
            content: Content::None,
        })
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        let sent = self.packets.end();
        self.backlog
            .command(now, command, self.config.payload, sent)
    }

    fn wake(&mut self, now: Time) {
        let Some(timeout) = self.config.timeout.filter(|_| now >= self.expires) else {
            return;
        };
        let sent_before = now.as_ps().saturating_sub(timeout.as_ps());
        let late = self.packets.late(Time::from_ps(sent_before));
        self.expired.clear();
        self.expired.extend(late);
        self.counters.timeouts += u32::from(!self.expired.is_empty());
        let next = self.packets.next_late(timeout).filter(|at| *at > now);
        self.expires = next.unwrap_or(Time::NEVER);
    }

    fn next_wake(&mut self) -> Option<Time> {
        (self.expires < Time::NEVER).then_some(self.expires)
    }

    fn event(&mut self) -> Option<EndEvent> {
        self.events.pop_front()
    }

    fn standing(&self) -> Standing {
        let is_busy = self.has_data() || !self.packets.is_empty();
        let limit = match self.has_data() {
            false => Limit::Data,
            true => Limit::Congestion,
        };
        Standing::new(limit, is_busy, false)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn answers(&self) -> Answers {
        self.answers
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            window_pkts: None,
            in_flight_pkts: self.packets.under_way() as u64,
            srtt: Some(self.round_trip).filter(|span| !span.is_zero()),
            pacing_rate: None,
        }
    }

    fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }
}
