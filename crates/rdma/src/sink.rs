//! The receiving end.

use std::collections::VecDeque;

use pacesim_datacentre::dcqcn::Notifier;
use pacesim_transport::{Content, Datagram, Delivered, End, Header};
use pacesim_units::flags::Flags;
use pacesim_units::port::Ecn;
use pacesim_units::{Span, Time};

use crate::config::{Config, Recovery};

/// The most packets that a sink keeps out of order: it takes no number further ahead.
const MOST_KEPT: u32 = 1 << 20;

/// An end that answers packets, and takes them in order.
#[derive(Debug)]
pub struct Sink {
    answer_size: u32,
    header: u64,
    /// Least time between refusals of the same packet; none if each packet out of order is refused.
    refusal_gap: Option<Span>,
    expected: u32,
    bytes: u64,
    /// The data of packets from `expected` on that have arrived; none of those that have not.
    kept: VecDeque<Option<u64>>,
    notifier: Notifier,
    /// The number last refused, and the time from which on it may be refused again.
    refused: Option<(u32, Time)>,
    answer: Option<Datagram>,
}

impl Sink {
    /// The receiving end of a connection.
    pub fn new(config: &Config) -> Sink {
        Sink {
            answer_size: config.answer.get() as u32,
            header: config.header.get(),
            refusal_gap: match config.recovery {
                Recovery::GoBackN { refusal_gap } => Some(refusal_gap),
                Recovery::Selective { .. } => None,
            },
            expected: 0,
            bytes: 0,
            kept: VecDeque::new(),
            notifier: Notifier::new(config.mark_gap),
            refused: None,
            answer: None,
        }
    }

    /// True if a packet with this number is to be answered, and true for a refusal.
    fn take(&mut self, now: Time, packet: &Header) -> (bool, bool) {
        let ahead = packet.seq.wrapping_sub(self.expected);
        let bytes = u64::from(packet.size).saturating_sub(self.header);
        if ahead == 0 {
            self.pass(bytes);
            return (true, false);
        }
        if ahead > u32::MAX / 2 {
            // A packet that came before: its answer may have been lost.
            return (true, false);
        }
        let Some(refusal_gap) = self.refusal_gap else {
            let has_room = ahead < MOST_KEPT;
            if has_room {
                self.keep(ahead as usize, bytes);
            }
            return (has_room, true);
        };
        let is_new = self
            .refused
            .is_none_or(|(number, until)| number != self.expected || now >= until);
        if is_new {
            self.refused = Some((self.expected, now.saturating_add(refusal_gap)));
        }
        (is_new, true)
    }

    /// Passes the packet expected on, and those kept behind it.
    fn pass(&mut self, bytes: u64) {
        self.kept.pop_front();
        self.deliver(bytes);
        while let Some(Some(bytes)) = self.kept.front().copied() {
            self.kept.pop_front();
            self.deliver(bytes);
        }
    }

    fn deliver(&mut self, bytes: u64) {
        self.expected = self.expected.wrapping_add(1);
        self.bytes += bytes;
    }

    /// Keeps a packet so far ahead of the one expected.
    fn keep(&mut self, ahead: usize, bytes: u64) {
        if self.kept.len() <= ahead {
            self.kept.resize(ahead + 1, None);
        }
        self.kept[ahead] = Some(bytes);
    }
}

impl End for Sink {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        let is_marked = packet.flags.ecn() == Ecn::Ce && self.notifier.marked(now);
        let (is_answered, is_refusal) = self.take(now, packet);
        if !is_answered {
            return;
        }
        let telemetry = match content {
            Content::Telemetry(mut telemetry) => {
                telemetry.echo();
                Some(telemetry)
            }
            _ => None,
        };
        let content = match is_refusal && self.refusal_gap.is_none() {
            true => Content::Refusal {
                number: packet.seq,
                telemetry,
            },
            false => telemetry.map_or(Content::None, Content::Telemetry),
        };
        self.answer = Some(Datagram {
            seq: self.expected,
            size: self.answer_size,
            stamp: packet.stamp,
            flags: Flags::default().with_ece(is_marked).with_cwr(is_refusal),
            content,
        });
    }

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        self.answer.take()
    }

    fn delivered(&self) -> Delivered {
        Delivered {
            bytes: self.bytes,
            packets: self.expected,
            is_all: false,
        }
    }
}
