//! The receive buffer: the window that it lets the receiver offer, and its growth with what arrives in a round trip.
//!
//! A packet takes more memory than it has data; the window is the part of the memory that data can have.

use pacesim_units::Time;

use super::{Micros, micros};
use crate::config::Config;

/// The first and the greatest memory (tcp_rmem).
const FIRST: i64 = 131_072;
const GREATEST: i64 = 6_291_456;
/// Packets of a first window.
const FIRST_WINDOW: i64 = 10;
/// Windows are offered in steps of 2^7 bytes: the scale that the greatest buffer needs.
const STEP: i64 = 1 << 7;
/// The least payload by which the window grows.
const LEAST_PAYLOAD: i64 = 128;
/// The size that a packet is taken to have until one has come, and of packets too small to tell anything.
const DEFAULT_SEGMENT: i64 = 536;
const LEAST_SEGMENT: i64 = 88;
const TCP_HEADER: i64 = 20;

/// Up to a whole step.
fn in_steps(window: i64) -> i64 {
    (window + STEP - 1) / STEP * STEP
}

/// The memory of a packet: what allocators give, in powers of two, and its descriptor.
fn memory_of(payload: i64, header: i64) -> i64 {
    const OVERHEAD: i64 = 384;
    const DESCRIPTOR: i64 = 256;
    let size = (payload + header + OVERHEAD) as u64;
    size.next_power_of_two() as i64 + DESCRIPTOR
}

/// All in bytes, of memory or of data.
#[derive(Debug)]
pub(super) struct Buffer {
    memory: i64,
    /// Memory does not grow: the application has chosen it.
    is_fixed: bool,
    /// The part of memory that data can have, in 256ths.
    ratio: i64,
    /// The most that may be offered, and what is.
    clamp: i64,
    threshold: i64,
    /// The window told of by the last ACK, and the data in order then.
    window: i64,
    told: i64,
    /// Data in order.
    received: i64,
    /// The size of full packets as seen, and that of the last small one.
    segment: i64,
    last_small: i64,
    mss: i64,
    header: i64,
    /// The memory of a full packet.
    full: i64,
    /// The greatest part read in a round trip; what had been read when the last one began, and when that was.
    space: i64,
    read_before: i64,
    since: Micros,
}

impl Buffer {
    pub(super) fn new(config: &Config) -> Buffer {
        let mss = config.payload.get() as i64;
        let memory = config.linux.receive_buffer.map(|bytes| bytes.get() as i64);
        let size = memory.unwrap_or(FIRST);
        // Half of the memory is offered, in whole packets, until a packet shows what it takes.
        let window = (size / 2 / mss * mss).max(mss);
        let clamp = (size / 2 - mss).max(mss);
        let header = config.header.get() as i64;
        Buffer {
            memory: size,
            is_fixed: memory.is_some(),
            ratio: 128,
            clamp,
            threshold: window.min(clamp),
            window,
            told: 0,
            received: 0,
            segment: mss.min(DEFAULT_SEGMENT),
            last_small: 0,
            mss,
            header,
            full: memory_of(mss, header),
            space: window.min(clamp).min(FIRST_WINDOW * mss),
            read_before: 0,
            since: 0,
        }
    }

    fn memory_of(&self, payload: i64) -> i64 {
        memory_of(payload, self.header)
    }

    fn data_in(&self, memory: i64) -> i64 {
        (memory * self.ratio) >> 8
    }

    /// The window that is free beside so many packets.
    #[inline]
    fn free(&self, held: u32) -> i64 {
        self.data_in(self.memory - i64::from(held) * self.full)
    }

    pub(super) fn received(&self) -> u64 {
        self.received as u64
    }

    pub(super) fn window(&self) -> u64 {
        self.window as u64
    }

    /// Full packets of half a window, for a start of quick ACKs.
    pub(super) fn half_window(&self) -> u32 {
        (self.window / (2 * self.segment)).max(0) as u32
    }

    /// True if this is no less than a full packet as seen.
    pub(super) fn is_full(&self, payload: u32) -> bool {
        i64::from(payload) >= self.segment
    }

    /// True if more than a full packet waits for its ACK.
    #[inline]
    pub(super) fn owes_ack(&self) -> bool {
        self.received - self.told > self.segment
    }

    /// Data are in order now.
    pub(super) fn take(&mut self, payload: i64) {
        self.received += payload;
    }

    /// Packets that had come early are in order now; their sizes are taken as full.
    pub(super) fn take_early(&mut self, packets: u32) {
        self.received += i64::from(packets) * self.mss;
    }

