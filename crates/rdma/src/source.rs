//! The sending end.

use std::collections::VecDeque;

use pacesim_transport::{
    Answers, Backlog, Command, Content, Counters, DataError, Datagram, End, EndEvent, Gauges,
    Header, Limit, Standing, Transfer,
};
use pacesim_units::flags::Flags;
use pacesim_units::port::Ecn;
use pacesim_units::telemetry::Telemetry;
use pacesim_units::{Bytes, Rate, Span, Time};

use crate::config::{Config, Recovery, WindowRule};
use crate::control::{Answer, Control};
use crate::flight::Flight;
use crate::holes::Holes;

/// Names of the numbers that a source declares.
pub const NUMBERS: &[&str] = &[
    "rate_bps",
    "target_bps",
    "window_bytes",
    "alpha",
    "utilisation",
    "target_delay_s",
];

/// An end that sends at the rate and within the window of its control.
#[derive(Debug)]
pub struct Source {
    config: Config,
    control: Control,
    backlog: Backlog,
    flight: Flight,
    /// Packets to send again alone; none by go-back-N.
    holes: Holes,
    /// The time from which on the rate allows the next packet, and the size of the last one.
    next_send: Time,
    last_size: u64,
    /// The rate by which that time was computed.
    rate: Rate,
    /// Time at which the timer of packets in flight expires; never if none are.
    expires: Time,
    round_trip: Span,
    now: Time,
    counters: Counters,
    answers: Answers,
    events: VecDeque<EndEvent>,
    /// Telemetry that has come back, for packets to come.
    #[allow(
        clippy::vec_box,
        reason = "the same boxes travel in packets: none is allocated twice"
    )]
    spare: Vec<Box<Telemetry>>,
}

impl Source {
    /// The sending end of a connection.
    pub fn new(config: Config) -> Source {
        let control = Control::new(&config.control, config.payload, config.line);
        Source {
            rate: control.rate(),
            control,
            backlog: Backlog::default(),
            flight: Flight::default(),
            holes: Holes::default(),
            next_send: Time::ZERO,
            last_size: 0,
            expires: Time::NEVER,
            round_trip: Span::ZERO,
            now: Time::ZERO,
            counters: Counters::default(),
            answers: Answers::default(),
            events: VecDeque::new(),
            spare: Vec::new(),
            config,
        }
    }

    /// The most bytes in flight.
    fn window(&self) -> Option<u64> {
        let own = self.control.window();
        let of_rule = self.config.window.map(|rule| match rule {
            WindowRule::Fixed(bytes) => bytes.get(),
            WindowRule::OfRate(bytes) => {
                let [bytes, rate] = [bytes.get(), self.rate.as_bps()].map(u128::from);
                (bytes * rate / u128::from(self.config.line.as_bps())) as u64
            }
        });
        own.into_iter().chain(of_rule).min()
    }

    fn has_data(&self) -> bool {
        self.flight.next_byte() < self.backlog.end()
    }

    /// True if the window allows a packet: at least one may always be in flight.
    fn is_open(&self) -> bool {
        let (in_flight, _) = self.flight.in_flight();
        in_flight == 0 || self.window().is_none_or(|window| in_flight < window)
    }

    /// True if there is a packet to send, and the window allows it.
    fn has_packet(&self) -> bool {
        self.holes.next_lost().is_some() || (self.has_data() && self.is_open())
    }

    /// The size of the next packet's data; a transfer ends its last packet.
    fn next_payload(&self) -> u64 {
        let from = self.flight.next_byte();
        let end = self.flight.again().unwrap_or_else(|| {
            let most = from.saturating_add(self.config.payload.get());
            self.backlog.next_end(from).min(most)
        });
        end - from
    }

    /// The next packet: its number, its bytes of data, and true if it was sent before.
    fn take_packet(&mut self) -> (u32, u64, bool) {
        if let Some(number) = self.holes.next_lost() {
            self.holes.sent_again(number);
            let (from, end) = self.flight.bytes_of(number).expect("a packet in flight");
            return (number, end - from, true);
        }
        let (number, payload) = (self.flight.next_number(), self.next_payload());
        let is_again = self.flight.again().is_some();
        self.flight.send(self.flight.next_byte() + payload);
        (number, payload, is_again)
    }

    /// A changed rate also moves the packet that waits for its time.
    fn follow_rate(&mut self) {
        let rate = self.control.rate();
        if rate != self.rate {
            let [before, after] = [self.rate, rate].map(|rate| sending(rate, self.last_size));
            let next = (self.next_send.saturating_add(after)).as_ps();
            self.next_send = Time::from_ps(next.saturating_sub(before.as_ps()));
            self.rate = rate;
        }
    }

    /// A packet was refused, for which `number` has arrived where packets are sent again alone.
    fn refused(&mut self, number: u32) {
        let begins = match self.config.recovery {
            Recovery::GoBackN { .. } => {
                self.flight.go_back();
                true
            }
            Recovery::Selective { .. } => self.holes.refuse(number, self.flight.next_number()),
        };
        if begins {
            self.counters.fast_retransmits += 1;
            self.lost(false);
        }
    }

