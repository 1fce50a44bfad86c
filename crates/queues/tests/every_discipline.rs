//! Each discipline in each of its profiles, dropping and marking, under the laws, for long enough
//! to do both.

use pacesim_queues::laws::{self, Arrival, Fate, Promise};
use pacesim_queues::{
    AnyQueue, Codel, CodelConfig, DropTail, Drr, DualPi2, DualPi2Config, Fq, FqCodel,
    FqCodelConfig, FqConfig, Mark, Pfabric, Pie, PieConfig, PriorityConfig, Profile, Queue, Reason,
    Red, RedConfig, RedProfile, Step, StepMark, StrictPriority, Tbf, TbfConfig, WholeBulks,
};
use pacesim_units::{Bytes, Capacity, Rate, Span, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Room that random arrivals fill occasionally.
const ROOM: Capacity = Capacity::Packets(40);
const RUNS: u64 = 30;
const ARRIVALS: usize = 600;

/// The line: half as fast as arrivals.
fn line() -> Rate {
    Rate::from_mbps(1000)
}

fn us(n: u64) -> Span {
    Span::from_ps(n * 1_000_000)
}

/// The number of packets with each fate, in all runs.
#[derive(Debug, Default)]
struct Seen {
    sent: u64,
    marked: u64,
    /// The packets marked for each reason.
    reasons: [u64; Mark::ALL.len()],
    full: u64,
    early: u64,
}

/// Random arrivals, with a different seed each time.
fn random() -> impl Iterator<Item = (u64, Vec<Arrival>)> {
    (0..RUNS).map(|seed| (seed, laws::random_arrivals(seed, ARRIVALS)))
}

/// Random packets at 105 % of the line's rate. PIE does nothing for 150 ms after the line falls
/// idle.
fn steady() -> impl Iterator<Item = (u64, Vec<Arrival>)> {
    (0..3).map(|seed| {
        let mut arrivals = laws::random_arrivals(seed, 20_000);
        let mut before = 0;
        for arrival in &mut arrivals {
            arrival.gap = Span::from_ps(u64::from(before) * 8000 * 100 / 105);
            before = arrival.packet.size;
        }
        (seed, arrivals)
    })
}

/// Tests the laws with these arrivals, on a new instance of the discipline for each seed.
fn seen(
    promise: Promise,
    arrivals: impl Iterator<Item = (u64, Vec<Arrival>)>,
    make: impl Fn(u64) -> AnyQueue,
) -> Seen {
    let mut seen = Seen::default();
    for (seed, arrivals) in arrivals {
        let fates = laws::check(|| make(seed), promise, line(), &arrivals);
        for (_, _, fate) in fates.unwrap_or_else(|broken| panic!("seed {seed}: {broken}")) {
            match fate {
                Fate::Sent { mark } => {
                    seen.sent += 1;
                    if let Some(mark) = mark {
                        seen.marked += 1;
                        seen.reasons[mark as usize] += 1;
                    }
                }
                Fate::Refused(Reason::Full) | Fate::Dropped(Reason::Full) => seen.full += 1,
                Fate::Refused(_) | Fate::Dropped(_) => seen.early += 1,
            }
        }
    }
    seen
}

fn promise() -> Promise {
    Promise::of(ROOM)
}

fn stream(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Each profile, dropping and marking.
fn each_way() -> [(Profile, bool); 4] {
    let [rfc, linux] = [Profile::Rfc, Profile::Linux];
    [(rfc, false), (rfc, true), (linux, false), (linux, true)]
}

/// A discipline that drops by its own rule, and marks only if configured to.
fn must_act(name: &str, marks: bool, promise: Promise, make: impl Fn(u64) -> AnyQueue) {
    let seen = if name.starts_with("pie") {
        seen(promise, steady(), make)
    } else {
        seen(promise, random(), make)
    };
    assert!(seen.sent > 1000, "{name}, ecn {marks}: {seen:?}");
    assert!(seen.early > 20, "{name}, ecn {marks}: {seen:?}");
    assert_eq!(seen.marked > 20, marks, "{name}, ecn {marks}: {seen:?}");
}

fn codel(profile: Profile, ecn: bool) -> CodelConfig {
    CodelConfig {
        capacity: ROOM,
        target: us(20),
        interval: us(200),
        ecn,
        profile,
        ..CodelConfig::default()
    }
}

#[test]
fn codel_and_fq_codel_keep_the_laws_while_they_drop_and_mark() {
    for (profile, ecn) in each_way() {
        let one = codel(profile, ecn);
        let name = format!("codel, {profile:?}");
        must_act(&name, ecn, promise(), |_| Codel::new(&one).into());
        let each = FqCodelConfig {
            codel: one,
            drop_batch: 4,
            ..FqCodelConfig::default()
        };
        let batch = Promise {
            batch: 4,
            ..promise()
        };
        let name = format!("fq_codel, {profile:?}");
        must_act(&name, ecn, batch, |_| FqCodel::new(&each).into());
    }
}

#[test]
fn disciplines_that_draw_keep_the_laws_while_they_drop_and_mark() {
    for (profile, ecn) in each_way() {
        let pie = PieConfig {
            capacity: ROOM,
            target: us(500),
            update: us(500),
            first_update: Time::ZERO + us(500),
            alpha: 4000,
            beta: 40_000,
            ecn,
            profile,
            ..PieConfig::default()
        };
        let name = format!("pie, {profile:?}");
        must_act(&name, ecn, promise(), |seed| {
            Pie::new(&pie, stream(seed)).into()
        });
        // Linux counts bytes.
        let unit = if profile == Profile::Linux {
            4500.0
        } else {
            1.0
        };
        let red = RedConfig {
            capacity: ROOM,
            ecn,
            weight: 0.25,
            adaptive: profile == Profile::Linux,
            profile: match profile {
                Profile::Rfc => RedProfile::Ns2,
                Profile::Linux => RedProfile::Linux,
            },
            ..RedConfig::of(2.0 * unit, 20.0 * unit, line())
        };
        let name = format!("red, {:?}", red.profile);
        must_act(&name, ecn, promise(), |seed| {
            Red::new(&red, stream(seed)).into()
        });
    }
}

#[test]
fn dualpi2_keeps_the_laws_while_it_drops_and_marks() {
    for (profile, drop_early) in each_way() {
        let dualpi2 = DualPi2Config {
            capacity: ROOM,
            target: us(20),
            update: us(50),
            first_update: Time::ZERO + us(50),
            alpha: 20_000,
            beta: 200_000,
            step: Step::Sojourn(us(20)),
            drop_early,
            profile,
            ..DualPi2Config::default()
        };
        let apart = Promise {
            parts_by_ecn: true,
            ..promise()
        };
        let name = format!("dualpi2, {profile:?}, early {drop_early}");
        let marks = reasons(apart, |seed| DualPi2::new(&dualpi2, stream(seed)).into());
        let all = [
            Mark::Threshold,
            Mark::Probability,
            Mark::Coupled,
            Mark::Forced,
        ];
        assert_eq!(marks, all, "{name}");
        must_act(&name, true, apart, |seed| {
            DualPi2::new(&dualpi2, stream(seed)).into()
        });
    }
}

/// A discipline that drops only for lack of room.
fn must_fill(name: &str, marks: bool, promise: Promise, make: impl Fn(u64) -> AnyQueue) {
    let seen = seen(promise, random(), make);
    assert!(seen.sent > 1000, "{name}: {seen:?}");
    assert!(seen.full > 20 && seen.early == 0, "{name}: {seen:?}");
    assert_eq!(seen.marked > 20, marks, "{name}: {seen:?}");
}

#[test]
fn disciplines_that_drop_for_want_of_room_keep_the_laws_in_both_conventions() {
    for counts_sending in [false, true] {
        let promise = Promise {
            counts_sending,
            ..promise()
        };
        must_fill("drop_tail", false, promise, |_| {
            DropTail::new(ROOM, counts_sending).into()
        });
        must_fill("a user's own", false, promise, |_| {
            let own: Box<dyn Queue> = Box::new(DropTail::new(ROOM, counts_sending));
            own.into()
        });
        must_fill("mark", true, promise, |_| {
            StepMark::new(ROOM, counts_sending, Capacity::Packets(5)).into()
        });
        must_fill("bulks", false, promise, |_| {
            WholeBulks::new(ROOM, counts_sending).into()
        });
        must_fill("strict_priority", false, promise, |_| {
            StrictPriority::new(ROOM, counts_sending, PriorityConfig::default()).into()
        });
        must_fill("pfabric", false, promise, |_| {
            Pfabric::new(ROOM, counts_sending).into()
        });
        must_fill("drr", false, promise, |_| {
            Drr::new(ROOM, counts_sending, 1500).into()
        });
    }
    let tbf = TbfConfig {
        capacity: ROOM,
        rate: Rate::from_mbps(500),
        burst: Bytes(9000),
        peak: None,
    };
    must_fill("tbf", false, promise(), |_| Tbf::new(&tbf).into());
}

#[test]
fn fq_holds_no_more_than_its_limits() {
    // Its limits apply to each of three bands, and to each flow: it refuses packets before all
    // bands are full.
    let fq = FqConfig {
        limit: 12,
        flow_limit: 5,
        ce_threshold: Some(us(20)),
        ..FqConfig::default()
    };
    let mut held = 0;
    for (_, arrivals) in random() {
        let mut queue = Fq::new(&fq);
        let mut now = Time::ZERO;
        for arrival in &arrivals {
            now += arrival.gap;
            let _ = queue.arrive(now, arrival.packet);
            held = held.max(queue.waiting().packets);
        }
    }
    assert!((12..=3 * 12).contains(&held), "{held} packets were held");
}

/// The reasons of a discipline's marks.
fn reasons(promise: Promise, make: impl Fn(u64) -> AnyQueue) -> Vec<Mark> {
    let seen = seen(promise, random(), make);
    let is_seen = |mark: &Mark| seen.reasons[*mark as usize] > 0;
    Mark::ALL.into_iter().filter(is_seen).collect()
}

#[test]
fn marks_have_the_reason_for_which_they_were_made() {
    let by_law = |ecn, ce_threshold| {
        let config = CodelConfig {
            ce_threshold,
            ..codel(Profile::Linux, ecn)
        };
        reasons(promise(), |_| Codel::new(&config).into())
    };
    assert_eq!(by_law(true, None), [Mark::Law]);
    assert_eq!(by_law(false, Some(us(50))), [Mark::Threshold]);
    assert_eq!(by_law(true, Some(us(50))), [Mark::Threshold, Mark::Law]);

    let step = reasons(promise(), |_| {
        StepMark::new(ROOM, false, Capacity::Packets(5)).into()
    });
    assert_eq!(step, [Mark::Threshold]);

    let by_mean = |max_th: f64| {
        let red = RedConfig {
            ecn: true,
            capacity: ROOM,
            weight: 0.25,
            profile: RedProfile::Linux,
            ..RedConfig::of(9000.0, max_th, line())
        };
        reasons(promise(), |seed| Red::new(&red, stream(seed)).into())
    };
    assert_eq!(by_mean(40_000.0), [Mark::Probability, Mark::Forced]);
    assert_eq!(by_mean(1e9), [Mark::Probability]);
}
