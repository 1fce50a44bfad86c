//! When Linux's receiver acknowledges: at once while its window grows, pairs after, later where much is out of
//! order; and what it echoes of marks.

use pacesim_units::{Span, Time};

use super::Receiver;
use crate::config::{AckRule, Config, EcnEcho};
use crate::packet::{Ack, Block, SackBlocks};

/// A data packet as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// Its number.
    pub seq: u32,
    /// When it was sent.
    pub stamp: Time,
    /// Bytes of user data in it.
    pub payload: u32,
    /// True if it met congestion (CE).
    pub marked: bool,
    /// True if the sender says that it has reduced its window (CWR).
    pub cwr: bool,
    /// True if it ends the data that the application gave (PSH).
    pub push: bool,
}

impl Arrival {
    /// A packet without marks or flags.
    pub fn new(seq: u32, stamp: Time, payload: u32) -> Arrival {
        Arrival {
            seq,
            stamp,
            payload,
            marked: false,
            cwr: false,
            push: false,
        }
    }
}

/// The most ACKs in a row that are sent at once.
const MOST_QUICK: u32 = 16;
/// Those after the first mark.
const QUICK_AFTER_MARK: u32 = 2;
const DELAY: Span = Span::from_ms(40);
/// Duplicates that are sent at once; later ones may wait this long, or a twentieth of a round trip.
const PROMPT_DUPLICATES: u32 = 3;
const COMPRESSION: Span = Span::from_ms(1);
/// The timer of such ACKs may be later by so much, and is where no other wakes the host.
const SLACK: Span = Span::from_us(100);
const MOST_COMPRESSED: u32 = 44;
/// The receive buffer: first and greatest, and the memory that a packet takes in it.
const FIRST_BUFFER: u64 = 131_072;
const GREATEST_BUFFER: u64 = 6_291_456;
const PACKET_MEMORY: u64 = 2304;
/// Packets of a first window.
const FIRST_WINDOW: u64 = 10;

/// Timing of ACKs as Linux's receiver has it.
#[derive(Debug)]
pub(super) struct LinuxAcks {
    /// ACKs still to be sent at once.
    quick: u32,
    rule: AckRule,
    /// When the ACK was put off that is due.
    waits_since: Time,
    buffer: Buffer,
    mss: u64,
    /// Bytes that no ACK has told of.
    unacknowledged: u64,
    started: bool,
    last_arrival: Time,
    duplicates: u32,
    compressed: u32,
    echo: Echo,
}

/// The receive buffer, which grows with what arrives in a round trip.
#[derive(Debug)]
struct Buffer {
    size: u64,
    clamp: u64,
    /// The window that is offered at most.
    offered: u64,
    round_start: Time,
    round_bytes: u64,
    /// Bytes of the last round.
    space: u64,
    /// The round trip as time-stamps of a millisecond tell it, in eighths; 0: none yet.
    rtt8_us: u64,
    opened: Time,
    /// The way back, as the first data showed it, and the stamp that a round trip was last taken of.
    back_us: u64,
    last_stamp: u64,
}

/// The echo of marks.
#[derive(Clone, Copy, Debug)]
struct Echo {
    rule: EcnEcho,
    /// ACKs carry ECE.
    on: bool,
    /// Something came marked or not for the first time.
    seen: bool,
}

fn micros(time: Time) -> u64 {
    time.as_ps() / 1_000_000
}

impl LinuxAcks {
    pub(super) fn new(config: &Config) -> LinuxAcks {
        let mss = config.payload.get();
        LinuxAcks {
            quick: 0,
            rule: config.linux.acks,
            waits_since: Time::ZERO,
            buffer: Buffer::new(mss),
            mss,
            unacknowledged: 0,
            started: false,
            last_arrival: Time::ZERO,
            duplicates: 0,
            compressed: 0,
            echo: Echo {
                rule: config.linux.echo,
                on: false,
                seen: false,
            },
        }
    }

    fn be_quick(&mut self, most: u32) {
        let window = (self.buffer.offered / (2 * self.mss)).max(2);
        self.quick = self.quick.max(most.min(window as u32));
    }

    /// Data in order: the first start the quick ACKs, as does a long silence.
    fn note_data(&mut self, now: Time, stamp: Time, payload: u64, held: u64) {
        let silence = now.saturating_since(self.last_arrival);
        if !self.started || silence > Span::from_secs(1) {
            self.be_quick(MOST_QUICK);
        }
        if !self.started {
            self.buffer.begin(now, stamp);
        }
        self.buffer.measure(now, stamp);
        self.started = true;
        self.last_arrival = now;
        if self.buffer.grow(payload, self.mss, held) {
            self.quick |= 1;
        }
        self.unacknowledged += payload;
    }

