//! Token buckets over random cases against a second, slow implementation: tokens in exact
//! fractions, each packet's start computed from those before it, no queue.

use pacesim_queues::laws::{self, Arrival, Fate, Promise};
use pacesim_queues::{Line, Pending, Queue, Reason, Tbf, TbfConfig, Turn};
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Nanoseconds per byte, integral: Linux's multipliers of such rates are exact.
const BYTE_NS: [u64; 8] = [1000, 800, 500, 400, 200, 100, 80, 50];
/// The line takes a nanosecond per byte.
const LINE: u64 = 8_000_000_000;

/// A bucket: nanoseconds per byte, its size in bytes, and the remaining tokens in byte-nanoseconds
/// after its last packet.
struct Bucket {
    byte_ns: u64,
    most: u64,
    left: u64,
    last: u64,
}

impl Bucket {
    fn full(byte_ns: u64, most: u64) -> Bucket {
        let left = most * byte_ns;
        Bucket {
            byte_ns,
            most,
            left,
            last: 0,
        }
    }

    fn tokens(&self, now: u64) -> u64 {
        (self.left + now - self.last).min(self.most * self.byte_ns)
    }

    /// The first time from `now` on at which it has tokens for this many bytes.
    fn ready(&self, now: u64, bytes: u64) -> u64 {
        now + (bytes * self.byte_ns).saturating_sub(self.tokens(now))
    }

    fn take(&mut self, now: u64, bytes: u64) {
        self.left = self.tokens(now) - bytes * self.byte_ns;
        self.last = now;
    }
}

/// The start of each packet's transmission, or the reason for its drop.
fn reference(
    buckets: &mut [Bucket],
    limit: u64,
    packets: &[(u64, u64)],
) -> Vec<Result<u64, Reason>> {
    let mut fates: Vec<Result<u64, Reason>> = Vec::new();
    let mut line_is_free = 0;
    for &(now, size) in packets {
        let waits = |(fate, (_, size)): (&Result<u64, Reason>, &(u64, u64))| match fate {
            Ok(start) if *start > now => *size,
            _ => 0,
        };
        let waiting: u64 = fates.iter().zip(packets).map(waits).sum();
        fates.push(if buckets.iter().any(|bucket| size > bucket.most) {
            Err(Reason::Early)
        } else if waiting + size > limit {
            Err(Reason::Full)
        } else {
            let free = now.max(line_is_free);
            let ready = buckets.iter().map(|bucket| bucket.ready(free, size));
            let start = ready.max().expect("a bucket");
            buckets
                .iter_mut()
                .for_each(|bucket| bucket.take(start, size));
            line_is_free = start + size;
            Ok(start)
        });
    }
    fates
}

/// Random times and sizes, with occasional bursts.
fn packets(byte_ns: u64, random: &mut impl RngExt) -> Vec<(u64, u64)> {
    let load = random.random_range(0.5..2.0);
    let (mut now, mut packets) = (1, Vec::new());
    for _ in 0..600 {
        let size = random.random_range(40..1600);
        packets.push((now, size));
        let gap = size as f64 * byte_ns as f64 / load * random.random_range(0.0..2.0);
        let is_burst = random.random_bool(0.3);
        now += if is_burst { 1 } else { gap as u64 + 1 };
    }
    packets
}

fn arrivals(packets: &[(u64, u64)]) -> Vec<Arrival> {
    let mut before = 0;
    let arrival = |&(at, size): &(u64, u64)| {
        let gap = Span::from_ps((at - before) * 1000);
        before = at;
        Arrival {
            gap,
            comes_first: false,
            packet: Pending::new(0, FlowId(0), size as u32),
        }
    };
    packets.iter().map(arrival).collect()
}

#[test]
fn packets_leave_when_exact_buckets_have_their_tokens() {
    let (mut sent, mut full, mut early) = (0, 0, 0);
    for seed in 0..200 {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let place = random.random_range(1..BYTE_NS.len());
        let byte_ns = BYTE_NS[place];
        let burst = random.random_range(1000..20_000);
        let limit = random.random_range(3000..60_000);
        let mut buckets = vec![Bucket::full(byte_ns, burst)];
        // A faster bucket that holds less time than the other: Linux limits its time to that of the
        // other.
        let peak_ns = BYTE_NS[random.random_range(place..BYTE_NS.len())];
        let peak_burst = random.random_range(1000..=burst.max(1001));
        let peak = (seed % 2 == 0).then_some((peak_ns, peak_burst));
        buckets.extend(peak.map(|(ns, most)| Bucket::full(ns, most)));

        let packets = packets(byte_ns, random);
        let expected = reference(&mut buckets, limit, &packets);

        let rate = |ns: u64| Rate::from_bps(8_000_000_000 / ns).expect("above zero");
        let config = TbfConfig {
            capacity: Capacity::Bytes(Bytes(limit)),
            rate: rate(byte_ns),
            burst: Bytes(burst),
            peak: peak.map(|(ns, most)| (rate(ns), Bytes(most))),
        };
        let arrivals = arrivals(&packets);
        let line = Rate::from_bps(LINE).expect("above zero");
        let promise = Promise::of(config.capacity);
        let fates = laws::check(|| Tbf::new(&config), promise, line, &arrivals)
            .unwrap_or_else(|broken| panic!("case {seed}: {broken}"));
        assert_eq!(fates.len(), packets.len(), "case {seed}");
        for (at, number, fate) in fates {
            let ours = match fate {
                Fate::Sent { mark: None } => Ok(at),
                Fate::Refused(reason) => Err(reason),
                other => panic!("case {seed}, packet {number}: {other:?}"),
            };
            let theirs = expected[number as usize].map(|ns| Time::from_ps(ns * 1000));
            assert_eq!(ours, theirs, "case {seed}, packet {number}: {config:?}");
            match ours {
                Ok(_) => sent += 1,
                Err(Reason::Full) => full += 1,
                Err(Reason::Early) => early += 1,
            }
        }
    }
    let seen = format!("{sent} sent, {full} found no room, {early} too large");
    assert!(sent > 50_000 && full > 5000 && early > 1000, "{seen}");
}

/// At a byte per second, the second packet's tokens take 231 days; simulated time has 213.
#[test]
fn a_packet_whose_tokens_take_longer_than_time_waits_for_ever() {
    let mut queue = Tbf::new(&TbfConfig {
        capacity: Capacity::Unlimited,
        rate: Rate::from_bps(8).expect("above zero"),
        burst: Bytes(20_000_000),
        peak: None,
    });
    for key in 0..2 {
        let packet = Pending::new(key, FlowId(0), 20_000_000);
        queue.arrive(Time::ZERO, packet).expect("room");
    }
    assert_eq!(queue.turn(Time::ZERO, Line::Free), Turn::go(0));
    assert_eq!(queue.turn(Time::ZERO, Line::Free), Turn::Hold);
    assert_eq!(queue.next_turn(), Some(Time::NEVER));
}
