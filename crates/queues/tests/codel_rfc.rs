//! CoDel by RFC 8289, compared with a model of its text with the exact root.
//!
//! `fixtures/codel-rfc-drops.csv`: the time and the sojourn time of each drop, in microseconds, for packets of 1500 B at
//! 120 % of a line of 10 Mbps for 10 s, then 80 % for 5 s. The model shares no code with this crate.

use pacesim_queues::{Codel, CodelConfig, Line, Pending, Profile, Queue, Turn};
use pacesim_units::{Capacity, FlowId, Span, Time};

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

/// The drops of packets that take `line` nanoseconds each: number of the packet, time, and its sojourn time in nanoseconds.
fn drops(mut queue: impl Queue, arrivals: &[u64], line: u64) -> Vec<(u32, u64, u64)> {
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
                Turn::Go { .. } => busy = Some(now + line),
                Turn::Drop(key, _) => drops.push((key, now, now - arrivals[key as usize])),
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
    let drops = drops(Codel::new(&config), &arrivals(), 1_200_000);
    assert_eq!(drops.len(), wanted.len());
    for (number, ((_, at, sojourn), wanted)) in drops.iter().zip(&wanted).enumerate() {
        assert_eq!((*at, *sojourn), *wanted, "drop {number}");
    }
}

/// Packets of this many nanoseconds on the line, at this distance: the first two drops by the RFC, and by Linux.
fn first_two(line: u64, gap: u64, [target, interval]: [u64; 2]) -> [Vec<u32>; 2] {
    let arrivals: Vec<u64> = (0..400).map(|n| 311 + n * gap).collect();
    [Profile::Rfc, Profile::Linux].map(|profile| {
        let config = CodelConfig {
            profile,
            target: Span::from_ms(target),
            interval: Span::from_ms(interval),
            capacity: Capacity::Unlimited,
            ..CodelConfig::default()
        };
        let drops = drops(Codel::new(&config), &arrivals, line);
        drops.iter().take(2).map(|(number, ..)| *number).collect()
    })
}

/// If a whole number of packets makes an interval, a packet leaves just an interval after the target was exceeded: it is
/// dropped by the RFC (`now >= first_above_time`), and the next one by Linux (later than that). A packet that lacks less
/// than two of Linux's ticks of 1024 ns of the target is above the target for Linux alone. The numbers are those of a
/// model of both texts.
#[test]
fn the_first_drops_are_linux_s_or_those_beside_them() {
    let one_ahead = first_two(1_500_000, 1_304_348, [20, 90]);
    assert_eq!(one_ahead, [[163, 224], [164, 225]]);
    let one_behind = first_two(1_200_000, 1_000_026, [5, 100]);
    assert_eq!(one_behind, [[110, 195], [109, 194]]);
    let neither = first_two(1_200_000, 1_090_909, [5, 100]);
    assert_eq!(neither[0], neither[1]);
}
