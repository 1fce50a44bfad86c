//! Linux's receiver: the times of its ACKs (at once while its window grows, pairs after, later
//! where much is out of order), and their contents. The steps of a packet are in the kernel's
//! order, since each reads results of the one before.

mod arrival;
mod blocks;
mod buffer;
mod delay;
mod echo;
mod round_trip;

use pacesim_tcp_linux::Ticks;
use pacesim_units::{Bytes, Span, Time};

use super::Receiver;
use crate::config::{AckRule, Config};
use crate::packet::{Ack, SackBlocks};
pub use arrival::Arrival;
use blocks::Blocks;
use buffer::Buffer;
use delay::{AckTiming, Delay};
use echo::{Change, Echo};
use round_trip::RoundTrip;

type Micros = u64;

/// The most consecutive ACKs that are sent at once.
const MOST_QUICK: u32 = 16;
/// Number of ACKs sent at once after the first mark.
const QUICK_AFTER_MARK: u32 = 2;
/// The most by which timestamps may be out of order, in milliseconds (RFC 7323 §5).
const OLDER_STAMP: u64 = 1;

/// The state of Linux's receiver, except the received packets.
#[derive(Debug)]
pub(super) struct LinuxAcks {
    rule: AckRule,
    has_stamps: bool,
    buffer: Buffer,
    round_trip: RoundTrip,
    delay: Delay,
    blocks: Blocks,
    echo: Echo,
}

fn micros(time: Time) -> Micros {
    time.as_ps() / 1_000_000
}

impl LinuxAcks {
    /// `phase`: the lead of the clock over time zero, as at the sender.
    pub(super) fn new(config: &Config, phase: Span) -> LinuxAcks {
        let mut round_trip = RoundTrip::default();
        if config.linux.hz.is_some() {
            round_trip.phase = phase.as_ps() / 1_000_000;
        }
        LinuxAcks {
            rule: config.linux.acks,
            has_stamps: config.linux.stamps,
            buffer: Buffer::new(config),
            round_trip,
            delay: Delay::new(Ticks::new(config.linux.hz, phase)),
            blocks: Blocks::default(),
            echo: Echo::new(config),
        }
    }

    pub(super) fn timer_armed(&self) -> Time {
        self.delay.armed()
    }

    fn is_quick(&self) -> bool {
        match self.rule {
            AckRule::EveryPacket => true,
            AckRule::Linux => self.delay.quick > 0,
            AckRule::Pairs => false,
        }
    }

    fn hurry(&mut self, most: u32) {
        self.delay.hurry(most, self.buffer.half_window());
    }

    #[inline]
    fn note_mark(&mut self, arrival: &Arrival) -> Change {
        let change = self.echo.note(arrival);
        match change {
            Change::Nothing => {}
            Change::Hurry => {
                self.hurry(QUICK_AFTER_MARK);
                self.delay.reset_wait();
            }
            Change::Turn => self.delay.at_once = true,
        }
        change
    }

    fn grow(&mut self, payload: u32, held: u32) {
        if self.buffer.grow(payload, held) {
            self.delay.quick |= 1;
        }
    }

    /// True if the packet's timestamp is older than one that was acknowledged (PAWS, RFC 7323 §5).
    fn is_outdated(&self, stamp: Time, recent: Time) -> bool {
        let millis = |time: Time| (micros(time) + self.round_trip.phase) / 1000;
        stamp < recent && self.has_stamps && millis(stamp) + OLDER_STAMP < millis(recent)
    }

    /// True if an ACK is due whose window is no less than the last; otherwise it waits until the
    /// application reads.
    fn owes_ack(&mut self, held: u32) -> bool {
        if !self.buffer.owes_ack() {
            return false;
        }
        let (may_tell, short) = self.buffer.may_tell(held);
        if short {
            self.delay.quick = 0;
        }
        may_tell
    }

    /// Takes the data of the next packet in order.
    #[inline(always)]
    fn take_next(&mut self, now: Time, arrival: &Arrival) {
        self.buffer.take(i64::from(arrival.payload));
        self.delay.scheduled = true;
        self.delay.pushed |= self.buffer.measure(arrival.payload, arrival.push);
        let (received, window) = (self.buffer.received(), self.buffer.window());
        self.round_trip.measure_window(now, received, window);
        if self.delay.note_data(now) {
            self.hurry(MOST_QUICK);
        }
    }

