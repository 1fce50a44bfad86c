//! RED's mean queue against ns-2.35's, and its equilibrium.
//!
//! `fixtures/red-ns2-means.csv`: the mean queue after each change in ns-2, with thresholds out of
//! reach: weight 0.002, a line of 10 Mbps, packets of 1000 B at 12 Mbps from 0 to 0.5 s and from
//! 0.9 to 1 s, then at 8 Mbps from 1.5 to 1.7 s. ns-2 writes six digits.

use pacesim_queues::{Line, Pending, Queue, Red, RedConfig, Turn};
use pacesim_units::{Capacity, FlowId, Rate, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const LINE_S: f64 = 8000.0 / 10e6;

fn red(min_th: f64, max_th: f64, seed: u64) -> Red {
    let config = RedConfig {
        capacity: Capacity::Packets(5000),
        mean_packet: 1000,
        ..RedConfig::of(min_th, max_th, Rate::from_mbps(10))
    };
    Red::new(&config, Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// Offers packets at these times, in seconds, and returns for each the time, the mean after its
/// arrival, and true if it was accepted. In ns-2 the order of two packets at one instant depends on
/// the last bits of its times, which are sums of real numbers; these are the same sums.
fn offer(red: &mut Red, arrivals: impl Iterator<Item = f64>, mut note: impl FnMut(f64, f64, bool)) {
    let mut busy = None::<f64>;
    let ask = |red: &mut Red, now: f64, busy: &mut Option<f64>| {
        if let Turn::Go { .. } = red.turn(time(now), Line::Free) {
            *busy = Some(now + LINE_S);
        }
    };
    for (key, now) in arrivals.enumerate() {
        while let Some(end) = busy.filter(|end| *end <= now) {
            busy = None;
            ask(red, end, &mut busy);
        }
        let packet = Pending::new(key as u32, FlowId(0), 1000);
        let taken = red.arrive(time(now), packet).is_ok();
        note(now, red.mean(), taken);
        if busy.is_none() {
            ask(red, now, &mut busy);
        }
    }
}

fn time(seconds: f64) -> Time {
    Time::from_ps((seconds * 1e12).round() as u64)
}

/// Packets at a rate from one time to another, inclusive.
fn cbr(start: f64, stop: f64, mbps: f64) -> impl Iterator<Item = f64> {
    let gap = 8000.0 / (mbps * 1e6);
    std::iter::successors(Some(start), move |now| Some(now + gap))
        .take_while(move |now| *now <= stop + 1e-9)
}

#[test]
fn the_mean_queue_is_that_of_ns2_also_after_idle_times() {
    let text = include_str!("fixtures/red-ns2-means.csv");
    let row = |line: &str| {
        let (at, mean) = line.split_once(',').expect("two columns");
        (at.parse::<f64>().unwrap(), mean.parse::<f64>().unwrap())
    };
    let recorded: Vec<(f64, f64)> = text.lines().skip(1).map(row).collect();
    // The idle times are whole numbers of packets, which ns-2's real numbers reduce by one.
    let less = 1e-11;
    let arrivals = cbr(0.0, 0.5, 12.0)
        .chain(cbr(0.9 - less, 1.0, 12.0))
        .chain(cbr(1.5 - less, 1.7, 8.0));
    let mut means = Vec::new();
    offer(&mut red(1000.0, 2000.0, 1), arrivals, |now, mean, _| {
        means.push((now, mean));
    });
    let mut compared = 0;
    for (at, mean) in means {
        let near = recorded.iter().find(|(time, _)| (time - at).abs() < 2e-5);
        if let Some((_, wanted)) = near {
            compared += 1;
            assert!(
                (mean - wanted).abs() <= 1e-4 * wanted.max(1.0),
                "{mean} at {at} s, not {wanted}"
            );
        }
    }
    assert!(compared > 900, "{compared}");
}

#[test]
fn a_steady_overload_finds_the_mean_at_which_its_share_is_dropped() {
    // 1/6 is too much: spread drops occur with 2/3 of p, so p is 1/4, which for gentle RED with 5
    // and 15 is at 17.5 packets.
    let (mut sum, mut arrived, mut dropped) = (0.0, 0.0, 0.0);
    for seed in 0..3 {
        offer(
            &mut red(5.0, 15.0, seed),
            cbr(0.0, 20.0, 12.0),
            |now, mean, taken| {
                if now >= 2.0 {
                    (sum, arrived) = (sum + mean, arrived + 1.0);
                    dropped += f64::from(u8::from(!taken));
                }
            },
        );
    }
    let (mean, share): (f64, f64) = (sum / arrived, dropped / arrived);
    // ns-2 has 17.357 to 17.393 in three runs, and 4500 of 26999 dropped.
    assert!((17.25..17.5).contains(&mean), "{mean}");
    assert!((share - 1.0 / 6.0).abs() < 5e-4, "{share}");
}