    pub(super) fn waits_since(&self) -> Time {
        self.waits_since
    }

    fn sent(&mut self) {
        self.quick = self.quick.saturating_sub(1);
        self.unacknowledged = 0;
        self.compressed = 0;
    }

    fn is_quick(&self) -> bool {
        match self.rule {
            AckRule::EveryPacket => true,
            AckRule::Linux => self.quick > 0,
            AckRule::Pairs => false,
        }
    }
}

impl Buffer {
    fn new(mss: u64) -> Buffer {
        // Half of the buffer is offered until a packet shows what it takes.
        let window = FIRST_BUFFER / 2 / mss * mss;
        Buffer {
            size: FIRST_BUFFER,
            clamp: FIRST_BUFFER / 2,
            offered: window,
            round_start: Time::ZERO,
            round_bytes: 0,
            space: window.min(FIRST_WINDOW * mss),
            rtt8_us: 0,
            opened: Time::ZERO,
            back_us: 0,
            last_stamp: u64::MAX,
        }
    }

    /// The part of memory that holds user data.
    fn window(memory: u64, mss: u64) -> u64 {
        let ratio = (mss << 8) / PACKET_MEMORY;
        (memory * ratio.clamp(1, 255)) >> 8
    }

    /// The first data: what the SYN's answer took back to the sender is known by their stamp.
    fn begin(&mut self, now: Time, stamp: Time) {
        self.back_us = micros(stamp).saturating_sub(micros(self.opened));
        self.round_start = now;
    }

    /// The round trip that ends with this packet, by the clock of time-stamps: since the acknowledgement left
    /// that let the packet leave.
    fn measure(&mut self, now: Time, stamp: Time) {
        let echo = micros(stamp).saturating_sub(self.back_us) / 1000;
        if echo == self.last_stamp {
            return;
        }
        self.last_stamp = echo;
        let sample = (micros(now) / 1000).saturating_sub(echo) * 1000;
        match self.rtt8_us {
            0 => self.rtt8_us = 8 * sample,
            old if 8 * sample < old => self.rtt8_us = 8 * sample,
            old => self.rtt8_us = old - old / 8 + sample,
        }
    }

    /// Offers more, as long as there is room beside so many packets that it holds.
    fn grow(&mut self, payload: u64, mss: u64, held: u64) -> bool {
        self.clamp = self.clamp.max(Buffer::window(self.size, mss));
        let free = Buffer::window(self.size.saturating_sub(held * PACKET_MEMORY), mss);
        let room = self.clamp.min(free).saturating_sub(self.offered);
        self.offered += room.min(2 * payload.max(mss));
        room > 0
    }

    /// The application has read: once a round trip the buffer is fitted to what came in it.
    fn read(&mut self, now: Time, payload: u64, mss: u64) {
        self.round_bytes += payload;
        let round = now.saturating_since(self.round_start);
        if self.rtt8_us == 0 || round < Span::from_us(self.rtt8_us / 8) {
            return;
        }
        let copied = self.round_bytes;
        if copied > self.space {
            let mut window = 2 * copied + 16 * mss;
            window += 2 * (window * (copied - self.space) / self.space);
            let ratio = ((mss << 8) / PACKET_MEMORY).clamp(1, 255);
            let size = ((window << 8) / ratio).min(GREATEST_BUFFER);
            if size > self.size {
                self.size = size;
                self.clamp = Buffer::window(size, mss);
            }
            self.space = copied;
        }
        self.round_bytes = 0;
        self.round_start = now;
    }
}

impl Receiver {
    /// A data packet arrived, with all that is said of it. As [`on_data`](Self::on_data) but in Linux's profile,
    /// whose receiver tells marks and PSH apart.
    pub fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Option<Ack> {
        if self.linux.is_none() {
            return self.on_data(now, arrival.seq, arrival.stamp);
        }
        let changed = self.note_mark(arrival);
        // DCTCP: what waits is acknowledged with the state of before (RFC 8257 §3.2).
        let waits = self
            .linux
            .as_ref()
            .is_some_and(|acks| acks.unacknowledged > 0);
        let old = (changed && waits).then(|| {
            let ack = self.acknowledge_linux(None);
            Ack {
                ece: !ack.ece,
                ..ack
            }
        });
        let new = self.take_linux(now, arrival, changed);
        match (old, new) {
            (Some(old), Some(_)) => {
                self.delayed_until = now;
                if let Some(acks) = &mut self.linux {
                    acks.waits_since = now;
                }
                Some(old)
            }
            (Some(old), None) => Some(old),
            (None, new) => new,
        }
    }

