//! Rates of buckets that change while packets wait, against exact sums.

use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Time};
use proptest::prelude::*;

const SIZE: u32 = 1000;
const PACKETS: u32 = 40;

/// Bits times picoseconds per second that a rate has provided by `now`: `steps` has rates and the
/// times from which they hold.
fn given(steps: &[(u64, u64)], now: u64) -> u128 {
    let ends = steps
        .iter()
        .skip(1)
        .map(|(from, _)| *from)
        .chain([u64::MAX]);
    let part = |((from, bps), end): (&(u64, u64), u64)| {
        u128::from(now.min(end).saturating_sub(*from)) * u128::from(*bps)
    };
    steps.iter().zip(ends).map(part).sum()
}

/// Release times of packets that all arrived at 0, while the rate changes.
fn releases(mut pacer: impl Pacer, steps: &[(u64, u64)]) -> Vec<u64> {
    for key in 0..PACKETS {
        let packet = Pending::new(key, FlowId(0), SIZE);
        pacer.enqueue(Time::ZERO, packet).expect("room for all");
    }
    let mut changes = steps.iter().skip(1);
    let mut change = changes.next();
    let mut released = Vec::new();
    while let Release::At(next) = pacer.next_release() {
        match change {
            Some((at, bps)) if *at < next.as_ps() => {
                let rate = Rate::from_bps(*bps).expect("not zero");
                assert!(pacer.set_rate(Time::from_ps(*at), rate), "it has a rate");
                change = changes.next();
            }
            _ => {
                assert!(pacer.dequeue(next).is_some(), "its time has come");
                released.push(next.as_ps());
            }
        }
    }
    released
}

proptest! {
    /// A packet leaves once the changing rate has provided the bits that it waits for: never
    /// earlier, and late by at most what the fastest rate provides in two picoseconds per change,
    /// plus two. (A bucket of one packet is full at each release, and forgets the fraction of a
    /// picosecond.)
    #[test]
    fn packets_leave_when_the_rates_have_given_their_bits(
        gaps in prop::collection::vec((1u64..20_000_000_000, 1_000_000u64..1_000_000_000), 1..8),
        burst in 2u32..5,
    ) {
        let mut at = 0;
        let steps: Vec<(u64, u64)> = gaps
            .iter()
            .enumerate()
            .map(|(place, (gap, bps))| {
                at += if place == 0 { 0 } else { *gap };
                (at, *bps)
            })
            .collect();
        let rate = Rate::from_bps(steps[0].1).expect("not zero");
        let capacity = Capacity::Unlimited;
        let leaky = LeakyBucket::new(&LeakyBucketConfig { rate, capacity }).expect("valid");
        let tokens = TokenBucket::new(&TokenBucketConfig {
            rate,
            burst: Bytes(u64::from(burst * SIZE)),
            capacity,
        })
        .expect("valid");
        let both = [(releases(leaky, &steps), 1), (releases(tokens, &steps), burst)];
        let fastest = steps.iter().map(|(_, bps)| u128::from(*bps)).max().expect("one rate");
        let late = 2 * (steps.len() as u128 + 1) * fastest;
        for (times, free) in both {
            prop_assert_eq!(times.len(), PACKETS as usize);
            for (place, time) in times.iter().enumerate() {
                let waits_for = (place as u128 + 1).saturating_sub(u128::from(free));
                let bits = waits_for * u128::from(SIZE) * 8 * 1_000_000_000_000;
                let given = given(&steps, *time);
                prop_assert!(given >= bits, "packet {} is early at {}", place, time);
                prop_assert!(given < bits + late, "packet {} is late at {}", place, time);
            }
        }
    }
}

#[test]
fn other_pacers_have_no_rate_to_set() {
    let mut none = Unpaced::new(&UnpacedConfig {
        capacity: Capacity::Unlimited,
    })
    .expect("valid");
    assert!(
        !none.set_rate(Time::ZERO, Rate::from_mbps(1)),
        "it has none"
    );
}
