//! The cost of a sweep beyond its runs. The same runs are made bare, one by one in one process, and
//! as a sweep of one job with store and tables, alternately, so that both see the same machine.
//!
//! ```text
//! cargo run --release -p pacesim-lab --example sweep_cost -- POINTS REPLICATIONS DURATION ROUNDS
//! ```
#![allow(
    clippy::disallowed_types,
    reason = "it measures time, and no result depends on it"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pacesim::World;
use pacesim_lab::BatchMonitor;
use pacesim_lab::study::{Sweep, sweep};
use pacesim_study::{Study, StudyText};

struct Clock(Instant);

impl BatchMonitor for Clock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn peak_rss_bytes(&self) -> Option<u64> {
        Some(peak_kib() * 1024)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [points, replications, duration, rounds] = &arguments[..] else {
        panic!("give POINTS REPLICATIONS DURATION ROUNDS, such as 2000 5 10s 3")
    };
    let study = study(points, replications, duration);
    let runs = study.points().count() as u64 * study.replications;
    println!("{runs} runs");
    let rounds: u64 = rounds.parse().expect("a number of rounds");
    for _ in 0..rounds {
        let folder = tempfile::tempdir().expect("a folder");
        let bare = cost(|| bare(&study));
        let whole = cost(|| sweep_all(&study, folder.path()));
        let again = cost(|| sweep_all(&study, folder.path()));
        let times = |of: &Cost| {
            format!(
                "{:.2} ({:.2})",
                of.wall_s / bare.wall_s,
                of.cpu_s / bare.cpu_s
            )
        };
        println!(
            "a bare run {:.3} ms; as a sweep {} times that, of CPU time in brackets; when all are there {}; peak {} MB",
            bare.wall_s / runs as f64 * 1e3,
            times(&whole),
            times(&again),
            peak_kib() / 1024
        );
    }
}

fn study(points: &str, replications: &str, duration: &str) -> Study {
    let text = format!(
        r#"
name = "cost"
run = {{ duration = "{duration}" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }}]
flow = [{{ name = "poisson", from = "a", to = "b", traffic = {{ kind = "poisson", rate = "8Mbps", size = "1KB" }} }}]
[sweep]
replications = {replications}
[[sweep.axis]]
name = "rate"
key = "flow.poisson.traffic.rate"
linear = {{ from = "2Mbps", to = "12Mbps", count = {points} }}
"#
    );
    let text = StudyText::parse("cost.toml", "cost", text.as_bytes(), Arc::new(()));
    text.check()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Makes every run with its scenario in memory, without storing anything.
fn bare(study: &Study) {
    for number in study.points() {
        let scenario = study.scenario(number).expect("a right scenario");
        for replication in 0..study.replications {
            let mut world = World::new(scenario.expand(1, replication)).expect("a right model");
            world.run();
            std::hint::black_box(world.fingerprint());
        }
    }
}

fn sweep_all(study: &Study, out: &Path) {
    let order = Sweep::new(study, out);
    sweep(&order, &Clock(Instant::now())).expect("it comes to its end");
}

/// The cost of some work: wall-clock time, and CPU time of all threads.
struct Cost {
    wall_s: f64,
    cpu_s: f64,
}

fn cost(work: impl FnOnce()) -> Cost {
    let (began, cpu_s) = (Instant::now(), cpu_s());
    work();
    Cost {
        wall_s: began.elapsed().as_secs_f64(),
        cpu_s: self::cpu_s() - cpu_s,
    }
}

/// CPU time of this program so far, if the system reports it (Linux).
fn cpu_s() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The 12th and the 13th field after the name in brackets: user and system.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS_PER_SECOND
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.unwrap_or(0)
}
