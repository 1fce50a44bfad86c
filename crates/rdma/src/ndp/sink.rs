//! The receiving end.

use std::collections::VecDeque;

use pacesim_datacentre::ndp::NdpSink;
use pacesim_transport::{Content, Datagram, Delivered, End, Header, Wish};
use pacesim_units::Time;
use pacesim_units::flags::Flags;

use super::Config;

/// An end that answers each packet, and pulls at its turns.
#[derive(Debug)]
pub struct Sink {
    answer_size: u32,
    header: u64,
    ndp: NdpSink,
    delivered: Delivered,
    /// The number of the last pull that was asked for, and of the last one sent.
    asked: u32,
    pulled: u32,
    /// Answers and pulls to send.
    due: VecDeque<Datagram>,
    /// Wishes that have not been told.
    wishes: VecDeque<Wish>,
    /// True while the answer that is due last may carry a pull.
    may_carry: bool,
}

impl Sink {
    /// The receiving end of a connection.
    pub fn new(config: &Config) -> Sink {
        Sink {
            answer_size: config.answer.get() as u32,
            header: config.header.get(),
            ndp: NdpSink::new(),
            delivered: Delivered::default(),
            asked: 0,
            pulled: 0,
            due: VecDeque::new(),
            wishes: VecDeque::new(),
            may_carry: false,
        }
    }
}

impl End for Sink {
    fn receive(&mut self, _now: Time, packet: &Header, _content: Content) {
        let is_header = packet.flags.is_trimmed();
        let answer = if is_header {
            self.ndp.header()
        } else {
            if self.ndp.is_new(packet.seq) {
                let payload = u64::from(packet.size).saturating_sub(self.header);
                self.delivered.bytes += payload;
            }
            self.ndp.data(packet.seq, packet.flags.is_pushing())
        };
        self.delivered.packets = answer.expected;
        self.asked = answer.pull;
        self.wishes.push_back(Wish::Turn);
        if answer.is_complete {
            self.wishes.push_back(Wish::NoTurns);
        }
        self.due.push_back(Datagram {
            seq: packet.seq,
            size: self.answer_size,
            stamp: packet.stamp,
            flags: Flags::default().with_cwr(is_header),
            content: Content::None,
        });
        self.may_carry = true;
    }

    fn wish(&mut self) -> Option<Wish> {
        let wish = self.wishes.pop_front();
        if wish == Some(Wish::NoTurns) {
            self.pulled = self.asked;
        }
        wish
    }

    fn turn(&mut self, now: Time) {
        self.pulled += 1;
        let number = Content::Pull(self.pulled);
        match self.due.back_mut().filter(|_| self.may_carry) {
            Some(answer) => answer.content = number,
            None => self.due.push_back(Datagram {
                seq: self.pulled,
                size: self.answer_size,
                stamp: now,
                flags: Flags::default().with_ece(true),
                content: number,
            }),
        }
        self.may_carry = false;
    }

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        self.may_carry = false;
        self.due.pop_front()
    }

    fn delivered(&self) -> Delivered {
        self.delivered
    }
}
