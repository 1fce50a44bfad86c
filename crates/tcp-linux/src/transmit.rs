//! Transmission: packets marked lost first, then new ones, within the window and pacing.

use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Span, Time};

use super::burst::Burst;
use super::clock::Micros;
use super::connection::{Connection, State};
use super::control::LinuxControl;
use super::pace::Holder;
use super::segments::{Marks, Sent};
use super::timer::TimerPurpose;
use super::{Departing, Linux, Resend};
use crate::packet::Segment;

/// The memory of a full packet in the host's queue, in bytes.
const PACKET_MEMORY: u64 = 2304;

impl Linux {
    /// Sends the packets allowed after an ACK in an unusual state.
    pub(super) fn send_for_recovery(&mut self, resend: Resend) {
        if resend == Resend::Nothing || self.conn.opening {
            return;
        }
        if resend == Resend::New {
            self.send_new(false);
            if self.conn.next > self.conn.high_seq {
                return;
            }
            self.conn.frto = false;
        }
        self.resend_lost();
    }

    /// [`send_new`](Self::send_new) without its loop where pacing delays the next packet, as at most
    /// ACKs of a paced sender.
    #[inline]
    pub(super) fn send_new_unless_held(&mut self) {
        if self.conn.sends_plainly() {
            self.send_plainly::<false>();
        } else if self.conn.pace.holds(self.conn.now) {
            self.send_nothing();
        } else if self.conn.paces_plainly() {
            self.send_paced();
        } else {
            self.send_new(false);
        }
    }

    /// The same as [`send_new`](Self::send_new) where nothing but the windows and the sender's own pacing
    /// limits packets that leave one by one.
    #[inline(always)]
    fn send_plainly<const PACED: bool>(&mut self) {
        let conn = &self.conn;
        let room = conn.window.size.saturating_sub(conn.packets_out);
        let first = conn.next;
        let end = (first.saturating_add(room))
            .min(conn.peer_end())
            .min(conn.limit);
        if end <= first {
            return self.send_nothing();
        }
        let mut is_held = false;
        for seq in first..end {
            let size = self.size_of(seq);
            self.leave(seq, size, false, 0);
            let conn = &mut self.conn;
            if PACED {
                is_held = conn.pace.leave_paced(conn.now, size.0)
            } else {
                conn.pace.leave_now(conn.now, u32::from(size.0 > 0))
            }
            if size.0 > 0 {
                conn.last_sent = conn.tick;
            }
            conn.note_sent(seq, conn.now);
            if is_held {
                break;
            }
        }
        let conn = &mut self.conn;
        self.held_back |= is_held && conn.has_new();
        conn.validate_window(conn.packets_out >= conn.window.size);
        conn.schedule_probe(false);
    }

    #[inline(never)]
    fn send_paced(&mut self) {
        self.send_plainly::<true>();
    }

    /// Does the work of `send_new` where the window is full, as at most expiries of the pacing
    /// timer.
    pub(super) fn send_new_if_room(&mut self) {
        let conn = &self.conn;
        if conn.in_flight() >= conn.window.size || conn.next >= conn.peer_end() {
            self.send_nothing();
        } else if conn.paces_plainly() {
            self.send_paced();
        } else {
            self.send_new(false);
        }
    }

    #[inline]
    fn send_nothing(&mut self) {
        let conn = &mut self.conn;
        self.held_back |= conn.pace.holds(conn.now);
        if conn.in_flight() >= conn.window.size {
            conn.validate_window(true);
        }
        conn.watch_closed_window();
    }

    /// Sends new packets within the window, the receiver's window and pacing; a probe is one
    /// packet, regardless of the window.
    pub(super) fn send_new(&mut self, probe: bool) {
        let (mut sent, mut window_limits) = (0, false);
        while self.conn.has_new() {
            let conn = &self.conn;
            if conn.pace.holds(conn.now) {
                self.held_back = true;
                break;
            }
            if conn.in_flight() >= conn.window.size && !probe {
                break;
            }
            if conn.next >= conn.peer_end() || self.host_queue_is_full(1) {
                break;
            }
            let count = match self.next_burst(probe) {
                Burst::Now(count) => count,
                Burst::Later { limited } => {
                    window_limits = limited;
                    break;
                }
            };
            self.send_next(count, probe);
            sent += count;
            if probe {
                break;
            }
        }
        let conn = &mut self.conn;
        let limits = window_limits || conn.in_flight() >= conn.window.size;
        if sent > 0 || limits {
            conn.validate_window(limits);
        }
        if sent == 0 {
            if conn.has_new() {
                conn.watch_closed_window();
            }
            return;
        }
        if conn.is_reducing() {
            conn.window.reduced_sent += sent;
        }
        if !probe {
            conn.schedule_probe(false);
        }
    }

