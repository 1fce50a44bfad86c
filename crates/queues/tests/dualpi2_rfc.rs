//! DualPI2 by RFC 9332, compared with a second implementation of its pseudocode (appendix A):
//! updates are separate events, and queues are plain lists.

use pacesim_queues::{DualPi2, DualPi2Config, Ecn, Line, Pending, Queue, Turn};
use pacesim_units::{Capacity, FlowId, Time};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const RATE_MBPS: f64 = 10.0;

/// An arriving packet: its time in nanoseconds, its size and its ECN field.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    ns: u64,
    size: u32,
    ecn: Ecn,
}

/// The fate of a packet: dropped or not, marked or not, and the time of the decision.
type Fate = (bool, bool, u64);

fn line_ns(size: u32) -> u64 {
    (f64::from(size) * 8.0 / RATE_MBPS * 1e3).round() as u64
}

/// The pseudocode.
struct Pseudo<'a> {
    arrivals: &'a [Arrival],
    lq: Vec<usize>,
    cq: Vec<usize>,
    lq_count: f64,
    cq_count: f64,
    p: f64,
    prevq: f64,
    credit: i64,
    fates: Vec<Option<Fate>>,
}

fn recur(count: &mut f64, likelihood: f64) -> bool {
    *count += likelihood;
    if *count > 1.0 {
        *count -= 1.0;
        return true;
    }
    false
}

impl Pseudo<'_> {
    fn time(&self, queue: &[usize], now: u64) -> f64 {
        let head = queue.first().map(|i| self.arrivals[*i].ns);
        head.map_or(0.0, |came| (now - came) as f64 / 1e9)
    }

    fn dualpi2_update(&mut self, now: u64) {
        let curq = self.time(&self.cq, now).max(self.time(&self.lq, now));
        let (alpha, beta) = (38.0 / 256.0, 768.0 / 256.0);
        self.p += alpha * (curq - 0.015) + beta * (curq - self.prevq);
        self.p = self.p.clamp(0.0, 1.0);
        self.prevq = curq;
    }

    fn laqm(&self, i: usize, now: u64) -> f64 {
        if self.lq.is_empty() {
            return 0.0;
        }
        let qdelay = (now - self.arrivals[i].ns) as f64 / 1e9;
        let (min_th, range) = (0.0008, 0.0004);
        ((qdelay - min_th) / range).clamp(0.0, 1.0)
    }

    /// The size of the packet in transmission.
    fn dualpi2_dequeue(&mut self, now: u64) -> Option<u32> {
        loop {
            let l_goes = !self.lq.is_empty() && (self.cq.is_empty() || self.credit <= 0);
            if !l_goes && self.cq.is_empty() {
                self.credit = 1500 * (10 - 90);
                return None;
            }
            let i = if l_goes {
                self.lq.remove(0)
            } else {
                self.cq.remove(0)
            };
            let size = self.arrivals[i].size;
            let (p_c, p_cl) = (self.p * self.p, 2.0 * self.p);
            let overload = p_cl >= 1.0;
            let (mut marked, mut dropped) = (false, false);
            if l_goes && overload {
                dropped = recur(&mut self.lq_count, p_c);
                marked = !dropped && recur(&mut self.lq_count, p_cl.min(1.0));
            } else if l_goes {
                let p_l = self.laqm(i, now).max(p_cl);
                marked = recur(&mut self.lq_count, p_l);
            } else if recur(&mut self.cq_count, p_c) {
                dropped = self.arrivals[i].ecn == Ecn::NotEct || overload;
                marked = !dropped;
            }
            if dropped {
                self.fates[i] = Some((true, false, now));
                continue;
            }
            if l_goes && !self.cq.is_empty() {
                self.credit += 10 * i64::from(size);
            } else if !l_goes && !self.lq.is_empty() {
                self.credit -= 90 * i64::from(size);
            }
            self.fates[i] = Some((false, marked, now));
            return Some(size);
        }
    }
}

