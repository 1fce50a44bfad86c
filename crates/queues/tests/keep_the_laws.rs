//! Disciplines under the laws, and the laws applied to planted faults.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};

use pacesim_queues::laws::{self, Arrival, Fate, Promise};
use pacesim_queues::{
    AnyQueue, BuiltIn, Codel, CodelConfig, DepartureLimit, DepartureLimitConfig, DropTail, Drr,
    DualPi2, DualPi2Config, Fq, FqCodel, FqCodelConfig, FqConfig, Line, Mark, Pending, Pfabric,
    Pie, PieConfig, PriorityConfig, Profile, Queue, Reason, Red, RedConfig, RedProfile, Site,
    Slots, SlotsConfig, Step, StepMark, StrictPriority, Survivor, Tbf, TbfConfig, Trim, TrimConfig,
    Turn, Waiting, WholeBulks,
};
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn capacities() -> impl Strategy<Value = Capacity> {
    prop_oneof![
        Just(Capacity::Unlimited),
        (0u64..20).prop_map(Capacity::Packets),
        (0u64..40_000).prop_map(|n| Capacity::Bytes(Bytes(n))),
    ]
}

/// CoDel's parameters, with targets that random arrivals reach.
fn codels() -> impl Strategy<Value = CodelConfig> {
    let us = |n: u64| Span::from_ps(n * 1_000_000);
    let parameters = (
        1u64..200,
        1u64..50,
        any::<bool>(),
        any::<bool>(),
        0u64..4000,
    );
    parameters.prop_map(
        move |(target, intervals, ecn, is_linux, threshold)| CodelConfig {
            target: us(target),
            interval: us(target * intervals),
            mtu: Bytes(threshold / 2),
            ecn,
            ce_threshold: (threshold % 2 == 1).then_some(us(threshold)),
            profile: if is_linux {
                Profile::Linux
            } else {
                Profile::Rfc
            },
            ..CodelConfig::default()
        },
    )
}

