//! A single pacer to run under an instruction counter: `instructions PACER N STEPS` brings it to a
//! steady state with about N packets waiting, then runs that many steps in `measured`. Prints the
//! packets waiting and the nanoseconds of processor time per step (Linux). Without arguments it
//! does nothing, so that `cargo bench` skips it.
#![allow(missing_docs, unreachable_pub)]

mod workload;

use workload::{Run, steady};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, n, steps] = &arguments[..] else {
        return;
    };
    let (Ok(n), Ok(steps)) = (n.parse(), steps.parse::<u64>()) else {
        return;
    };
    let mut workload = steady(name, n);
    let begin = nanoseconds();
    measured(&mut *workload, steps);
    let each = (nanoseconds() - begin) / steps as f64;
    println!("{} {each:.1}", workload.waiting());
}

/// Processor time so far, which other programs do not affect.
fn nanoseconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split(' ').next();
    first.and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

/// The measured code.
#[inline(never)]
fn measured(workload: &mut dyn Run, steps: u64) {
    workload.run(steps);
}
