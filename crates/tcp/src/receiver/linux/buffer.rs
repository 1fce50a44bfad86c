//! The receive buffer: the window that it allows, and its growth with the data of a round trip.
//!
//! A packet takes more memory than its data; the window is the part of the memory that data can
//! fill.

use pacesim_units::Time;

use super::{Micros, micros};
use crate::config::Config;

/// The initial and the maximum memory (tcp_rmem).
const FIRST: i64 = 131_072;
const GREATEST: i64 = 6_291_456;
/// Number of packets in a first window.
const FIRST_WINDOW: i64 = 10;
/// The greatest window before scaling, and the largest scale.
const UNSCALED: i64 = 65_535;
const LARGEST_SCALE: u32 = 14;
/// The least payload that makes the window grow.
const LEAST_PAYLOAD: i64 = 128;
/// The assumed packet size before the first packet, and after packets too small to be evidence.
const DEFAULT_SEGMENT: i64 = 536;
const LEAST_SEGMENT: i64 = 88;
const TCP_HEADER: i64 = 20;

/// The scale of windows: for the largest buffer, or for the first window of a fixed one that is larger.
fn scale(fixed: Option<i64>, first: i64) -> u32 {
    let widest = fixed.map_or(GREATEST, |memory| first.max(GREATEST).min(memory / 2));
    widest.max(1).ilog2().saturating_sub(15).min(LARGEST_SCALE)
}

/// The memory of a packet: the allocator's power of two, and its descriptor.
fn memory_of(payload: i64, header: i64) -> i64 {
    const OVERHEAD: i64 = 384;
    const DESCRIPTOR: i64 = 256;
    let size = (payload + header + OVERHEAD) as u64;
    size.next_power_of_two() as i64 + DESCRIPTOR
}

/// The receive buffer. All quantities are bytes, of memory or of data.
#[derive(Debug)]
pub(super) struct Buffer {
    memory: i64,
    /// Set if the application has fixed the memory, which then does not grow.
    is_fixed: bool,
    /// The share of memory that data can fill, in 256ths.
    ratio: i64,
    /// Windows are advertised in steps of 2^scale bytes.
    scale: u32,
    /// The limit on advertised windows, and the current one.
    clamp: i64,
    threshold: i64,
    /// The window of the last ACK, and the data in order then.
    window: i64,
    told: i64,
    /// Bytes of data received in order.
    received: i64,
    /// The observed size of full packets, and the size of the last small one.
    segment: i64,
    last_small: i64,
    mss: i64,
    header: i64,
    /// Memory that a full packet takes.
    full: i64,
    /// The most read in a round trip; the data read when the last one began, and its start.
    space: i64,
    read_before: i64,
    since: Micros,
}

impl Buffer {
    pub(super) fn new(config: &Config) -> Buffer {
        let mss = config.payload.get() as i64;
        let memory = config.linux.receive_buffer.map(|bytes| bytes.get() as i64);
        let size = memory.unwrap_or(FIRST);
        // Half of the memory is advertised, in whole packets, until a packet shows its memory.
        let window = (size / 2 / mss * mss).max(mss);
        let scale = scale(memory, window);
        let clamp = (size / 2 - mss).min(UNSCALED << scale).max(mss);
        let header = config.header.get() as i64;
        Buffer {
            memory: size,
            is_fixed: memory.is_some(),
            ratio: 128,
            scale,
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

    /// Rounds a window up to a whole step.
    fn in_steps(&self, window: i64) -> i64 {
        ((window + (1 << self.scale) - 1) >> self.scale) << self.scale
    }

    fn memory_of(&self, payload: i64) -> i64 {
        memory_of(payload, self.header)
    }

    fn data_in(&self, memory: i64) -> i64 {
        (memory * self.ratio) >> 8
    }

    /// The free window beside `held` packets.
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

    /// Full packets in half a window, for the initial quick ACKs.
    pub(super) fn half_window(&self) -> u32 {
        (self.window / (2 * self.segment)).max(0) as u32
    }

    /// True if a payload is no smaller than an observed full packet.
    pub(super) fn is_full(&self, payload: u32) -> bool {
        i64::from(payload) >= self.segment
    }

    /// True if more than a full packet awaits its ACK.
    #[inline]
    pub(super) fn owes_ack(&self) -> bool {
        self.received - self.told > self.segment
    }

    /// Takes data that are in order now.
    pub(super) fn take(&mut self, payload: i64) {
        self.received += payload;
    }

    /// Takes packets that arrived early and are in order now, assumed to be full.
    pub(super) fn take_early(&mut self, packets: u32) {
        self.received += i64::from(packets) * self.mss;
    }

    /// Learns the size of packets; true if the application waits for this one's ACK: it is pushed,
    /// or the end of a write.
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

    /// Advertises more, as long as memory is free beside `held` packets.
    #[inline]
    pub(super) fn grow(&mut self, payload: u32, held: u32) -> bool {
        let payload = i64::from(payload);
        let room = self.clamp.min(self.free(held)) - self.threshold;
        if room <= 0 || payload < LEAST_PAYLOAD {
            return false;
        }
        let step = if self.data_in(self.memory_of(payload)) <= payload {
            2 * self.mss
        } else {
            self.step_of_small(payload)
        };
        if step > 0 {
            self.threshold += room.min(step.max(2 * payload));
        }
        step > 0
    }

    /// The growth by packets that waste memory, while the window is small.
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

    /// The window that an ACK would advertise, and whether memory is short.
    #[inline]
    fn select(&self, held: u32) -> (i64, bool) {
        let all = self.data_in(self.memory);
        let full = self.clamp.min(all);
        let mut free = self.free(held);
        let short = free < full >> 1;
        if short {
            free = free >> self.scale << self.scale;
            if free < all >> 4 || free < self.segment.min(full) {
                return (0, true);
            }
        }
        let window = free.min(self.threshold);
        (self.in_steps(window), short)
    }

    /// The remaining part of the window.
    #[inline]
    fn left(&self) -> i64 {
        (self.told + self.window - self.received).max(0)
    }

    /// Advertises the window of a departing ACK, never less than the remaining one; true if memory
    /// is short.
    #[inline]
    pub(super) fn tell(&mut self, held: u32) -> bool {
        let (window, short) = self.select(held);
        let left = self.left();
        self.window = if window < left {
            self.in_steps(left)
        } else {
            window
        };
        self.told = self.received;
        short
    }

    /// True if an ACK would not shrink the last advertised window; and whether memory is short.
    #[inline]
    pub(super) fn may_tell(&self, held: u32) -> (bool, bool) {
        let (window, short) = self.select(held);
        (window >= self.window, short)
    }

    /// True if reading has opened the window to at least twice the remaining one.
    #[inline]
    pub(super) fn has_opened(&self, held: u32) -> bool {
        let left = self.left();
        if 2 * left > self.clamp {
            return false;
        }
        let (window, _) = self.select(held);
        window > 0 && window >= 2 * left
    }

    /// Opens the connection, established at this time.
    pub(super) fn open(&mut self, established: Micros) {
        self.since = established;
    }

    /// Notes that the application has read all data in order except the last `behind` packets: once
    /// a round trip the buffer is fitted to its data (tcp_rcv_space_adjust, called after each
    /// packet; only the first call at one time can find that a round trip is over).
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
