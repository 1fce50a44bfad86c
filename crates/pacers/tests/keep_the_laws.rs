//! Every pacer against the laws, on random operations.

use pacesim_pacers::laws::{self, Operation, Promise};
use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use proptest::prelude::*;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

const ROOM: Capacity = Capacity::Packets(40);

fn stream() -> Box<ChaCha8Rng> {
    Box::new(ChaCha8Rng::seed_from_u64(7))
}

fn qlbp(q_max: Capacity, q_lim: Capacity) -> Qlbp {
    Qlbp::new(&QlbpConfig {
        mu_min: Some(Rate::from_mbps(1)),
        mu_max: Rate::from_mbps(900),
        q_max,
        q_lim,
        line_rate: Rate::from_mbps(1000),
    })
    .expect("valid")
}

fn qlbp_blocking() -> QlbpBlocking {
    QlbpBlocking::new(&QlbpConfig {
        mu_min: Some(Rate::from_mbps(1)),
        mu_max: Rate::from_mbps(900),
        q_max: Capacity::Packets(20),
        q_lim: ROOM,
        line_rate: Rate::from_mbps(1000),
    })
    .expect("valid")
}

fn qlbp09(plug_in: Option<PlugIn>, jitter: Span) -> Qlbp09 {
    let config = Qlbp09Config {
        d_max: Span::from_ms(1),
        s_max: Bytes(1518),
        mu_max: Rate::from_mbps(200),
        q_max: Capacity::Packets(20),
        q_lim: ROOM,
        plug_in,
        jitter,
    };
    Qlbp09::new(&config, stream()).expect("valid")
}

/// Every built-in pacer in several configurations, with its promises.
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn zoo() -> Vec<(AnyPacer, Promise)> {
    let room = Promise {
        capacity: ROOM,
        ..Promise::NONE
    };
    let bytes = Capacity::Bytes(Bytes(60_000));
    let coarse = PlugIn {
        alpha_percent: 500,
        tick: Span::from_us(100),
        whole_ticks: false,
    };
    let whole = PlugIn {
        whole_ticks: true,
        ..coarse
    };
    let mut zoo: Vec<(AnyPacer, Promise)> = vec![
        (
            Unpaced::new(&UnpacedConfig { capacity: ROOM })
                .expect("valid")
                .into(),
            room,
        ),
        (qlbp(Capacity::Packets(20), ROOM).into(), room),
        (
            qlbp(Capacity::Bytes(Bytes(30_000)), bytes).into(),
            Promise {
                capacity: bytes,
                ..Promise::NONE
            },
        ),
        (qlbp09(None, Span::ZERO).into(), room),
        (qlbp09(Some(coarse), Span::from_us(30)).into(), room),
        (qlbp09(Some(whole), Span::from_us(30)).into(), room),
        (qlbp_blocking().into(), room),
        (
            TokenBucket::new(&TokenBucketConfig {
                rate: Rate::from_mbps(333),
                burst: Bytes(9_000),
                capacity: ROOM,
            })
            .expect("valid")
            .into(),
            room,
        ),
        (
            LeakyBucket::new(&LeakyBucketConfig {
                rate: Rate::from_mbps(333),
                capacity: ROOM,
            })
            .expect("valid")
            .into(),
            room,
        ),
        (
            RecordedRate::new(&RecordedRateConfig {
                opportunities_ms: [0, 1, 1, 3].into(),
                capacity: ROOM,
            })
            .expect("valid")
            .into(),
            room,
        ),
    ];
    for delay in [
        Span::ZERO,
        Span::from_ps(1),
        Span::from_us(50),
        Span::from_ms(3),
    ] {
        zoo.extend(delay_bounded(delay));
    }
    zoo
}

fn delay_bounded(delay: Span) -> Vec<(AnyPacer, Promise)> {
    let promise = Promise {
        capacity: ROOM,
        delay: Some(delay),
        ..Promise::NONE
    };
    let fixed = DeadlineFraction::new(&DeadlineFractionConfig {
        delay,
        percent: 50,
        capacity: ROOM,
    });
    let mut pacers: Vec<(AnyPacer, Promise)> = vec![(fixed.expect("valid").into(), promise)];
    for rule in [ReleaseRule::LastByte, ReleaseRule::FirstByte] {
        let hull = Hull::new(&HullConfig {
            delay,
            rule,
            capacity: ROOM,
        })
        .expect("valid");
        pacers.push((hull.into(), promise));
        let multi = HullMulti::new(&HullMultiConfig {
            delays: vec![delay; 4],
            rule,
            capacity: ROOM,
        });
        let own_deadlines = Promise {
            heeds_deadlines: true,
            ..promise
        };
        pacers.push((multi.expect("valid").into(), own_deadlines));
    }
    pacers
}

