//! This program compared with the numbers that `scripts/red_figure.py` prints and the page of the
//! queues quotes.
#![allow(missing_docs)]

use pacesim_queues::{Line, Pending, Queue, Red, RedConfig, RedProfile, Turn};
use pacesim_units::{FlowId, Rate, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const SIZE: u32 = 500;

/// Thresholds of 5 and 15 packets before a line of 10 Mbps.
fn red(profile: RedProfile) -> Red {
    let scale = match profile {
        RedProfile::Ns2 => 1.0,
        RedProfile::Linux => f64::from(SIZE),
    };
    let config = RedConfig {
        weight: 1.0 / 512.0,
        in_bytes: profile == RedProfile::Linux,
        profile,
        ..RedConfig::of(5.0 * scale, 15.0 * scale, Rate::from_mbps(10))
    };
    Red::new(&config, Xoshiro256PlusPlus::seed_from_u64(1))
}

/// Offers this many packets, each of which finds `waiting` others unless the last was dropped;
/// returns the drops.
fn offer(red: &mut Red, packets: u32, waiting: u64) -> u32 {
    let mut dropped = 0;
    for _ in 0..packets {
        dropped += u32::from(red.arrive(at(0), Pending::new(0, FlowId(0), SIZE)).is_err());
        while red.waiting().packets > waiting {
            assert!(matches!(red.turn(at(0), Line::Free), Turn::Go { .. }));
        }
    }
    dropped
}

fn at(ms: u64) -> Time {
    Time::from_ps(ms * 1_000_000_000)
}

#[test]
fn at_a_mean_of_ten_packets_linux_drops_almost_three_times_as_many() {
    for (profile, share) in [(RedProfile::Ns2, 0.0340), (RedProfile::Linux, 0.0954)] {
        let mut red = red(profile);
        offer(&mut red, 20_000, 10);
        let measured = f64::from(offer(&mut red, 200_000, 10)) / 200_000.0;
        assert!(
            (measured / share - 1.0).abs() < 0.05,
            "{profile:?}: {measured}, not {share}"
        );
    }
}

/// The part of the mean that is left after this much idle time.
fn left(profile: RedProfile, idle_ms: u64) -> f64 {
    let mut red = red(profile);
    offer(&mut red, 20_000, 10);
    let before = red.mean();
    while red.turn(at(0), Line::Free) != Turn::Hold {}
    assert!(
        red.arrive(at(idle_ms), Pending::new(0, FlowId(0), SIZE))
            .is_ok()
    );
    red.mean() / before
}

#[test]
fn a_mean_halves_in_idle_time_as_the_figure_has_it() {
    let is_about = |measured: f64, expected: f64| (measured / expected - 1.0).abs() < 0.02;
    for (profile, ms, part) in [
        (RedProfile::Ns2, 142, 0.5),
        (RedProfile::Ns2, 284, 0.25),
        (RedProfile::Ns2, 426, 0.125),
        (RedProfile::Linux, 66, 0.75),
        (RedProfile::Linux, 132, 0.5),
        (RedProfile::Linux, 6_500, 0.5),
        (RedProfile::Linux, 6_600, 0.25),
        (RedProfile::Linux, 9_650, 0.25),
        (RedProfile::Linux, 9_750, 0.125),
    ] {
        let measured = left(profile, ms);
        assert!(is_about(measured, part), "{profile:?} {ms} ms: {measured}");
    }
}
