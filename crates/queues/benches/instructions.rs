//! One discipline, for an instruction counter: `instructions NAME LOAD STEPS` offers this many
//! packets of ten flows at this load, in percent of the line's rate, through the type that ports
//! have, in `measured`; the first tenth precedes it. Prints the waiting packets at the end, and the
//! dropped ones. Without arguments it does nothing, so that `cargo bench` skips it.
#![allow(missing_docs, unreachable_pub)]

use pacesim_queues::Ecn;
use pacesim_queues::{
    AnyQueue, Codel, CodelConfig, DropTail, Drr, DualPi2, DualPi2Config, Fq, FqCodel,
    FqCodelConfig, FqConfig, Line, Pending, Pfabric, Pie, PieConfig, PriorityConfig, Profile,
    Queue, Red, RedConfig, StrictPriority, Turn,
};
use pacesim_units::{Capacity, FlowId, Rate, Time};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, load, steps] = &arguments[..] else {
        return;
    };
    let (Ok(load), Ok(steps)) = (load.parse(), steps.parse::<u64>()) else {
        return;
    };
    let mut port = Port::new(queue(name), load);
    port.run(steps / 10);
    measured(&mut port, steps);
    println!("{} {}", port.queue.waiting().packets, port.dropped);
}

/// The part that is counted.
#[inline(never)]
fn measured(port: &mut Port, steps: u64) {
    port.run(steps);
}

fn queue(name: &str) -> AnyQueue {
    let capacity = Capacity::Packets(1000);
    let codel = |profile| CodelConfig {
        capacity,
        profile,
        ..CodelConfig::default()
    };
    let fq_codel = |profile| FqCodelConfig {
        codel: codel(profile),
        ..FqCodelConfig::default()
    };
    let stream = Xoshiro256PlusPlus::seed_from_u64(1);
    match name {
        "drop_tail" => DropTail::new(capacity, false).into(),
        "codel" => Codel::new(&codel(Profile::Rfc)).into(),
        "codel_linux" => Codel::new(&codel(Profile::Linux)).into(),
        "fq_codel" => FqCodel::new(&fq_codel(Profile::Rfc)).into(),
        "fq_codel_linux" => FqCodel::new(&fq_codel(Profile::Linux)).into(),
        "red" => Red::new(&RedConfig::of(5.0, 15.0, Rate::from_mbps(100)), stream).into(),
        "pie" => Pie::new(&PieConfig::default(), stream).into(),
        "dualpi2" => DualPi2::new(&DualPi2Config::default(), stream).into(),
        "dualpi2_linux" => DualPi2::new(&DualPi2Config::linux(), stream).into(),
        "fq" => Fq::new(&FqConfig::default()).into(),
        "drr" => Drr::new(capacity, false, 1500).into(),
        "strict_priority" => StrictPriority::new(capacity, false, PriorityConfig::default()).into(),
        "pfabric" => Pfabric::new(capacity, false).into(),
        other => panic!("no discipline {other}"),
    }
}

/// A line of 100 Mbps and packets of 1500 B, in bursts of four.
struct Port {
    queue: AnyQueue,
    gap_ps: u64,
    now: u64,
    busy: Option<u64>,
    came: u32,
    dropped: u64,
}

const LINE_PS: u64 = 120_000_000;

impl Port {
    fn new(queue: AnyQueue, load: u64) -> Port {
        Port {
            queue,
            gap_ps: 4 * LINE_PS * 100 / load,
            now: 0,
            busy: None,
            came: 0,
            dropped: 0,
        }
    }

    fn run(&mut self, packets: u64) {
        for _ in 0..packets / 4 {
            self.now += self.gap_ps;
            while let Some(end) = self.busy.filter(|end| *end <= self.now) {
                self.busy = None;
                self.ask(end);
            }
            for _ in 0..4 {
                let flow = FlowId(self.came % 10);
                let ecn = if self.came.is_multiple_of(2) {
                    Ecn::Ect1
                } else {
                    Ecn::NotEct
                };
                let packet = Pending::new(self.came, flow, 1500).with_ecn(ecn);
                self.came += 1;
                let taken = self.queue.arrive(Time::from_ps(self.now), packet);
                self.dropped += u64::from(taken.is_err());
                self.ask(self.now);
            }
        }
    }

    fn ask(&mut self, now: u64) {
        loop {
            let line = match self.busy {
                Some(_) => Line::Busy,
                None => Line::Free,
            };
            match self.queue.turn(Time::from_ps(now), line) {
                Turn::Hold => return,
                Turn::Trim { .. } => unreachable!("it cuts no payloads off"),
                Turn::Go { .. } => self.busy = Some(now + LINE_PS),
                Turn::Drop(..) => self.dropped += 1,
            }
        }
    }
}
