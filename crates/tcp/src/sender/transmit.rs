//! What leaves: the choice of the next packet, and its departure.

use pacesim_units::{Bytes, Time};

use super::{Method, Permit, Sender, UNTIMED};
use crate::control::{CongestionControl, SentSample};
use crate::pacing::PaceView;
use crate::packet::Segment;

/// Which packet is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first unacknowledged, at once.
    First,
    /// The next in sequence.
    Next,
    /// A hole.
    Hole(u32),
}

impl Sender {
    /// The next packet to put on the wire now; call until `None`.
    // Always: the program runs two kinds of world, and with two callers it is not.
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        if self.permit == Permit::Nothing && !self.repair_first {
            return None;
        }
        let Some(choice) = self.choose() else {
            self.rest();
            return None;
        };
        let segment = self.segment(now, choice);
        if self.pacer.is_some() && !self.pacer_admits(now, choice, &segment) {
            return None;
        }
        self.commit(choice);
        self.depart(now, &segment);
        Some(segment)
    }

    /// Nothing more may leave until the next input.
    #[inline]
    fn rest(&mut self) {
        self.permit = Permit::Nothing;
        if let Some(pacer) = &mut self.pacer {
            pacer.rest();
        }
    }

    #[inline]
    fn choose(&self) -> Option<Choice> {
        if self.repair_first {
            return Some(Choice::First);
        }
        match self.permit {
            Permit::Nothing => None,
            Permit::One => (self.next < self.limit).then_some(Choice::Next),
            Permit::Window(_) => self.choose_in_window(self.usable_window()),
            Permit::Repair => self.choose_repair(),
        }
    }

    #[inline]
    fn choose_in_window(&self, window: u32) -> Option<Choice> {
        (self.next < self.limit && self.next - self.una < window).then_some(Choice::Next)
    }

    fn choose_repair(&self) -> Option<Choice> {
        match self.method {
            Method::Classic => None,
            Method::Pipe => self.choose_by_pipe(),
            Method::Fack => self.choose_by_awnd(),
            Method::Rfc6675 => self.choose_by_scoreboard(),
        }
    }

    /// The lowest hole below `limit`.
    pub(super) fn choose_hole(&self, limit: u32) -> Option<Choice> {
        self.board.as_deref()?.hole_below(limit).map(Choice::Hole)
    }

    /// New data within the receiver's window.
    pub(super) fn choose_new(&self) -> Option<Choice> {
        self.choose_in_window(self.window_cap as u32)
    }

    #[inline]
    fn segment(&self, now: Time, choice: Choice) -> Segment {
        let seq = match choice {
            Choice::First => self.una,
            Choice::Next => self.next,
            Choice::Hole(seq) => seq,
        };
        let (payload, size) = self.size_of(seq);
        Segment {
            seq,
            payload,
            size,
            stamp: now,
            retransmission: seq < self.high,
        }
    }

    /// User bytes and bytes on the wire.
    #[inline]
    fn size_of(&self, seq: u32) -> (u32, Bytes) {
        if seq == 0 && self.config.syn {
            return (0, self.config.syn_size);
        }
        let payload = self
            .transfers
            .payload(seq, self.config.payload.get() as u32);
        (
            payload,
            Bytes(u64::from(payload) + self.config.header.get()),
        )
    }

    #[cold]
    fn pacer_admits(&mut self, now: Time, choice: Choice, segment: &Segment) -> bool {
        let view = self.pace_view(segment);
        let Some(pacer) = &mut self.pacer else {
            return true;
        };
        let at_once = choice == Choice::First && !pacer.paces_retransmissions();
        let admitted = at_once || pacer.admits(now, &view);
        if admitted {
            pacer.on_sent(now, &view);
        }
        admitted
    }

    fn pace_view(&self, segment: &Segment) -> PaceView {
        PaceView {
            window: self.control.window().min(self.window_cap),
            ssthresh: self.control.ssthresh(),
            in_flight: self.next - self.una,
            recovering: self.recovering,
            rate: self.control.pacing_rate(),
            size: segment.size,
        }
    }

    /// Uses up what allowed the packet.
    #[inline]
    fn commit(&mut self, choice: Choice) {
        match choice {
            Choice::First => {
                self.repair_first = false;
                return;
            }
            Choice::Next => self.next += 1,
            Choice::Hole(seq) => self.mark_retransmitted(seq),
        }
        self.permit = match self.permit {
            Permit::Window(left) if left > 1 => Permit::Window(left - 1),
            Permit::Repair => Permit::Repair,
            _ => Permit::Nothing,
        };
        self.pipe += i32::from(self.recovering);
    }

    fn mark_retransmitted(&mut self, seq: u32) {
        let next = self.next;
        self.the_board().retransmitted(seq, next);
    }

    /// The packet leaves: count it, time it, see that a timer runs.
    #[inline]
    fn depart(&mut self, now: Time, segment: &Segment) {
        if self.rto_at == Time::NEVER || self.una == self.high {
            self.arm_timer(now);
        }
        self.counters.sent += 1;
        if segment.retransmission {
            self.counters.retransmitted += 1;
        } else {
            self.start_timing(now, segment.seq);
            self.high = segment.seq + 1;
        }
        self.last_sent = now;
        self.control.on_sent(&SentSample {
            now,
            seq: segment.seq,
            in_flight: self.next - self.una,
        });
    }

    /// One packet is timed at a time, and never a retransmission (Karn).
    #[inline]
    fn start_timing(&mut self, now: Time, seq: u32) {
        if self.timed == UNTIMED {
            self.timed = seq;
            self.timed_at = now;
        }
    }
}
