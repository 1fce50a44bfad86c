//! Paced Poisson traffic: burstiness and delays against an independent simulation
//! of unit packets, and loss behind a small buffer (zerobuf
//! Figs. 18 and 19). One packet time is a microsecond: 1250 B at 10 Gbps.

use pacesim_pacers::{Hull, HullConfig, Pacer, Pending, Release, ReleaseRule};
use pacesim_units::{Capacity, FlowId, Span, Time};
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

const PACKET_TIME: f64 = 1e6;
const SIZE: u32 = 1250;

/// Arrival and release of each packet, in packet times.
fn paced_poisson(load: f64, delay: f64, rule: ReleaseRule, count: u32) -> Vec<(f64, f64)> {
    let mut random = ChaCha8Rng::seed_from_u64(18);
    let mut pacer = Hull::new(&HullConfig {
        delay: Span::from_ps((delay * PACKET_TIME) as u64),
        rule,
        capacity: Capacity::Unlimited,
    })
    .expect("valid");
    let (mut t, mut arrivals, mut passed) = (0.0, Vec::new(), Vec::new());
    for key in 0..count {
        let u = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        t += -libm::log1p(-u) / load;
        let at = Time::from_ps((t * PACKET_TIME) as u64);
        serve(&mut pacer, at, &arrivals, &mut passed);
        arrivals.push(at);
        pacer
            .enqueue(at, Pending::new(key, FlowId(0), SIZE))
            .expect("unlimited");
    }
    serve(&mut pacer, Time::NEVER, &arrivals, &mut passed);
    passed
}

fn serve(pacer: &mut Hull, until: Time, arrivals: &[Time], passed: &mut Vec<(f64, f64)>) {
    let units = |t: Time| t.as_ps() as f64 / PACKET_TIME;
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        let packet = pacer.dequeue(at).expect("its time has come");
        passed.push((units(arrivals[packet.key as usize]), units(at)));
    }
}

/// Standard deviation divided by mean of the packets released in intervals of length s.
fn burstiness(passed: &[(f64, f64)], s: f64) -> f64 {
    let from = passed[passed.len() / 20].1;
    let to = passed[passed.len() - 1].1;
    let mut counts = vec![0.0; ((to - from) / s) as usize];
    for &(_, at) in passed {
        if let Some(count) = counts.get_mut(((at - from) / s).floor().max(-1.0) as usize)
            && at >= from
        {
            *count += 1.0;
        }
    }
    let n = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    variance.sqrt() / mean
}

/// Time-scales and the burstiness expected there.
type Points = &'static [(f64, f64)];

/// Rule of the last byte; 5 % allow for the sampling errors of both simulations.
#[test]
fn paced_poisson_is_as_bursty_as_simulated_elsewhere() {
    let rows: [(f64, f64, u32, Points); 4] = [
        (
            0.8,
            10.0,
            400_000,
            &[(5.0, 0.299), (10.0, 0.264), (20.0, 0.220)],
        ),
        (
            0.8,
            100.0,
            2_000_000,
            &[
                (10.0, 0.106),
                (50.0, 0.0886),
                (100.0, 0.0822),
                (200.0, 0.0697),
            ],
        ),
        (0.8, 1000.0, 6_000_000, &[(500.0, 0.0275), (1000.0, 0.0255)]),
        (
            0.6,
            50.0,
            1_000_000,
            &[(10.0, 0.165), (25.0, 0.146), (50.0, 0.134)],
        ),
    ];
    let mut wrong = Vec::new();
    for (load, delay, count, points) in rows {
        let passed = paced_poisson(load, delay, ReleaseRule::LastByte, count);
        for &(s, expected) in points {
            let ours = burstiness(&passed, s);
            println!("load {load} d {delay} s {s}: {ours:.4} expected {expected}");
            if (ours / expected - 1.0).abs() > 0.05 {
                wrong.push((load, delay, s, ours, expected));
            }
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn mean_delays_are_near_the_bound_under_both_rules() {
    for (load, delay, first, last) in [
        (0.8, 10.0, 0.712, 0.838),
        (0.8, 100.0, 0.916, 0.928),
        (0.6, 10.0, 0.662, 0.829),
        (0.6, 50.0, 0.859, 0.893),
    ] {
        for (rule, expected) in [
            (ReleaseRule::FirstByte, first),
            (ReleaseRule::LastByte, last),
        ] {
            let passed = paced_poisson(load, delay, rule, 400_000);
            let delays = passed.iter().map(|p| p.1 - p.0);
            let mean = delays.sum::<f64>() / passed.len() as f64 / delay;
            assert!(
                (mean / expected - 1.0).abs() < 0.01,
                "{load} {delay} {rule:?}: {mean}"
            );
        }
    }
}

/// Share of packets lost at a line of one packet per packet time with n waiting places in addition
/// to the one in transmission.
fn loss(passed: &[(f64, f64)], places: usize) -> f64 {
    let (mut departures, mut lost) = (std::collections::VecDeque::new(), 0u32);
    for &(_, at) in passed {
        while departures.front().is_some_and(|&d| d <= at) {
            departures.pop_front();
        }
        if departures.len() > places {
            lost += 1;
        } else {
            let start = departures.back().copied().unwrap_or(at).max(at);
            departures.push_back(start + 1.0);
        }
    }
    f64::from(lost) / passed.len() as f64
}

#[test]
fn loss_behind_a_small_buffer_falls_by_orders_of_magnitude() {
    let places = 4;
    let losses: Vec<f64> = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
        .into_iter()
        .map(|delay| {
            loss(
                &paced_poisson(0.6, delay, ReleaseRule::LastByte, 1_000_000),
                places,
            )
        })
        .collect();
    println!("{losses:?}");
    // M/D/1/5 loses 0.0066743 (exact); the generator's sample within 5 %.
    assert!((losses[0] / 0.006_674_342 - 1.0).abs() < 0.05, "{losses:?}");
    assert!(losses.windows(2).all(|w| w[1] <= w[0]), "{losses:?}");
    assert!(losses[3] < losses[0] / 100.0, "{losses:?}");
}
