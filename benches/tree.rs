//! Runs a world without the surrounding program, for profilers and comparisons:
//!
//! `tree SECONDS [FLOWS]` runs the tree of Poisson flows, `tree SECONDS FILE [KEY=VALUE ...]` a
//! scenario; `in-order` at the end disables working ahead of time. Prints packet hops and
//! fingerprint, and on Linux the CPU seconds and the memory of its phases.

use std::io::Write;

use pacesim::World;
use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::scenario::load;
use pacesim_benches::poisson_tree;
use pacesim_units::Span;

fn scenario(file: &str, seconds: &str, sets: &[String]) -> Model {
    let text = std::fs::read_to_string(file).expect("a readable scenario");
    let duration = format!("run.duration={seconds}s");
    let sets = std::iter::once(&duration).chain(sets);
    let sets: Vec<&str> = sets.map(String::as_str).collect();
    let checked = load(file, &text, &sets, &()).unwrap_or_else(|problems| {
        eprintln!("{problems}");
        std::process::exit(2);
    });
    checked.expand(1, 0)
}

/// The CPU seconds of this thread, if the system reports them.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

/// Peak memory in megabytes, if the system reports it.
fn peak_megabytes() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let in_order = arguments.pop_if(|last| last == "in-order").is_some();
    let usage = "usage: tree SECONDS [FLOWS | FILE [KEY=VALUE ...]] [in-order]";
    let seconds = arguments.first().expect(usage);
    let what = arguments.get(1).map_or("1000", String::as_str);
    let begun = cpu_seconds();
    let model = match what.parse() {
        Ok(flows) => {
            let duration = Span::from_secs(seconds.parse().expect(usage));
            poisson_tree(flows, 0.9, duration)
        }
        Err(_) => scenario(what, seconds, arguments.get(2..).unwrap_or_default()),
    };
    if in_order {
        run(model, InOrder, begun)
    } else {
        run(model, (), begun)
    }
}

/// Observes nothing, in order of time.
struct InOrder;

impl Probe for InOrder {}

fn run<P: Probe>(model: Model, probe: P, begun: Option<f64>) {
    let mut world = World::watched(model, probe).expect("a good model");
    let built = cpu_seconds();
    world.run();
    let hops = world.packet_hops();
    say(&format!(
        "{hops} packet-hops, fingerprint {:016x}",
        world.fingerprint()
    ));
    if let (Some(begun), Some(built), Some(run)) = (begun, built, cpu_seconds()) {
        let megabytes = peak_megabytes().unwrap_or_default();
        let (built, run) = (built - begun, run - built);
        say(&format!(
            "build {built:.4} s, run {run:.4} s, {megabytes:.1} MB"
        ));
    }
}

/// Prints a line; ignores a closed pipe.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
