//! Linux's fq over random cases against a second, slow implementation: flows without lists, each
//! with the time at which it joined the end of its list; the next flow is found by a search among
//! all.

use pacesim_queues::{Ecn, Fq, FqConfig, Line, Pending, Queue, Reason, Turn};
use pacesim_units::{FlowId, Rate, Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// An arriving packet: its time in nanoseconds, its flow, its size and its field.
#[derive(Clone, Copy, Debug)]
struct Came {
    at: u64,
    flow: usize,
    size: u32,
    ecn: Ecn,
}

/// The place of a known flow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// In no list, since this time if it ever was in one.
    Nowhere(Option<u64>),
    /// Waits for its time.
    Delayed,
    New,
    Old,
}

/// A flow: its class and pace never change.
struct Flow {
    band: usize,
    /// The band whose list it is in: that of 0 when it is new for the first time, since Linux puts
    /// it there before noting its own.
    listed: usize,
    rate: u64,
    waiting: Vec<usize>,
    credit: i64,
    next: u64,
    place: Place,
    /// The number of moves before it joined its list.
    moved: u64,
}

struct Slow<'a> {
    config: FqConfig,
    packets: &'a [Came],
    flows: Vec<Flow>,
    /// Packets that overtake all flows.
    passing: Vec<usize>,
    credits: [i64; 3],
    band: usize,
    moves: u64,
    /// The earliest time of a delayed flow, as last noted.
    noted: u64,
}

const NEVER: u64 = u64::MAX;
const SHARES: [i64; 3] = [9 << 16, 3 << 16, 1 << 16];

impl Slow<'_> {
    fn held(&self) -> usize {
        self.passing.len()
            + self
                .flows
                .iter()
                .map(|flow| flow.waiting.len())
                .sum::<usize>()
    }

    fn move_to(&mut self, flow: usize, place: Place) {
        self.flows[flow].place = place;
        self.flows[flow].moved = self.moves;
        if place != Place::New {
            self.flows[flow].listed = self.flows[flow].band;
        }
        self.moves += 1;
    }

    fn take(&mut self, number: usize, now: u64) -> Result<(), Reason> {
        let index = self.packets[number].flow;
        let band = self.flows[index].band;
        let of_band = self.flows.iter().filter(|flow| flow.band == band);
        let in_band: usize = of_band.map(|flow| flow.waiting.len()).sum();
        if in_band as u64 >= self.config.limit {
            return Err(Reason::Full);
        }
        let is_able = |flow: &Flow| !flow.waiting.is_empty() && flow.place != Place::Delayed;
        let is_empty = self.held() == 0;
        let may_pass = self.flows[index].rate == NEVER
            && self.config.max_rate.is_none()
            && (is_empty
                || (!self.flows.iter().any(is_able) && self.passing.len() < 8 && self.noted > now));
        if may_pass {
            self.passing.push(number);
            return Ok(());
        }
        if self.flows[index].waiting.len() >= self.config.flow_limit {
            return Err(Reason::Full);
        }
        if let Place::Nowhere(since) = self.flows[index].place {
            let tick = |ns: u64| (ns + 2_048_000) / 4_000_000;
            let delay = (self.config.refill_delay.as_ps() / 1000).div_ceil(4_000_000);
            if since.is_some_and(|since| tick(now) > (tick(since) | 1) + delay) {
                let quantum = i64::from(self.config.quantum);
                self.flows[index].credit = self.flows[index].credit.max(quantum);
            }
            self.move_to(index, Place::New);
        }
        self.flows[index].waiting.push(number);
        Ok(())
    }

    /// Returns flows whose time has come to their turns, the earliest first.
    fn release(&mut self, now: u64) {
        if self.noted > now {
            return;
        }
        loop {
            let delayed = (0..self.flows.len()).filter(|i| self.flows[*i].place == Place::Delayed);
            let first = delayed.min_by_key(|i| (self.flows[*i].next, self.flows[*i].moved));
            match first {
                Some(first) if self.flows[first].next <= now => self.move_to(first, Place::Old),
                first => {
                    self.noted = first.map_or(NEVER, |first| self.flows[first].next);
                    return;
                }
            }
        }
    }

    /// The flow at its turn in this band.
    fn head(&self, band: usize) -> Option<usize> {
        let is_listed = |i: &usize| {
            self.flows[*i].listed == band && matches!(self.flows[*i].place, Place::New | Place::Old)
        };
        let listed = (0..self.flows.len()).filter(is_listed);
        listed.min_by_key(|i| (self.flows[*i].place, self.flows[*i].moved))
    }

    /// The flow to examine next: of the same band while that has credit, otherwise of the next band
    /// with credit.
    fn turn(&mut self) -> Option<usize> {
        if self.credits[self.band] > 0
            && let Some(flow) = self.head(self.band)
        {
            return Some(flow);
        }
        let mut empty = 0;
        while empty < 3 {
            self.band = (self.band + 1) % 3;
            let credit = (self.credits[self.band] + SHARES[self.band]).min(SHARES[self.band]);
            self.credits[self.band] = credit;
            match self.head(self.band) {
                _ if credit <= 0 => empty = 0,
                Some(flow) => return Some(flow),
                None => empty += 1,
            }
        }
        None
    }

    fn send(&mut self, now: u64) -> Option<(usize, bool)> {
        if !self.passing.is_empty() {
            return Some((self.passing.remove(0), false));
        }
        if self.held() == 0 {
            return None;
        }
        self.release(now);
        while let Some(index) = self.turn() {
            let flow = &mut self.flows[index];
            let Some(&number) = flow.waiting.first().filter(|_| flow.credit > 0) else {
                if flow.credit <= 0 {
                    flow.credit += i64::from(self.config.quantum);
                    self.move_to(index, Place::Old);
                } else if flow.place == Place::New {
                    self.move_to(index, Place::Old);
                } else {
                    self.move_to(index, Place::Nowhere(Some(now)));
                }
                continue;
            };
            let due = flow.next.max(self.packets[number].at);
            if due > now {
                flow.next = due;
                self.noted = self.noted.min(due);
                self.move_to(index, Place::Delayed);
                continue;
            }
            flow.waiting.remove(0);
            return Some((number, self.sent(number, now, due)));
        }
        None
    }

    /// Updates credits and the flow's next time after a departure; true if the packet is marked.
    fn sent(&mut self, number: usize, now: u64, due: u64) -> bool {
        let came = self.packets[number];
        let size = i64::from(came.size);
        self.credits[self.band] -= size;
        let flow = &mut self.flows[came.flow];
        flow.credit -= size;
        let most = self.config.max_rate.map_or(NEVER, |rate| rate.as_bps() / 8);
        let rate = flow.rate.min(most);
        let is_slow = self.config.paces && rate <= self.config.low_rate.as_bps() / 8;
        if is_slow {
            flow.credit = 0;
        }
        if self.config.paces && rate < NEVER && flow.credit <= 0 {
            let bytes = if is_slow {
                came.size
            } else {
                came.size.max(self.config.quantum)
            };
            let span = (u64::from(bytes) * 1_000_000_000 / rate).min(1_000_000_000);
            let late = if flow.next > 0 { now - flow.next } else { 0 };
            flow.next = now + span - late.min(span / 2);
        }
        let threshold = self.config.ce_threshold.map(|span| span.as_ps() / 1000);
        came.ecn != Ecn::NotEct && threshold.is_some_and(|most| now - due > most)
    }
}