    /// Sends an empty packet, below the acknowledged one (RFC 9293 §3.8.6.1); packets without
    /// headers cannot be empty.
    pub(super) fn send_window_probe(&mut self) {
        let size = self.config.header;
        if self.conn.una == 0 || size == Bytes::ZERO {
            return;
        }
        self.ready.push_back(Segment {
            seq: self.conn.una - 1,
            payload: 0,
            size,
            stamp: self.time,
            retransmission: true,
            ecn: Ecn::NotEct,
            cwr: false,
            push: false,
        });
    }

    /// Sends this many packets at one time.
    #[inline]
    pub(super) fn send_next(&mut self, count: u32, probe: bool) {
        match count {
            1 => self.send_one(probe),
            _ => self.send_burst(count, probe),
        }
    }

    #[inline(always)]
    fn send_one(&mut self, probe: bool) {
        let seq = self.conn.next;
        let size = self.size_of(seq);
        let departs = self.depart(size.0, 1);
        self.leave(seq, size, false, departs);
        self.push_sent(seq, departs, probe);
    }

    #[inline(never)]
    fn send_burst(&mut self, count: u32, probe: bool) {
        let first = self.conn.next;
        let payload = (first..first + count).map(|seq| self.size_of(seq).0).sum();
        let departs = self.depart(payload, count);
        for seq in first..first + count {
            self.leave(seq, self.size_of(seq), false, departs);
            self.push_sent(seq, departs, probe);
        }
    }

    /// The packet is sent; the timer starts, unless the end of sending sets it for a probe anyway.
    #[inline(always)]
    fn push_sent(&mut self, seq: u32, departs: u64, probe: bool) {
        let conn = &mut self.conn;
        let first = conn.packets_out == 0;
        conn.note_sent(seq, departs / 1000);
        let awaits = first || conn.timer.pending == TimerPurpose::Probe;
        if awaits && (probe || !conn.probes()) {
            conn.rearm();
        }
    }

    /// Retransmits packets marked lost, from the lowest number on, within the window.
    pub(super) fn resend_lost(&mut self) {
        if self.conn.packets_out == 0 {
            return;
        }
        let mut restart = false;
        let mut seq = self.conn.first_lost.max(self.conn.una);
        while seq < self.conn.next {
            let conn = &mut self.conn;
            if conn.pace.holds(conn.now) {
                self.held_back = true;
                break;
            }
            if conn.in_flight() >= conn.window.size || conn.resent_out >= conn.lost_out {
                break;
            }
            let sent = conn.segments.get(seq);
            if sent.is(Marks::LOST) && !sent.is(Marks::SACKED) && !sent.is(Marks::RESENT) {
                if self.host_queue_is_full(2) {
                    break;
                }
                self.resend(seq);
                let conn = &mut self.conn;
                if conn.is_reducing() {
                    conn.window.reduced_sent += 1;
                }
                restart |= seq == conn.una && conn.timer.pending != TimerPurpose::Reordering;
            }
            seq += 1;
            self.conn.first_lost = seq;
        }
        if restart {
            let rto = self.conn.timer.rto;
            self.conn.arm(TimerPurpose::Retransmission, rto);
        }
    }

    /// Retransmits packet `seq`.
    pub(super) fn resend(&mut self, seq: u32) {
        self.resend_uncounted(seq);
        let conn = &mut self.conn;
        conn.segments.get_mut(seq).set(Marks::RESENT);
        conn.resent_out += 1;
        conn.count_resent();
    }

    /// Retransmits without counting the packet as outstanding: a probe.
    pub(super) fn resend_uncounted(&mut self, seq: u32) {
        let size = self.size_of(seq);
        let departs = self.depart(size.0, 1);
        self.leave(seq, size, true, departs);
        let conn = &mut self.conn;
        conn.total_resent += 1;
        let mut sent = *conn.segments.get(seq);
        sent.at = departs / 1000;
        conn.stamp_rate(&mut sent);
        sent.set(Marks::EVER_RESENT);
        *conn.segments.get_mut(seq) = sent;
        conn.note_flight(seq);
        if !sent.is(Marks::SACKED) {
            conn.segments.renew(seq);
        }
    }