    fn timed_out(&mut self) {
        self.counters.timeouts += 1;
        match self.config.recovery {
            Recovery::GoBackN { .. } => self.flight.go_back(),
            Recovery::Selective { .. } => self.holes.recover(self.flight.next_number()),
        }
        self.lost(true);
        self.expires = self.now.saturating_add(self.timeout());
    }

    fn lost(&mut self, by_timer: bool) {
        self.control.lost(self.now, self.round_trip, by_timer);
        self.follow_rate();
    }

    fn timeout(&self) -> Span {
        match self.config.recovery {
            Recovery::Selective { timeout_of_few }
                if self.flight.in_flight().1 <= Recovery::FEW =>
            {
                timeout_of_few
            }
            _ => self.config.timeout,
        }
    }

    fn arm(&mut self) {
        let (in_flight, _) = self.flight.in_flight();
        self.expires = match in_flight {
            0 => Time::NEVER,
            _ => self.now.saturating_add(self.timeout()),
        };
    }

    fn content(&mut self) -> Content {
        if !self.config.control.reads_telemetry() {
            return Content::None;
        }
        let mut telemetry = self.spare.pop().unwrap_or_default();
        telemetry.clear();
        Content::Telemetry(telemetry)
    }
}

/// The time of so many bytes at a rate.
fn sending(rate: Rate, bytes: u64) -> Span {
    rate.transmission_time(Bytes(bytes))
        .unwrap_or(Span::from_secs(86_400))
}

impl End for Source {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        self.now = now;
        let (telemetry, arrived) = match content {
            Content::Telemetry(telemetry) => (Some(telemetry), None),
            Content::Refusal { number, telemetry } => (telemetry, Some(number)),
            _ => (None, None),
        };
        self.round_trip = now.saturating_since(packet.stamp);
        let new_bytes = self.flight.acknowledge(packet.seq);
        self.holes.acknowledge(self.flight.first());
        self.answers.notified += u64::from(packet.flags.is_ece());
        self.answers.refused += u64::from(packet.flags.is_cwr());
        if packet.flags.is_cwr() {
            self.refused(arrived.unwrap_or(packet.seq));
        }
        let answer = Answer {
            acked: self.flight.acked(),
            new_bytes,
            next: self.flight.next_byte(),
            is_marked: packet.flags.is_ece(),
            round_trip: self.round_trip,
            hops: self.config.hops,
            telemetry: telemetry.as_deref(),
        };
        self.control.answer(now, &answer);
        self.follow_rate();
        self.spare.extend(telemetry);
        if new_bytes > 0 {
            self.arm();
            self.events.push_back(EndEvent::RoundTrip(self.round_trip));
            let done = self.backlog.done(self.flight.acked());
            self.events.extend(done);
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        self.now = now;
        if now < self.next_send || !self.has_packet() {
            return None;
        }
        let is_first = self.flight.in_flight().1 == 0;
        let (number, payload, is_again) = self.take_packet();
        let size = payload + self.config.header.get();
        if is_first {
            self.arm();
        }
        self.control.sent(Bytes(size));
        self.follow_rate();
        let gap = self.control.gap();
        self.next_send = now.saturating_add(gap.unwrap_or_else(|| sending(self.rate, size)));
        self.last_size = size;
        self.counters.sent += 1;
        self.counters.retransmitted += u64::from(is_again);
        let ecn = if self.config.ecn {
            Ecn::Ect0
        } else {
            Ecn::NotEct
        };
        Some(Datagram {
            seq: number,
            size: size as u32,
            stamp: now,
            flags: Flags::default().with_ecn(ecn).again(is_again),
            content: self.content(),
        })
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        self.now = now;
        let sent = self.flight.furthest();
        self.backlog
            .command(now, command, self.config.payload, sent)
    }

    fn wake(&mut self, now: Time) {
        self.now = now;
        self.control.wake(now);
        self.follow_rate();
        if now >= self.expires {
            self.timed_out();
        }
    }

    fn next_wake(&mut self) -> Option<Time> {
        let is_paced = self.next_send > self.now && self.has_packet();
        let paced = is_paced.then_some(self.next_send);
        let expires = (self.expires < Time::NEVER).then_some(self.expires);
        let is_at_work = self.has_data() || self.flight.in_flight().1 > 0;
        let of_control = self.control.next_wake().filter(|_| is_at_work);
        [paced, expires, of_control].into_iter().flatten().min()
    }

    fn event(&mut self) -> Option<EndEvent> {
        self.events.pop_front()
    }

    fn standing(&self) -> Standing {
        let is_busy = self.has_data() || self.flight.in_flight().1 > 0;
        let limit = if !self.has_data() {
            Limit::Data
        } else if !self.is_open() {
            Limit::Congestion
        } else {
            Limit::Pacing
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
        let window = self.window();
        let payload = self.config.payload.get() as f64;
        Gauges {
            window_pkts: window.map(|bytes| bytes as f64 / payload),
            in_flight_pkts: self.flight.in_flight().1 as u64,
            srtt: Some(self.round_trip).filter(|span| !span.is_zero()),
            pacing_rate: Some(self.rate),
        }
    }

    fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        vec![
            Some(self.rate.as_bps() as f64),
            self.control.target_bps(),
            self.window().map(|bytes| bytes as f64),
            self.control.alpha(),
            self.control.utilisation(),
            self.control.target_delay().map(Span::as_secs_f64),
        ]
    }
}