/// One of the two in front of a line.
trait Served {
    fn arrive(&mut self, number: usize, now: u64) -> Result<(), Reason>;
    /// The packet sent now, and true if it is marked.
    fn go(&mut self, now: u64) -> Option<(usize, bool)>;
    /// The time at which a resting line asks again.
    fn next(&self) -> u64;
}

impl Served for Slow<'_> {
    fn arrive(&mut self, number: usize, now: u64) -> Result<(), Reason> {
        self.take(number, now)
    }
    fn go(&mut self, now: u64) -> Option<(usize, bool)> {
        self.send(now)
    }
    fn next(&self) -> u64 {
        self.noted
    }
}

/// The discipline, and the packets with their classes.
struct Fast<'a>(Fq, &'a Case);

fn time(ns: u64) -> Time {
    Time::from_ps(ns * 1000)
}

impl Served for Fast<'_> {
    fn arrive(&mut self, number: usize, now: u64) -> Result<(), Reason> {
        let came = self.1.packets[number];
        let packet = Pending::new(number as u32, FlowId(came.flow as u32), came.size);
        let class = self.1.classes[came.flow];
        self.0
            .arrive(time(now), packet.with_ecn(came.ecn).of_class(class))
    }
    fn go(&mut self, now: u64) -> Option<(usize, bool)> {
        match self.0.turn(time(now), Line::Free) {
            Turn::Go { key, mark } => Some((key as usize, mark.is_some())),
            Turn::Hold => None,
            Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
            Turn::Drop(key, _) => panic!("packet {key} is dropped at its turn"),
        }
    }
    fn next(&self) -> u64 {
        self.0.next_turn().map_or(NEVER, |at| at.as_ps() / 1000)
    }
}

/// The fates: the departure time of each packet, and true if it is marked.
type Fates = Vec<Result<(u64, bool), Reason>>;

