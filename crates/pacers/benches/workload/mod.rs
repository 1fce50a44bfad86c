//! A pacer in steady state with about n packets waiting: packets of 40 to 1500
//! bytes come at random gaps and are served punctually.

use std::collections::VecDeque;

use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use rand_chacha::rand_core::SeedableRng;

/// Mean time between two packets, in picoseconds.
const GAP: u64 = 1_000_000;

/// The pacers to measure, by name.
#[allow(dead_code, reason = "each bench uses its part")]
pub const PACERS: [&str; 8] = [
    "fifo",
    "token_bucket",
    "leaky_bucket",
    "qlbp",
    "qlbp09",
    "hull",
    "hull_multi",
    "rebuild",
];

/// A pacer of that name that holds about n packets under this workload.
pub fn pacer(name: &str, n: u64) -> AnyPacer {
    let delay = Span::from_ps(n * GAP);
    let capacity = Capacity::Unlimited;
    let mean_rate = Rate::from_mbps(6_160);
    match name {
        "fifo" => Unpaced::new(&UnpacedConfig { capacity })
            .expect("valid")
            .into(),
        "token_bucket" => TokenBucket::new(&TokenBucketConfig {
            rate: mean_rate,
            burst: Bytes(15_000),
            capacity,
        })
        .expect("valid")
        .into(),
        "leaky_bucket" => LeakyBucket::new(&LeakyBucketConfig {
            rate: mean_rate,
            capacity,
        })
        .expect("valid")
        .into(),
        "qlbp" => Qlbp::new(&QlbpConfig {
            mu_min: None,
            mu_max: Rate::from_mbps(2 * 6_160),
            q_max: Capacity::Packets(2 * n),
            q_lim: capacity,
            line_rate: Rate::from_mbps(20_000),
        })
        .expect("valid")
        .into(),
        "qlbp09" => Qlbp09::new(
            &Qlbp09Config {
                d_max: Span::from_us(100),
                s_max: Bytes(1500),
                mu_max: Rate::from_mbps(2 * 6_160),
                q_max: Capacity::Packets(2 * n),
                q_lim: capacity,
                plug_in: None,
                jitter: Span::ZERO,
            },
            Box::new(rand_chacha::ChaCha8Rng::from_seed([0; 32])),
        )
        .expect("valid")
        .into(),
        "hull" => Hull::new(&HullConfig::new(delay)).expect("valid").into(),
        "hull_multi" => HullMulti::new(&HullMultiConfig::new(vec![delay]))
            .expect("valid")
            .into(),
        "rebuild" => AnyPacer::from(Box::new(Rebuild::new(delay)) as Box<dyn Pacer>),
        other => panic!("no pacer is called {other}"),
    }
}

/// Arrivals and punctual service.
pub struct Workload<P> {
    pub pacer: P,
    /// Bounds are uniform up to twice this; zero leaves them to the class.
    bound: u64,
    now: Time,
    state: u64,
    key: u32,
    pub released: u64,
}

impl<P: Pacer> Workload<P> {
    pub fn new(pacer: P, bound: u64) -> Workload<P> {
        Workload {
            pacer,
            bound,
            now: Time::ZERO,
            state: 1,
            key: 0,
            released: 0,
        }
    }

    /// Fills the pacer to its steady state.
    pub fn settle(mut self, n: u64) -> Workload<P> {
        for _ in 0..3 * n {
            self.step();
        }
        self
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((u128::from(self.state) * u128::from(below)) >> 64) as u64
    }

    /// One arrival, and the releases up to it.
    pub fn step(&mut self) {
        let gap = self.random(2 * GAP);
        self.now += Span::from_ps(gap);
        while let Release::At(at) = self.pacer.next_release()
            && at <= self.now
        {
            let packet = self.pacer.dequeue(at).expect("its time has come");
            self.released += u64::from(packet.size);
        }
        let size = 40 + self.random(1461) as u32;
        let mut packet = Pending::new(self.key, FlowId(0), size);
        if self.bound > 0 {
            let bound = Span::from_ps(self.random(2 * self.bound));
            packet = packet.due(self.now + bound);
        }
        self.key = self.key.wrapping_add(1);
        self.pacer.enqueue(self.now, packet).expect("unlimited");
    }
}

/// Steady state with about n waiting in the pacer of that name.
pub fn steady(name: &str, n: u64) -> Workload<AnyPacer> {
    let bound = if name == "hull_multi" { n * GAP } else { 0 };
    Workload::new(pacer(name, n), bound).settle(n)
}

/// The hull pacer of one class that builds its hull anew at every arrival: the
/// baseline of the incremental ones.
struct Rebuild {
    delay: Span,
    waiting: VecDeque<(Time, Pending)>,
    hull: Vec<(u64, u64)>,
    anchor: (u64, u64),
    released: u64,
    bytes: u64,
}

impl Rebuild {
    fn new(delay: Span) -> Rebuild {
        Rebuild {
            delay,
            waiting: VecDeque::new(),
            hull: Vec::new(),
            anchor: (0, 0),
            released: 0,
            bytes: 0,
        }
    }

    fn build(&mut self) {
        let mut end = self.released;
        self.hull.clear();
        self.hull.push(self.anchor);
        for &(deadline, packet) in &self.waiting {
            end += u64::from(packet.size) << 16;
            let point = (deadline.as_ps(), end);
            while let [.., a, b] = self.hull[..]
                && u128::from(b.1 - a.1) * u128::from(point.0 - b.0)
                    <= u128::from(point.1 - b.1) * u128::from(b.0 - a.0)
            {
                self.hull.pop();
            }
            self.hull.push(point);
        }
    }
}

impl Pacer for Rebuild {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        if let [a, b, ..] = self.hull[..] {
            let t = now.as_ps().min(b.0);
            let rise = u128::from(b.1 - a.1) * u128::from(t - a.0) / u128::from((b.0 - a.0).max(1));
            self.anchor = (t, a.1 + rise as u64);
        }
        self.anchor.0 = now.as_ps();
        self.waiting.push_back((now + self.delay, packet));
        self.bytes += u64::from(packet.size);
        self.build();
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next_release().is_ready(now) {
            return None;
        }
        let (_, packet) = self.waiting.pop_front()?;
        self.bytes -= u64::from(packet.size);
        self.released += u64::from(packet.size) << 16;
        if self.hull.len() > 1 && self.released >= self.hull[1].1 {
            self.hull.remove(0);
        }
        Some(packet)
    }

    fn next_release(&self) -> Release {
        let Some((_, head)) = self.waiting.front() else {
            return Release::Idle;
        };
        let goal = self.released + (u64::from(head.size) << 16);
        let (a, b) = (self.hull[0], self.hull[1]);
        let wait = u128::from(goal.saturating_sub(a.1)) * u128::from(b.0 - a.0);
        let wait = wait.div_ceil(u128::from((b.1 - a.1).max(1)));
        Release::At(Time::from_ps(a.0 + wait as u64))
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.waiting.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}
