//! CoDel by RFC 8289, compared with a model of its text with the exact root.
//!
//! `fixtures/codel-rfc-drops.csv`: the time and the sojourn time of each drop, in microseconds, for packets of 1500 B at
//! 120 % of a line of 10 Mbps for 10 s, then 80 % for 5 s. The model shares no code with this crate.

use pacesim_queues::{Codel, CodelConfig, Line, Pending, Queue, Turn};
use pacesim_units::{Capacity, FlowId, Time};

/// Arrivals in nanoseconds, all except the first 100 ns away from the line's own times.
fn arrivals() -> Vec<u64> {
    let mut arrivals = Vec::new();
    for (start, end, gap) in [
        (0, 10_000_000_000, 1_000_000),
        (10_000_000_000, 15_000_000_000, 1_500_000),
    ] {
        let times = (start..end).step_by(gap);
        arrivals.extend(times.map(|ns| if ns == 0 { 0 } else { ns + 100 }));
    }
    arrivals
}

/// The drops: time, and sojourn time of the packet, in nanoseconds.
fn drops(mut queue: impl Queue) -> Vec<(u64, u64)> {
    let arrivals = arrivals();
    let mut drops = Vec::new();
    let (mut busy, mut next) = (None, 0);
    while next < arrivals.len() || busy.is_some() {
        let arrival = arrivals.get(next).copied();
        let is_sent = busy.filter(|end| arrival.is_none_or(|ns| *end <= ns));
        let now = is_sent.or(arrival).expect("one of both is left");
        match is_sent {
            Some(_) => busy = None,
            None => {
                let packet = Pending::new(next as u32, FlowId(0), 1500);
                queue
                    .arrive(Time::from_ps(now * 1000), packet)
                    .expect("there is room");
                next += 1;
            }
        }
        while busy.is_none() {
            match queue.turn(Time::from_ps(now * 1000), Line::Free) {
                Turn::Hold => break,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Go { .. } => busy = Some(now + 1_200_000),
                Turn::Drop(key, _) => drops.push((now, now - arrivals[key as usize])),
            }
        }
    }
    drops
}

#[test]
fn every_drop_is_that_of_the_rfc() {
    let text = include_str!("fixtures/codel-rfc-drops.csv");
    let ns = |us: &str| (us.parse::<f64>().unwrap() * 1000.0).round() as u64;
    let rows = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap());
    let wanted: Vec<_> = rows.map(|(at, sojourn)| (ns(at), ns(sojourn))).collect();
    let config = CodelConfig {
        capacity: Capacity::Unlimited,
        ..CodelConfig::default()
    };
    let drops = drops(Codel::new(&config));
    assert_eq!(drops.len(), wanted.len());
    for (number, (drop, wanted)) in drops.iter().zip(&wanted).enumerate() {
        assert_eq!(drop, wanted, "drop {number}");
    }
}