    /// Hands a packet to the host's queue, to depart at this time.
    #[inline(always)]
    fn leave(&mut self, seq: u32, (payload, size): (u32, Bytes), again: bool, departs: u64) {
        let (ecn, cwr) = if self.conn.ecn.on && payload > 0 {
            self.codepoint(again)
        } else {
            (Ecn::NotEct, false)
        };
        self.counters.sent += 1;
        self.counters.retransmitted += u64::from(again);
        let segment = Segment {
            seq,
            payload,
            size,
            stamp: self.time,
            retransmission: again,
            ecn,
            cwr,
            push: self.pushes(seq, again),
        };
        if self.conn.pace.holder == Holder::Queue {
            self.queue(departs, segment);
        } else {
            self.ready.push_back(segment);
        }
    }

    /// The ECN field of a data packet, and CWR if it is due.
    fn codepoint(&mut self, again: bool) -> (Ecn, bool) {
        if again && !self.control.marks_all() {
            return (Ecn::NotEct, false);
        }
        let cwr = !again && std::mem::take(&mut self.conn.ecn.owes_cwr);
        (self.control.codepoint(), cwr)
    }

    /// Packets with this many bytes of data leave together; their departure time in nanoseconds.
    #[inline(always)]
    fn depart(&mut self, payload: u32, count: u32) -> u64 {
        if payload > 0 {
            if self.conn.in_flight() == 0 {
                self.control.on_start_of_flight(&mut self.conn);
            }
            self.conn.last_sent = self.conn.tick;
        }
        let conn = &mut self.conn;
        conn.pace.depart(conn.now, payload, count)
    }

    /// PSH is set at the end of the application's data, and in each half of the window offered by
    /// the answer to the SYN: an application that writes ahead writes its data then.
    #[inline]
    fn pushes(&mut self, seq: u32, again: bool) -> bool {
        let conn = &mut self.conn;
        let mut halves = seq == conn.next_half;
        if again {
            halves = seq > 0 && seq.is_multiple_of(conn.half_window);
        } else if halves {
            conn.next_half = seq.saturating_add(conn.half_window);
        }
        halves || self.transfers.ends_at(seq + 1)
    }

    /// Puts a packet on the wire, or into the host's queue until its time.
    fn queue(&mut self, departs: u64, segment: Segment) {
        let at = Time::ZERO + Span::from_ns(departs);
        if at <= self.time {
            self.ready.push_back(segment);
            return;
        }
        let segment = Segment {
            stamp: at,
            ..segment
        };
        self.queued.push_back(Departing { at, segment });
    }

    /// TCP small queues: the host's queue holds about a millisecond's worth of packets, twice that
    /// for retransmissions, and at least two.
    #[inline]
    fn host_queue_is_full(&mut self, factor: u64) -> bool {
        if self.queued.len() < 2 || self.conn.packets_out < 2 {
            return false;
        }
        let held = self.queued.len() as u64 * PACKET_MEMORY;
        let most = (self.conn.pace.rate() >> 10).max(2 * PACKET_MEMORY);
        self.throttled = held >= factor * most;
        self.throttled
    }
}

impl Connection {
    /// Notes that new packet `seq` departs at this time.
    #[inline(always)]
    fn note_sent(&mut self, seq: u32, departs: Micros) {
        let mut sent = Sent::now(departs);
        self.stamp_rate(&mut sent);
        self.segments.push(sent);
        self.note_flight(seq);
        self.next += 1;
        self.packets_out += 1;
    }

    /// True if more data wait for ACKs of packets in the network, as at most expiries of the pacing
    /// timer; the window is validated then.
    #[inline(always)]
    pub(super) fn validates_full_window(&mut self) -> bool {
        let is_full = self.in_flight() >= self.window.size;
        let waits = (is_full || self.next >= self.peer_end()) && self.lost_out <= self.resent_out;
        let is_usual = !self.restarts_after_idle && !self.is_thorough();
        let waits = waits && is_usual && self.packets_out > 0 && self.has_new();
        if waits && is_full {
            self.validate_window(true);
        }
        waits
    }

    /// True if packets leave at once and one by one, behind others that were all sent once.
    #[inline]
    fn sends_plainly(&self) -> bool {
        self.pace.holder == Holder::Nobody && self.is_calm()
    }

    /// True if the sender itself paces packets one by one, behind others that were all sent once.
    #[inline]
    fn paces_plainly(&self) -> bool {
        self.pace.holder == Holder::Sender && self.is_calm()
    }

    /// True if packets leave one by one, behind others that were all sent once.
    #[inline]
    fn is_calm(&self) -> bool {
        let calm = self.state == State::Open && self.packets_out > 0 && self.sack;
        let odd = self.sacked_out | self.lost_out | self.resent_out;
        calm && odd == 0 && !self.bursts && !self.is_thorough()
    }
}
