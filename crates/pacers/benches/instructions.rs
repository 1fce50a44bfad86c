//! One pacer, for an instruction counter around it:
//! `instructions PACER N STEPS` settles it with about N packets waiting, then runs so
//! many steps in `measured`. Prints how many wait and the nanoseconds of a step.
//! Without arguments it does nothing, so that `cargo bench` passes over it.
#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock")]

mod workload;

use std::time::Instant;

use workload::{Run, steady};

const BATCHES: u64 = 10;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, steps] = &arguments[..] else {
        return;
    };
    let (Ok(n), Ok(steps)) = (n.parse(), steps.parse::<u64>()) else {
        return;
    };
    let mut workload = steady(name, n);
    let fastest = (0..BATCHES)
        .map(|_| nanoseconds(&mut *workload, steps / BATCHES))
        .fold(f64::INFINITY, f64::min);
    println!("{} {fastest:.1}", workload.waiting());
}

/// A step's share of the time of so many: the fastest batch is the least disturbed.
fn nanoseconds(workload: &mut dyn Run, steps: u64) -> f64 {
    let begin = Instant::now();
    measured(workload, steps);
    begin.elapsed().as_nanos() as f64 / steps.max(1) as f64
}

/// What the counter counts.
#[inline(never)]
fn measured(workload: &mut dyn Run, steps: u64) {
    workload.run(steps);
}