#[test]
fn every_pacer_keeps_the_laws_on_the_shipped_operations() {
    for seed in 0..300 {
        let operations = laws::random_operations(seed, 300);
        for (pacer, promise) in zoo() {
            let name = format!("{pacer:?}");
            laws::check(pacer, promise, &operations)
                .unwrap_or_else(|violation| panic!("{violation}\nseed {seed}, {name}"));
        }
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let gap = prop_oneof![
        3 => Just(0u64),
        2 => 1u64..100,
        3 => 0u64..10_000_000,
        1 => 0u64..20_000_000_000
    ];
    (gap, 0u32..4, 1u32..=9000, 0u32..20).prop_map(|(gap, flow, size, kind)| {
        let gap = Span::from_ps(gap);
        match kind {
            0 => Operation::Wake { gap },
            1 => Operation::Neglect { gap },
            _ => Operation::Arrive {
                gap,
                flow: FlowId(flow),
                size,
                class: 0,
                bound: None,
            },
        }
    })
}

proptest! {
    #[test]
    fn every_pacer_keeps_the_laws_on_any_operations(
        operations in prop::collection::vec(operation(), 1..120)
    ) {
        for (pacer, promise) in zoo() {
            let name = format!("{pacer:?}");
            laws::check(pacer, promise, &operations)
                .map_err(|v| TestCaseError::fail(format!("{v} {name}")))?;
        }
    }
}

/// A pacer with one fault, to test that the laws detect it.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Loses,
    Reorders,
    ReadyEarly,
    NeverReady,
    RefusesAtTwo,
    TakesTooMuch,
    TouchesSize,
}

struct Faulty {
    fault: Fault,
    inside: Vec<Pending>,
    bytes: u64,
}

impl Pacer for Faulty {
    fn enqueue(&mut self, _now: Time, packet: Pending) -> Result<(), Refused> {
        let limit = match self.fault {
            Fault::RefusesAtTwo => 2,
            Fault::TakesTooMuch => 1000,
            _ => 40,
        };
        if self.inside.len() >= limit {
            return Err(Refused::Full);
        }
        if self.fault != Fault::Loses || packet.key % 7 != 3 {
            self.inside.push(packet);
            self.bytes += u64::from(packet.size);
        }
        Ok(())
    }
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if self.inside.is_empty()
            || self.fault != Fault::ReadyEarly && !self.next_release().is_ready(now)
        {
            return None;
        }
        let mut packet = match self.fault {
            Fault::Reorders => self.inside.pop().expect("not empty"),
            _ => self.inside.remove(0),
        };
        self.bytes -= u64::from(packet.size);
        if self.fault == Fault::TouchesSize {
            packet.size += 1;
        }
        Some(packet)
    }
    fn next_release(&self) -> Release {
        match self.inside.first() {
            None => Release::Idle,
            Some(_) if self.fault == Fault::NeverReady => Release::Idle,
            Some(p) => Release::At(Time::from_ps(u64::from(p.key) * 1_000_000)),
        }
    }
    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.inside.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}

#[test]
fn the_laws_notice_each_fault() {
    for (fault, law) in [
        (Fault::Loses, "conservation"),
        (Fault::Reorders, "order"),
        (Fault::ReadyEarly, "readiness"),
        (Fault::NeverReady, "progress"),
        (Fault::RefusesAtTwo, "bounds"),
        (Fault::TakesTooMuch, "bounds"),
        (Fault::TouchesSize, "conservation"),
    ] {
        let pacer = Faulty {
            fault,
            inside: Vec::new(),
            bytes: 0,
        };
        let promise = Promise {
            capacity: ROOM,
            ..Promise::NONE
        };
        let operations: Vec<Operation> = (0..200)
            .map(|i| match i % 50 {
                49 => Operation::Wake {
                    gap: Span::from_us(1),
                },
                _ => Operation::Arrive {
                    gap: Span::ZERO,
                    flow: FlowId(0),
                    size: 100,
                    class: 0,
                    bound: None,
                },
            })
            .collect();
        let violation = laws::check(pacer, promise, &operations).expect_err("a fault");
        assert_eq!(violation.law, law, "{violation}");
    }
}