fn pseudo(arrivals: &[Arrival]) -> Vec<Option<Fate>> {
    let mut queue = Pseudo {
        arrivals,
        lq: Vec::new(),
        cq: Vec::new(),
        lq_count: 0.0,
        cq_count: 0.0,
        p: 0.0,
        prevq: 0.0,
        credit: 1500 * (10 - 90),
        fates: vec![None; arrivals.len()],
    };
    let (mut next, mut busy, mut update) = (0, None::<u64>, 15_000_000);
    while next < arrivals.len() || busy.is_some() {
        let arrival = arrivals.get(next).map_or(u64::MAX, |arrival| arrival.ns);
        let free = busy.unwrap_or(u64::MAX);
        // At one instant the line comes first, then an arrival, then the update.
        if update < arrival.min(free) {
            queue.dualpi2_update(update);
            update += 15_000_000;
            continue;
        }
        let now = arrival.min(free);
        if free <= arrival {
            busy = None;
        } else {
            let is_l4s = matches!(arrivals[next].ecn, Ecn::Ect1 | Ecn::Ce);
            let list = if is_l4s { &mut queue.lq } else { &mut queue.cq };
            list.push(next);
            next += 1;
        }
        if busy.is_none() {
            busy = queue.dualpi2_dequeue(now).map(|size| now + line_ns(size));
        }
    }
    queue.fates
}

fn ours(arrivals: &[Arrival]) -> Vec<Option<Fate>> {
    let config = DualPi2Config {
        capacity: Capacity::Unlimited,
        ..DualPi2Config::default()
    };
    let mut queue = DualPi2::new(&config, Xoshiro256PlusPlus::seed_from_u64(1));
    let mut fates = vec![None; arrivals.len()];
    let (mut next, mut busy) = (0, None::<u64>);
    while next < arrivals.len() || busy.is_some() {
        let arrival = arrivals.get(next).map_or(u64::MAX, |arrival| arrival.ns);
        let free = busy.unwrap_or(u64::MAX);
        let now = arrival.min(free);
        let time = Time::from_ps(now * 1000);
        if free <= arrival {
            busy = None;
        } else {
            let Arrival { size, ecn, .. } = arrivals[next];
            let packet = Pending::new(next as u32, FlowId(0), size).with_ecn(ecn);
            queue.arrive(time, packet).expect("there is room");
            next += 1;
        }
        while busy.is_none() {
            match queue.turn(time, Line::Free) {
                Turn::Hold => break,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Drop(key, _) => fates[key as usize] = Some((true, false, now)),
                Turn::Go { key, mark } => {
                    fates[key as usize] = Some((false, mark.is_some(), now));
                    busy = Some(now + line_ns(arrivals[key as usize].size));
                }
            }
        }
    }
    fates
}

/// Packets for three seconds, at a mean load above the line's rate.
fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let packet = (0u64..2, 60u32..1500, 0u8..4);
    let load = 0.6f64..2.5;
    (load, prop::collection::vec(packet, 3000)).prop_map(|(load, packets)| {
        let mut now = 0;
        let packets = packets.into_iter().map(|(gap, size, ecn)| {
            now += (gap as f64 * 2.0 * f64::from(line_ns(size) as u32) / load) as u64 + 1;
            let ecn = Ecn::from_bits(ecn);
            Arrival { ns: now, size, ecn }
        });
        packets.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn each_packet_fares_as_in_the_pseudocode(arrivals in arrivals()) {
        let (ours, wanted) = (ours(&arrivals), pseudo(&arrivals));
        for (i, (ours, wanted)) in ours.iter().zip(&wanted).enumerate() {
            prop_assert_eq!(ours, wanted, "packet {}: {:?}", i, arrivals[i]);
        }
        let drops = wanted.iter().flatten().filter(|fate| fate.0).count();
        let marks = wanted.iter().flatten().filter(|fate| fate.1).count();
        prop_assert!(drops + marks > 0);
    }
}