    /// True if an ACK must leave now, beside `held` packets.
    #[inline(always)]
    fn must_answer(&mut self, held: u32) -> bool {
        self.owes_ack(held) || self.is_quick() || self.delay.at_once
    }

    /// The contents of an ACK that leaves beside `held` packets.
    #[inline(always)]
    fn answer(&mut self, now: Time, held: u32, most_blocks: usize) -> Answer {
        if self.buffer.tell(held) {
            self.delay.quick = 0;
        }
        self.delay.sent();
        if self.has_stamps {
            self.round_trip.note_ack(now);
        }
        let sacks = self.blocks.told(most_blocks);
        self.blocks.forget_report();
        Answer {
            sacks,
            ece: self.echo.on,
            marked: self.echo.counted(),
        }
    }

    fn open(&mut self, established: Micros, round_trip: Option<Micros>) {
        self.buffer.open(established);
        self.delay.open(established, round_trip);
    }

    fn measure(&mut self, now: Time, arrival: &Arrival) {
        if let Some(round_trip) = self.round_trip.establish(now, arrival) {
            let waited = round_trip.map_or(0, |trip| self.round_trip.since_opened(now) - trip);
            self.open(micros(now) - waited, round_trip);
        }
        if self.has_stamps {
            let is_full = self.buffer.is_full(arrival.payload);
            self.round_trip.measure(now, arrival, is_full);
        }
    }
}