fn run(queue: &mut impl Served, packets: &[Came]) -> Fates {
    let mut fates: Fates = vec![Err(Reason::Early); packets.len()];
    let (mut free, mut rests) = (0, true);
    for number in 0..=packets.len() {
        let now = packets.get(number).map_or(NEVER - 1, |came| came.at);
        loop {
            let at = if rests { queue.next().max(free) } else { free };
            if at > now {
                break;
            }
            let gone = queue.go(at);
            rests = gone.is_none();
            if let Some((gone, is_marked)) = gone {
                fates[gone] = Ok((at, is_marked));
                free = at + u64::from(packets[gone].size);
            }
        }
        if number == packets.len() {
            break;
        }
        match queue.arrive(number, now) {
            Err(reason) => fates[number] = Err(reason),
            Ok(()) if rests => {
                if let Some((gone, is_marked)) = queue.go(now) {
                    fates[gone] = Ok((now, is_marked));
                    (free, rests) = (now + u64::from(packets[gone].size), false);
                }
            }
            Ok(()) => (),
        }
    }
    fates
}

/// A case: classes and paces of flows, and packets for a line of 8 Gbps.
struct Case {
    config: FqConfig,
    classes: Vec<u16>,
    rates: Vec<Option<u64>>,
    packets: Vec<Came>,
}

impl Case {
    fn random(seed: u64) -> Case {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let standard = FqConfig::default();
        let max_rate = random
            .random_bool(0.25)
            .then(|| random.random_range(50_000_000..2_000_000_000));
        let config = FqConfig {
            limit: random.random_range(20..200),
            flow_limit: random.random_range(5..60),
            quantum: random.random_range(200..6000),
            initial_quantum: random.random_range(200..30_000),
            paces: random.random_bool(0.9),
            max_rate: max_rate.and_then(Rate::from_bps),
            low_rate: Rate::from_bps(random.random_range(1_000_000..500_000_000)).expect("above 0"),
            ce_threshold: random.random_bool(0.5).then(|| Span::from_ps(20_000_000)),
            ..standard
        };
        let count = random.random_range(1..12);
        let rates: Vec<Option<u64>> = (0..count)
            .map(|_| {
                random
                    .random_bool(0.6)
                    .then(|| random.random_range(2_000_000..3_000_000_000))
            })
            .collect();
        let load = random.random_range(0.3..2.5);
        let (mut at, mut packets) = (1, Vec::new());
        for _ in 0..800 {
            let size = random.random_range(64..1500);
            let ecn = [Ecn::NotEct, Ecn::Ect0][random.random_range(0..2)];
            let flow = random.random_range(0..count);
            packets.push(Came {
                at,
                flow,
                size,
                ecn,
            });
            at += match random.random_range(0..100) {
                0 => random.random_range(1..100_000_000),
                1..30 => 1,
                _ => (f64::from(size) / load * random.random_range(0.0..2.0)) as u64 + 1,
            };
        }
        Case {
            config,
            classes: (0..count).map(|_| random.random_range(0..16)).collect(),
            rates,
            packets,
        }
    }

    fn slow(&self) -> Slow<'_> {
        let flow = |(class, rate): (&u16, &Option<u64>)| Flow {
            band: Fq::band(*class).into(),
            listed: 0,
            rate: rate.map_or(NEVER, |bps| bps / 8),
            waiting: Vec::new(),
            credit: self.config.initial_quantum.into(),
            next: 0,
            place: Place::Nowhere(None),
            moved: 0,
        };
        Slow {
            config: self.config,
            packets: &self.packets,
            flows: self.classes.iter().zip(&self.rates).map(flow).collect(),
            passing: Vec::new(),
            credits: [0; 3],
            band: 0,
            moves: 0,
            noted: NEVER,
        }
    }

    fn fast(&self) -> Fast<'_> {
        let mut fq = Fq::new(&self.config);
        for (number, rate) in self.rates.iter().enumerate() {
            if let Some(rate) = rate.and_then(Rate::from_bps) {
                fq.pace(FlowId(number as u32), rate);
            }
        }
        Fast(fq, self)
    }
}

#[test]
fn flows_take_turns_and_keep_their_paces_as_in_the_slow_one() {
    let (mut sent, mut marked, mut full) = (0, 0, 0);
    for seed in 0..150 {
        let case = Case::random(seed);
        let expected = run(&mut case.slow(), &case.packets);
        let ours = run(&mut case.fast(), &case.packets);
        for (number, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
            assert_eq!(
                ours, expected,
                "case {seed}, packet {number}: {:?}",
                case.config
            );
            match ours {
                Ok((_, is_marked)) => {
                    sent += 1;
                    marked += u32::from(*is_marked);
                }
                Err(Reason::Full) => full += 1,
                Err(Reason::Early) => panic!("case {seed}: packet {number} never leaves"),
            }
        }
    }
    let seen = format!("{sent} sent, {marked} of them marked, {full} found no room");
    assert!(sent > 50_000 && marked > 1000 && full > 5000, "{seen}");
}