    fn take_linux(&mut self, now: Time, arrival: &Arrival, at_once: bool) -> Option<Ack> {
        let before = self.next;
        let had_hole = !self.early.is_empty();
        self.keep_stamp(arrival.seq, arrival.stamp);
        let known = self.early.contains(arrival.seq);
        self.take(arrival.seq);
        let payload = u64::from(arrival.payload);
        let held = u64::from(self.early.len()) + 1;
        let acks = self.linux.as_mut()?;
        if arrival.seq == 0 && payload == 0 {
            acks.buffer.opened = now;
            return Some(self.acknowledge_linux(None));
        }
        if arrival.seq < before || known {
            acks.be_quick(MOST_QUICK);
            let twice = Block {
                start: arrival.seq,
                end: arrival.seq + 1,
            };
            return Some(self.acknowledge_linux(Some(twice)));
        }
        if arrival.seq != before {
            if acks.buffer.grow(payload, acks.mss, held - 2) {
                acks.quick |= 1;
            }
            return self.answer_early(now);
        }
        acks.note_data(now, arrival.stamp, payload, held);
        acks.duplicates = 0;
        let full = acks.unacknowledged > acks.mss;
        let filled = had_hole && self.early.is_empty();
        let pushed = arrival.push && acks.rule == AckRule::Linux;
        let quick = acks.is_quick() || full || pushed || arrival.cwr || at_once || filled;
        acks.buffer.read(now, payload, acks.mss);
        if quick || self.next >= self.end {
            return Some(self.acknowledge_linux(None));
        }
        if had_hole {
            return self.answer_early(now);
        }
        acks.waits_since = now;
        if self.delayed_until == Time::NEVER {
            self.delayed_until = now.saturating_add(DELAY);
        }
        None
    }

    /// Packets are missing below this one: the first ACKs go at once, others are compressed.
    fn answer_early(&mut self, now: Time) -> Option<Ack> {
        let sacks = self.max_sack_blocks > 0;
        let acks = self.linux.as_mut()?;
        if acks.is_quick() || !sacks || acks.compressed >= MOST_COMPRESSED {
            return Some(self.acknowledge_linux(None));
        }
        if acks.duplicates < PROMPT_DUPLICATES {
            acks.duplicates += 1;
            return Some(self.acknowledge_linux(None));
        }
        acks.compressed += 1;
        if acks.compressed == 1 {
            let part = Span::from_us(acks.buffer.rtt8_us / 8 / 20);
            let wait = COMPRESSION.min(part) + SLACK;
            self.delayed_until = self.delayed_until.min(now.saturating_add(wait));
        }
        None
    }

    /// RFC 3168 §6.1.3, or DCTCP's exact echo; true if DCTCP's state changes.
    fn note_mark(&mut self, arrival: &Arrival) -> bool {
        let Some(acks) = &mut self.linux else {
            return false;
        };
        let before = acks.echo.on;
        match acks.echo.rule {
            EcnEcho::Exact => acks.echo.on = arrival.marked,
            EcnEcho::UntilCwr => {
                if arrival.cwr {
                    acks.echo.on = false;
                }
                if arrival.marked && !acks.echo.on {
                    acks.be_quick(QUICK_AFTER_MARK);
                    acks.echo.on = true;
                }
            }
        }
        let exact = acks.echo.rule == EcnEcho::Exact;
        let changed = exact && acks.echo.seen && before != acks.echo.on;
        acks.echo.seen = true;
        changed
    }

    /// An ACK now, which reports a packet that came twice.
    pub(super) fn acknowledge_linux(&mut self, twice: Option<Block>) -> Ack {
        let mut ack = self.acknowledge();
        if let Some(acks) = &mut self.linux {
            acks.sent();
            ack.ece = acks.echo.on;
        }
        if let Some(twice) = twice
            && self.max_sack_blocks > 0
        {
            let mut blocks = vec_of(twice, &ack.sacks);
            blocks.truncate(usize::from(self.max_sack_blocks));
            ack.sacks = SackBlocks::new(&blocks);
        }
        ack
    }
}

/// RFC 2883 §4: the report goes first.
fn vec_of(twice: Block, others: &[Block]) -> Vec<Block> {
    std::iter::once(twice)
        .chain(others.iter().copied())
        .collect()
}
