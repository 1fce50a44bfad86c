//! A token bucket that shapes: first come, first served, at the rate of the tokens.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity, Rate, Time};

use crate::built_in::{BuiltIn, Site};
use crate::queue::{Line, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;

/// Parameters of a token bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TbfConfig {
    /// Limit on waiting packets.
    pub capacity: Capacity,
    /// Rate of tokens.
    pub rate: Rate,
    /// The size of the bucket, in bytes: no packet may be larger.
    pub burst: Bytes,
    /// A second bucket, with a higher rate and a smaller burst.
    pub peak: Option<(Rate, Bytes)>,
}

/// A FIFO behind one token bucket or two, in Linux's nanoseconds.
#[derive(Clone, Debug)]
pub struct Tbf {
    room: Room,
    packets: VecDeque<Pending>,
    bucket: Bucket,
    peak: Option<Bucket>,
    /// Time of the last departure.
    sent: u64,
    largest: u64,
    /// Time at which there are enough tokens for the head.
    next: Option<u64>,
}

/// Longer than simulated time, and sums of two fit: the time of large packets at tiny rates.
const LONGEST: i64 = i64::MAX / 4;

/// A bucket of tokens, in nanoseconds at their rate.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// Number of nanoseconds per byte, shifted.
    multiplier: u64,
    shift: u32,
    most: i64,
    tokens: i64,
}

impl Bucket {
    fn new(rate: Rate, burst: Bytes) -> Bucket {
        let bytes = (rate.as_bps() / 8).max(1);
        // As many binary places as fit 32 bits.
        let (mut factor, mut shift) = (1_000_000_000u64, 0);
        while factor / bytes < 1 << 31 && factor < 1 << 63 {
            (factor, shift) = (factor << 1, shift + 1);
        }
        let mut bucket = Bucket {
            multiplier: factor / bytes,
            shift,
            most: 0,
            tokens: 0,
        };
        bucket.most = bucket.time(burst.get());
        bucket.tokens = bucket.most;
        bucket
    }

    fn time(&self, bytes: u64) -> i64 {
        let ns = (u128::from(bytes) * u128::from(self.multiplier)) >> self.shift;
        i64::try_from(ns).unwrap_or(i64::MAX).min(LONGEST)
    }

    /// The tokens remaining after a packet of this size, sent this many nanoseconds later.
    fn left(&self, elapsed: i64, size: u32) -> i64 {
        self.most.min(self.tokens + elapsed) - self.time(size.into())
    }
}

impl Tbf {
    /// A queue without packets, with full buckets.
    pub fn new(config: &TbfConfig) -> Tbf {
        let peak = config.peak.map(|(rate, burst)| Bucket::new(rate, burst));
        let largest = config.peak.map_or(u64::MAX, |(_, burst)| burst.get());
        Tbf {
            room: Room::new(config.capacity, false),
            packets: VecDeque::new(),
            bucket: Bucket::new(config.rate, config.burst),
            peak,
            sent: 0,
            largest: largest.min(config.burst.get()),
            next: None,
        }
    }

    /// Number of tokens, in bytes at the rate of the bucket.
    pub fn tokens(&self) -> f64 {
        self.bucket.tokens as f64 * (1u64 << self.bucket.shift.min(63)) as f64
            / self.bucket.multiplier as f64
    }
}

impl BuiltIn for Tbf {
    type Config = TbfConfig;
    const NAME: &'static str = "tbf";

    fn at(site: Site, config: &Self::Config) -> Tbf {
        let config = TbfConfig {
            capacity: site.capacity,
            ..*config
        };
        Tbf::new(&config)
    }
}

impl Queue for Tbf {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        if u64::from(packet.size) > self.largest {
            return Err(Reason::Early);
        }
        if !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        self.room.take(packet.size);
        self.packets.push_back(packet);
        Ok(())
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        self.next = None;
        let Some(head) = self.packets.front().copied().filter(|_| line == Line::Free) else {
            return Turn::Hold;
        };
        let now = now.as_ps() / 1000;
        // Linux limits the time since the last packet to the bucket's length, also for the peak's
        // tokens.
        let elapsed = ((now - self.sent) as i64).min(self.bucket.most);
        let left = self.bucket.left(elapsed, head.size);
        let peak_left = self.peak.map_or(0, |peak| peak.left(elapsed, head.size));
        if left < 0 || peak_left < 0 {
            self.next = Some(now + left.min(peak_left).unsigned_abs());
            return Turn::Hold;
        }
        self.packets.pop_front();
        self.room.send(head.size);
        self.bucket.tokens = left;
        if let Some(peak) = &mut self.peak {
            peak.tokens = peak_left;
        }
        self.sent = now;
        Turn::go(head.key)
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "tbf_tokens_bytes",
            value: self.tokens(),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }

    fn next_turn(&self) -> Option<Time> {
        let next = self.next?;
        Some(Time::from_ps(next.saturating_mul(1000)))
    }
}
