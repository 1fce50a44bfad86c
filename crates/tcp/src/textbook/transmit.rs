//! The choice of the next packet, and its departure.

use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Time};

use super::common::Common;
use super::repair::{Choice, Repair};
use super::{Permit, Textbook};
use crate::control::{CongestionControl, SentSample};
use crate::packet::Segment;

impl Textbook {
    /// The next packet to put on the wire now; call until `None`.
    // Always inlined: the program has two kinds of world, and with two callers the compiler does
    // not.
    #[inline(always)]
    pub(crate) fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        if self.common.permit == Permit::Nothing && !self.common.repair_first {
            return None;
        }
        if self.common.pacer.is_some() {
            return self.poll_paced(now);
        }
        let Some(choice) = self.choose() else {
            self.common.permit = Permit::Nothing;
            return None;
        };
        let segment = self.segment(now, choice);
        self.send(now, choice, &segment);
        Some(segment)
    }

    #[inline]
    pub(super) fn send(&mut self, now: Time, choice: Choice, segment: &Segment) {
        self.commit(choice);
        self.common.depart(now, segment);
    }

    #[inline]
    pub(super) fn choose(&self) -> Option<Choice> {
        let common = &self.common;
        if common.repair_first {
            return Some(Choice::First);
        }
        match common.permit {
            Permit::Nothing => None,
            Permit::One => common.seq.has_new().then_some(Choice::Next),
            Permit::Window(_) => common.choose_below(common.window.usable()),
            Permit::Repair(_) => self.recovery.choose(common),
        }
    }

    #[inline]
    pub(super) fn segment(&self, now: Time, choice: Choice) -> Segment {
        let place = &self.common.seq;
        let seq = match choice {
            Choice::First => place.una,
            Choice::Next => place.next,
            Choice::Hole(seq) => seq,
        };
        let (payload, size) = self.size_of(seq);
        Segment {
            seq,
            payload,
            size,
            stamp: now,
            retransmission: seq < place.high,
            ecn: Ecn::NotEct,
            cwr: false,
            push: false,
        }
    }

    /// Bytes of user data in a packet, and its bytes on the wire.
    #[inline]
    fn size_of(&self, seq: u32) -> (u32, Bytes) {
        let config = &self.common.config;
        if seq == 0 && config.syn {
            return (0, config.syn_size);
        }
        let payload = self.transfers.payload(seq, config.payload.get() as u32);
        (payload, Bytes(u64::from(payload) + config.header.get()))
    }

    /// Uses up the permit for the packet.
    #[inline]
    fn commit(&mut self, choice: Choice) {
        let common = &mut self.common;
        if choice == Choice::First {
            common.repair_first = false;
            return;
        }
        if choice == Choice::Next {
            common.seq.next += 1;
        }
        common.permit = common.permit.less_one();
        if common.recovering || choice != Choice::Next {
            self.recovery.on_sent(choice, common.seq.next);
        }
    }
}

impl Permit {
    /// The permit that remains after one packet has left.
    #[inline]
    fn less_one(self) -> Permit {
        match self {
            Permit::Window(left) if left > 1 => Permit::Window(left - 1),
            Permit::Repair(left) if left > 1 => Permit::Repair(left - 1),
            _ => Permit::Nothing,
        }
    }
}

impl Common {
    /// Chooses new data while fewer than `window` packets are outstanding.
    #[inline]
    pub(super) fn choose_below(&self, window: u32) -> Option<Choice> {
        (self.seq.has_new() && self.seq.in_flight() < window).then_some(Choice::Next)
    }

    /// Chooses new data within the receiver's window.
    pub(super) fn choose_new(&self) -> Option<Choice> {
        self.choose_below(self.window.cap as u32)
    }

    /// Counts and times a departing packet, and starts the timer if it is stopped.
    #[inline]
    fn depart(&mut self, now: Time, segment: &Segment) {
        if self.timer.is_stopped() || self.seq.is_idle() {
            self.arm_timer(now);
        }
        self.counters.sent += 1;
        if segment.retransmission {
            self.counters.retransmitted += 1;
        } else {
            self.timing.start(now, segment.seq);
            self.seq.high = segment.seq + 1;
        }
        self.last_sent = now;
        let sent = SentSample::new(now, segment.seq, self.seq.in_flight());
        self.window.control.on_sent(&sent);
    }
}
