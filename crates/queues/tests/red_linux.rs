//! Linux's RED over random cases against a second, slow implementation, which draws its thresholds
//! as Linux does: a random number for the product of distance and count, while the discipline draws
//! for each packet with the resulting probability.

use std::sync::{Arc, Mutex};

use pacesim_queues::{Chance, Ecn, Line, Pending, Queue, Red, RedConfig, RedProfile, Signal, Turn};
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// A case. Packets arrive at whole nanoseconds at a line of 8 Gbps.
struct Case {
    config: RedConfig,
    weight_log: u32,
    /// Time, size and field of each packet.
    packets: Vec<(u64, u32, Ecn)>,
}

/// The decision on an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Taken,
    Marked,
    Dropped,
}

impl Case {
    fn random(seed: u64) -> Case {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let min_th = random.random_range(5_000..40_000);
        let max_th = min_th + random.random_range(1_000..80_000);
        let weight_log = random.random_range(1..9);
        let config = RedConfig {
            capacity: Capacity::Bytes(Bytes(random.random_range(60_000..400_000))),
            max_p: random.random_range(0.01..0.9),
            weight: 1.0 / f64::from(1u32 << weight_log),
            ecn: random.random_bool(0.6),
            hard_drop: random.random_bool(0.2),
            profile: RedProfile::Linux,
            ..RedConfig::of(min_th as f64, max_th as f64, Rate::from_mbps(8000))
        };
        let load = random.random_range(1.02..1.6);
        let (mut now, mut packets) = (1, Vec::new());
        for number in 0..4000 {
            let size = random.random_range(64..1500);
            let ecn = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1][random.random_range(0..3)];
            packets.push((now, size, ecn));
            // The first packets arrive together, so that the line does not fall idle.
            let gap = f64::from(size) / load * random.random_range(0.0..2.0);
            now += if number < 60 { 1 } else { gap as u64 };
        }
        Case {
            config,
            weight_log,
            packets,
        }
    }
}

/// A queue of packets in progress: their sizes, and the end of the last one's transmission.
#[derive(Default)]
struct Line8 {
    /// Start and size.
    sent: Vec<(u64, u32)>,
    free: u64,
}

impl Line8 {
    fn backlog(&self, now: u64) -> u64 {
        let waits = |(start, _): &&(u64, u32)| *start > now;
        let waiting = self.sent.iter().rev().take_while(waits);
        waiting.map(|(_, size)| u64::from(*size)).sum()
    }
}

/// The fates by Linux's thresholds, and the means in bytes as real numbers; `None` if the line is
/// idle.
fn reference(case: &Case, random: &mut impl RngExt) -> Option<(Vec<Fate>, Vec<f64>)> {
    let RedConfig { min_th, max_th, .. } = case.config;
    let Capacity::Bytes(Bytes(limit)) = case.config.capacity else {
        panic!("bytes");
    };
    let slope = ((case.config.max_p * 4_294_967_295.0) as u64 / (max_th - min_th) as u64).max(1);
    let mut draw = || u64::from(random.random::<u32>()) / slope;
    let (mut exact, mut scaled, mut count, mut threshold) = (0.0, 0, -1i64, 0);
    let (mut line, mut fates, mut means) = (Line8::default(), Vec::new(), Vec::new());
    for &(now, size, ecn) in &case.packets {
        if line.free < now && !fates.is_empty() {
            return None;
        }
        let backlog = line.backlog(now);
        let parts = 1u64 << case.weight_log;
        exact += (backlog as f64 - exact) / parts as f64;
        means.push(exact);
        // Linux's fraction of a byte, which decides at the thresholds.
        scaled = scaled + backlog - scaled / parts;
        let mean = scaled as f64 / parts as f64;
        let may_mark = case.config.ecn && ecn != Ecn::NotEct;
        let mut fate = Fate::Taken;
        if mean < min_th {
            count = -1;
        } else if mean >= max_th {
            count = -1;
            let marks = may_mark && !case.config.hard_drop;
            fate = if marks { Fate::Marked } else { Fate::Dropped };
        } else {
            count += 1;
            let product = (mean - min_th) as u64 * count as u64;
            if count == 0 {
                threshold = draw();
            } else if product >= threshold {
                (count, threshold) = (0, draw());
                fate = if may_mark {
                    Fate::Marked
                } else {
                    Fate::Dropped
                };
            }
        }
        if backlog + u64::from(size) > limit {
            fate = Fate::Dropped;
        }
        if fate != Fate::Dropped {
            let start = line.free.max(now);
            line.sent.push((start, size));
            line.free = start + u64::from(size);
        }
        fates.push(fate);
    }
    Some((fates, means))
}

/// The outcomes of a reference's draws. A certain draw must succeed.
#[derive(Debug)]
struct Forced {
    strikes: Vec<bool>,
    faults: Arc<Mutex<Vec<u32>>>,
}

