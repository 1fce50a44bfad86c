//! A pacer in steady state with about n packets waiting: packets of 40 to 1500 bytes arrive at
//! random gaps and are served punctually.

mod null;
mod rebuild;

use std::hint::black_box;

use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use rand_chacha::rand_core::SeedableRng;

use null::Null;
use rebuild::Rebuild;

/// Mean time between two packets, in picoseconds.
const GAP: u64 = 1_000_000;

/// The pacers to measure, by name.
#[allow(dead_code, reason = "each bench uses its part")]
pub const PACERS: [&str; 9] = [
    "null",
    "fifo",
    "token_bucket",
    "leaky_bucket",
    "qlbp",
    "qlbp09",
    "hull",
    "hull_multi",
    "rebuild",
];

/// A workload with any pacer.
pub trait Run {
    /// Makes n arrivals, and the releases between them.
    fn run(&mut self, steps: u64);
    /// Packets in the pacer.
    #[allow(dead_code, reason = "each bench uses its part")]
    fn waiting(&self) -> u64;
}

/// Steady state with about n packets waiting in the pacer of that name.
pub fn steady(name: &str, n: u64) -> Box<dyn Run> {
    let delay = Span::from_ps(n * GAP);
    match name {
        "null" => settled(Null::default(), 0, n),
        "fifo" => settled(fifo(), 0, n),
        "token_bucket" => settled(token_bucket(), 0, n),
        "leaky_bucket" => settled(leaky_bucket(), 0, n),
        "qlbp" => settled(qlbp(n), 0, n),
        "qlbp09" => settled(qlbp09(n), 0, n),
        "hull" => settled(Hull::new(&HullConfig::new(delay)).expect("valid"), 0, n),
        "hull_multi" => settled(hull_multi(), n * GAP, n),
        "rebuild" => settled(Rebuild::new(delay), 0, n),
        other => panic!("no pacer is called {other}"),
    }
}

fn settled<P: Pacer + 'static>(pacer: P, bound: u64, n: u64) -> Box<dyn Run> {
    let mut workload = Workload::new(pacer, bound);
    workload.run(3 * n);
    Box::new(workload)
}

const UNLIMITED: Capacity = Capacity::Unlimited;

/// The rate of the arrivals.
fn mean_rate() -> Rate {
    Rate::from_mbps(6_160)
}

fn fifo() -> Unpaced {
    let capacity = UNLIMITED;
    Unpaced::new(&UnpacedConfig { capacity }).expect("valid")
}

fn token_bucket() -> TokenBucket {
    let config = TokenBucketConfig {
        rate: mean_rate(),
        burst: Bytes(15_000),
        capacity: UNLIMITED,
    };
    TokenBucket::new(&config).expect("valid")
}

fn leaky_bucket() -> LeakyBucket {
    let config = LeakyBucketConfig {
        rate: mean_rate(),
        capacity: UNLIMITED,
    };
    LeakyBucket::new(&config).expect("valid")
}

fn qlbp(n: u64) -> Qlbp {
    let config = QlbpConfig {
        mu_min: None,
        mu_max: Rate::from_mbps(2 * 6_160),
        q_max: Capacity::Packets(2 * n),
        q_lim: UNLIMITED,
        line_rate: Rate::from_mbps(20_000),
    };
    Qlbp::new(&config).expect("valid")
}

fn qlbp09(n: u64) -> Qlbp09 {
    let config = Qlbp09Config {
        d_max: Span::from_us(100),
        s_max: Bytes(1500),
        mu_max: Rate::from_mbps(2 * 6_160),
        q_max: Capacity::Packets(2 * n),
        q_lim: UNLIMITED,
        plug_in: None,
        jitter: Span::ZERO,
    };
    let stream = rand_chacha::ChaCha8Rng::from_seed([0; 32]);
    Qlbp09::new(&config, Box::new(stream)).expect("valid")
}

/// Every packet has a separate deadline.
fn hull_multi() -> HullMulti {
    HullMulti::new(&HullMultiConfig::new(Vec::new())).expect("valid")
}

/// Arrivals and punctual service.
struct Workload<P> {
    pacer: P,
    /// Delay bounds are uniform up to twice this; zero leaves them to the pacer.
    bound: u64,
    now: Time,
    state: u64,
    key: u32,
}

impl<P: Pacer> Workload<P> {
    fn new(pacer: P, bound: u64) -> Workload<P> {
        Workload {
            pacer,
            bound,
            now: Time::ZERO,
            state: 1,
            key: 0,
        }
    }

    #[inline(always)]
    fn random(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((u128::from(self.state) * u128::from(below)) >> 64) as u64
    }

    /// One arrival, after the releases due before it.
    #[inline(always)]
    fn step(&mut self) {
        let gap = Span::from_ps(self.random(2 * GAP));
        self.now += gap;
        while let Release::At(at) = self.pacer.next_release()
            && at <= self.now
        {
            black_box(self.pacer.dequeue(at).expect("its time has come").key);
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

impl<P: Pacer> Run for Workload<P> {
    fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.step();
        }
    }

    fn waiting(&self) -> u64 {
        self.pacer.waiting().packets
    }
}