    /// Learns the size of packets; true if the application waits for this one's ACK: it is pushed, or the end of a write.
    #[inline]
    pub(super) fn measure(&mut self, payload: u32, push: bool) -> bool {
        let payload = i64::from(payload);
        let last = std::mem::take(&mut self.last_small);
        if payload >= self.segment {
            if payload != self.segment {
                self.learn_ratio(payload);
                self.segment = payload.min(self.mss);
            }
            return push;
        }
        let is_sizeable = payload + 32 >= DEFAULT_SEGMENT + TCP_HEADER;
        if is_sizeable || (payload + 32 >= LEAST_SEGMENT + TCP_HEADER && !push) {
            self.last_small = payload;
            if payload == last {
                self.segment = payload;
                return false;
            }
        }
        true
    }

    fn learn_ratio(&mut self, payload: i64) {
        let ratio = ((payload << 8) / self.memory_of(payload)).max(1);
        if ratio != self.ratio {
            self.ratio = ratio;
            self.clamp = self.data_in(self.memory);
            self.space = self.space.min(self.clamp);
        }
    }

    /// Offers more, as long as there is room beside so many packets that it holds.
    #[inline]
    pub(super) fn grow(&mut self, payload: u32, held: u32) -> bool {
        let payload = i64::from(payload);
        let room = self.clamp.min(self.free(held)) - self.threshold;
        if room <= 0 || payload < LEAST_PAYLOAD {
            return false;
        }
        let step = match self.data_in(self.memory_of(payload)) <= payload {
            true => 2 * self.mss,
            false => self.step_of_small(payload),
        };
        if step > 0 {
            self.threshold += room.min(step.max(2 * payload));
        }
        step > 0
    }

    /// Packets that waste memory still let the window grow while it is small.
    fn step_of_small(&self, payload: i64) -> i64 {
        let mut taken = self.data_in(self.memory_of(payload)) >> 1;
        let mut window = self.data_in(GREATEST) >> 1;
        while self.threshold <= window {
            if taken <= payload {
                return 2 * self.segment;
            }
            (taken, window) = (taken >> 1, window >> 1);
        }
        0
    }

    /// The window that an ACK would tell of, and whether memory is short.
    #[inline]
    fn select(&self, held: u32) -> (i64, bool) {
        let all = self.data_in(self.memory);
        let full = self.clamp.min(all);
        let mut free = self.free(held);
        let short = free < full >> 1;
        if short {
            free = free / STEP * STEP;
            if free < all >> 4 || free < self.segment.min(full) {
                return (0, true);
            }
        }
        let window = free.min(self.threshold);
        (in_steps(window), short)
    }

    /// The part of the window that is left.
    #[inline]
    fn left(&self) -> i64 {
        (self.told + self.window - self.received).max(0)
    }

    /// An ACK leaves: the window that it tells of is never less than what is left; true if memory is short.
    #[inline]
    pub(super) fn tell(&mut self, held: u32) -> bool {
        let (window, short) = self.select(held);
        let left = self.left();
        self.window = match window < left {
            true => in_steps(left),
            false => window,
        };
        self.told = self.received;
        short
    }

    /// True if an ACK would not take back any of the window that the last one told of; and whether memory is short.
    #[inline]
    pub(super) fn may_tell(&self, held: u32) -> (bool, bool) {
        let (window, short) = self.select(held);
        (window >= self.window, short)
    }

    /// True if reading has opened the window to twice what is left of it at least.
    #[inline]
    pub(super) fn has_opened(&self, held: u32) -> bool {
        let left = self.left();
        if 2 * left > self.clamp {
            return false;
        }
        let (window, _) = self.select(held);
        window > 0 && window >= 2 * left
    }

    /// The connection is open, since this time.
    pub(super) fn open(&mut self, established: Micros) {
        self.since = established;
    }

    /// The application has read up to packets behind the first that came in order, so many: once a round trip the
    /// buffer is fitted to what came in it (tcp_rcv_space_adjust, called after each packet; only the first call at
    /// one time can find that a round trip is over).
    #[inline]
    pub(super) fn read(&mut self, now: Time, round_trip8: Micros, behind: u32) {
        let now = micros(now);
        if round_trip8 == 0 || now.saturating_sub(self.since) < round_trip8 / 8 {
            return;
        }
        let waiting = i64::from(behind) * self.mss;
        let read = self.received - waiting;
        let copied = read - self.read_before - waiting;
        if copied > self.space {
            if !self.is_fixed {
                self.fit(copied);
            }
            self.space = copied;
        }
        self.read_before = read;
        self.since = now;
    }

    fn fit(&mut self, copied: i64) {
        let mut window = 2 * copied + 16 * self.mss;
        window += 2 * (window * (copied - self.space) / self.space);
        let memory = ((window << 8) / self.ratio).min(GREATEST);
        if memory > self.memory {
            self.memory = memory;
            self.clamp = self.data_in(memory);
        }
    }
}
