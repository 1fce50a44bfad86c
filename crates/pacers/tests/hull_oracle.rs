//! Hull pacers against brute force, packet by packet, to the picosecond.

use crate::common::{Job, play};
use pacesim_pacers::{
    Hull, HullConfig, HullMulti, HullMultiConfig, Pending, ReleaseRule, brute_hull,
};
use pacesim_units::{Capacity, FlowId, Span, Time};
use proptest::prelude::*;

const RULES: [ReleaseRule; 2] = [ReleaseRule::LastByte, ReleaseRule::FirstByte];

fn hull(delay: u64, rule: ReleaseRule) -> Hull {
    let config = HullConfig {
        delay: Span::from_ps(delay),
        rule,
        capacity: Capacity::Unlimited,
    };
    Hull::new(&config).expect("valid")
}

fn hull_multi(delay: u64, rule: ReleaseRule) -> HullMulti {
    let config = HullMultiConfig {
        delays: vec![Span::from_ps(delay)],
        rule,
        capacity: Capacity::Unlimited,
    };
    HullMulti::new(&config).expect("valid")
}

/// Converts gaps and sizes to arrivals.
fn jobs(steps: &[(u64, u32)], bound: impl Fn(usize) -> u64) -> Vec<Job> {
    let mut arrival = 0;
    let to_job = |(i, &(gap, size)): (usize, &(u64, u32))| {
        arrival += gap;
        Job {
            key: i as u32,
            arrival,
            deadline: arrival + bound(i),
            size,
        }
    };
    steps.iter().enumerate().map(to_job).collect()
}

fn by_class(jobs: &[Job]) -> Vec<(u64, Pending)> {
    jobs.iter()
        .map(|j| (j.arrival, Pending::new(j.key, FlowId(0), j.size)))
        .collect()
}

fn by_deadline(jobs: &[Job]) -> Vec<(u64, Pending)> {
    jobs.iter()
        .map(|j| {
            let packet = Pending::new(j.key, FlowId(0), j.size).due(Time::from_ps(j.deadline));
            (j.arrival, packet)
        })
        .collect()
}

fn by_definition(rule: ReleaseRule, jobs: &[Job]) -> Vec<(u64, u32)> {
    let packets = by_deadline(jobs).into_iter();
    let packets: Vec<_> = packets.map(|(at, p)| (Time::from_ps(at), p)).collect();
    let releases = brute_hull::play(rule, &packets).releases.into_iter();
    releases.map(|(at, key)| (at.as_ps(), key)).collect()
}

/// Bursts, equal times, gaps of any magnitude, long idle periods; sizes 1..=9000.
fn steps(most: usize) -> impl Strategy<Value = Vec<(u64, u32)>> {
    let gap = prop_oneof![
        3 => Just(0),
        1 => 1u64..10,
        4 => 0u64..5_000_000,
        2 => 0u64..100_000_000,
        1 => 0u64..100_000_000_000,
    ];
    prop::collection::vec((gap, 1u32..=9000), 1..most)
}

fn any_delay() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0u64),
        1u64..100,
        1u64..100_000_000,
        1u64..20_000_000_000
    ]
}