proptest! {
    #[test]
    fn codel_keeps_the_laws(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        (capacity, counts_sending) in (capacities(), any::<bool>()),
        codel in codels(),
        (quantum, drop_batch) in (1u32..20_000, 2u32..100),
        buckets in prop::option::of(1u32..10),
    ) {
        let arrivals = laws::random_arrivals(seed, 300);
        let line = Rate::from_mbps(mbps);
        let promise = Promise { capacity, counts_sending, batch: 1, ..Promise::NONE };
        let codel = CodelConfig { capacity, counts_sending, ..codel };
        let one = laws::check(|| Codel::new(&codel), promise, line, &arrivals);
        prop_assert!(one.is_ok(), "{one:?}");
        let promise = Promise { batch: drop_batch.into(), ..promise };
        let each = FqCodelConfig { codel, quantum, drop_batch, buckets, seed };
        let each = laws::check(|| FqCodel::new(&each), promise, line, &arrivals);
        prop_assert!(each.is_ok(), "{each:?}");
    }

    #[test]
    fn disciplines_that_draw_or_shape_keep_the_laws(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        (capacity, counts_sending) in (capacities(), any::<bool>()),
        (target, ecn, linux, more) in (1u64..300, any::<bool>(), any::<bool>(), any::<bool>()),
        (quantum, rate_mbps) in (1u32..20_000, 10u64..10_000),
    ) {
        let arrivals = laws::random_arrivals(seed, 300);
        let line = Rate::from_mbps(mbps);
        let promise = Promise { capacity, counts_sending, batch: 1, ..Promise::NONE };
        let us = |n: u64| Span::from_ps(n * 1_000_000);
        let stream = || Xoshiro256PlusPlus::seed_from_u64(seed);
        let profile = if linux { Profile::Linux } else { Profile::Rfc };
        let pie = PieConfig {
            capacity, counts_sending, target: us(target), update: us(target),
            first_update: Time::ZERO + us(target), mtu: Bytes(10), alpha: 4000, beta: 40_000, ecn,
            bytemode: more, derandomize: linux != more, rate_estimator: more, profile,
        };
        let kept = laws::check(|| Pie::new(&pie, stream()), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let red = RedConfig {
            capacity, counts_sending, in_bytes: more, ecn, weight: 0.25, gentle: more, wait: ecn,
            profile: if linux { RedProfile::Linux } else { RedProfile::Ns2 }, adaptive: more,
            ..RedConfig::of(1.0, target as f64, line)
        };
        let kept = laws::check(|| Red::new(&red, stream()), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let dualpi2 = DualPi2Config {
            capacity, counts_sending, target: us(target), update: us(target), alpha: 20_000,
            beta: 200_000, step: if ecn { Step::Packets(2) } else { Step::Sojourn(us(target)) },
            drop_early: more, mtu: Bytes(10), wraps: ecn, profile, ..DualPi2Config::default()
        };
        let apart = Promise { parts_by_ecn: true, ..promise };
        let kept = laws::check(|| DualPi2::new(&dualpi2, stream()), apart, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let rate = Rate::from_mbps(rate_mbps);
        let fq = FqConfig {
            limit: u64::MAX, flow_limit: usize::MAX, quantum,
            initial_quantum: quantum, max_rate: more.then_some(rate), ..FqConfig::default()
        };
        let kept = laws::check(|| Fq::new(&fq), Promise::NONE, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let limited = DepartureLimitConfig {
            capacity, counts_sending, rate: line, cost: quantum as f64 / 20_000.0,
            limit: if more { Capacity::Packets(target / 10) } else { Capacity::Bytes(Bytes(100 * target)) },
        };
        let kept = laws::check(|| DepartureLimit::new(&limited), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let tbf = TbfConfig { capacity, rate, burst: Bytes(9000), peak: None };
        let promise = Promise::of(capacity);
        let kept = laws::check(|| Tbf::new(&tbf), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let survivor = if more { Survivor::First } else { Survivor::Nobody };
        let slots = SlotsConfig { packet: quantum, survivor, rate: line };
        let kept = laws::check(|| Slots::new(&slots), Promise::NONE, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
    }

    #[test]
    fn schedulers_keep_the_laws(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        (capacity, counts_sending) in (capacities(), any::<bool>()),
        quantum in 1u32..20_000,
    ) {
        let arrivals = laws::random_arrivals(seed, 300);
        let line = Rate::from_mbps(mbps);
        let promise = Promise { capacity, counts_sending, batch: 1, ..Promise::NONE };
        let kept = laws::check(|| StrictPriority::new(capacity, counts_sending, PriorityConfig::default()), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let kept = laws::check(|| Drr::new(capacity, counts_sending, quantum), promise, line, &arrivals);
        prop_assert!(kept.is_ok(), "{kept:?}");
        let kept = laws::check(|| Pfabric::new(capacity, counts_sending), promise, line, &with_remaining(arrivals));
        prop_assert!(kept.is_ok(), "{kept:?}");
    }

    #[test]
    fn a_queue_that_cuts_payloads_off_keeps_the_laws(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        (capacity, counts_sending) in (capacities(), any::<bool>()),
        (headers_per_packet, arriving) in (1u32..12, 0.0..1.0),
    ) {
        let mut arrivals = laws::random_arrivals(seed, 300);
        arrivals.iter_mut().for_each(|arrival| arrival.packet.is_trimmable = true);
        let line = Rate::from_mbps(mbps);
        let config = TrimConfig {
            headers: Capacity::Unlimited, headers_per_packet, arriving, ..TrimConfig::PAPER
        };
        let make = || {
            let chance = Xoshiro256PlusPlus::seed_from_u64(seed).into();
            Trim::at(Site { capacity, counts_sending, rate: line, chance }, &config)
        };
        let promise = Promise { headers_first: 64, ..Promise::NONE };
        let fates = laws::check(make, promise, line, &arrivals);
        prop_assert!(fates.is_ok(), "{fates:?}");
        let is_sent = |fate: &(Time, u32, Fate)| matches!(fate.2, Fate::Sent { .. });
        prop_assert!(fates.unwrap_or_default().iter().all(is_sent), "nothing is dropped");
    }

    #[test]
    fn every_discipline_keeps_the_laws(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        capacity in capacities(),
        counts_sending in any::<bool>(),
    ) {
        let arrivals = laws::random_arrivals(seed, 300);
        let line = Rate::from_mbps(mbps);
        let promise = Promise { capacity, counts_sending, batch: 1, ..Promise::NONE };
        let make = || AnyQueue::from(DropTail::new(capacity, counts_sending));
        prop_assert!(laws::check(make, promise, line, &arrivals).is_ok());
        let stepped = || AnyQueue::from(StepMark::new(capacity, counts_sending, Capacity::Packets(seed % 9)));
        prop_assert!(laws::check(stepped, promise, line, &arrivals).is_ok());
        // The arrivals are single packets, each of which is a bulk.
        let whole = || AnyQueue::from(WholeBulks::new(capacity, counts_sending));
        prop_assert!(laws::check(whole, promise, line, &arrivals).is_ok());
        let boxed = || {
            let queue: Box<dyn Queue> = Box::new(DropTail::new(capacity, counts_sending));
            AnyQueue::from(queue)
        };
        prop_assert!(laws::check(boxed, promise, line, &arrivals).is_ok());
    }
}

/// The same arrivals, with data left of their transfers that follow from their sizes.
fn with_remaining(mut arrivals: Vec<Arrival>) -> Vec<Arrival> {
    for Arrival { packet, .. } in &mut arrivals {
        packet.remaining = packet.size % 7;
    }
    arrivals
}

/// Arrivals of many short connections, some of which come back after a pause.
fn short_connections(seed: u64) -> Vec<Arrival> {
    let mut arrivals = with_remaining(laws::random_arrivals(seed, 600));
    for (i, arrival) in arrivals.iter_mut().enumerate() {
        let n = i as u32 / 40 * 3 + arrival.packet.connection.word() as u32 % 5;
        arrival.packet.connection = FlowId(n).into();
        if i % 40 == 0 {
            arrival.gap = Span::from_ms([1, 100, 5000][i / 40 % 3]);
        }
    }
    arrivals
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every discipline, but those whose queues are shared by a hash.
    #[test]
    fn flows_that_share_connections_differently_are_served_alike(
        seed in any::<u64>(),
        mbps in 10u64..100_000,
        (capacity, counts_sending) in (capacities(), any::<bool>()),
        codel in codels(),
        (quantum, drop_batch) in (1u32..20_000, 2u32..100),
    ) {
        let arrivals = short_connections(seed);
        let line = Rate::from_mbps(mbps);
        let none = Promise { capacity, counts_sending, ..Promise::NONE };
        let apart = Promise { parts_by_ecn: true, ..none };
        let batch = Promise { batch: drop_batch.into(), ..none };
        let stream = || Xoshiro256PlusPlus::seed_from_u64(seed);
        let codel = CodelConfig { capacity, counts_sending, ..codel };
        let each = FqCodelConfig { codel, quantum, drop_batch, buckets: None, seed };
        let fq = FqConfig {
            limit: u64::MAX, flow_limit: usize::MAX, quantum, initial_quantum: 3 * quantum,
            ..FqConfig::default()
        };
        let red = RedConfig { capacity, counts_sending, ..RedConfig::of(1.0, 20.0, line) };
        let pie = PieConfig { capacity, counts_sending, ..PieConfig::default() };
        let dualpi2 = DualPi2Config { capacity, counts_sending, ..DualPi2Config::default() };
        let limited = DepartureLimitConfig {
            capacity, counts_sending, rate: line, cost: 0.1, limit: Capacity::Packets(9),
        };
        let tbf = TbfConfig { capacity, rate: line, burst: Bytes(9000), peak: None };
        let all: [(Promise, &dyn Fn() -> AnyQueue); 14] = [
            (batch, &|| FqCodel::new(&each).into()),
            (Promise::NONE, &|| Fq::new(&fq).into()),
            (none, &|| Drr::new(capacity, counts_sending, quantum).into()),
            (apart, &|| DualPi2::new(&dualpi2, stream()).into()),
            (none, &|| Codel::new(&codel).into()),
            (none, &|| Red::new(&red, stream()).into()),
            (none, &|| Pie::new(&pie, stream()).into()),
            (none, &|| DropTail::new(capacity, counts_sending).into()),
            (none, &|| StepMark::new(capacity, counts_sending, Capacity::Packets(3)).into()),
            (none, &|| WholeBulks::new(capacity, counts_sending).into()),
            (none, &|| StrictPriority::new(capacity, counts_sending, PriorityConfig::default()).into()),
            (none, &|| Pfabric::new(capacity, counts_sending).into()),
            (none, &|| DepartureLimit::new(&limited).into()),
            (Promise::of(capacity), &|| Tbf::new(&tbf).into()),
        ];
        for (place, (promise, make)) in all.into_iter().enumerate() {
            let kept = laws::check_connections(make, promise, line, &arrivals);
            prop_assert!(kept.is_ok(), "{place}: {kept:?}");
        }
    }
}

/// Takes turns between flows, whatever their connections.
struct ByFlow(BTreeMap<FlowId, VecDeque<Pending>>, u32);

impl Queue for ByFlow {
    fn arrive(&mut self, _: Time, packet: Pending) -> Result<(), Reason> {
        self.0.entry(packet.flow).or_default().push_back(packet);
        Ok(())
    }
    fn turn(&mut self, _: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return Turn::Hold;
        }
        self.1 += 1;
        let turn = FlowId(self.1 % 8);
        let mut next = self.0.range_mut(turn..).find_map(|(_, of)| of.pop_front());
        if next.is_none() {
            next = self.0.values_mut().find_map(VecDeque::pop_front);
        }
        next.map_or(Turn::Hold, |packet| Turn::go(packet.key))
    }
    fn waiting(&self) -> Waiting {
        let packets = || self.0.values().flatten();
        Waiting {
            packets: packets().count() as u64,
            bytes: Bytes(packets().map(|packet| u64::from(packet.size)).sum()),
        }
    }
}

#[test]
fn a_discipline_that_looks_at_flows_is_found() {
    let make = || ByFlow(BTreeMap::new(), 0);
    let line = Rate::from_mbps(1000);
    let arrivals = laws::random_arrivals(4, 500);
    assert!(laws::check(make, Promise::NONE, line, &arrivals).is_ok());
    let broken = laws::check_connections(make, Promise::NONE, line, &arrivals);
    assert_eq!(broken.map_err(|broken| broken.law), Err("connections"));
}

/// The fault of a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// It forgets every tenth packet.
    Loses,
    /// It sends the newest packet first.
    LastFirst,
    /// It sends while the line is busy.
    Impatient,
    /// It holds a last packet until another arrives.
    Lazy,
    /// It holds one packet more than permitted.
    Greedy,
    /// It claims to be full while it has room.
    Shy,
    /// It marks every packet.
    MarksAll,
    /// It miscounts.
    Miscounts,
    /// Its behaviour depends on that of other instances.
    Shared,
    /// It sends a packet twice.
    Repeats,
}

static MADE: AtomicU32 = AtomicU32::new(0);

struct Faulty {
    fault: Fault,
    packets: VecDeque<Pending>,
    came: u32,
    number: u32,
    last: Option<u32>,
}

const ROOM: usize = 5;

impl Faulty {
    fn new(fault: Fault) -> Faulty {
        Faulty {
            fault,
            packets: VecDeque::new(),
            came: 0,
            number: MADE.fetch_add(1, Ordering::Relaxed),
            last: None,
        }
    }
}

impl Queue for Faulty {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        self.came += 1;
        let room = match self.fault {
            Fault::Greedy => ROOM + 1,
            Fault::Shy => ROOM - 1,
            _ => ROOM,
        };
        if self.packets.len() >= room {
            return Err(Reason::Full);
        }
        if self.fault == Fault::Shared
            && self.number.is_multiple_of(2)
            && self.came.is_multiple_of(7)
        {
            return Err(Reason::Early);
        }
        if !(self.fault == Fault::Loses && self.came.is_multiple_of(10)) {
            self.packets.push_back(packet);
        }
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        let waits_for_more = self.fault == Fault::Lazy && self.packets.len() < 2;
        if (line == Line::Busy && self.fault != Fault::Impatient) || waits_for_more {
            return Turn::Hold;
        }
        let next = match (self.fault, self.last.take()) {
            (Fault::Repeats, Some(last)) => Some(last),
            (Fault::LastFirst, _) => self.packets.pop_back().map(|packet| packet.key),
            _ => self.packets.pop_front().map(|packet| packet.key),
        };
        self.last = next;
        let mark = (self.fault == Fault::MarksAll).then_some(Mark::Threshold);
        next.map_or(Turn::Hold, |key| Turn::Go { key, mark })
    }

    fn waiting(&self) -> Waiting {
        let bytes: u64 = self.packets.iter().map(|p| u64::from(p.size)).sum();
        Waiting {
            packets: self.packets.len() as u64,
            bytes: Bytes(bytes + u64::from(self.fault == Fault::Miscounts)),
        }
    }
}

fn verdict(fault: Fault) -> Option<&'static str> {
    let promise = Promise::of(Capacity::Packets(ROOM as u64));
    let arrivals = laws::random_arrivals(1, 500);
    let make = || Faulty::new(fault);
    let answer = laws::check(make, promise, Rate::from_mbps(10_000), &arrivals);
    answer.err().map(|violation| violation.law)
}

#[test]
fn the_laws_find_every_planted_fault() {
    let found = [
        (Fault::None, None),
        (Fault::Loses, Some("conservation")),
        (Fault::LastFirst, Some("order")),
        (Fault::Impatient, Some("the line")),
        (Fault::Lazy, Some("work")),
        (Fault::Greedy, Some("bounds")),
        (Fault::Shy, Some("bounds")),
        (Fault::MarksAll, Some("marks")),
        (Fault::Miscounts, Some("conservation")),
        (Fault::Shared, Some("repeatable")),
        (Fault::Repeats, Some("conservation")),
    ];
    for (fault, law) in found {
        assert_eq!(verdict(fault), law, "{fault:?}");
    }
}

/// The head is dropped if it waited too long, as CoDel may do.
struct Impatience(DropTail, VecDeque<(u32, Time)>);

impl Queue for Impatience {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.0.arrive(now, packet)?;
        self.1.push_back((packet.key, now));
        Ok(())
    }
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        match self.0.turn(now, line) {
            Turn::Go { key, mark } => {
                let (_, came) = self.1.pop_front().expect("it was taken");
                if (now - came).as_ps() > 2_000_000 {
                    Turn::Drop(key, Reason::Early)
                } else {
                    Turn::Go { key, mark }
                }
            }
            other => other,
        }
    }
    fn waiting(&self) -> Waiting {
        self.0.waiting()
    }
}

#[test]
fn a_queue_may_drop_at_departure_what_it_took() {
    let make = || {
        let fifo = DropTail::new(Capacity::Unlimited, false);
        Impatience(fifo, VecDeque::new())
    };
    let arrivals = laws::random_arrivals(3, 500);
    let fates = laws::check(make, Promise::NONE, Rate::from_mbps(10_000), &arrivals);
    let fates = fates.expect("it keeps the laws");
    let count = |wanted: Fate| fates.iter().filter(|(_, _, fate)| *fate == wanted).count();
    assert_eq!(fates.len(), 500);
    assert!(count(Fate::Dropped(Reason::Early)) > 50);
    assert!(count(Fate::Sent { mark: None }) > 50);
}
