//! The receiving end.

use pacesim_datacentre::dcqcn::Notifier;
use pacesim_transport::{Content, Datagram, Delivered, End, Header};
use pacesim_units::flags::Flags;
use pacesim_units::port::Ecn;
use pacesim_units::{Span, Time};

use crate::config::Config;

/// An end that takes packets in order alone, and answers.
#[derive(Debug)]
pub struct Sink {
    answer_size: u32,
    header: u64,
    refusal_gap: Span,
    expected: u32,
    bytes: u64,
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
            refusal_gap: config.refusal_gap,
            expected: 0,
            bytes: 0,
            notifier: Notifier::new(config.mark_gap),
            refused: None,
            answer: None,
        }
    }

    /// True if a packet with this number is to be answered, and true for a refusal.
    fn take(&mut self, now: Time, packet: &Header) -> (bool, bool) {
        let ahead = packet.seq.wrapping_sub(self.expected);
        if ahead == 0 {
            self.expected = self.expected.wrapping_add(1);
            self.bytes += u64::from(packet.size).saturating_sub(self.header);
            return (true, false);
        }
        if ahead > u32::MAX / 2 {
            // A packet that came before: its answer may have been lost.
            return (true, false);
        }
        let is_new = self
            .refused
            .is_none_or(|(number, until)| number != self.expected || now >= until);
        if is_new {
            self.refused = Some((self.expected, now.saturating_add(self.refusal_gap)));
        }
        (is_new, true)
    }
}

impl End for Sink {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        let is_marked = packet.flags.ecn() == Ecn::Ce && self.notifier.marked(now);
        let (is_answered, is_refusal) = self.take(now, packet);
        if !is_answered {
            return;
        }
        let content = match content {
            Content::Telemetry(mut telemetry) => {
                telemetry.echo();
                Content::Telemetry(telemetry)
            }
            _ => Content::None,
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