fn assert_in_time(jobs: &[Job], releases: &[(u64, u32)]) {
    assert_eq!(releases.len(), jobs.len());
    for &(at, key) in releases {
        let job = jobs[key as usize];
        assert!(
            at >= job.arrival && at <= job.deadline,
            "{job:?} released at {at}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn one_class_equals_brute_force(steps in steps(120), delay in any_delay()) {
        for rule in RULES {
            let jobs = jobs(&steps, |_| delay);
            let releases = play(&mut hull(delay, rule), &by_class(&jobs));
            prop_assert_eq!(&releases, &by_definition(rule, &jobs));
            assert_in_time(&jobs, &releases);
        }
    }

    #[test]
    fn without_delay_nothing_is_paced(steps in steps(60)) {
        let jobs = jobs(&steps, |_| 0);
        for rule in RULES {
            let releases = play(&mut hull(0, rule), &by_class(&jobs));
            let arrivals: Vec<(u64, u32)> = jobs.iter().map(|j| (j.arrival, j.key)).collect();
            prop_assert_eq!(releases, arrivals);
        }
    }

    #[test]
    fn many_classes_with_one_equal_the_one_class_pacer(
        steps in steps(400), delay in any_delay()
    ) {
        for rule in RULES {
            let packets = by_class(&jobs(&steps, |_| delay));
            prop_assert_eq!(
                play(&mut hull_multi(delay, rule), &packets),
                play(&mut hull(delay, rule), &packets)
            );
        }
    }

    #[test]
    fn any_deadlines_equal_brute_force(
        steps in steps(150),
        bounds in prop::collection::vec(any_delay(), 150),
    ) {
        for rule in RULES {
            let jobs = jobs(&steps, |i| bounds[i]);
            let releases = play(&mut hull_multi(0, rule), &by_deadline(&jobs));
            prop_assert_eq!(&releases, &by_definition(rule, &jobs));
            assert_in_time(&jobs, &releases);
        }
    }
}

fn mixed(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Thousands of packets wait together, so that blocks split, merge and rebalance.
#[test]
fn thousands_of_deadlines_equal_brute_force() {
    for (seed, spread, gap) in [
        (1, 2_000_000_000, 1_000_000),
        (2, 2_000_000_000, 1),
        (3, 100, 1),
        (4, 50_000_000_000, 40_000_000),
    ] {
        let mut random = mixed(seed);
        let steps: Vec<(u64, u32)> = (0..3000)
            .map(|_| (random(gap), 1 + random(9000) as u32))
            .collect();
        let bounds: Vec<u64> = steps.iter().map(|_| random(spread)).collect();
        let jobs = jobs(&steps, |i| bounds[i]);
        for rule in RULES {
            let releases = play(&mut hull_multi(0, rule), &by_deadline(&jobs));
            assert_eq!(releases, by_definition(rule, &jobs), "seed {seed} {rule:?}");
            assert_in_time(&jobs, &releases);
        }
    }
}

/// Long steady states: a packet in front of all others may lie above every line known for them,
/// also because of departed work that was due later.
#[test]
fn long_steady_states_equal_brute_force() {
    for (seed, waiting, count) in [(5, 100, 15_000), (6, 400, 10_000), (7, 1500, 8_000)] {
        let mut random = mixed(seed);
        let steps: Vec<(u64, u32)> = (0..count)
            .map(|_| (random(2_000_000), 40 + random(1461) as u32))
            .collect();
        let bounds: Vec<u64> = steps.iter().map(|_| random(2_000_000 * waiting)).collect();
        let jobs = jobs(&steps, |i| bounds[i]);
        for rule in RULES {
            let releases = play(&mut hull_multi(0, rule), &by_deadline(&jobs));
            let exact = by_definition(rule, &jobs);
            let wrong = releases.iter().zip(&exact).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "seed {seed} {rule:?}");
            assert_in_time(&jobs, &releases);
        }
    }
}

/// 40 B at 100 Gbps and 9000 B at 10 kbps: rounding misses no deadline, and no release is a
/// picosecond off the exact curve.
#[test]
fn no_deadline_is_missed_at_either_end_of_the_range() {
    for (rate, size, delay) in [
        (100_000_000_000u64, 40u32, 1_000_003u64),
        (10_000, 9000, 77_000_000_000_007),
    ] {
        let mut random = mixed(rate);
        let gap = u64::from(size) * 8 * 1_000_000_000_000 / rate;
        let steps: Vec<(u64, u32)> = (0..3000).map(|_| (random(2 * gap), size)).collect();
        let jobs = jobs(&steps, |_| delay);
        for rule in RULES {
            let exact = by_definition(rule, &jobs);
            for releases in [
                play(&mut hull(delay, rule), &by_class(&jobs)),
                play(&mut hull_multi(delay, rule), &by_class(&jobs)),
            ] {
                assert_in_time(&jobs, &releases);
                assert_eq!(releases, exact);
            }
        }
    }
}