impl Receiver {
    /// A data packet arrived, with all its fields: [`on_data`](Self::on_data) for Linux's profile,
    /// whose receiver distinguishes marks and PSH.
    pub fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        if self.linux.is_none() {
            return self.on_data(now, arrival.seq, arrival.stamp);
        }
        let ack = self.take_segment(now, arrival);
        if let Some(acks) = &self.linux
            && !self.owes_second
        {
            self.delayed_until = acks.delay.next(now);
        }
        ack
    }

    fn take_segment(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        let next = self.next;
        let acks = self.linux.as_mut()?;
        acks.round_trip.read_clock(now);
        if arrival.seq == 0 && arrival.payload == 0 {
            self.keep_stamp(0, arrival.stamp);
            self.take(0);
            return Some(self.open_linux(now, arrival.stamp));
        }
        let asks = arrival.payload == 0 && arrival.seq < next;
        if arrival.seq + 1 < self.acked || asks || acks.is_outdated(arrival.stamp, self.stamp) {
            self.duplicates += 1;
            return Some(self.answer_old(now, arrival));
        }
        if arrival.cwr {
            acks.echo.take_answer();
            acks.delay.at_once = true;
        }
        acks.measure(now, arrival);
        acks.blocks.forget_report();
        self.keep_stamp(arrival.seq, arrival.stamp);
        if arrival.seq < next {
            self.duplicates += 1;
            let acks = self.linux.as_mut()?;
            acks.blocks.report(arrival.seq);
            acks.hurry(MOST_QUICK);
            acks.delay.reset_wait();
            acks.delay.scheduled = true;
            return self.answer(now, 0);
        }
        if arrival.seq == next {
            self.take_in_order(now, arrival)
        } else {
            self.take_out_of_order(now, arrival)
        }
    }

    /// The packet that ends the handshake arrived: a bare ACK, or data if that is lost. Without
    /// this call its time is derived from the first data.
    pub fn on_established(&mut self, now: Time, arrival: &Arrival) {
        if let Some(acks) = &mut self.linux
            && let Some(round_trip) = acks.round_trip.establish(now, arrival)
        {
            let known = round_trip.map(|_| acks.round_trip.since_opened(now));
            acks.open(micros(now), known);
        }
    }

    /// The window advertised by the last ACK, in Linux's profile.
    pub fn offered(&self) -> Option<Bytes> {
        let acks = self.linux.as_ref()?;
        Some(Bytes(acks.buffer.window()))
    }

    /// Opens the connection at the SYN, or at another time.
    fn open_linux(&mut self, now: Time, sent: Time) -> Ack {
        let acks = self.linux.as_mut().expect("Linux's profile");
        acks.round_trip.open(now, sent);
        self.acknowledge()
    }

    /// Answers at once, and discards, a packet below the acknowledged one, one without data (a
    /// window probe), or one with a timestamp too old.
    fn answer_old(&mut self, now: Time, arrival: &Arrival) -> Ack {
        let next = self.next;
        let acks = self.linux.as_mut().expect("Linux's profile");
        if arrival.seq < next && arrival.payload > 0 {
            acks.hurry(MOST_QUICK);
            acks.delay.reset_wait();
            acks.blocks.report(arrival.seq);
        }
        self.acknowledge_linux(now, 0)
    }

    /// Takes the next packet while none is missing: the steps of
    /// [`take_beside_gaps`](Self::take_beside_gaps) that remain then.
    #[inline(always)]
    fn take_in_order(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        if !self.early.is_empty() {
            return self.take_beside_gaps(now, arrival);
        }
        let acks = self.linux.as_mut()?;
        let waited = acks.delay.is_waiting();
        acks.take_next(now, arrival);
        let turned = acks.note_mark(arrival) == Change::Turn && waited;
        acks.grow(arrival.payload, 1);
        self.next += 1;
        if turned {
            return Some(self.acknowledge_turn(now, self.next - 1));
        }
        let ends = self.next >= self.end;
        if !(acks.must_answer(1) || ends || acks.delay.put_off(now) == AckTiming::Send) {
            acks.buffer.read(now, acks.round_trip.eighths, 0);
            return self.answer_reader(now);
        }
        let answer = acks.answer(now, 1, usize::from(self.max_sack_blocks));
        acks.buffer.read(now, acks.round_trip.eighths, 0);
        self.acked = self.next;
        self.delayed_until = Time::NEVER;
        let ack = answer.ack(self.next, self.stamp);
        if acks.buffer.has_opened(0) {
            self.acknowledge_linux(now, 0);
        }
        Some(ack)
    }

    #[inline(never)]
    fn take_beside_gaps(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        let waited = self.linux.as_ref()?.delay.is_waiting();
        let (before, acked_before) = (self.early.len(), self.next);
        let acks = self.linux.as_mut()?;
        acks.take_next(now, arrival);
        let turned = acks.note_mark(arrival) == Change::Turn && waited;
        acks.grow(arrival.payload, before + 1);
        self.next += 1;
        if before > 0 {
            self.close_hole();
        }
        let filled = before - self.early.len();
        let acks = self.linux.as_mut()?;
        if before > 0 {
            acks.buffer.take_early(filled);
            acks.blocks.acknowledge(self.next);
            acks.delay.at_once |= self.early.is_empty();
        }
        if turned {
            return Some(self.acknowledge_turn(now, acked_before));
        }
        let ack = self
            .is_ack_due(now, 1 + filled)
            .then(|| self.acknowledge_linux(now, 1 + filled));
        let acks = self.linux.as_mut()?;
        acks.buffer.read(now, acks.round_trip.eighths, filled);
        if ack.is_none() {
            return self.answer_reader(now);
        }
        self.note_reader(now);
        ack
    }

    fn take_out_of_order(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        let held = self.early.len();
        self.early.remove_below(self.next);
        let is_new = self.early.insert(arrival.seq, arrival.seq + 1) > 0;
        self.duplicates += u64::from(!is_new);
        let has_blocks = self.max_sack_blocks > 0;
        let acks = self.linux.as_mut()?;
        acks.note_mark(arrival);
        acks.delay.pushed |= acks.buffer.measure(arrival.payload, arrival.push);
        acks.delay.scheduled = true;
        if !is_new {
            acks.blocks.report(arrival.seq);
        }
        let mut early_ack = None;
        if held == 0 {
            acks.blocks.begin(arrival.seq);
        } else {
            let acks = self.linux.as_ref()?;
            if acks.delay.is_compressing() && acks.blocks.crowds(arrival.seq) {
                early_ack = Some(self.acknowledge_linux(now, 0));
            }
            self.linux.as_mut()?.blocks.add(arrival.seq);
        }
        if is_new && has_blocks {
            self.linux.as_mut()?.grow(arrival.payload, held);
        }
        early_ack.or_else(|| self.answer(now, 0))
    }

    /// An ACK now, or once another packet or a timer asks for it. The application has `unread`
    /// packets still to read.
    fn answer(&mut self, now: Time, unread: u32) -> Option<Ack> {
        let due = self.is_ack_due(now, unread);
        due.then(|| self.acknowledge_linux(now, unread))
    }

    /// True if an ACK must leave now; otherwise a timer is set.
    #[inline]
    fn is_ack_due(&mut self, now: Time, unread: u32) -> bool {
        let (held, has_blocks) = (self.early.len(), self.max_sack_blocks > 0);
        let (next, ends) = (self.next, self.next >= self.end);
        let Some(acks) = self.linux.as_mut() else {
            return false;
        };
        let verdict = if acks.must_answer(held + unread) || ends {
            AckTiming::Send
        } else if held == 0 {
            acks.delay.put_off(now)
        } else if !has_blocks {
            AckTiming::Send
        } else {
            acks.delay.compress(now, next, acks.round_trip.eighths)
        };
        verdict == AckTiming::Send
    }

    /// The application has read all data in order: an ACK if one is due, as for a pushed packet, or
    /// if reading opened the window.
    fn answer_reader(&mut self, now: Time) -> Option<Ack> {
        let held = self.early.len();
        let acks = self.linux.as_ref()?;
        let pushed = acks.rule == AckRule::Linux && acks.delay.pushed && held == 0;
        let waits = acks.delay.scheduled && (pushed || acks.buffer.owes_ack());
        (waits || acks.buffer.has_opened(held)).then(|| self.acknowledge_linux(now, 0))
    }

    /// An ACK has left before the application read. If reading opened the window, a window update
    /// follows. Senders here do not need it: it is counted, not sent.
    fn note_reader(&mut self, now: Time) {
        let held = self.early.len();
        if self
            .linux
            .as_ref()
            .is_some_and(|acks| acks.buffer.has_opened(held))
        {
            self.acknowledge_linux(now, 0);
        }
    }

    /// DCTCP: waiting packets are acknowledged with the former state, then the packet with its own
    /// (RFC 8257 §3.2).
    fn acknowledge_turn(&mut self, now: Time, next: u32) -> Ack {
        let acks = self.linux.as_mut().expect("Linux's profile");
        acks.delay.at_once = true;
        acks.delay.ask_again(now);
        self.owes_second = true;
        self.delayed_until = now;
        Ack {
            next,
            stamp: self.stamp,
            sacks: acks.blocks.told(usize::from(self.max_sack_blocks)),
            ece: !acks.echo.on,
            marked: None,
        }
    }

    /// Handles the timer of Linux's receiver.
    pub(super) fn on_linux_timer(&mut self, now: Time) -> Option<Ack> {
        let owes = std::mem::take(&mut self.owes_second);
        let acks = self.linux.as_mut()?;
        if !acks.delay.ends_compression(now) {
            acks.round_trip.read_clock(now);
        }
        let due = acks.delay.end_timers(now);
        let ack = (owes || due).then(|| self.acknowledge_linux(now, 0));
        self.delayed_until = self.linux.as_ref()?.delay.next(now);
        ack
    }

    /// An ACK now, while the application has `unread` packets still to read.
    fn acknowledge_linux(&mut self, now: Time, unread: u32) -> Ack {
        let held = self.early.len() + unread;
        let acks = self.linux.as_mut().expect("Linux's profile");
        let answer = acks.answer(now, held, usize::from(self.max_sack_blocks));
        self.acked = self.next;
        self.delayed_until = Time::NEVER;
        answer.ack(self.next, self.stamp)
    }
}

/// The contents of an ACK except its number and its echo.
struct Answer {
    sacks: SackBlocks,
    ece: bool,
    marked: Option<u32>,
}

impl Answer {
    #[inline(always)]
    fn ack(self, next: u32, stamp: Time) -> Ack {
        Ack {
            next,
            stamp,
            sacks: self.sacks,
            ece: self.ece,
            marked: self.marked,
        }
    }
}