impl Chance for Forced {
    fn strikes(&mut self, key: u32, _signal: Signal, part: u64, whole: u64) -> bool {
        let strikes = self.strikes[key as usize];
        if part > whole || (part == whole && !strikes) {
            self.faults.lock().expect("one thread").push(key);
        }
        strikes
    }
}

/// The fates and means of a discipline.
fn run(case: &Case, mut red: Red) -> (Vec<Fate>, Vec<f64>) {
    let (mut fates, mut means) = (Vec::new(), Vec::new());
    let mut free = 0;
    let time = |ns: u64| Time::from_ps(ns * 1000);
    let mut serve = |red: &mut Red, fates: &mut Vec<Fate>, until: u64, now: Option<u64>| {
        while free <= until {
            let at = now.map_or(free, |now| now.max(free));
            match red.turn(time(at), Line::Free) {
                Turn::Go { key, mark } => {
                    let (_, size, _) = case.packets[key as usize];
                    free = at + u64::from(size);
                    fates[key as usize] = mark.map_or(Fate::Taken, |_| Fate::Marked);
                }
                Turn::Hold => return,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Drop(key, _) => panic!("packet {key} is dropped at its turn"),
            }
        }
    };
    for (key, &(now, size, ecn)) in case.packets.iter().enumerate() {
        if key > 0 {
            serve(&mut red, &mut fates, now, None);
        }
        let packet = Pending::new(key as u32, FlowId(0), size).with_ecn(ecn);
        let taken = red.arrive(time(now), packet).is_ok();
        fates.push(if taken { Fate::Taken } else { Fate::Dropped });
        means.push(red.mean());
        serve(&mut red, &mut fates, now, Some(now));
    }
    serve(&mut red, &mut fates, u64::MAX - 1, None);
    (fates, means)
}

#[test]
fn fates_and_means_follow_from_the_thresholds_that_linux_draws() {
    let (mut cases, mut struck, mut forced) = (0, 0, 0);
    for seed in 0..60 {
        let case = Case::random(seed);
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(1000 + seed);
        let Some((expected, means)) = reference(&case, random) else {
            continue;
        };
        cases += 1;
        let faults = Arc::default();
        let chance: Box<dyn Chance> = Box::new(Forced {
            strikes: expected.iter().map(|fate| *fate != Fate::Taken).collect(),
            faults: Arc::clone(&faults),
        });
        let (ours, our_means) = run(&case, Red::new(&case.config, chance));
        for (number, fate) in expected.iter().enumerate() {
            let off = our_means[number] - means[number];
            // Linux truncates by less than a byte.
            assert!(
                (-1.0..=1.0).contains(&off),
                "case {seed}, packet {number}: a mean of {} B, {} B exactly",
                our_means[number],
                means[number]
            );
            let config = &case.config;
            assert_eq!(
                ours[number], *fate,
                "case {seed}, packet {number}: {config:?}"
            );
            let is_between = (config.min_th..config.max_th).contains(&means[number]);
            struck += u32::from(*fate != Fate::Taken && is_between);
            forced += u32::from(means[number] >= config.max_th);
        }
        let faults = faults.lock().expect("one thread");
        assert!(
            faults.is_empty(),
            "case {seed}: packets {faults:?} were certain to be struck"
        );
    }
    let seen = format!("{cases} cases, {struck} struck by draws, {forced} above max_th");
    assert!(cases >= 40 && struck > 4000 && forced > 4000, "{seen}");
}

/// The number of packets that are dropped or marked, over runs with free draws, agrees with that of
/// Linux's thresholds.
#[test]
fn draws_for_each_packet_strike_as_often_as_thresholds() {
    const RUNS: u64 = 40;
    let mut cases = 0;
    for seed in [2, 3, 5, 7, 11, 13] {
        let case = Case::random(seed);
        let count =
            |fates: &[Fate]| fates.iter().filter(|fate| **fate != Fate::Taken).count() as f64;
        let theirs: Vec<f64> = (0..RUNS)
            .filter_map(|run| {
                let random = &mut Xoshiro256PlusPlus::seed_from_u64(5000 + run);
                Some(count(&reference(&case, random)?.0))
            })
            .collect();
        if theirs.len() < RUNS as usize {
            continue;
        }
        cases += 1;
        let ours: Vec<f64> = (0..RUNS)
            .map(|run_seed| {
                let stream = Xoshiro256PlusPlus::seed_from_u64(run_seed);
                count(&run(&case, Red::new(&case.config, stream)).0)
            })
            .collect();
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let error = |all: &[f64]| {
            let squares: f64 = all.iter().map(|x| (x - mean(all)) * (x - mean(all))).sum();
            squares / (all.len() as f64 - 1.0) / all.len() as f64
        };
        let (is, was) = (mean(&ours), mean(&theirs));
        let allowed = 4.0 * (error(&ours) + error(&theirs)).sqrt();
        assert!(
            (is - was).abs() <= allowed,
            "case {seed}: {is:.1} struck, {was:.1} by thresholds, ± {allowed:.1}"
        );
    }
    assert!(cases >= 4, "{cases} cases whose line never rests");
}
